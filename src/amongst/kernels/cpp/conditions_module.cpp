// The Python module of the compiled conditions.
#include "conditions_of.h"

using namespace amongst;

namespace {

// holds_by_class(conditions, n_items, row_at, first_of_class, weight|None, holds)
PyObject* holds_by_class_(PyObject*, PyObject* args) {
    PyObject *py_conditions, *py_row_at, *py_first, *py_weight, *py_holds;
    Py_ssize_t n_items;
    if (!PyArg_ParseTuple(args, "OnOOOO", &py_conditions, &n_items, &py_row_at, &py_first, &py_weight, &py_holds)) return nullptr;
    HeldConditions held;
    Buffer row_at, first, weight, holds;
    if (!check(n_items >= 0, "there are fewer than no items") || !conditions_of(py_conditions, size_t(n_items), held)) return nullptr;
    if (!row_at.open_items(py_row_at, 4) || !first.open_items(py_first, 8) || !holds.open_items(py_holds, 1, true)) return nullptr;
    if (py_weight != Py_None && !weight.open_items(py_weight, 4)) return nullptr;
    if (py_weight != Py_None && !check(weight.n() == size_t(n_items), "there must be a weight for every item")) return nullptr;
    const int64_t* begin = first.as<const int64_t>();
    bool ascend = first.n() == holds.n() + 1 && begin[0] >= 0 && std::is_sorted(begin, begin + first.n()) &&
                  begin[first.n() - 1] <= int64_t(row_at.n());
    if (!check(ascend, "classes must follow each other within the rows") || !check_below(row_at, uint64_t(n_items))) return nullptr;
    const uint32_t* own = py_weight == Py_None ? nullptr : weight.as<const uint32_t>();
    bool done = unlocked([&] {
        Judge judge(held.conditions);
        const uint32_t* item = row_at.as<const uint32_t>();
        for (size_t c = 0; c < holds.n(); c++) {
            judge.clear();
            for (int64_t i = begin[c]; i < begin[c + 1]; i++) judge.add(item[i], own ? own[item[i]] : 1);
            holds.as<uint8_t>()[c] = judge.holds();
        }
    });
    if (!done) return nullptr;
    Py_RETURN_NONE;
}

PyMethodDef methods[] = {
    {"holds_by_class", holds_by_class_, METH_VARARGS, "holds_by_class(...)"},
    {nullptr, nullptr, 0, nullptr},
};

PyModuleDef module = {PyModuleDef_HEAD_INIT, "_conditions", "Compiled conditions on groups.", -1, methods, nullptr, nullptr, nullptr, nullptr};

}  // namespace

PyMODINIT_FUNC PyInit__conditions(void) { return PyModule_Create(&module); }
