// The Python face of the kernels of utility-based anonymization: top-down, bottom-up, and how near the k-th nearest row is.
#include "priced_columns.h"

#include "as_printed.h"
#include "kth_nearest.h"
#include "refine.h"
#include "top_down.h"

using namespace amongst;

namespace {

// Distinct tuples with their counts, and what their columns cost.
struct Tuples {
    PricedColumns priced;
    std::vector<Buffer> kept;
    std::vector<const uint32_t*> codes;
    Buffer count;
    size_t n = 0;
};

bool open_tuples(PyObject* codes, PyObject* const (&parts)[4], PyObject* numbers, PyObject* count, Tuples& tuples) {
    if (!open_prices(parts, numbers, tuples.priced, MOST_COLUMNS) || !open_codes(codes, tuples.priced, tuples.kept, tuples.codes, tuples.n)) return false;
    if (!tuples.count.open_items(count, 4)) return false;
    const uint32_t* counts = tuples.count.as<const uint32_t>();
    return check(tuples.count.n() == tuples.n && tuples.n > 0, "every tuple needs a count") &&
           check(std::all_of(counts, counts + tuples.n, [](uint32_t one) { return one > 0; }), "a tuple must occur");
}

template <typename T, int L>
Rows<T, L> rows_of(const Tuples& tuples) {
    Rows<T, L> rows;
    rows.n = tuples.n;
    rows.prices = tuples.priced.prices;
    rows.codes.assign(tuples.n * L, T(0));
    for (size_t c = 0; c < tuples.codes.size(); c++)
        for (size_t i = 0; i < tuples.n; i++) rows.codes[i * L + c] = T(tuples.codes[c][i]);
    return rows;
}

// Calls f with rows of the narrowest lanes that hold the codes.
template <typename F>
void with_rows(const Tuples& tuples, F f) {
    size_t d = tuples.codes.size();
    if (d > 256) f(rows_of<int32_t, MOST_COLUMNS>(tuples));
    else if (d > 64) f(rows_of<int32_t, 256>(tuples));
    else if (tuples.priced.most_codes <= 256) {
        if (d <= 8) f(rows_of<uint8_t, 8>(tuples));
        else if (d <= 16) f(rows_of<uint8_t, 16>(tuples));
        else f(rows_of<uint8_t, 64>(tuples));
    } else {
        if (d <= 8) f(rows_of<int32_t, 8>(tuples));
        else if (d <= 16) f(rows_of<int32_t, 16>(tuples));
        else f(rows_of<int32_t, 64>(tuples));
    }
}

// Does the work without the interpreter lock, which it takes back to tell the tick. False, with the error set, when it
// was told to stop or there is no memory for it.
template <typename F>
bool told(PyObject* py_tick, F work) {
    PyThreadState* state = PyEval_SaveThread();
    Tick tick = [&](int64_t done, int64_t total) {
        PyEval_RestoreThread(state);
        PyObject* answer = py_tick == Py_None ? Py_NewRef(Py_None) : PyObject_CallFunction(py_tick, "LL", (long long)done, (long long)total);
        bool go_on = answer != nullptr && PyErr_CheckSignals() == 0;
        Py_XDECREF(answer);
        state = PyEval_SaveThread();
        return go_on;
    };
    bool memory = true, finished = false;
    try {
        finished = work(tick);
    } catch (const std::bad_alloc&) {
        memory = false;
    }
    PyEval_RestoreThread(state);
    if (!memory) PyErr_NoMemory();
    return finished && memory;
}

bool open_rows(PyObject* py_rows, PyObject* py_group, const Tuples& tuples, Buffer& rows, Buffer& group) {
    if (!rows.open_items(py_rows, 4) || !group.open_items(py_group, 4, true) || !check_below(rows, tuples.n)) return false;
    if (!check(rows.n() == group.n(), "every row needs a group")) return false;
    std::vector<uint32_t> seen(tuples.n, 0);
    for (size_t r = 0; r < rows.n(); r++) seen[rows.as<const uint32_t>()[r]]++;
    return check(std::equal(seen.begin(), seen.end(), tuples.count.as<const uint32_t>()), "the counts are not those of the rows");
}

template <typename T, int L>
WeighedGroups<T, L> weighed(const Rows<T, L>& rows, const Tuples& tuples, const std::vector<int32_t>& group, size_t n_groups, int64_t k) {
    return WeighedGroups<T, L>(rows, tuples.count.template as<const uint32_t>(), group.data(), n_groups, k);
}

template <typename T, int L>
TopDown<T, L> parting(const Rows<T, L>& rows, const Tuples& tuples, int64_t enough, int rounds, bool by_increase) {
    return TopDown<T, L>(rows, tuples.count.template as<const uint32_t>(), enough, rounds, by_increase);
}

// top_down(codes, tables, positions, starts, ends, numbers, count, tuple_of_row, k, enough, rounds, by_increase, window, group, tick|None) -> number of groups
PyObject* top_down(PyObject*, PyObject* args) {
    PyObject *codes, *tables, *positions, *starts, *ends, *numbers, *count, *py_rows, *py_group, *py_tick;
    long long k, enough;
    int rounds, by_increase, window;
    if (!PyArg_ParseTuple(args, "OOOOOOOOLLipiOO", &codes, &tables, &positions, &starts, &ends, &numbers, &count, &py_rows, &k, &enough, &rounds, &by_increase, &window, &py_group, &py_tick))
        return nullptr;
    Tuples tuples;
    Buffer rows, group;
    if (!open_tuples(codes, {tables, positions, starts, ends}, numbers, count, tuples) || !open_rows(py_rows, py_group, tuples, rows, group)) return nullptr;
    if (!check(k >= 1 && enough >= 1 && rounds >= 1 && window >= 1, "k, what is enough, the rounds and the window must be 1 or more")) return nullptr;
    int32_t n_groups = 0;
    bool done = told(py_tick, [&](const Tick& tick) {
        bool finished = false;
        with_rows(tuples, [&](const auto& own) {
            std::vector<int32_t> part(tuples.n);
            int64_t n_parts = parting(own, tuples, enough, rounds, by_increase != 0).run(part.data(), tick);
            if (n_parts < 0) return;
            auto groups = weighed(own, tuples, part, size_t(n_parts), k);
            finished = groups.raise([&](uint32_t g, auto look) { groups.beside(g, window, look); }, true, tick);
            if (finished) n_groups = groups.label(rows.as<const uint32_t>(), rows.n(), group.as<int32_t>());
        });
        return finished;
    });
    return done ? PyLong_FromLong(n_groups) : nullptr;
}

// bottom_up(codes, tables, positions, starts, ends, numbers, count, tuple_of_row, k, window (0: all), group, tick|None) -> number of groups
PyObject* bottom_up(PyObject*, PyObject* args) {
    PyObject *codes, *tables, *positions, *starts, *ends, *numbers, *count, *py_rows, *py_group, *py_tick;
    long long k;
    int window;
    if (!PyArg_ParseTuple(args, "OOOOOOOOLiOO", &codes, &tables, &positions, &starts, &ends, &numbers, &count, &py_rows, &k, &window, &py_group, &py_tick))
        return nullptr;
    Tuples tuples;
    Buffer rows, group;
    if (!open_tuples(codes, {tables, positions, starts, ends}, numbers, count, tuples) || !open_rows(py_rows, py_group, tuples, rows, group)) return nullptr;
    if (!check(k >= 1 && window >= 0 && window <= 64, "k must be 1 or more, the window from 0 to 64")) return nullptr;
    int32_t n_groups = 0;
    bool done = told(py_tick, [&](const Tick& tick) {
        bool finished = false;
        with_rows(tuples, [&](const auto& own) {
            std::vector<int32_t> part(tuples.n);
            for (size_t t = 0; t < tuples.n; t++) part[t] = int32_t(t);
            auto groups = weighed(own, tuples, part, tuples.n, k);
            std::vector<uint32_t> near = window ? neighbours(own, window) : std::vector<uint32_t>();
            size_t n_near = 2 * size_t(window) * own.prices.size();
            finished = groups.raise([&](uint32_t g, auto look) { window ? groups.near(g, near, n_near, look) : groups.all(g, look); }, false, tick);
            if (finished) n_groups = groups.label(rows.as<const uint32_t>(), rows.n(), group.as<int32_t>());
        });
        return finished;
    });
    return done ? PyLong_FromLong(n_groups) : nullptr;
}

// as_printed(codes, tables, positions, starts, ends, numbers, k, rounds (0: bottom-up), group, tick|None): codes of rows, not of tuples
PyObject* as_printed(PyObject*, PyObject* args) {
    PyObject *codes, *tables, *positions, *starts, *ends, *numbers, *py_group, *py_tick;
    long long k;
    int rounds;
    if (!PyArg_ParseTuple(args, "OOOOOOLiOO", &codes, &tables, &positions, &starts, &ends, &numbers, &k, &rounds, &py_group, &py_tick)) return nullptr;
    PricedColumns priced;
    std::vector<Buffer> kept;
    std::vector<const uint32_t*> columns;
    size_t n = 0;
    Buffer group;
    PyObject* parts[4] = {tables, positions, starts, ends};
    if (!open_prices(parts, numbers, priced) || !open_codes(codes, priced, kept, columns, n) || !group.open_items(py_group, 4, true)) return nullptr;
    if (!check(k >= 1 && rounds >= 0 && n > 0 && group.n() == n, "k must be 1 or more, and every row needs a group")) return nullptr;
    bool done = told(py_tick, [&](const Tick& tick) {
        AsPrinted method(columns, priced.prices, n, k);
        return rounds > 0 ? method.top_down(rounds, group.as<int32_t>(), tick) : method.bottom_up(group.as<int32_t>(), tick);
    });
    return done ? Py_NewRef(Py_None) : nullptr;
}

// kth_nearest(codes, tables, positions, starts, ends, numbers, count, k, asked, price, tick|None)
PyObject* kth_nearest_(PyObject*, PyObject* args) {
    PyObject *codes, *tables, *positions, *starts, *ends, *numbers, *count, *py_asked, *py_price, *py_tick;
    long long k;
    if (!PyArg_ParseTuple(args, "OOOOOOOLOOO", &codes, &tables, &positions, &starts, &ends, &numbers, &count, &k, &py_asked, &py_price, &py_tick)) return nullptr;
    Tuples tuples;
    Buffer asked, price;
    if (!open_tuples(codes, {tables, positions, starts, ends}, numbers, count, tuples)) return nullptr;
    if (!asked.open_items(py_asked, 4) || !price.open_items(py_price, 8, true) || !check_below(asked, tuples.n)) return nullptr;
    if (!check(k >= 1 && asked.n() == price.n(), "k must be 1 or more, and there must be a place for every price")) return nullptr;
    bool done = told(py_tick, [&](const Tick& tick) {
        bool finished = false;
        with_rows(tuples, [&](const auto& own) {
            finished = kth_nearest(own, tuples.count.as<const uint32_t>(), k, asked.as<const uint32_t>(), asked.n(), price.as<int64_t>(), tick);
        });
        return finished;
    });
    return done ? Py_NewRef(Py_None) : nullptr;
}

PyMethodDef methods[] = {
    {"top_down", top_down, METH_VARARGS, "top_down(...) -> number of groups"},
    {"bottom_up", bottom_up, METH_VARARGS, "bottom_up(...) -> number of groups"},
    {"as_printed", as_printed, METH_VARARGS, "as_printed(...): fills in groups"},
    {"kth_nearest", kth_nearest_, METH_VARARGS, "kth_nearest(...): fills in prices"},
    {nullptr, nullptr, 0, nullptr},
};

PyModuleDef module = {PyModuleDef_HEAD_INIT, "_utility", "Kernels of utility-based anonymization.", -1, methods, nullptr, nullptr, nullptr, nullptr};

}  // namespace

PyMODINIT_FUNC PyInit__utility(void) { return PyModule_Create(&module); }
