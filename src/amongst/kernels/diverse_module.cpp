// The Python face of the 1-D l-diversity heuristic.
#include "priced_columns.h"

#include "diverse_runs.h"

using namespace amongst;

namespace {

constexpr size_t BLOCK = size_t(1) << 18;  // rows between two looks at the clock

// What the caller hands over, open and checked.
struct Request {
    PricedColumns priced;
    std::vector<Buffer> kept;
    std::vector<const uint32_t*> columns;
    Buffer tuple_at, place, first, position, group_at, lo, hi;
    DiverseLine line = {};
    size_t n_tuples = 0, l = 1, k = 1;
};

// Every place once, ascending within a value.
bool check_places(const DiverseLine& line) {
    std::vector<bool> seen(line.n_rows, false);
    bool sound = line.first[0] == 0 && line.first[line.n_values] == int64_t(line.n_rows) && std::is_sorted(line.first, line.first + line.n_values + 1);
    for (size_t value = 0; sound && value < line.n_values; value++)
        for (int64_t i = line.first[value]; sound && i < line.first[value + 1]; i++) {
            sound = !seen[line.place[i]] && (i == line.first[value] || line.place[i - 1] < line.place[i]);
            seen[line.place[i]] = true;
        }
    return check(sound, "every place must belong to one value, in ascending order");
}

bool check_eligible(const DiverseLine& line, size_t l) {
    int64_t most = 0;
    for (size_t value = 0; value < line.n_values; value++) most = std::max(most, line.first[value + 1] - line.first[value]);
    return check(l <= line.n_rows + 1 && uint64_t(most) * l <= line.n_rows, "a value has more than 1/l of the rows");
}

bool open_line(PyObject* py_position, Request& to) {
    DiverseLine& line = to.line;
    line.n_rows = to.tuple_at.n();
    if (!check(to.first.n() > 0, "there must be a place where the last value ends")) return false;
    line.n_values = to.first.n() - 1;
    line.tuple_at = to.tuple_at.as<const uint32_t>(), line.place = to.place.as<const uint32_t>(), line.first = to.first.as<const int64_t>();
    if (!check(to.place.n() == line.n_rows && line.n_rows < (size_t(1) << 31), "there must be as many places as rows")) return false;
    if (!check_below(to.tuple_at, to.n_tuples) || !check_below(to.place, line.n_rows)) return false;
    if (py_position != Py_None) {
        if (!to.position.open_items(py_position, 8) || !check(to.position.n() == to.n_tuples, "there must be a position for every tuple")) return false;
        line.position = to.position.as<const int64_t>();
        for (size_t t = 0; t < to.n_tuples; t++)
            if (!check(line.position[t] >= 0 && line.position[t] <= int64_t(1) << 61, "a position is too large")) return false;
    }
    return check_places(line) && check_eligible(line, to.l);
}

template <typename T, int L>
bool run_lanes(Request& own, PyObject* py_tick, size_t& n_groups) {
    Rows<T, L> rows;
    std::vector<DiverseRuns<T, L>> runs;
    bool made = unlocked([&] {
        rows.n = own.n_tuples;
        rows.prices = own.priced.prices;
        rows.codes.assign(rows.n * L, T(0));
        for (size_t c = 0; c < own.columns.size(); c++)
            for (size_t i = 0; i < rows.n; i++) rows.codes[i * L + c] = T(own.columns[c][i]);
        runs.emplace_back(own.line, std::move(rows), own.l, own.k, own.group_at.as<int32_t>(), own.lo.as<uint32_t>(), own.hi.as<uint32_t>());
    });
    if (!made) return false;
    for (size_t done = 0; done < own.line.n_rows;) {
        if (!unlocked([&] { done = runs[0].advance(done + BLOCK); })) return false;
        PyObject* answer = py_tick == Py_None ? Py_NewRef(Py_None) : PyObject_CallFunction(py_tick, "nn", Py_ssize_t(done), Py_ssize_t(own.line.n_rows));
        Py_XDECREF(answer);
        if (!answer || PyErr_CheckSignals() != 0) return false;
    }
    n_groups = runs[0].n_groups();
    return true;
}

template <typename T>
bool run_typed(Request& own, PyObject* py_tick, size_t& n_groups) {
    if (own.columns.size() <= 8) return run_lanes<T, 8>(own, py_tick, n_groups);
    if (own.columns.size() <= 16) return run_lanes<T, 16>(own, py_tick, n_groups);
    return run_lanes<T, 64>(own, py_tick, n_groups);
}

// diverse_runs(codes, tables, positions, starts, ends, numbers, tuple_at, place, first, position|None, l, k, group_at, lo, hi, tick|None)
//   -> number of groups
PyObject* diverse_runs_(PyObject*, PyObject* args) {
    PyObject *codes, *parts[4], *numbers, *tuple_at, *place, *first, *position, *group_at, *lo, *hi, *tick;
    Py_ssize_t l, k;
    if (!PyArg_ParseTuple(args, "OOOOOOOOOOnnOOOO", &codes, &parts[0], &parts[1], &parts[2], &parts[3], &numbers, &tuple_at, &place, &first, &position,
                          &l, &k, &group_at, &lo, &hi, &tick))
        return nullptr;
    Request own;
    if (!check(l >= 1 && k >= 1, "l and k must be 1 or more")) return nullptr;
    own.l = size_t(l), own.k = size_t(k);
    if (!open_prices(parts, numbers, own.priced) || !open_codes(codes, own.priced, own.kept, own.columns, own.n_tuples)) return nullptr;
    if (!own.tuple_at.open_items(tuple_at, 4) || !own.place.open_items(place, 4) || !own.first.open_items(first, 8) ||
        !own.group_at.open_items(group_at, 4, true) || !own.lo.open_items(lo, 4, true) || !own.hi.open_items(hi, 4, true) || !open_line(position, own))
        return nullptr;
    size_t cells = (own.line.n_rows / std::max(own.l, own.k) + 1) * own.columns.size();  // no group has fewer rows, but one alone
    if (!check(own.group_at.n() == own.line.n_rows && own.lo.n() >= cells && own.hi.n() >= cells, "there must be room for every group")) return nullptr;
    size_t n_groups = 0;
    bool done = own.priced.most_codes <= 256 ? run_typed<uint8_t>(own, tick, n_groups) : run_typed<int32_t>(own, tick, n_groups);
    return done ? PyLong_FromSize_t(n_groups) : nullptr;
}

PyMethodDef methods[] = {
    {"diverse_runs", diverse_runs_, METH_VARARGS, "diverse_runs(...)"},
    {nullptr, nullptr, 0, nullptr},
};

PyModuleDef module = {PyModuleDef_HEAD_INIT, "_diverse", "The compiled 1-D l-diversity heuristic.", -1, methods, nullptr, nullptr, nullptr, nullptr};

}  // namespace

PyMODINIT_FUNC PyInit__diverse(void) { return PyModule_Create(&module); }
