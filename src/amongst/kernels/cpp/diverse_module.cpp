// The Python face of the 1-D l-diversity heuristic.
#include "priced_columns.h"

#include "diverse_runs.h"
#include "join_runs.h"

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
    size_t n_tuples = 0, l = 1;
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
    return check(most == 0 || uint64_t(most) <= line.n_rows / l, "a value has more than 1/l of the rows");
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
struct Lanes {};

template <typename T, int L, typename F>
Rows<T, L> rows_of(const PricedColumns& priced, size_t n, F code) {
    Rows<T, L> rows;
    rows.n = n;
    rows.prices = priced.prices;
    rows.codes.assign(n * L, T(0));
    for (size_t c = 0; c < priced.prices.size(); c++)
        for (size_t i = 0; i < n; i++) rows.codes[i * L + c] = T(code(i, c));
    return rows;
}

template <typename T, int L>
bool run(Lanes<T, L>, Request& own, PyObject* py_tick, size_t& n_groups) {
    std::vector<DiverseRuns<T, L, LineInMemory<T, L>>> runs;  // of one
    bool made = unlocked([&] {
        Rows<T, L> tuples = rows_of<T, L>(own.priced, own.n_tuples, [&](size_t i, size_t c) { return own.columns[c][i]; });
        runs.emplace_back(LineInMemory<T, L>(own.line, std::move(tuples)), own.l, own.group_at.as<int32_t>(), own.lo.as<uint32_t>(), own.hi.as<uint32_t>());
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

// Calls f with the narrowest lanes that hold the codes.
template <typename F>
auto with_lanes(const PricedColumns& priced, F f) {
    size_t d = priced.prices.size();
    if (priced.most_codes <= 256) {
        if (d <= 8) return f(Lanes<uint8_t, 8>());
        return d <= 16 ? f(Lanes<uint8_t, 16>()) : f(Lanes<uint8_t, 64>());
    }
    if (d <= 8) return f(Lanes<int32_t, 8>());
    return d <= 16 ? f(Lanes<int32_t, 16>()) : f(Lanes<int32_t, 64>());
}

// diverse_runs(codes, tables, positions, starts, ends, numbers, tuple_at, place, first, position|None, l, as_printed, group_at, lo, hi, tick|None)
//   -> number of groups
PyObject* diverse_runs_(PyObject*, PyObject* args) {
    PyObject *codes, *parts[4], *numbers, *tuple_at, *place, *first, *position, *group_at, *lo, *hi, *tick;
    Py_ssize_t l;
    int as_printed;
    if (!PyArg_ParseTuple(args, "OOOOOOOOOOnpOOOO", &codes, &parts[0], &parts[1], &parts[2], &parts[3], &numbers, &tuple_at, &place, &first, &position,
                          &l, &as_printed, &group_at, &lo, &hi, &tick))
        return nullptr;
    Request own;
    if (!check(l >= 1, "l must be 1 or more")) return nullptr;
    own.l = size_t(l);
    own.line.as_printed = as_printed;
    if (!open_prices(parts, numbers, own.priced) || !open_codes(codes, own.priced, own.kept, own.columns, own.n_tuples)) return nullptr;
    if (!own.tuple_at.open_items(tuple_at, 4) || !own.place.open_items(place, 4) || !own.first.open_items(first, 8) ||
        !own.group_at.open_items(group_at, 4, true) || !own.lo.open_items(lo, 4, true) || !own.hi.open_items(hi, 4, true) || !open_line(position, own))
        return nullptr;
    size_t cells = own.line.n_rows / own.l * own.columns.size();  // no group has fewer than l rows
    if (!check(own.group_at.n() == own.line.n_rows && own.lo.n() >= cells && own.hi.n() >= cells, "there must be room for every group")) return nullptr;
    size_t n_groups = 0;
    bool done = with_lanes(own.priced, [&](auto lanes) { return run(lanes, own, tick, n_groups); });
    return done ? PyLong_FromSize_t(n_groups) : nullptr;
}

// What a refill hands over: places, codes (n x d), positions|None of the next rows of a value, in the order of the line.
template <typename T, int L>
void fill(PyObject* answer, const PricedColumns& priced, bool by_position, size_t n_rows, typename LineInParts<T, L>::Queue& queue) {
    struct Failed {};
    PyObject *py_place, *py_codes, *py_position;
    Buffer place, codes, position;
    size_t d = priced.prices.size();
    if (!answer || !PyArg_ParseTuple(answer, "OOO", &py_place, &py_codes, &py_position)) throw Failed();
    if (!place.open_items(py_place, 4) || !codes.open_items(py_codes, 4) || (by_position && !position.open_items(py_position, 8))) throw Failed();
    size_t n = place.n();
    if (!check(n > 0 && codes.n() == n * d && (!by_position || position.n() == n), "there must be rows, with their codes and positions")) throw Failed();
    if (!check_below(place, n_rows)) throw Failed();
    queue.place.assign(place.as<const uint32_t>(), place.as<const uint32_t>() + n);
    if (by_position) queue.position.assign(position.as<const int64_t>(), position.as<const int64_t>() + n);
    queue.codes.assign(n * L, T(0));
    const uint32_t* code = codes.as<const uint32_t>();
    for (size_t i = 0; i < n; i++)
        for (size_t c = 0; c < d; c++) {
            if (!check(code[i * d + c] < uint32_t(priced.prices[c].n), "a code has no price")) throw Failed();
            queue.codes[i * L + c] = T(code[i * d + c]);
        }
}

struct StreamRequest {
    PricedColumns priced;
    Buffer count, group_at, lo, hi;
    std::vector<uint32_t> rows_of_value;
    size_t l = 1, n_rows = 0;
    bool by_position = false, as_printed = false;
};

template <typename T, int L>
bool run_stream(Lanes<T, L>, StreamRequest& own, PyObject* py_refill, PyObject* py_tick, size_t& n_groups) {
    using Line = LineInParts<T, L>;
    try {
        auto refill = [&](uint32_t value, typename Line::Queue& queue) {
            PyObject* answer = PyObject_CallFunction(py_refill, "n", Py_ssize_t(value));
            try {
                fill<T, L>(answer, own.priced, own.by_position, own.n_rows, queue);
            } catch (...) {
                Py_XDECREF(answer);
                throw;
            }
            Py_DECREF(answer);
        };
        Line line(own.rows_of_value, own.priced.prices, own.by_position, own.as_printed, refill);
        DiverseRuns<T, L, Line> runs(std::move(line), own.l, own.group_at.as<int32_t>(), own.lo.as<uint32_t>(), own.hi.as<uint32_t>());
        for (size_t done = 0; done < own.n_rows;) {
            done = runs.advance(done + BLOCK);
            PyObject* answer = py_tick == Py_None ? Py_NewRef(Py_None) : PyObject_CallFunction(py_tick, "nn", Py_ssize_t(done), Py_ssize_t(own.n_rows));
            Py_XDECREF(answer);
            if (!answer || PyErr_CheckSignals() != 0) return false;
        }
        n_groups = runs.n_groups();
        return true;
    } catch (const std::bad_alloc&) {
        PyErr_NoMemory();
    } catch (...) {
        if (!PyErr_Occurred()) PyErr_SetString(PyExc_RuntimeError, "the rows of a value could not be read");
    }
    return false;
}

// diverse_stream(tables, positions, starts, ends, numbers, count, l, by_position, as_printed, refill, group_at, lo, hi, tick|None)
//   -> number of groups; count is how many rows have every value, refill(value) hands over some next rows of it
PyObject* diverse_stream_(PyObject*, PyObject* args) {
    PyObject *parts[4], *numbers, *count, *refill, *group_at, *lo, *hi, *tick;
    Py_ssize_t l;
    int by_position, as_printed;
    if (!PyArg_ParseTuple(args, "OOOOOOnppOOOOO", &parts[0], &parts[1], &parts[2], &parts[3], &numbers, &count, &l, &by_position, &as_printed, &refill,
                          &group_at, &lo, &hi, &tick))
        return nullptr;
    StreamRequest own;
    if (!check(l >= 1, "l must be 1 or more") || !open_prices(parts, numbers, own.priced) || !own.count.open_items(count, 4)) return nullptr;
    if (!own.group_at.open_items(group_at, 4, true) || !own.lo.open_items(lo, 4, true) || !own.hi.open_items(hi, 4, true)) return nullptr;
    const uint32_t* rows = own.count.as<const uint32_t>();
    own.rows_of_value.assign(rows, rows + own.count.n());
    uint64_t total = 0, most = 0;
    for (uint32_t one : own.rows_of_value) total += one, most = std::max<uint64_t>(most, one);
    own.l = size_t(l), own.n_rows = size_t(total), own.by_position = by_position, own.as_printed = as_printed;
    if (!check(total < (uint64_t(1) << 31) && most * own.l <= total, "a value has more than 1/l of the rows")) return nullptr;
    size_t cells = own.n_rows / own.l * own.priced.prices.size();
    if (!check(own.group_at.n() == own.n_rows && own.lo.n() >= cells && own.hi.n() >= cells, "there must be room for every group")) return nullptr;
    size_t n_groups = 0;
    bool done = with_lanes(own.priced, [&](auto lanes) { return run_stream(lanes, own, refill, tick, n_groups); });
    return done ? PyLong_FromSize_t(n_groups) : nullptr;
}

bool check_boxes(const uint32_t* lo, const uint32_t* hi, size_t n, const PricedColumns& priced) {
    size_t d = priced.prices.size();
    bool sound = true;
    for (size_t i = 0; i < n; i++)
        for (size_t c = 0; c < d; c++) sound &= lo[i * d + c] <= hi[i * d + c] && hi[i * d + c] < uint32_t(priced.prices[c].n);
    return check(sound, "a box has a code that its price does not know");
}

template <typename T, int L>
bool join(Lanes<T, L>, const PricedColumns& priced, const uint32_t* lo, const uint32_t* hi, const Buffer& size, int64_t k, int32_t* run_of_group) {
    size_t d = priced.prices.size();
    return unlocked([&] {
        auto low = rows_of<T, L>(priced, size.n(), [&](size_t i, size_t c) { return lo[i * d + c]; });
        auto high = rows_of<T, L>(priced, size.n(), [&](size_t i, size_t c) { return hi[i * d + c]; });
        join_runs(low, high, size.as<const uint32_t>(), k, run_of_group);
    });
}

// join_runs(lo, hi, tables, positions, starts, ends, numbers, size, k, run_of_group)
PyObject* join_runs_(PyObject*, PyObject* args) {
    PyObject *py_lo, *py_hi, *parts[4], *numbers, *py_size, *py_run;
    long long k;
    if (!PyArg_ParseTuple(args, "OOOOOOOOLO", &py_lo, &py_hi, &parts[0], &parts[1], &parts[2], &parts[3], &numbers, &py_size, &k, &py_run)) return nullptr;
    PricedColumns priced;
    Buffer lo, hi, size, run;
    if (!open_prices(parts, numbers, priced) || !lo.open_items(py_lo, 4) || !hi.open_items(py_hi, 4) || !size.open_items(py_size, 4) ||
        !run.open_items(py_run, 4, true))
        return nullptr;
    size_t n = size.n(), cells = n * priced.prices.size();
    if (!check(lo.n() == cells && hi.n() == cells && run.n() == n, "there must be a box and a run for every group")) return nullptr;
    uint64_t rows = 0;
    for (size_t i = 0; i < n; i++) rows += size.as<const uint32_t>()[i];
    if (!check(k >= 1 && rows < (uint64_t(1) << 31) && (n == 0 || rows >= uint64_t(k)), "there must be k rows")) return nullptr;
    const uint32_t *low = lo.as<const uint32_t>(), *high = hi.as<const uint32_t>();
    if (!check_boxes(low, high, n, priced)) return nullptr;
    if (!with_lanes(priced, [&](auto lanes) { return join(lanes, priced, low, high, size, k, run.as<int32_t>()); })) return nullptr;
    Py_RETURN_NONE;
}

PyMethodDef methods[] = {
    {"join_runs", join_runs_, METH_VARARGS, "join_runs(...)"},
    {"diverse_stream", diverse_stream_, METH_VARARGS, "diverse_stream(...)"},
    {"diverse_runs", diverse_runs_, METH_VARARGS, "diverse_runs(...)"},
    {nullptr, nullptr, 0, nullptr},
};

PyModuleDef module = {PyModuleDef_HEAD_INIT, "_diverse", "The compiled 1-D l-diversity heuristic.", -1, methods, nullptr, nullptr, nullptr, nullptr};

}  // namespace

PyMODINIT_FUNC PyInit__diverse(void) { return PyModule_Create(&module); }
