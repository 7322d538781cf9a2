// The Python face of the cells of text files.
#include "buffers.h"

#include "cells.h"

using namespace amongst;

namespace {

constexpr const char* NAME = "amongst.cells";

void forget(PyObject* capsule) { delete static_cast<CellsOfText*>(PyCapsule_GetPointer(capsule, NAME)); }

bool texts_of(PyObject* tuple, std::vector<std::string>& texts) {
    if (!PyTuple_Check(tuple)) return PyErr_SetString(PyExc_TypeError, "expected a tuple of bytes"), false;
    for (Py_ssize_t i = 0; i < PyTuple_Size(tuple); i++) {
        char* text;
        Py_ssize_t length;
        if (PyBytes_AsStringAndSize(PyTuple_GetItem(tuple, i), &text, &length) != 0) return false;
        texts.emplace_back(text, size_t(length));
    }
    return true;
}

// begin(n_columns, separator, missing) -> cells
PyObject* begin(PyObject*, PyObject* args) {
    Py_ssize_t n_columns;
    int separator;
    PyObject* py_missing;
    std::vector<std::string> missing;
    if (!PyArg_ParseTuple(args, "niO", &n_columns, &separator, &py_missing) || !texts_of(py_missing, missing)) return nullptr;
    bool plain = separator > 0 && separator < 128 && separator != '"' && separator != '\n' && separator != '\r';
    if (!check(n_columns >= 1 && n_columns < (1 << 20) && plain, "there must be columns, and a sign between them")) return nullptr;
    CellsOfText* cells = new (std::nothrow) CellsOfText(size_t(n_columns), char(separator), std::move(missing));
    return cells ? PyCapsule_New(cells, NAME, forget) : PyErr_NoMemory();
}

// feed(cells, text) -> bool, whether all of it is plain
PyObject* feed(PyObject*, PyObject* args) {
    PyObject *capsule, *py_text;
    if (!PyArg_ParseTuple(args, "OO", &capsule, &py_text)) return nullptr;
    CellsOfText* cells = static_cast<CellsOfText*>(PyCapsule_GetPointer(capsule, NAME));
    Buffer text;
    if (!cells || !text.open_items(py_text, 1)) return nullptr;
    const char* first = text.as<const char>();
    bool is_plain = false;
    if (!unlocked([&] { is_plain = cells->feed(first, first + text.n()); })) return nullptr;
    return PyBool_FromLong(is_plain);
}

PyObject* bytes_of(const void* at, size_t n) { return PyBytes_FromStringAndSize(static_cast<const char*>(at), Py_ssize_t(n)); }

// column(cells, number) -> (codes, offsets, text, how many are missing); its memory is given back
PyObject* column(PyObject*, PyObject* args) {
    PyObject* capsule;
    Py_ssize_t number;
    if (!PyArg_ParseTuple(args, "On", &capsule, &number)) return nullptr;
    CellsOfText* cells = static_cast<CellsOfText*>(PyCapsule_GetPointer(capsule, NAME));
    if (!cells || !check(number >= 0 && size_t(number) < cells->code.size(), "there is no such column")) return nullptr;
    std::vector<int32_t> codes;
    codes.swap(cells->code[size_t(number)]);
    DistinctCells distinct;
    std::swap(distinct, cells->distinct[size_t(number)]);
    return Py_BuildValue("(NNNn)", bytes_of(codes.data(), 4 * codes.size()), bytes_of(distinct.offsets.data(), 4 * distinct.offsets.size()),
                         bytes_of(distinct.text.data(), distinct.text.size()), Py_ssize_t(cells->n_missing[size_t(number)]));
}

PyMethodDef methods[] = {
    {"begin", begin, METH_VARARGS, "begin(n_columns, separator, missing) -> cells"},
    {"feed", feed, METH_VARARGS, "feed(cells, text) -> bool"},
    {"column", column, METH_VARARGS, "column(cells, number) -> (codes, offsets, text, n_missing)"},
    {nullptr, nullptr, 0, nullptr},
};

PyModuleDef module = {PyModuleDef_HEAD_INIT, "_text", "The compiled cells of text files.", -1, methods, nullptr, nullptr, nullptr, nullptr};

}  // namespace

PyMODINIT_FUNC PyInit__text(void) { return PyModule_Create(&module); }
