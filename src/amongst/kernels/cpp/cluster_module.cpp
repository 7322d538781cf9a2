// The Python face of the clustering kernels: sweep, split by gain, refine.
#include "conditions_of.h"

#include <chrono>

#include "refine.h"
#include "sweep.h"

using namespace amongst;

namespace {

// Everything about the columns: codes, and prices with the arrays they rest on.
struct Table {
    std::vector<Buffer> codes, kept;
    std::vector<Price> prices;
    std::vector<Stretch> stretches;
    size_t n = 0;
    int64_t most_codes = 0;
};

const void* data_or_null(PyObject* tuple, Py_ssize_t c, int itemsize, std::vector<Buffer>& kept, bool& good) {
    PyObject* item = PyTuple_GetItem(tuple, c);
    if (!item || item == Py_None) {
        good &= item != nullptr;
        return nullptr;
    }
    Buffer buffer;
    if (!buffer.open_items(item, itemsize)) {
        good = false;
        return nullptr;
    }
    const void* data = buffer.as<const void>();
    kept.push_back(std::move(buffer));
    return data;
}

// codes: tuple of uint32 arrays; tables, positions, starts, ends: tuples of int32 arrays or None;
// numbers: int64, 4 a column: n, n_levels, full, own_null; stretches: int32, 3 a stretch.
bool open_table(PyObject* codes, PyObject* tables, PyObject* positions, PyObject* starts, PyObject* ends, PyObject* numbers,
                PyObject* stretches, Table& table) {
    Buffer figures, spans;
    if (!open_all(codes, table.codes) || !figures.open_items(numbers, 8) || !spans.open_items(stretches, 4)) return false;
    size_t d = table.codes.size();
    for (PyObject* part : {tables, positions, starts, ends})
        if (!check(PyTuple_Check(part) && size_t(PyTuple_Size(part)) == d, "there must be one price a column")) return false;
    if (!check(d > 0 && d <= MOST_COLUMNS && figures.n() == 4 * d, "no columns, too many, or not four figures each")) return false;
    table.n = table.codes[0].n();
    const int64_t* f = figures.as<const int64_t>();
    bool good = true;
    for (size_t c = 0; c < d; c++, f += 4) {
        if (!check(table.codes[c].itemsize() == 4 && table.codes[c].n() == table.n, "codes must be n items of 4 bytes")) return false;
        const uint32_t* own = table.codes[c].as<const uint32_t>();
        if (table.n && !check(int64_t(largest_of(own, table.n)) < f[0], "a code is larger than its column has")) return false;
        Price price;
        price.table = static_cast<const int32_t*>(data_or_null(tables, Py_ssize_t(c), 4, table.kept, good));
        price.position = static_cast<const int32_t*>(data_or_null(positions, Py_ssize_t(c), 4, table.kept, good));
        price.tree_start = static_cast<const int32_t*>(data_or_null(starts, Py_ssize_t(c), 4, table.kept, good));
        price.tree_end = static_cast<const int32_t*>(data_or_null(ends, Py_ssize_t(c), 4, table.kept, good));
        price.n = int32_t(f[0]), price.n_levels = int32_t(f[1]), price.full = int32_t(f[2]), price.own_null = int32_t(f[3]);
        table.prices.push_back(price);
        table.most_codes = std::max(table.most_codes, f[0]);
    }
    const int32_t* s = spans.as<const int32_t>();
    for (size_t i = 0; i + 2 < spans.n(); i += 3) table.stretches.push_back({s[i], s[i + 1], s[i + 2]});
    return good;
}

template <typename T, int L>
Rows<T, L> rows_of(const Table& table) {
    Rows<T, L> rows;
    rows.n = table.n;
    rows.prices = table.prices;
    rows.codes.assign(table.n * L, T(0));
    for (size_t c = 0; c < table.codes.size(); c++) {
        const uint32_t* own = table.codes[c].template as<const uint32_t>();
        for (size_t i = 0; i < table.n; i++) rows.codes[i * L + c] = T(own[i]);
    }
    return rows;
}

// Calls f with rows of the narrowest lanes that hold the codes.
template <typename F>
void with_rows(const Table& table, F f) {
    size_t d = table.codes.size();
    if (d > 256) f(rows_of<int32_t, MOST_COLUMNS>(table));
    else if (d > 64) f(rows_of<int32_t, 256>(table));
    else if (table.most_codes <= 256) {
        if (d <= 8) f(rows_of<uint8_t, 8>(table));
        else if (d <= 16) f(rows_of<uint8_t, 16>(table));
        else f(rows_of<uint8_t, 64>(table));
    } else {
        if (d <= 8) f(rows_of<int32_t, 8>(table));
        else if (d <= 16) f(rows_of<int32_t, 16>(table));
        else f(rows_of<int32_t, 64>(table));
    }
}

// The conditions of a call, or null for None; false, with the error set, where they are none.
bool optional_conditions(PyObject* py_conditions, size_t n, HeldConditions& held, const Conditions*& conditions) {
    conditions = nullptr;
    if (py_conditions == Py_None) return true;
    if (!conditions_of(py_conditions, n, held)) return false;
    conditions = &held.conditions;
    return true;
}

// gain_split(codes, tables, positions, starts, ends, numbers, stretches, k, conditions|None, group, divides) -> number of groups
PyObject* gain_split(PyObject*, PyObject* args) {
    PyObject *codes, *tables, *positions, *starts, *ends, *numbers, *stretches, *py_conditions, *py_group;
    Py_ssize_t k;
    int divides;
    if (!PyArg_ParseTuple(args, "OOOOOOOnOOp", &codes, &tables, &positions, &starts, &ends, &numbers, &stretches, &k, &py_conditions, &py_group, &divides)) return nullptr;
    Table table;
    Buffer group;
    if (!open_table(codes, tables, positions, starts, ends, numbers, stretches, table) || !group.open_items(py_group, 4, true)) return nullptr;
    if (!check(group.n() == table.n && k >= 1, "the output must have n items, and k must be 1 or more")) return nullptr;
    HeldConditions held;
    const Conditions* conditions;
    if (!optional_conditions(py_conditions, table.n, held, conditions)) return nullptr;
    size_t n_groups = 0;
    bool done = unlocked([&] {
        if (table.n == 0) return;
        with_rows(table, [&](const auto& rows) {
            std::vector<uint32_t> order(table.n);
            for (size_t i = 0; i < table.n; i++) order[i] = uint32_t(i);
            std::vector<size_t> begins;
            int64_t loss = 0;
            split_rows(rows, table.stretches, size_t(k), conditions, order, begins, loss, divides != 0);
            n_groups = begins.size();
            begins.push_back(table.n);
            for (size_t g = 0; g < n_groups; g++)
                for (size_t i = begins[g]; i < begins[g + 1]; i++) group.as<int32_t>()[order[i]] = int32_t(g);
        });
    });
    return done ? PyLong_FromSize_t(n_groups) : nullptr;
}

// refine(codes, ..., stretches, k, window, passes, conditions|None, group, tick|None) -> the loss before and after every pass, int64 as bytes
PyObject* refine(PyObject*, PyObject* args) {
    PyObject *codes, *tables, *positions, *starts, *ends, *numbers, *stretches, *py_conditions, *py_group, *py_tick;
    Py_ssize_t k;
    int window, passes;
    if (!PyArg_ParseTuple(args, "OOOOOOOniiOOO", &codes, &tables, &positions, &starts, &ends, &numbers, &stretches, &k, &window, &passes, &py_conditions,
                          &py_group, &py_tick))
        return nullptr;
    Table table;
    Buffer group;
    if (!open_table(codes, tables, positions, starts, ends, numbers, stretches, table) || !group.open_items(py_group, 4, true)) return nullptr;
    if (!check(group.n() == table.n && k >= 1 && window >= 1 && window <= 64, "the groups must have n items, k and the window must be 1 or more")) return nullptr;
    HeldConditions held;
    const Conditions* conditions;
    if (!optional_conditions(py_conditions, table.n, held, conditions)) return nullptr;
    int32_t* groups = group.as<int32_t>();
    for (size_t i = 0; i < table.n; i++)
        if (!check(groups[i] >= 0 && size_t(groups[i]) < table.n, "every row needs a group")) return nullptr;
    std::vector<int64_t> losses;
    bool go_on = true;
    PyThreadState* state = PyEval_SaveThread();
    bool memory = true;
    try {
        if (table.n) with_rows(table, [&](const auto& rows) {
            size_t n_groups = size_t(*std::max_element(groups, groups + table.n)) + 1;
            auto search = refiner(rows, table.stretches, size_t(k), window, groups, n_groups, conditions);
            search.mend();
            losses.push_back(search.loss());
            auto last = std::chrono::steady_clock::now();
            auto tell = [&](int done) {  // false to stop
                last = std::chrono::steady_clock::now();
                long long loss = search.loss();
                PyEval_RestoreThread(state);
                go_on = PyErr_CheckSignals() == 0;
                if (go_on && py_tick != Py_None) {
                    PyObject* answer = PyObject_CallFunction(py_tick, "iL", done, loss);
                    go_on = answer != nullptr;
                    if (answer == Py_False) passes = 0;
                    Py_XDECREF(answer);
                }
                state = PyEval_SaveThread();
                return go_on && passes > 0;
            };
            tell(0);
            for (int p = 0; p < passes && go_on; p++) {
                size_t changes = search.pass([&] { return std::chrono::steady_clock::now() - last < std::chrono::milliseconds(200) || tell(p); });
                losses.push_back(search.loss());
                if (go_on) tell(p + 1);
                if (changes == 0) break;
            }
            std::copy(search.group_of_row().begin(), search.group_of_row().end(), groups);
        });
    } catch (const std::bad_alloc&) {
        memory = false;
    }
    PyEval_RestoreThread(state);
    if (!memory) return PyErr_NoMemory();
    if (!go_on) return nullptr;
    return PyBytes_FromStringAndSize(reinterpret_cast<const char*>(losses.data()), Py_ssize_t(losses.size() * 8));
}

// sweep_step(keys, radix, alive, weight, position|None, width, k, next_group, group, only_look) -> number of new groups
PyObject* sweep_step_(PyObject*, PyObject* args) {
    PyObject *py_keys, *py_radix, *py_alive, *py_weight, *py_position, *py_group;
    int width, next_group, only_look;
    long long k;
    if (!PyArg_ParseTuple(args, "OOOOOiLiOp", &py_keys, &py_radix, &py_alive, &py_weight, &py_position, &width, &k, &next_group, &py_group, &only_look)) return nullptr;
    std::vector<Buffer> buffers;
    Buffer radix, alive, weight, position, group;
    if (!open_all(py_keys, buffers) || !radix.open_items(py_radix, 8) || !alive.open_items(py_alive, 4) || !weight.open_items(py_weight, 4) || !group.open_items(py_group, 4, true)) return nullptr;
    if (py_position != Py_None && !position.open_items(py_position, 4)) return nullptr;
    size_t n = group.n();
    if (!check(weight.n() == n && (py_position == Py_None || position.n() == n), "arrays must be of one length")) return nullptr;
    if (alive.n() && !check(largest_of(alive.as<const uint32_t>(), alive.n()) < n, "a tuple is not there")) return nullptr;
    std::vector<CodeColumn> keys;
    for (const Buffer& b : buffers) {
        if (!check_itemsize(b, 4) || !check(b.n() == n, "arrays must be of one length")) return nullptr;
        keys.push_back({b.as<const void>(), b.itemsize()});
    }
    if (!check(radix.n() == keys.size(), "there must be a radix for every key")) return nullptr;
    for (size_t c = 0; c < keys.size(); c++)
        if (!check(radix.as<const int64_t>()[c] >= 1, "a radix must be 1 or more")) return nullptr;
    int32_t n_new = 0;
    bool done = unlocked([&] {
        n_new = sweep_step(keys, radix.as<const int64_t>(), alive.as<const uint32_t>(), alive.n(), weight.as<const uint32_t>(),
                           py_position == Py_None ? nullptr : position.as<const int32_t>(), width, uint64_t(k), next_group,
                           group.as<int32_t>(), only_look != 0);
    });
    return done ? PyLong_FromLong(n_new) : nullptr;
}

PyMethodDef methods[] = {
    {"gain_split", gain_split, METH_VARARGS, "gain_split(...) -> number of groups"},
    {"refine", refine, METH_VARARGS, "refine(...) -> losses"},
    {"sweep_step", sweep_step_, METH_VARARGS, "sweep_step(...) -> number of new groups"},
    {nullptr, nullptr, 0, nullptr},
};

PyModuleDef module = {PyModuleDef_HEAD_INIT, "_cluster", "Clustering kernels of amongst.", -1, methods, nullptr, nullptr, nullptr, nullptr};

}  // namespace

PyMODINIT_FUNC PyInit__cluster(void) { return PyModule_Create(&module); }
