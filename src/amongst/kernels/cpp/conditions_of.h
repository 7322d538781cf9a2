// Conditions from the tuple that conditions.py makes; every array is checked before a kernel looks into it.
#pragma once

#include "buffers.h"
#include "conditions.h"

namespace amongst {

// Keeps the buffers open as long as the conditions are used.
struct HeldConditions {
    Conditions conditions;
    std::vector<Buffer> buffers;
};

inline const Buffer* held(HeldConditions& to, PyObject* object, int itemsize, size_t n) {
    Buffer buffer;
    if (!buffer.open_items(object, itemsize) || !check(buffer.n() == n, "an array of a condition has the wrong length")) return nullptr;
    to.buffers.push_back(std::move(buffer));
    return &to.buffers.back();
}

inline bool shares_of(HeldConditions& to, PyObject* object, size_t n, const double*& into) {
    if (object == Py_None) return true;
    const Buffer* buffer = held(to, object, 8, n);
    if (buffer) into = buffer->as<const double>();
    return buffer != nullptr;
}

inline bool numbers_of(HeldConditions& to, PyObject* object, size_t n, size_t most, const int32_t*& into) {
    if (object == Py_None) return true;
    const Buffer* buffer = held(to, object, 4, n);
    if (!buffer || !check_below(*buffer, most)) return false;
    into = buffer->as<const int32_t>();
    return true;
}

inline bool codes_of(HeldConditions& to, PyObject* object, size_t n_items, size_t most, const uint32_t*& into) {
    if (object == Py_None) return true;
    const Buffer* buffer = held(to, object, 4, n_items);
    if (!buffer || !check_below(*buffer, most)) return false;
    into = buffer->as<const uint32_t>();
    return true;
}

// (kind, codes, pair|None, n_values, n_pairs, bound, factor, every_value, of_people, share, lower, upper, node, n_levels, last)
inline bool test_of(HeldConditions& to, PyObject* item, size_t n_items) {
    PyObject *codes, *pair, *share, *lower, *upper, *node, *last;
    int kind, every_value, of_people;
    Py_ssize_t n_values, n_pairs, n_levels;
    double bound, factor;
    if (!PyArg_ParseTuple(item, "iOOnnddppOOOOnO", &kind, &codes, &pair, &n_values, &n_pairs, &bound, &factor, &every_value,
                          &of_people, &share, &lower, &upper, &node, &n_levels, &last))
        return false;
    if (!check(kind >= test::LIMITS && kind <= test::WEIGHED && n_values >= 0 && n_pairs >= 0 && n_levels >= 0, "this is no condition")) return false;
    Test test;
    test.kind = kind;
    test.n_values = size_t(n_values), test.n_pairs = size_t(n_pairs), test.n_levels = size_t(n_levels);
    test.bound = bound, test.factor = factor;
    test.every_value = every_value != 0, test.of_people = of_people != 0;
    size_t m = test.n_values;
    if (!codes_of(to, codes, n_items, m, test.code) || !codes_of(to, pair, n_items, test.n_pairs, test.pair)) return false;
    if (!shares_of(to, share, m, test.share) || !shares_of(to, lower, m, test.lower) || !shares_of(to, upper, m, test.upper)) return false;
    if (!numbers_of(to, node, m * test.n_levels, std::max<size_t>(m, 1), test.node)) return false;
    if (!numbers_of(to, last, m, std::max<size_t>(m, 1), test.last)) return false;
    bool whole = test.code && (kind != test::LIMITS || (test.lower && test.upper)) && (kind < test::EQUAL || kind > test::HIERARCHICAL || test.share) &&
                 (kind != test::HIERARCHICAL || test.node) && (kind != test::PROXIMITY || test.last) && (kind != test::WEIGHED || test.lower) && (kind != test::RECURSIVE || bound >= 1);
    if (!check(whole, "a condition lacks an array")) return false;
    if (kind == test::ORDERED) {
        test.summed.assign(1, 0);
        double upto = 0, sum = 0;
        for (size_t value = 0; value < m; value++) {
            test.below.push_back(upto += test.share[value]);
            test.summed.push_back(sum += upto);
        }
    }
    if (m <= 256) test.short_code.assign(test.code, test.code + n_items);
    to.conditions.tests.push_back(std::move(test));
    return true;
}

// (k, first|None, unit|None, n_units, weight|None, tests) over n_items items.
inline bool conditions_of(PyObject* tuple, size_t n_items, HeldConditions& to) {
    PyObject *first, *unit, *weight, *tests;
    long long k;
    Py_ssize_t n_units;
    if (!PyTuple_Check(tuple)) return check(false, "conditions come as a tuple");
    if (!PyArg_ParseTuple(tuple, "LOOnOO", &k, &first, &unit, &n_units, &weight, &tests)) return false;
    if (!check(n_units >= 0 && PyTuple_Check(tests), "conditions have tests")) return false;
    to.conditions.k = k;
    to.conditions.n_units = size_t(n_units);
    to.buffers.reserve(8 * size_t(PyTuple_Size(tests)) + 3);  // so that the buffers stay where they are
    if (first != Py_None) {
        const Buffer* buffer = held(to, first, 4, n_items + 1);
        if (!buffer) return false;
        to.conditions.first = buffer->as<const uint32_t>();
        if (!check(std::is_sorted(to.conditions.first, to.conditions.first + n_items + 1), "members must follow each other")) return false;
        n_items = to.conditions.first[n_items];
    }
    if (!codes_of(to, unit, n_items, to.conditions.n_units, to.conditions.unit)) return false;
    if (weight != Py_None) {
        const Buffer* buffer = held(to, weight, 4, n_items);
        if (!buffer || !check(!to.conditions.unit, "rows that were counted before have no people")) return false;
        to.conditions.weight = buffer->as<const uint32_t>();
    }
    for (Py_ssize_t i = 0; i < PyTuple_Size(tests); i++)
        if (!test_of(to, PyTuple_GetItem(tests, i), n_items)) return false;
    return true;
}

}  // namespace amongst
