// The Python face of the kernels for many tables.
#include "buffers.h"

#include "bitmaps.h"
#include "split_trees.h"
#include "tree_space.h"

using namespace amongst;

namespace {

enum Way { SUPPRESS = 0, MERGE = 1 };
constexpr size_t BETWEEN_TICKS = 64;


struct Opened {
    Forest forest;
    std::vector<Buffer> buffers;

    const Buffer* keep(PyObject* object, int itemsize) {
        Buffer buffer;
        if (!buffer.open_items(object, itemsize)) return nullptr;
        buffers.push_back(std::move(buffer));
        return &buffers.back();
    }
};

bool open_column(PyObject* py, Opened& opened, CellPrice& column) {
    PyObject *table, *position, *start, *end, *label_lo, *label_hi;
    long long n, n_levels, full, own_null;
    if (!PyArg_ParseTuple(py, "OOOOOOLLLL", &table, &position, &start, &end, &label_lo, &label_hi, &n, &n_levels, &full, &own_null)) return false;
    column.n = n, column.n_levels = n_levels, column.full = full, column.own_null = own_null;
    if (!check(n >= 1 && n_levels >= 0 && full >= 0 && full <= (1 << 24), "a column must have codes, levels and a price")) return false;
    struct Part {
        PyObject* py;
        const int32_t** to;
        long long size;
    };
    for (Part part : {Part{table, &column.table, n * n}, Part{position, &column.position, n}, Part{start, &column.start, n * n_levels},
                      Part{end, &column.end, n * n_levels}, Part{label_lo, &column.label_lo, n}, Part{label_hi, &column.label_hi, n}}) {
        if (part.py == Py_None) continue;
        const Buffer* buffer = opened.keep(part.py, 4);
        if (!buffer || !check(buffer->n() == size_t(part.size), "an array of a column has the wrong size")) return false;
        *part.to = buffer->as<const int32_t>();
    }
    if (column.position) return check(column.label_lo && column.label_hi, "a range column needs the labels of its codes");
    if (!check(column.start && column.end && n_levels >= 1, "a column needs positions or a tree")) return false;
    const int32_t* top = column.start + (n_levels - 1) * n;
    return check(std::all_of(top, top + n, [&](int32_t first) { return first == top[0]; }), "the last level of a tree must be its root");
}

bool inside(const int32_t* codes, size_t n, const TableRows& table) {
    for (size_t i = 0; i < n; i++)
        for (size_t c = 0; c < table.d(); c++) {
            int32_t code = codes[i * table.d() + c];
            if (code < 0 || code >= table.columns[c].n) return false;
        }
    return true;
}

// tables: for each (parent, first|None, codes, sensitive, n_sensitive, columns, n_rows)
bool open_forest(PyObject* py_tables, Opened& opened) {
    if (!PyTuple_Check(py_tables) || PyTuple_Size(py_tables) < 1) return check(false, "there must be tables");
    size_t n_tables = size_t(PyTuple_Size(py_tables));
    opened.forest.resize(n_tables);
    for (size_t t = 0; t < n_tables; t++) {
        long long parent, n_sensitive, n_rows;
        PyObject *first, *codes, *sensitive, *columns;
        if (!PyArg_ParseTuple(PyTuple_GetItem(py_tables, Py_ssize_t(t)), "LOOOLOL", &parent, &first, &codes, &sensitive, &n_sensitive, &columns, &n_rows)) return false;
        TableRows& table = opened.forest[t];
        table.parent = parent, table.n = n_rows, table.n_sensitive = n_sensitive;
        if (!check(n_rows >= 0 && n_rows < (1LL << 31) && n_sensitive >= 0, "a table has too many rows")) return false;
        if (!check(t == 0 ? parent == -1 : parent >= 0 && parent < (long long)t, "a table must follow the one it refers to")) return false;
        for (Py_ssize_t c = 0; c < PyTuple_Size(columns); c++) {
            CellPrice column;
            if (!open_column(PyTuple_GetItem(columns, c), opened, column)) return false;
            table.full += column.full;
            table.columns.push_back(column);
        }
        const Buffer* buffer = opened.keep(codes, 4);
        if (!buffer || !check(buffer->n() == size_t(n_rows) * table.d(), "there must be a code for every row and column")) return false;
        table.codes = buffer->as<const int32_t>();
        if (!check(inside(table.codes, size_t(n_rows), table), "a code is not one of its column's")) return false;
        buffer = opened.keep(sensitive, 4);
        if (!buffer || !check(buffer->n() == size_t(n_rows * n_sensitive), "there must be a sensitive value for every row and column")) return false;
        table.sensitive = buffer->as<const int32_t>();
        if (t == 0) continue;
        buffer = opened.keep(first, 8);
        if (!buffer || !check(buffer->n() == size_t(opened.forest[size_t(parent)].n) + 1, "every row of the parent needs its place")) return false;
        table.first = buffer->as<const int64_t>();
        bool places = table.first[0] == 0 && table.first[buffer->n() - 1] == n_rows && std::is_sorted(table.first, table.first + buffer->n());
        if (!check(places, "children must lie in the order of their parents")) return false;
        opened.forest[size_t(parent)].children.push_back(t);
    }
    return true;
}

bool open_spreads(PyObject* py, const Forest& forest, std::vector<Spread>& asked) {
    Buffer buffer;
    if (!buffer.open_items(py, 8) || !check(buffer.n() % 6 == 0, "a requirement has six numbers")) return false;
    const double* of = buffer.as<const double>();
    for (size_t i = 0; i < buffer.n(); i += 6) {
        Spread one{int64_t(of[i]), int64_t(of[i + 1]), int64_t(of[i + 2]), of[i + 3], of[i + 4], int64_t(of[i + 5])};
        bool known = one.table >= 0 && one.table < int64_t(forest.size()) && one.column >= 0 && one.column < forest[size_t(one.table)].n_sensitive;
        if (!check(known && one.l >= 1 && one.sense >= 0 && one.sense <= 3, "a requirement is about no column, or has no sense")) return false;
        asked.push_back(one);
    }
    return true;
}

// Where the groups go: the group of every person, and for every row its node, and what it publishes.
struct Outputs {
    Buffer group;
    std::vector<Buffer> lo, hi, node;

    bool open(PyObject* py_group, PyObject* py_lo, PyObject* py_hi, PyObject* py_node, const Forest& forest) {
        if (!group.open_items(py_group, 4, true) || !check(group.n() == size_t(forest[0].n), "the output does not fit")) return false;
        for (size_t t = 0; t < forest.size(); t++) {
            size_t n = size_t(forest[t].n), cells = n * forest[t].d();
            for (auto [py, to, size] : {std::make_tuple(py_lo, &lo, cells), std::make_tuple(py_hi, &hi, cells), std::make_tuple(py_node, &node, n)}) {
                Buffer buffer;
                PyObject* item = PyTuple_GetItem(py, Py_ssize_t(t));
                if (!item || !buffer.open_items(item, 4, true) || !check(buffer.n() == size, "the output does not fit")) return false;
                to->push_back(std::move(buffer));
            }
        }
        return true;
    }
    void write(const Forest& forest, const Entity& entity, int32_t number) {
        for (int32_t person : entity.members) group.as<int32_t>()[person] = number;
        for (size_t t = 0; t < forest.size(); t++) {
            size_t n = entity.of[t].n, d = forest[t].d();
            for (size_t m = 0; m < entity.size(); m++)
                for (size_t i = 0; i < n; i++) {
                    size_t row = size_t(entity.of[t].rows[m * n + i]);
                    node[t].as<int32_t>()[row] = int32_t(i);
                    std::copy_n(entity.of[t].lo.data() + i * d, d, lo[t].as<int32_t>() + row * d);
                    std::copy_n(entity.of[t].hi.data() + i * d, d, hi[t].as<int32_t>() + row * d);
                }
        }
    }
};

// Runs work between ticks without the interpreter lock. False when the tick or a signal says stop, with the error set.
template <typename Step>
bool in_steps(size_t n, PyObject* tick, Step&& step) {
    for (size_t done = 0; done < n;) {
        size_t end = std::min(n, done + BETWEEN_TICKS);
        if (!unlocked([&] {
                for (; done < end; done++) step(done);
            }))
            return false;
        if (PyErr_CheckSignals() != 0) return false;
        if (tick == Py_None) continue;
        PyObject* answer = PyObject_CallFunction(tick, "nn", Py_ssize_t(done), Py_ssize_t(n));
        if (!answer) return false;
        Py_DECREF(answer);
    }
    return true;
}

// As algorithm 2 prints it, a cluster is full with more than k, and one more is opened while there are at most `limit`.
StreamOptions stream_options(Py_ssize_t k, Py_ssize_t limit, double threshold, bool join, bool printed) {
    if (!printed) return {size_t(k), size_t(limit), threshold, join, size_t(limit)};
    return {size_t(k) + 1, size_t(limit) + 1, threshold, join, SIZE_MAX - 1};
}

// cluster_trees(tables, spreads, given|None, k, limit, threshold, join, upper_only, optimal, increase, levels, printed, way, penalty,
//               group, lo, hi, node, tick) -> number of groups
PyObject* cluster_trees(PyObject*, PyObject* args) {
    PyObject *py_tables, *py_spreads, *py_given, *py_group, *py_lo, *py_hi, *py_node, *tick;
    Py_ssize_t k, limit;
    double threshold, penalty;
    int join, upper_only, optimal, increase, levels, printed, way;
    if (!PyArg_ParseTuple(args, "OOOnndppppppidOOOOO", &py_tables, &py_spreads, &py_given, &k, &limit, &threshold, &join, &upper_only, &optimal, &increase,
                          &levels, &printed, &way, &penalty, &py_group, &py_lo, &py_hi, &py_node, &tick))
        return nullptr;
    Opened opened;
    std::vector<Spread> asked;
    Outputs outputs;
    Buffer given;
    if (!open_forest(py_tables, opened) || !open_spreads(py_spreads, opened.forest, asked)) return nullptr;
    const Forest& forest = opened.forest;
    if (!check(k >= 1 && limit >= 1, "k and the limit must be 1 or more") || !outputs.open(py_group, py_lo, py_hi, py_node, forest)) return nullptr;
    size_t n = size_t(forest[0].n);
    bool grouped = py_given != Py_None;
    if (grouped && (!given.open_items(py_given, 4) || !check(given.n() == n, "every person needs a group, or -1"))) return nullptr;
    TreeSpace space(forest, {upper_only != 0, optimal != 0, increase != 0, levels != 0, printed != 0}, asked, penalty);
    Clusters<TreeSpace> clusters(space, stream_options(k, limit, threshold, join != 0, printed != 0));
    auto holds = [&](const Entity& one) {
        return one.size() >= size_t(k) && (printed ? diverse(forest, without_stars(forest, one), asked) : diverse(forest, one, asked));
    };
    bool done;
    if (grouped) {
        std::vector<int64_t> place;  // of every given group
        done = in_steps(n, tick, [&](size_t i) {
            int32_t g = given.as<const int32_t>()[i];
            if (g < 0) return;
            if (size_t(g) >= place.size()) place.resize(size_t(g) + 1, -1);
            if (place[size_t(g)] < 0) {
                place[size_t(g)] = int64_t(clusters.closed.size());
                clusters.closed.push_back(space.make(int32_t(i)));
            } else {
                space.merge(clusters.closed[size_t(place[size_t(g)])], space.make(int32_t(i)));
            }
        });
    } else {
        done = in_steps(n, tick, [&](size_t i) { clusters.add(space.make(int32_t(i))); });
    }
    if (!done) return nullptr;
    done = unlocked([&] {
        clusters.finish();
        if (!asked.empty() || grouped) clusters.begin_mending(holds, way == MERGE);
    });
    for (bool more = true; done && more;) {
        done = unlocked([&] { more = clusters.mend(holds, BETWEEN_TICKS); });
        if (PyErr_CheckSignals() != 0) return nullptr;
    }
    if (!done) return nullptr;
    done = unlocked([&] {
        clusters.join_left(holds);
        for (size_t g = 0; g < clusters.closed.size(); g++)
            outputs.write(forest, printed ? without_stars(forest, clusters.closed[g]) : clusters.closed[g], int32_t(g));
    });
    return done ? PyLong_FromSize_t(clusters.closed.size()) : nullptr;
}

// split_trees(tables, spreads, k, upper_only, optimal, increase, levels, group, tick) -> number of groups
PyObject* split_trees(PyObject*, PyObject* args) {
    PyObject *py_tables, *py_spreads, *py_group, *tick;
    Py_ssize_t k;
    int upper_only, optimal, increase, levels;
    if (!PyArg_ParseTuple(args, "OOnppppOO", &py_tables, &py_spreads, &k, &upper_only, &optimal, &increase, &levels, &py_group, &tick)) return nullptr;
    Opened opened;
    Buffer group;
    std::vector<Spread> asked;
    if (!open_forest(py_tables, opened) || !open_spreads(py_spreads, opened.forest, asked) || !group.open_items(py_group, 4, true)) return nullptr;
    size_t n = size_t(opened.forest[0].n);
    if (!check(k >= 1 && group.n() == n, "every person needs a place for the group")) return nullptr;
    TreeSplit split(opened.forest, {upper_only != 0, optimal != 0, increase != 0, levels != 0}, size_t(k));
    std::vector<int32_t> order(n);
    for (size_t i = 0; i < n; i++) order[i] = int32_t(i);
    std::vector<std::pair<size_t, size_t>> waiting;
    if (n) waiting.push_back({0, n});
    size_t done = 0;
    int32_t n_groups = 0;
    while (!waiting.empty()) {
        auto [begin, end] = waiting.back();
        waiting.pop_back();
        if (end - begin < 2 * size_t(k)) {
            for (size_t i = begin; i < end; i++) group.as<int32_t>()[order[i]] = n_groups;
            n_groups++;
            done += end - begin;
            continue;
        }
        size_t border = 0;
        bool apart = true;  // both halves hold what is asked (section 5.2: partition only if diversity is not violated)
        if (!unlocked([&] {
                border = split.halve(order, begin, end);
                apart = asked.empty() || (split.diverse_together(order, begin, border, asked) && split.diverse_together(order, border, end, asked));
            }))
            return nullptr;
        if (!apart) {
            for (size_t i = begin; i < end; i++) group.as<int32_t>()[order[i]] = n_groups;
            n_groups++;
            done += end - begin;
            continue;
        }
        waiting.push_back({border, end});
        waiting.push_back({begin, border});
        if (PyErr_CheckSignals() != 0) return nullptr;
        if (tick == Py_None || end - begin < BETWEEN_TICKS) continue;
        PyObject* answer = PyObject_CallFunction(tick, "nn", Py_ssize_t(done), Py_ssize_t(n));
        if (!answer) return nullptr;
        Py_DECREF(answer);
    }
    return PyLong_FromLong(n_groups);
}

// cluster_bits(bits, n_words, n_columns, complete, k, limit, threshold, join, printed, group, tick) -> number of groups
PyObject* cluster_bits(PyObject*, PyObject* args) {
    PyObject *py_bits, *py_group, *tick;
    Py_ssize_t n_words, n_columns, k, limit;
    double threshold;
    int complete, join, printed;
    if (!PyArg_ParseTuple(args, "OnnpnndppOO", &py_bits, &n_words, &n_columns, &complete, &k, &limit, &threshold, &join, &printed, &py_group, &tick)) return nullptr;
    Buffer bits, group;
    if (!bits.open_items(py_bits, 8) || !group.open_items(py_group, 4, true)) return nullptr;
    size_t n = group.n();
    if (!check(k >= 1 && limit >= 1 && n_words >= 0 && bits.n() == n * size_t(n_words), "there must be bits for every person")) return nullptr;
    BitmapSpace space{bits.as<const uint64_t>(), size_t(n_words), size_t(n_columns), complete != 0};
    Clusters<BitmapSpace> clusters(space, stream_options(k, limit, threshold, join != 0, printed != 0));
    if (!in_steps(n, tick, [&](size_t i) { clusters.add(space.make(int32_t(i))); })) return nullptr;
    bool done = unlocked([&] {
        clusters.finish();
        clusters.join_left([](const BitmapSpace::Entity&) { return true; });
        for (size_t g = 0; g < clusters.closed.size(); g++)
            for (int32_t person : clusters.closed[g].members) group.as<int32_t>()[person] = int32_t(g);
    });
    return done ? PyLong_FromSize_t(clusters.closed.size()) : nullptr;
}

PyMethodDef methods[] = {
    {"cluster_trees", cluster_trees, METH_VARARGS, "cluster_trees(...) -> number of groups"},
    {"split_trees", split_trees, METH_VARARGS, "split_trees(...) -> number of groups"},
    {"cluster_bits", cluster_bits, METH_VARARGS, "cluster_bits(...) -> number of groups"},
    {nullptr, nullptr, 0, nullptr},
};

PyModuleDef module = {PyModuleDef_HEAD_INIT, "_relations", "Compiled kernels for many tables.", -1, methods, nullptr, nullptr, nullptr, nullptr};

}  // namespace

PyMODINIT_FUNC PyInit__relations(void) { return PyModule_Create(&module); }
