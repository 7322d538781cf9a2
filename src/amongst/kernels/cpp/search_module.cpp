// The Python face of the search by pools.
#include "conditions_of.h"

#include <chrono>

#include "dual_bound.h"
#include "pool_search.h"

using namespace amongst;

namespace {

struct Opened {
    std::vector<Buffer> buffers;
    Sheet sheet;
};

bool items_or_null(PyObject* item, std::vector<Buffer>& buffers, size_t n, const int32_t*& into) {
    into = nullptr;
    if (item == Py_None) return true;
    Buffer buffer;
    if (!buffer.open_items(item, 4) || !check(buffer.n() == n, "an array of prices has the wrong length")) return false;
    into = buffer.as<const int32_t>();
    buffers.push_back(std::move(buffer));
    return true;
}

// (codes, table|None, low|None, high|None, start|None, node|None, n, n_levels, full, own_null, of_all)
bool open_column(PyObject* tuple, Opened& opened, size_t c) {
    PyObject *codes, *table, *low, *high, *start, *node;
    Py_ssize_t n, n_levels, full, own_null, of_all;
    if (!PyArg_ParseTuple(tuple, "OOOOOOnnnnn", &codes, &table, &low, &high, &start, &node, &n, &n_levels, &full, &own_null, &of_all)) return false;
    PublishedPrice price;
    price.n = int32_t(n), price.n_levels = int32_t(n_levels), price.full = int32_t(full), price.own_null = int32_t(own_null), price.of_all = int32_t(of_all);
    size_t m = size_t(n);
    if (!check(n >= 0 && n_levels >= 0 && n <= INT32_MAX && of_all >= 0 && own_null < n, "this is no price")) return false;
    if (!items_or_null(table, opened.buffers, m * m, price.table) || !items_or_null(low, opened.buffers, m, price.low) || !items_or_null(high, opened.buffers, m, price.high) ||
        !items_or_null(start, opened.buffers, m * size_t(n_levels), price.start) || !items_or_null(node, opened.buffers, m * size_t(n_levels), price.node))
        return false;
    if (!check(price.table || price.set() || (price.low && price.high) || (price.start && price.node && n_levels > 0), "a price needs its arrays")) return false;
    if (price.start && !price.table && m) {  // the walk up must end
        const int32_t* last = price.start + size_t(n_levels - 1) * m;
        if (!check(std::all_of(last, last + m, [&](int32_t one) { return one == last[0]; }), "a tree must have one root")) return false;
    }
    Buffer buffer;
    if (!buffer.open_items(codes, 4) || !check(buffer.n() == opened.sheet.n, "arrays must be of one length")) return false;
    const uint32_t* own = buffer.as<const uint32_t>();
    if (opened.sheet.n && !check(uint64_t(largest_of(own, opened.sheet.n)) < uint64_t(m), "a code is larger than its column has")) return false;
    for (size_t i = 0; i < opened.sheet.n; i++) opened.sheet.codes[i * opened.sheet.d + c] = int32_t(own[i]);
    if (price.set()) price.word = opened.sheet.n_words, price.n_words = (m + 63) / 64;
    opened.sheet.n_words += price.n_words;
    opened.sheet.columns.push_back(price);
    return true;
}

// search(columns, k, conditions|None, group, first_round, most_rounds, most_visits, seconds, threads, tick|None, pay|None)
//   -> (rounds done, visits, loss); the groups are written in place. Rounds go on while none of the limits is reached.
PyObject* search(PyObject*, PyObject* args) {
    PyObject *columns, *py_conditions, *py_group, *py_tick, *py_pay;
    Py_ssize_t k, n_threads;
    long long first_round, most_rounds, most_visits;
    double seconds;
    if (!PyArg_ParseTuple(args, "OnOOLLLdnOO", &columns, &k, &py_conditions, &py_group, &first_round, &most_rounds, &most_visits, &seconds, &n_threads, &py_tick, &py_pay)) return nullptr;
    Buffer group, pay;
    if (!group.open_items(py_group, 4, true)) return nullptr;
    if (py_pay != Py_None && (!pay.open_items(py_pay, 8) || !check(pay.n() == group.n(), "every row needs a pay"))) return nullptr;
    if (!check(PyTuple_Check(columns) && PyTuple_Size(columns) > 0 && k >= 1, "a search needs columns, and k of 1 or more")) return nullptr;
    Opened opened;
    opened.sheet.n = group.n(), opened.sheet.d = size_t(PyTuple_Size(columns));
    opened.sheet.codes.resize(opened.sheet.n * opened.sheet.d);
    opened.buffers.reserve(6 * opened.sheet.d);
    for (size_t c = 0; c < opened.sheet.d; c++)
        if (!open_column(PyTuple_GetItem(columns, Py_ssize_t(c)), opened, c)) return nullptr;
    HeldConditions held;
    const Conditions* conditions = nullptr;
    if (py_conditions != Py_None) {
        if (!conditions_of(py_conditions, opened.sheet.n, held)) return nullptr;
        if (!check(!held.conditions.first && !held.conditions.weight, "rows must be their own members")) return nullptr;
        conditions = &held.conditions;
    }
    int32_t* groups = group.as<int32_t>();
    for (size_t i = 0; i < opened.sheet.n; i++)
        if (!check(groups[i] >= 0 && size_t(groups[i]) < opened.sheet.n, "every row needs a group")) return nullptr;
    long long done = 0, loss = 0, visits = 0;
    bool go_on = true, memory = true, told_to_stop = false;
    PyThreadState* state = PyEval_SaveThread();
    try {
        if (opened.sheet.n) {
            size_t n_groups = size_t(*std::max_element(groups, groups + opened.sheet.n)) + 1;
            PoolSearch found(opened.sheet, size_t(k), conditions, groups, n_groups, size_t(std::max<Py_ssize_t>(n_threads, 1)),
                             py_pay != Py_None ? pay.as<const int64_t>() : nullptr);
            auto begin = std::chrono::steady_clock::now(), last = begin - std::chrono::seconds(1);
            while (done < most_rounds && (most_visits < 0 || found.visits() < uint64_t(most_visits)) && found.loss() > 0) {
                auto now = std::chrono::steady_clock::now();
                if (seconds >= 0 && std::chrono::duration<double>(now - begin).count() >= seconds) break;
                if (now - last >= std::chrono::milliseconds(200)) {
                    last = now;
                    PyEval_RestoreThread(state);
                    go_on = PyErr_CheckSignals() == 0;
                    if (go_on && py_tick != Py_None) {
                        PyObject* answer = PyObject_CallFunction(py_tick, "LL", done, static_cast<long long>(found.loss()));
                        go_on = answer != nullptr;
                        told_to_stop = answer == Py_False;
                        Py_XDECREF(answer);
                    }
                    state = PyEval_SaveThread();
                    if (!go_on || told_to_stop) break;
                }
                long long number = first_round + done;
                found.round(uint64_t(number), heat_of(uint64_t(number)));
                done++;
            }
            loss = found.loss(), visits = int64_t(found.visits());
            found.copy_to(groups);
        }
    } catch (const std::bad_alloc&) {
        memory = false;
    }
    PyEval_RestoreThread(state);
    if (!memory) return PyErr_NoMemory();
    if (!go_on) return nullptr;
    return Py_BuildValue("LLL", done, visits, loss);
}

// project(columns, order, k, pay, fair, budget) -> whether it ended within the budget; fair is written in place
PyObject* project(PyObject*, PyObject* args) {
    PyObject *columns, *py_order, *py_pay, *py_fair;
    Py_ssize_t k;
    long long budget;
    if (!PyArg_ParseTuple(args, "OOnOOL", &columns, &py_order, &k, &py_pay, &py_fair, &budget)) return nullptr;
    Buffer pay, fair, order;
    if (!pay.open_items(py_pay, 8) || !fair.open_items(py_fair, 8, true) || !order.open_items(py_order, 4)) return nullptr;
    if (!check(PyTuple_Check(columns) && PyTuple_Size(columns) > 0 && k >= 1 && pay.n() == fair.n(), "a projection needs columns, and k of 1 or more")) return nullptr;
    Opened opened;
    opened.sheet.n = pay.n(), opened.sheet.d = size_t(PyTuple_Size(columns));
    opened.sheet.codes.resize(opened.sheet.n * opened.sheet.d);
    opened.buffers.reserve(6 * opened.sheet.d);
    for (size_t c = 0; c < opened.sheet.d; c++)
        if (!open_column(PyTuple_GetItem(columns, Py_ssize_t(c)), opened, c)) return nullptr;
    if (!check_below(order, opened.sheet.d)) return nullptr;
    std::vector<size_t> turns(order.as<const uint32_t>(), order.as<const uint32_t>() + order.n());
    for (size_t c : turns)
        if (!check(opened.sheet.columns[c].set() || opened.sheet.columns[c].start || opened.sheet.columns[c].low, "a price needs its arrays")) return nullptr;
    bool ended = false;
    if (!unlocked([&] { ended = Project(opened.sheet, turns, size_t(k), pay.as<const double>(), fair.as<double>(), uint64_t(budget)).run(); })) return nullptr;
    return PyBool_FromLong(ended);
}

PyMethodDef methods[] = {
    {"project", project, METH_VARARGS, "project(...) -> whether it ended"},
    {"search", search, METH_VARARGS, "search(...) -> (rounds, visits, loss)"},
    {nullptr, nullptr, 0, nullptr},
};

PyModuleDef module = {PyModuleDef_HEAD_INIT, "_search", "The search by pools of amongst.", -1, methods, nullptr, nullptr, nullptr, nullptr};

}  // namespace

PyMODINIT_FUNC PyInit__search(void) { return PyModule_Create(&module); }
