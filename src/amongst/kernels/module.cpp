// The Python face of the kernels: buffers in, buffers out, the interpreter lock released while they run.
// Keeps to the limited API, so that one build serves every Python from 3.11 on.
#define PY_SSIZE_T_CLEAN
#include <Python.h>

#include <string>

#include "mondrian.h"
#include "rows.h"

using namespace amongst;

namespace {

// A buffer that is given back when it goes out of scope.
class Buffer {
public:
    Buffer() { view_.obj = nullptr; }
    Buffer(const Buffer&) = delete;
    Buffer(Buffer&& other) noexcept : view_(other.view_) { other.view_.obj = nullptr; }
    ~Buffer() {
        if (view_.obj) PyBuffer_Release(&view_);
    }
    bool open(PyObject* object, bool writable = false) {
        int flags = PyBUF_C_CONTIGUOUS | (writable ? PyBUF_WRITABLE : 0);
        if (PyObject_GetBuffer(object, &view_, flags) == 0) return true;
        view_.obj = nullptr;
        return false;
    }
    template <typename T>
    T* as() const { return static_cast<T*>(view_.buf); }
    int itemsize() const { return int(view_.itemsize); }
    Py_ssize_t bytes() const { return view_.len; }

private:
    Py_buffer view_;
};

bool open_all(PyObject* tuple, std::vector<Buffer>& buffers) {
    if (!PyTuple_Check(tuple)) {
        PyErr_SetString(PyExc_TypeError, "expected a tuple of arrays");
        return false;
    }
    Py_ssize_t n = PyTuple_Size(tuple);
    for (Py_ssize_t i = 0; i < n; i++) {
        Buffer buffer;
        if (!buffer.open(PyTuple_GetItem(tuple, i))) return false;
        buffers.push_back(std::move(buffer));
    }
    return true;
}

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

// distinct(columns, tuple_of_row) -> (first_row, count), both uint32 as bytes
PyObject* distinct(PyObject*, PyObject* args) {
    PyObject *py_columns, *py_out;
    if (!PyArg_ParseTuple(args, "OO", &py_columns, &py_out)) return nullptr;
    std::vector<Buffer> buffers;
    Buffer out;
    if (!open_all(py_columns, buffers) || !out.open(py_out, true)) return nullptr;
    size_t n = size_t(out.bytes()) / 4;
    std::vector<CodeColumn> columns;
    if (!columns_of(buffers, n, columns)) return nullptr;
    int lane = 1;
    for (const CodeColumn& c : columns) lane = std::max(lane, c.itemsize);
    int words = (int(columns.size()) * lane + 7) / 8;
    if (words > 32) {
        PyErr_SetString(PyExc_ValueError, "too many columns for the compiled kernel");
        return nullptr;
    }
    std::vector<uint32_t> first_row, count;
    Py_BEGIN_ALLOW_THREADS
    uint32_t* to = out.as<uint32_t>();
    if (words <= 1) distinct_rows<1>(columns, lane, n, to, first_row, count);
    else if (words <= 2) distinct_rows<2>(columns, lane, n, to, first_row, count);
    else if (words <= 4) distinct_rows<4>(columns, lane, n, to, first_row, count);
    else if (words <= 8) distinct_rows<8>(columns, lane, n, to, first_row, count);
    else distinct_rows<32>(columns, lane, n, to, first_row, count);
    Py_END_ALLOW_THREADS
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
    Mondrian<T, W> mondrian(records.get(), call.n, call.axes, call.k, call.cuts, call.relaxed);
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

// mondrian(columns, weight|None, positions, tree_starts, tree_ends, axis, k, cuts, relaxed, group, tick|None) -> (lo, hi, n_alone)
// positions, tree_starts, tree_ends: tuples with an array or None a column.
// axis: int64, 5 a column: n_codes, n_levels, weight, own_null, wildcard.
PyObject* mondrian(PyObject*, PyObject* args) {
    PyObject *py_columns, *py_weight, *py_positions, *py_starts, *py_ends, *py_axis, *py_group, *py_tick;
    long long k;
    int cuts, relaxed;
    if (!PyArg_ParseTuple(args, "OOOOOOLipOO", &py_columns, &py_weight, &py_positions, &py_starts, &py_ends, &py_axis, &k,
                          &cuts, &relaxed, &py_group, &py_tick))
        return nullptr;
    std::vector<Buffer> buffers;
    Buffer weight, axis, group;
    if (!open_all(py_columns, buffers) || !axis.open(py_axis) || !group.open(py_group, true)) return nullptr;
    if (py_weight != Py_None && !weight.open(py_weight)) return nullptr;
    MondrianCall call;
    call.n = size_t(group.bytes()) / 4;
    call.group = group.as<int32_t>();
    call.weight = py_weight == Py_None ? nullptr : weight.as<const uint32_t>();
    call.k = k;
    call.cuts = cuts;
    call.relaxed = relaxed != 0;
    if (!columns_of(buffers, call.n, call.columns)) return nullptr;
    if (call.weight && size_t(weight.bytes()) != call.n * 4) {
        PyErr_SetString(PyExc_ValueError, "weights must be n items of 4 bytes");
        return nullptr;
    }

    std::vector<Buffer> kept;
    const int64_t* numbers = axis.as<const int64_t>();
    int64_t most_codes = 0;
    for (size_t c = 0; c < call.columns.size(); c++) {
        const void* data[3] = {nullptr, nullptr, nullptr};
        PyObject* parts[3] = {py_positions, py_starts, py_ends};
        for (int p = 0; p < 3; p++) {
            PyObject* item = PyTuple_GetItem(parts[p], Py_ssize_t(c));
            if (!item) return nullptr;
            if (item == Py_None) continue;
            Buffer buffer;
            if (!buffer.open(item)) return nullptr;
            data[p] = buffer.as<const void>();
            kept.push_back(std::move(buffer));
        }
        const int64_t* a = numbers + 5 * c;
        call.axes.push_back({static_cast<const int64_t*>(data[0]), static_cast<const int32_t*>(data[1]),
                             static_cast<const int32_t*>(data[2]), int32_t(a[1]), int32_t(a[0]), a[2], int32_t(a[3]), int32_t(a[4])});
        most_codes = std::max(most_codes, a[0] + 1);
    }
    int lane = most_codes <= 256 ? 1 : most_codes <= 32767 ? 2 : 4;
    int words = (int(call.columns.size()) * lane + 7) / 8;
    if (words > 32) {
        PyErr_SetString(PyExc_ValueError, "too many columns for the compiled kernel");
        return nullptr;
    }

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

// order_by_class(class_of_row, n_classes, row_at, first_of_class)
PyObject* order_by_class_(PyObject*, PyObject* args) {
    PyObject *py_class, *py_row_at, *py_first;
    if (!PyArg_ParseTuple(args, "OOO", &py_class, &py_row_at, &py_first)) return nullptr;
    Buffer class_of_row, row_at, first;
    if (!class_of_row.open(py_class) || !row_at.open(py_row_at, true) || !first.open(py_first, true)) return nullptr;
    size_t n_classes = size_t(first.bytes()) / 8 - 1;
    Py_BEGIN_ALLOW_THREADS
    order_by_class(class_of_row.as<const int32_t>(), size_t(class_of_row.bytes()) / 4, n_classes, row_at.as<uint32_t>(), first.as<int64_t>());
    Py_END_ALLOW_THREADS
    Py_RETURN_NONE;
}

// sort_within(row_at, first_of_class, keys)
PyObject* sort_within_(PyObject*, PyObject* args) {
    PyObject *py_row_at, *py_first, *py_keys;
    if (!PyArg_ParseTuple(args, "OOO", &py_row_at, &py_first, &py_keys)) return nullptr;
    Buffer row_at, first;
    std::vector<Buffer> buffers;
    if (!row_at.open(py_row_at, true) || !first.open(py_first) || !open_all(py_keys, buffers)) return nullptr;
    std::vector<KeyColumn> keys;
    for (const Buffer& b : buffers) keys.push_back({b.as<const void>(), b.itemsize()});
    Py_BEGIN_ALLOW_THREADS
    sort_within(row_at.as<uint32_t>(), first.as<const int64_t>(), size_t(first.bytes()) / 8 - 1, keys);
    Py_END_ALLOW_THREADS
    Py_RETURN_NONE;
}

// gather(values, row_at, out)
PyObject* gather_(PyObject*, PyObject* args) {
    PyObject *py_values, *py_row_at, *py_out;
    if (!PyArg_ParseTuple(args, "OOO", &py_values, &py_row_at, &py_out)) return nullptr;
    Buffer values, row_at, out;
    if (!values.open(py_values) || !row_at.open(py_row_at) || !out.open(py_out, true)) return nullptr;
    size_t n = size_t(row_at.bytes()) / 4;
    int size = values.itemsize();
    if (out.itemsize() != size || size_t(out.bytes()) != n * size_t(size)) {
        PyErr_SetString(PyExc_ValueError, "the output does not fit");
        return nullptr;
    }
    Py_BEGIN_ALLOW_THREADS
    const uint32_t* rows = row_at.as<const uint32_t>();
    switch (size) {
        case 1: gather(values.as<const uint8_t>(), rows, n, out.as<uint8_t>()); break;
        case 2: gather(values.as<const uint16_t>(), rows, n, out.as<uint16_t>()); break;
        case 4: gather(values.as<const uint32_t>(), rows, n, out.as<uint32_t>()); break;
        default: gather(values.as<const uint64_t>(), rows, n, out.as<uint64_t>());
    }
    Py_END_ALLOW_THREADS
    Py_RETURN_NONE;
}

// look_up(index, table, out)
PyObject* look_up_(PyObject*, PyObject* args) {
    PyObject *py_index, *py_table, *py_out;
    if (!PyArg_ParseTuple(args, "OOO", &py_index, &py_table, &py_out)) return nullptr;
    Buffer index, table, out;
    if (!index.open(py_index) || !table.open(py_table) || !out.open(py_out, true)) return nullptr;
    size_t n = size_t(index.bytes()) / size_t(index.itemsize());
    auto with_index = [&](auto* i) {
        switch (table.itemsize()) {
            case 1: look_up(i, n, table.as<const uint8_t>(), out.as<uint8_t>()); break;
            case 2: look_up(i, n, table.as<const uint16_t>(), out.as<uint16_t>()); break;
            default: look_up(i, n, table.as<const uint32_t>(), out.as<uint32_t>());
        }
    };
    Py_BEGIN_ALLOW_THREADS
    switch (index.itemsize()) {
        case 1: with_index(index.as<const uint8_t>()); break;
        case 2: with_index(index.as<const uint16_t>()); break;
        default: with_index(index.as<const uint32_t>());
    }
    Py_END_ALLOW_THREADS
    Py_RETURN_NONE;
}

// repeat(values, times, out)
PyObject* repeat_(PyObject*, PyObject* args) {
    PyObject *py_values, *py_times, *py_out;
    if (!PyArg_ParseTuple(args, "OOO", &py_values, &py_times, &py_out)) return nullptr;
    Buffer values, times, out;
    if (!values.open(py_values) || !times.open(py_times) || !out.open(py_out, true)) return nullptr;
    size_t n = size_t(times.bytes()) / 8;
    const int64_t* t = times.as<const int64_t>();
    Py_BEGIN_ALLOW_THREADS
    switch (values.itemsize()) {
        case 1: repeat(values.as<const uint8_t>(), t, n, out.as<uint8_t>()); break;
        case 2: repeat(values.as<const uint16_t>(), t, n, out.as<uint16_t>()); break;
        case 4: repeat(values.as<const uint32_t>(), t, n, out.as<uint32_t>()); break;
        default: repeat(values.as<const uint64_t>(), t, n, out.as<uint64_t>());
    }
    Py_END_ALLOW_THREADS
    Py_RETURN_NONE;
}

// count_pairs(class_of_row, key_of_row, n_keys, out)
PyObject* count_pairs_(PyObject*, PyObject* args) {
    PyObject *py_class, *py_key, *py_out;
    Py_ssize_t n_keys;
    if (!PyArg_ParseTuple(args, "OOnO", &py_class, &py_key, &n_keys, &py_out)) return nullptr;
    Buffer class_of_row, key, out;
    if (!class_of_row.open(py_class) || !key.open(py_key) || !out.open(py_out, true)) return nullptr;
    size_t n = size_t(class_of_row.bytes()) / 4;
    const int32_t* c = class_of_row.as<const int32_t>();
    Py_BEGIN_ALLOW_THREADS
    switch (key.itemsize()) {
        case 1: count_pairs(c, key.as<const uint8_t>(), n, size_t(n_keys), out.as<uint32_t>()); break;
        case 2: count_pairs(c, key.as<const uint16_t>(), n, size_t(n_keys), out.as<uint32_t>()); break;
        default: count_pairs(c, key.as<const uint32_t>(), n, size_t(n_keys), out.as<uint32_t>());
    }
    Py_END_ALLOW_THREADS
    Py_RETURN_NONE;
}

PyMethodDef methods[] = {
    {"distinct", distinct, METH_VARARGS, "distinct(columns, tuple_of_row) -> (first_row, count)"},
    {"mondrian", mondrian, METH_VARARGS, "mondrian(...) -> (lo, hi)"},
    {"order_by_class", order_by_class_, METH_VARARGS, "order_by_class(class_of_row, row_at, first_of_class)"},
    {"sort_within", sort_within_, METH_VARARGS, "sort_within(row_at, first_of_class, keys)"},
    {"gather", gather_, METH_VARARGS, "gather(values, row_at, out)"},
    {"look_up", look_up_, METH_VARARGS, "look_up(index, table, out)"},
    {"repeat", repeat_, METH_VARARGS, "repeat(values, times, out)"},
    {"count_pairs", count_pairs_, METH_VARARGS, "count_pairs(class_of_row, key_of_row, n_keys, out)"},
    {nullptr, nullptr, 0, nullptr},
};

PyModuleDef module = {PyModuleDef_HEAD_INIT, "_compiled", "Compiled kernels of amongst.", -1, methods, nullptr, nullptr, nullptr, nullptr};

}  // namespace

PyMODINIT_FUNC PyInit__compiled(void) { return PyModule_Create(&module); }
