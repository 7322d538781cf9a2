// The Python face of the split by information.
#include "conditions_of.h"
#include "priced_columns.h"

#include "target_split.h"

using namespace amongst;

namespace {

// target_split(codes, tables, positions, starts, ends, numbers, classes, n_classes, n_log_n, k, conditions|None, group)
// -> number of groups
PyObject* target_split(PyObject*, PyObject* args) {
    PyObject *py_codes, *parts[4], *numbers, *py_classes, *py_logs, *py_conditions, *py_group;
    Py_ssize_t k, n_classes;
    if (!PyArg_ParseTuple(args, "OOOOOOOnOnOO", &py_codes, &parts[0], &parts[1], &parts[2], &parts[3], &numbers, &py_classes, &n_classes,
                          &py_logs, &k, &py_conditions, &py_group))
        return nullptr;
    PricedColumns priced;
    std::vector<Buffer> kept;
    std::vector<const uint32_t*> columns;
    size_t n = 0;
    Buffer classes, logs, group;
    PyObject* const(&own_parts)[4] = parts;
    if (!open_prices(own_parts, numbers, priced) || !open_codes(py_codes, priced, kept, columns, n)) return nullptr;
    for (const Price& price : priced.prices)
        if (!price.position && price.tree_start && !check_tree(price)) return nullptr;
    if (!classes.open_items(py_classes, 4) || !logs.open_items(py_logs, 8) || !group.open_items(py_group, 4, true)) return nullptr;
    if (!check(classes.n() == n && group.n() == n && logs.n() == n + 1, "classes and groups must have n items, logarithms n + 1")) return nullptr;
    if (!check(k >= 1 && n_classes >= 1, "k and the number of classes must be 1 or more")) return nullptr;
    if (!check_below(classes, uint64_t(n_classes))) return nullptr;
    HeldConditions held;
    if (py_conditions != Py_None && !conditions_of(py_conditions, n, held)) return nullptr;
    size_t n_groups = 0;
    bool done = unlocked([&] {
        if (n == 0) return;
        size_t d = columns.size();
        std::vector<uint32_t> codes(n * d);
        for (size_t c = 0; c < d; c++)
            for (size_t i = 0; i < n; i++) codes[i * d + c] = columns[c][i];
        TargetSplit split(codes, priced.prices, classes.as<const uint32_t>(), size_t(n_classes), logs.as<const int64_t>(), size_t(k),
                          py_conditions == Py_None ? nullptr : &held.conditions);
        n_groups = split.run(n, group.as<int32_t>());
    });
    return done ? PyLong_FromSize_t(n_groups) : nullptr;
}

PyMethodDef methods[] = {
    {"target_split", target_split, METH_VARARGS, "target_split(...) -> number of groups"},
    {nullptr, nullptr, 0, nullptr},
};

PyModuleDef module = {PyModuleDef_HEAD_INIT, "_target", "The split by information.", -1, methods, nullptr, nullptr, nullptr, nullptr};

}  // namespace

PyMODINIT_FUNC PyInit__target(void) { return PyModule_Create(&module); }
