// Arrays of Python as buffers, and the checks that keep a kernel inside of them.
// A wrong argument is an error, never a read or a write past an end: the checks cost one pass over what is checked.
#pragma once

#define PY_SSIZE_T_CLEAN
#include <Python.h>

#include <algorithm>
#include <cstdint>
#include <new>
#include <utility>
#include <vector>

namespace amongst {

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
    // The same, and its items must have this size.
    bool open_items(PyObject* object, int itemsize, bool writable = false) {
        if (!open(object, writable)) return false;
        if (this->itemsize() == itemsize) return true;
        PyErr_Format(PyExc_TypeError, "an array has items of %d bytes where %d are needed", this->itemsize(), itemsize);
        return false;
    }
    template <typename T>
    T* as() const { return static_cast<T*>(view_.buf); }
    int itemsize() const { return int(view_.itemsize); }
    Py_ssize_t bytes() const { return view_.len; }
    size_t n() const { return view_.itemsize ? size_t(view_.len / view_.itemsize) : 0; }

private:
    Py_buffer view_;
};

inline bool open_all(PyObject* tuple, std::vector<Buffer>& buffers) {
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

inline bool check(bool holds, const char* otherwise) {
    if (!holds) PyErr_SetString(PyExc_ValueError, otherwise);
    return holds;
}

// Items that a kernel takes for unsigned numbers.
inline bool check_itemsize(const Buffer& buffer, int largest) {
    int size = buffer.itemsize();
    if (size == 1 || size == 2 || size == 4 || (size == 8 && largest == 8)) return true;
    PyErr_Format(PyExc_TypeError, "an array has items of %d bytes, which this kernel does not take", size);
    return false;
}

template <typename I>
I largest_of(const I* items, size_t n) {
    I largest = 0;
    for (size_t i = 0; i < n; i++) largest = std::max(largest, items[i]);
    return largest;
}

// The largest of some unsigned numbers, 0 of none; of signed 32-bit numbers with signed_items, 0 where all are below.
inline uint64_t largest(const Buffer& buffer, bool signed_items = false) {
    if (signed_items) return uint64_t(largest_of(buffer.as<const int32_t>(), buffer.n()));
    switch (buffer.itemsize()) {
        case 1: return largest_of(buffer.as<const uint8_t>(), buffer.n());
        case 2: return largest_of(buffer.as<const uint16_t>(), buffer.n());
        case 4: return largest_of(buffer.as<const uint32_t>(), buffer.n());
        default: return largest_of(buffer.as<const uint64_t>(), buffer.n());
    }
}

// Whether every item points into something of this size; there is nothing to point at when there are no items.
inline bool check_below(const Buffer& index, uint64_t size, bool signed_items = false) {
    if (index.n() == 0 || largest(index, signed_items) < size) return true;
    if (signed_items && size == 0 && std::all_of(index.as<const int32_t>(), index.as<const int32_t>() + index.n(),
                                                 [](int32_t item) { return item < 0; }))
        return true;
    PyErr_SetString(PyExc_IndexError, "an index points past the end");
    return false;
}

// Does the work without the interpreter lock; false, with the error set, when there is no memory for it.
template <typename F>
bool unlocked(F&& work) {
    bool memory = true;
    Py_BEGIN_ALLOW_THREADS
    try {
        work();
    } catch (const std::bad_alloc&) {
        memory = false;
    }
    Py_END_ALLOW_THREADS
    if (!memory) PyErr_NoMemory();
    return memory;
}

}  // namespace amongst
