// The Python face of the kernels: buffers in, buffers out, the interpreter lock released while they run.
// Keeps to the limited API, so that one build serves every Python from 3.11 on.
#include "buffers.h"

#include "frequency.h"
#include "conditions_of.h"
#include "mondrian.h"
#include "rows.h"

using namespace amongst;

namespace {

// Every column must hold n items, or a kernel would read past its end.
bool columns_of(const std::vector<Buffer>& buffers, size_t n, std::vector<CodeColumn>& columns) {
    for (const Buffer& b : buffers) {
        int size = b.itemsize();
        if ((size != 1 && size != 2 && size != 4) || size_t(b.bytes()) != n * size_t(size)) {
            PyErr_SetString(PyExc_ValueError, "a column of codes must hold n items of 1, 2 or 4 bytes");
            return false;
        }
        columns.push_back({b.as<const void>(), size});
    }
    return true;
}

template <typename T>
PyObject* bytes_of(const std::vector<T>& values) {
    return PyBytes_FromStringAndSize(reinterpret_cast<const char*>(values.data()), Py_ssize_t(values.size() * sizeof(T)));
}

// distinct(columns, weight|None, tuple_of_row) -> (first_row, count), both uint32 as bytes
PyObject* distinct(PyObject*, PyObject* args) {
    PyObject *py_columns, *py_weight, *py_out;
    if (!PyArg_ParseTuple(args, "OOO", &py_columns, &py_weight, &py_out)) return nullptr;
    std::vector<Buffer> buffers;
    Buffer weights, out;
    if (!open_all(py_columns, buffers) || !out.open_items(py_out, 4, true)) return nullptr;
    if (py_weight != Py_None && !weights.open_items(py_weight, 4)) return nullptr;
    size_t n = out.n();
    if (py_weight != Py_None && !check(weights.n() == n, "there must be a weight for every row")) return nullptr;
    const uint32_t* weight = py_weight == Py_None ? nullptr : weights.as<const uint32_t>();
    std::vector<CodeColumn> columns;
    if (!columns_of(buffers, n, columns)) return nullptr;
    int lane = 1;
    for (const CodeColumn& c : columns) lane = std::max(lane, c.itemsize);
    int words = (int(columns.size()) * lane + 7) / 8;
    if (!check(words <= 32, "too many columns for the compiled kernel")) return nullptr;
    std::vector<uint32_t> first_row, count;
    uint32_t* to = out.as<uint32_t>();
    bool done = unlocked([&] {
        if (words <= 1) distinct_rows<1>(columns, lane, n, weight, to, first_row, count);
        else if (words <= 2) distinct_rows<2>(columns, lane, n, weight, to, first_row, count);
        else if (words <= 4) distinct_rows<4>(columns, lane, n, weight, to, first_row, count);
        else if (words <= 8) distinct_rows<8>(columns, lane, n, weight, to, first_row, count);
        else distinct_rows<32>(columns, lane, n, weight, to, first_row, count);
    });
    if (!done) return nullptr;
    return Py_BuildValue("NN", bytes_of(first_row), bytes_of(count));
}

struct MondrianCall {
    std::vector<CodeColumn> columns;
    const uint32_t* weight;  // null: 1 each
    size_t n;
    std::vector<Axis> axes;
    int64_t k;
    int cuts;
    bool relaxed;
    const Conditions* conditions = nullptr;
    int32_t* group;
    std::vector<uint32_t> lo, hi;
    int64_t n_alone = 0;
    Tick tick;
};

template <typename T, int W>
bool run_mondrian(MondrianCall& call) {
    std::unique_ptr<Record<T, W>[]> records(new Record<T, W>[call.n]);
    pack<T, W>(call.columns, 0, call.n, records.get());
    for (size_t i = 0; i < call.n; i++) {
        records[i].id = uint32_t(i);
        records[i].weight = call.weight ? call.weight[i] : 1;
    }
    Mondrian<T, W> mondrian(records.get(), call.n, call.axes, call.k, call.cuts, call.relaxed, call.conditions);
    return mondrian.run(call.group, call.lo, call.hi, call.n_alone, call.tick);
}

template <typename T>
bool run_with_words(MondrianCall& call, int words) {
    if (words <= 1) return run_mondrian<T, 1>(call);
    if (words <= 2) return run_mondrian<T, 2>(call);
    if (words <= 4) return run_mondrian<T, 4>(call);
    if (words <= 8) return run_mondrian<T, 8>(call);
    return run_mondrian<T, 32>(call);
}

// An axis whose arrays have the sizes it states, and whose tree has leaves at the bottom and one root on top.
bool check_axis(const Axis& axis, const Buffer* position, const Buffer* start, const Buffer* end) {
    size_t n = size_t(axis.n_codes), levels = size_t(axis.n_levels);
    if (!check(axis.n_codes >= 0 && axis.n_levels >= 0, "an axis has fewer than no codes")) return false;
    if (!check(axis.wildcard < 0 || axis.wildcard == axis.n_codes, "a wildcard must come after all codes")) return false;
    if (position) return check(position->itemsize() == 8 && position->n() == n, "an axis needs a position for every code");
    if (!check(start && end && levels > 0, "an axis needs positions or a tree")) return false;
    for (const Buffer* part : {start, end})
        if (!check(part->itemsize() == 4 && part->n() == n * levels, "a tree needs a node for every code and level")) return false;
    bool sound = true;
    for (size_t level = 0; level < levels; level++)
        for (size_t i = 0; i < n; i++) {
            int64_t first = axis.tree_start[level * n + i], last = axis.tree_end[level * n + i], leaf = int64_t(i);
            sound &= 0 <= first && first <= leaf && leaf <= last && last < int64_t(n);
            sound &= (level > 0 || first == leaf) && (level + 1 < levels || first == 0);
        }
    return check(sound, "a tree must have every leaf at the bottom, and one root on top");
}

// The columns as axes of the call; keeps the buffers open.
bool axes_of(PyObject* const (&parts)[3], const Buffer& numbers, const std::vector<Buffer>& columns, std::vector<Buffer>& kept,
             std::vector<Axis>& axes) {
    if (!check(numbers.n() == 5 * columns.size(), "there must be an axis for every column")) return false;
    kept.reserve(3 * columns.size());  // so that the buffers stay where they are
    for (size_t c = 0; c < columns.size(); c++) {
        const Buffer* open[3] = {nullptr, nullptr, nullptr};
        for (int p = 0; p < 3; p++) {
            PyObject* item = PyTuple_GetItem(parts[p], Py_ssize_t(c));
            if (!item) return false;
            if (item == Py_None) continue;
            Buffer buffer;
            if (!buffer.open(item)) return false;
            kept.push_back(std::move(buffer));
            open[p] = &kept.back();
        }
        const int64_t* a = numbers.as<const int64_t>() + 5 * c;
        axes.push_back({open[0] ? open[0]->as<const int64_t>() : nullptr, open[1] ? open[1]->as<const int32_t>() : nullptr,
                        open[2] ? open[2]->as<const int32_t>() : nullptr, int32_t(a[1]), int32_t(a[0]), a[2], int32_t(a[3]),
                        int32_t(a[4])});
        if (!check_axis(axes.back(), open[0], open[1], open[2])) return false;
        if (!check_below(columns[c], uint64_t(a[0]) + (a[4] >= 0))) return false;
    }
    return true;
}

// mondrian(columns, weight|None, positions, tree_starts, tree_ends, axis, k, cuts, relaxed, conditions|None, group, tick|None)
// -> (lo, hi, n_alone)
// positions, tree_starts, tree_ends: tuples with an array or None a column.
// axis: int64, 5 a column: n_codes, n_levels, weight, own_null, wildcard.
PyObject* mondrian(PyObject*, PyObject* args) {
    PyObject *py_columns, *py_weight, *py_positions, *py_starts, *py_ends, *py_axis, *py_conditions, *py_group, *py_tick;
    long long k;
    int cuts, relaxed;
    if (!PyArg_ParseTuple(args, "OOOOOOLipOOO", &py_columns, &py_weight, &py_positions, &py_starts, &py_ends, &py_axis, &k,
                          &cuts, &relaxed, &py_conditions, &py_group, &py_tick))
        return nullptr;
    std::vector<Buffer> buffers, kept;
    Buffer weight, axis, group;
    if (!open_all(py_columns, buffers) || !axis.open_items(py_axis, 8) || !group.open_items(py_group, 4, true)) return nullptr;
    if (py_weight != Py_None && !weight.open_items(py_weight, 4)) return nullptr;
    MondrianCall call;
    call.n = group.n();
    call.group = group.as<int32_t>();
    call.weight = py_weight == Py_None ? nullptr : weight.as<const uint32_t>();
    call.k = k;
    call.cuts = cuts;
    call.relaxed = relaxed != 0;
    HeldConditions held;
    if (py_conditions != Py_None) {
        if (!conditions_of(py_conditions, call.n, held)) return nullptr;
        call.conditions = &held.conditions;
    }
    if (!check(k >= 1, "k must be at least 1") || !columns_of(buffers, call.n, call.columns)) return nullptr;
    if (call.weight) {
        uint64_t total = 0;
        if (!check(weight.n() == call.n, "there must be a weight for every row")) return nullptr;
        if (!check(!call.relaxed, "relaxed partitioning takes no weights")) return nullptr;
        for (size_t i = 0; i < call.n; i++) total += call.weight[i];
        if (!check(total <= UINT32_MAX, "the weights add up to more than can be counted")) return nullptr;
    }
    if (!axes_of({py_positions, py_starts, py_ends}, axis, buffers, kept, call.axes)) return nullptr;
    int64_t most_codes = 0;
    for (const Axis& a : call.axes) most_codes = std::max(most_codes, int64_t(a.n_codes) + 1);
    int lane = most_codes <= 256 ? 1 : most_codes <= 32767 ? 2 : 4;
    int words = (int(call.columns.size()) * lane + 7) / 8;
    if (!check(words <= 32, "too many columns for the compiled kernel")) return nullptr;

    PyThreadState* state = PyEval_SaveThread();
    if (py_tick != Py_None) {
        call.tick = [&](int64_t done, int64_t total) {
            PyEval_RestoreThread(state);
            PyObject* answer = PyObject_CallFunction(py_tick, "LL", (long long)done, (long long)total);
            bool go_on = answer != nullptr && PyErr_CheckSignals() == 0;
            Py_XDECREF(answer);
            state = PyEval_SaveThread();
            return go_on;
        };
    }
    bool finished = false;
    bool memory = true;
    try {
        finished = lane == 1   ? run_with_words<uint8_t>(call, words)
                   : lane == 2 ? run_with_words<int16_t>(call, words)
                               : run_with_words<int32_t>(call, words);
    } catch (const std::bad_alloc&) {
        memory = false;
    }
    PyEval_RestoreThread(state);
    if (!memory) return PyErr_NoMemory();
    if (!finished) return nullptr;  // the tick raised
    return Py_BuildValue("NNL", bytes_of(call.lo), bytes_of(call.hi), (long long)call.n_alone);
}

// order_by_class(class_of_row, row_at, first_of_class)
PyObject* order_by_class_(PyObject*, PyObject* args) {
    PyObject *py_class, *py_row_at, *py_first;
    if (!PyArg_ParseTuple(args, "OOO", &py_class, &py_row_at, &py_first)) return nullptr;
    Buffer class_of_row, row_at, first;
    if (!class_of_row.open_items(py_class, 4) || !row_at.open_items(py_row_at, 4, true) || !first.open_items(py_first, 8, true))
        return nullptr;
    if (!check(first.n() >= 1 && row_at.n() >= class_of_row.n(), "the output does not fit")) return nullptr;
    size_t n_classes = first.n() - 1;
    if (!check_below(class_of_row, n_classes, true)) return nullptr;
    bool done = unlocked([&] {
        order_by_class(class_of_row.as<const int32_t>(), class_of_row.n(), n_classes, row_at.as<uint32_t>(), first.as<int64_t>());
    });
    if (!done) return nullptr;
    Py_RETURN_NONE;
}

// sort_within(row_at, first_of_class, keys)
PyObject* sort_within_(PyObject*, PyObject* args) {
    PyObject *py_row_at, *py_first, *py_keys;
    if (!PyArg_ParseTuple(args, "OOO", &py_row_at, &py_first, &py_keys)) return nullptr;
    Buffer row_at, first;
    std::vector<Buffer> buffers;
    if (!row_at.open_items(py_row_at, 4, true) || !first.open_items(py_first, 8) || !open_all(py_keys, buffers)) return nullptr;
    const int64_t* begin = first.as<const int64_t>();
    bool ascend = first.n() >= 1 && begin[0] >= 0 && std::is_sorted(begin, begin + first.n()) &&
                  begin[first.n() - 1] <= int64_t(row_at.n());
    if (!check(ascend, "classes must follow each other within the rows")) return nullptr;
    std::vector<KeyColumn> keys;
    for (const Buffer& b : buffers) {
        if (!check_itemsize(b, 8) || !check_below(row_at, b.n())) return nullptr;
        keys.push_back({b.as<const void>(), b.itemsize()});
    }
    bool done = unlocked([&] { sort_within(row_at.as<uint32_t>(), begin, first.n() - 1, keys); });
    if (!done) return nullptr;
    Py_RETURN_NONE;
}

// gather(values, row_at, out)
PyObject* gather_(PyObject*, PyObject* args) {
    PyObject *py_values, *py_row_at, *py_out;
    if (!PyArg_ParseTuple(args, "OOO", &py_values, &py_row_at, &py_out)) return nullptr;
    Buffer values, row_at, out;
    if (!values.open(py_values) || !row_at.open_items(py_row_at, 4) || !check_itemsize(values, 8)) return nullptr;
    if (!out.open_items(py_out, values.itemsize(), true) || !check(out.n() == row_at.n(), "the output does not fit")) return nullptr;
    if (!check_below(row_at, values.n())) return nullptr;
    const uint32_t* rows = row_at.as<const uint32_t>();
    size_t n = row_at.n();
    unlocked([&] {
        switch (values.itemsize()) {
            case 1: gather(values.as<const uint8_t>(), rows, n, out.as<uint8_t>()); break;
            case 2: gather(values.as<const uint16_t>(), rows, n, out.as<uint16_t>()); break;
            case 4: gather(values.as<const uint32_t>(), rows, n, out.as<uint32_t>()); break;
            default: gather(values.as<const uint64_t>(), rows, n, out.as<uint64_t>());
        }
    });
    Py_RETURN_NONE;
}

// look_up(index, table, out)
PyObject* look_up_(PyObject*, PyObject* args) {
    PyObject *py_index, *py_table, *py_out;
    if (!PyArg_ParseTuple(args, "OOO", &py_index, &py_table, &py_out)) return nullptr;
    Buffer index, table, out;
    if (!index.open(py_index) || !table.open(py_table) || !check_itemsize(index, 4) || !check_itemsize(table, 4)) return nullptr;
    if (!out.open_items(py_out, table.itemsize(), true) || !check(out.n() == index.n(), "the output does not fit")) return nullptr;
    if (!check_below(index, table.n())) return nullptr;
    size_t n = index.n();
    auto with_index = [&](auto* i) {
        switch (table.itemsize()) {
            case 1: look_up(i, n, table.as<const uint8_t>(), out.as<uint8_t>()); break;
            case 2: look_up(i, n, table.as<const uint16_t>(), out.as<uint16_t>()); break;
            default: look_up(i, n, table.as<const uint32_t>(), out.as<uint32_t>());
        }
    };
    unlocked([&] {
        switch (index.itemsize()) {
            case 1: with_index(index.as<const uint8_t>()); break;
            case 2: with_index(index.as<const uint16_t>()); break;
            default: with_index(index.as<const uint32_t>());
        }
    });
    Py_RETURN_NONE;
}

// repeat(values, times, out)
PyObject* repeat_(PyObject*, PyObject* args) {
    PyObject *py_values, *py_times, *py_out;
    if (!PyArg_ParseTuple(args, "OOO", &py_values, &py_times, &py_out)) return nullptr;
    Buffer values, times, out;
    if (!values.open(py_values) || !times.open_items(py_times, 8) || !check_itemsize(values, 8)) return nullptr;
    if (!out.open_items(py_out, values.itemsize(), true)) return nullptr;
    size_t n = times.n();
    const int64_t* t = times.as<const int64_t>();
    int64_t total = 0;
    bool fits = values.n() == n;
    for (size_t i = 0; i < n && fits; i++) fits = t[i] >= 0 && t[i] <= int64_t(out.n()) - total, total += t[i];
    if (!check(fits && total == int64_t(out.n()), "the output does not fit")) return nullptr;
    unlocked([&] {
        switch (values.itemsize()) {
            case 1: repeat(values.as<const uint8_t>(), t, n, out.as<uint8_t>()); break;
            case 2: repeat(values.as<const uint16_t>(), t, n, out.as<uint16_t>()); break;
            case 4: repeat(values.as<const uint32_t>(), t, n, out.as<uint32_t>()); break;
            default: repeat(values.as<const uint64_t>(), t, n, out.as<uint64_t>());
        }
    });
    Py_RETURN_NONE;
}

// count_pairs(class_of_row, key_of_row, n_keys, out)
PyObject* count_pairs_(PyObject*, PyObject* args) {
    PyObject *py_class, *py_key, *py_out;
    Py_ssize_t n_keys;
    if (!PyArg_ParseTuple(args, "OOnO", &py_class, &py_key, &n_keys, &py_out)) return nullptr;
    Buffer class_of_row, key, out;
    if (!class_of_row.open_items(py_class, 4) || !key.open(py_key) || !out.open_items(py_out, 4, true)) return nullptr;
    size_t n = class_of_row.n();
    if (!check_itemsize(key, 4) || !check(key.n() == n && n_keys >= 0, "there must be a key for every row")) return nullptr;
    if (!check_below(class_of_row, n_keys ? out.n() / size_t(n_keys) : 0, true) || !check_below(key, uint64_t(n_keys))) return nullptr;
    const int32_t* c = class_of_row.as<const int32_t>();
    unlocked([&] {
        switch (key.itemsize()) {
            case 1: count_pairs(c, key.as<const uint8_t>(), n, size_t(n_keys), out.as<uint32_t>()); break;
            case 2: count_pairs(c, key.as<const uint16_t>(), n, size_t(n_keys), out.as<uint32_t>()); break;
            default: count_pairs(c, key.as<const uint32_t>(), n, size_t(n_keys), out.as<uint32_t>());
        }
    });
    Py_RETURN_NONE;
}

// The fields that change, out of word, shift and width each; every table must hold what its field can say.
bool steps_of(const Buffer& numbers, const std::vector<Buffer>& tables, int words, std::vector<FieldStep>& steps) {
    if (!check(numbers.n() == 3 * tables.size(), "a field needs a word, a shift and a width")) return false;
    for (size_t s = 0; s < tables.size(); s++) {
        const int64_t* a = numbers.as<const int64_t>() + 3 * s;
        bool fits = 0 <= a[0] && a[0] < words && 0 <= a[1] && 0 <= a[2] && a[2] <= 32 && a[1] + a[2] <= 64 && a[1] < 64;
        if (!check(fits, "a field must lie within a word")) return false;
        uint64_t size = uint64_t(1) << a[2];
        bool whole = tables[s].itemsize() == 4 && tables[s].n() >= size;
        if (!check(whole, "a table must have an entry for every value of its field")) return false;
        steps.push_back({int(a[0]), int(a[1]), size - 1, tables[s].as<const uint32_t>()});
    }
    return true;
}

template <int WORDS>
PyObject* roll_up_words(const uint64_t* keys, const uint32_t* weight, size_t n, const KeyStep& step, size_t most, uint32_t* member) {
    Rollup<WORDS> rollup;
    if (!unlocked([&] { rollup.run(keys, weight, n, step, most, member); })) return nullptr;
    Py_ssize_t n_classes = Py_ssize_t(rollup.n_classes());
    PyObject* new_keys = PyBytes_FromStringAndSize(nullptr, n_classes * 8 * WORDS);
    PyObject* count = PyBytes_FromStringAndSize(nullptr, n_classes * 4);
    if (new_keys && count) {
        uint64_t* to_keys = reinterpret_cast<uint64_t*>(PyBytes_AsString(new_keys));
        uint32_t* to_count = reinterpret_cast<uint32_t*>(PyBytes_AsString(count));
        unlocked([&] { rollup.write(to_keys, to_count); });
        return Py_BuildValue("NN", new_keys, count);
    }
    Py_XDECREF(new_keys);
    Py_XDECREF(count);
    return nullptr;
}

// roll_up(keys, weight, keep, fields, tables, most, member|None) -> (keys, count), uint64 and uint32 as bytes
// keep: a mask a word. fields: int64, 3 a table: word, shift, width. most: an upper bound of the number of classes.
PyObject* roll_up(PyObject*, PyObject* args) {
    PyObject *py_keys, *py_weight, *py_keep, *py_fields, *py_tables, *py_member;
    long long most;
    if (!PyArg_ParseTuple(args, "OOOOOLO", &py_keys, &py_weight, &py_keep, &py_fields, &py_tables, &most, &py_member))
        return nullptr;
    Buffer keys, weight, keep, fields, member;
    std::vector<Buffer> tables;
    if (!keys.open_items(py_keys, 8) || !weight.open_items(py_weight, 4) || !keep.open_items(py_keep, 8)) return nullptr;
    if (!fields.open_items(py_fields, 8) || !open_all(py_tables, tables)) return nullptr;
    size_t words = keep.n(), n = weight.n();
    if (!check(words == 1 || words == 2 || words == 4 || words == 8, "a key has 1, 2, 4 or 8 words")) return nullptr;
    if (!check(keys.n() == n * words, "there must be a weight for every key")) return nullptr;
    if (!check(n < UINT32_MAX, "there are more keys than can be counted")) return nullptr;
    KeyStep step;
    step.keep = keep.as<const uint64_t>();
    if (!steps_of(fields, tables, int(words), step.fields)) return nullptr;
    if (py_member != Py_None && (!member.open_items(py_member, 4, true) || !check(member.n() == n, "the output does not fit")))
        return nullptr;
    uint32_t* to = py_member == Py_None ? nullptr : member.as<uint32_t>();
    const uint32_t* weights = weight.as<const uint32_t>();
    const uint64_t* from = keys.as<const uint64_t>();
    size_t bound = most < 0 ? n : std::min(n, size_t(most));
    switch (words) {
        case 1: return roll_up_words<1>(from, weights, n, step, bound, to);
        case 2: return roll_up_words<2>(from, weights, n, step, bound, to);
        case 4: return roll_up_words<4>(from, weights, n, step, bound, to);
        default: return roll_up_words<8>(from, weights, n, step, bound, to);
    }
}

// rows_below(count, k) -> int
PyObject* rows_below_(PyObject*, PyObject* args) {
    PyObject* py_count;
    long long k;
    if (!PyArg_ParseTuple(args, "OL", &py_count, &k)) return nullptr;
    Buffer count;
    if (!count.open_items(py_count, 4)) return nullptr;
    return PyLong_FromUnsignedLongLong(k <= 0 ? 0 : rows_below(count.as<const uint32_t>(), count.n(), uint64_t(k)));
}

PyMethodDef methods[] = {
    {"distinct", distinct, METH_VARARGS, "distinct(columns, weight|None, tuple_of_row) -> (first_row, count)"},
    {"mondrian", mondrian, METH_VARARGS, "mondrian(...) -> (lo, hi)"},
    {"order_by_class", order_by_class_, METH_VARARGS, "order_by_class(class_of_row, row_at, first_of_class)"},
    {"sort_within", sort_within_, METH_VARARGS, "sort_within(row_at, first_of_class, keys)"},
    {"gather", gather_, METH_VARARGS, "gather(values, row_at, out)"},
    {"look_up", look_up_, METH_VARARGS, "look_up(index, table, out)"},
    {"repeat", repeat_, METH_VARARGS, "repeat(values, times, out)"},
    {"count_pairs", count_pairs_, METH_VARARGS, "count_pairs(class_of_row, key_of_row, n_keys, out)"},
    {"roll_up", roll_up, METH_VARARGS, "roll_up(keys, weight, keep, fields, tables, most, member|None) -> (keys, count)"},
    {"rows_below", rows_below_, METH_VARARGS, "rows_below(count, k) -> int"},
    {nullptr, nullptr, 0, nullptr},
};

PyModuleDef module = {PyModuleDef_HEAD_INIT, "_compiled", "Compiled kernels of amongst.", -1, methods, nullptr, nullptr, nullptr, nullptr};

}  // namespace

PyMODINIT_FUNC PyInit__compiled(void) { return PyModule_Create(&module); }
