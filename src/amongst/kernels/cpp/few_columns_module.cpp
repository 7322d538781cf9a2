// The Python face of the kernel for k on every few columns.
#include "buffers.h"

#include "few_columns.h"

using namespace amongst;

namespace {

// put_back(labels, rows, members, column, k, m, inside): labels are n_columns x n_tuples
PyObject* put_back_(PyObject*, PyObject* args) {
    PyObject* py[4];
    long long column, k, m;
    if (!PyArg_ParseTuple(args, "OOOLLLO", &py[0], &py[1], &py[2], &column, &k, &m, &py[3])) return nullptr;
    Buffer labels, rows, members, inside;
    if (!labels.open_items(py[0], 4) || !rows.open_items(py[1], 4)) return nullptr;
    if (!members.open_items(py[2], 8) || !inside.open_items(py[3], 1, true)) return nullptr;
    size_t n = rows.n(), n_members = members.n();
    if (!check(n > 0 && labels.n() % n == 0, "there must be a label for every tuple and column")) return nullptr;
    size_t d = labels.n() / n;
    if (!check(0 <= column && size_t(column) < d, "there is no such column")) return nullptr;
    if (!check(k >= 1 && m >= 1, "k and m must be at least 1")) return nullptr;
    if (!check(inside.n() == n_members, "there must be a mark for every member") || !check_below(members, n)) return nullptr;
    if (!check(largest(inside) <= 2, "a mark must be 0, 1 or 2")) return nullptr;
    const uint32_t *label = labels.as<const uint32_t>(), *row = rows.as<const uint32_t>();
    const int64_t* member = members.as<const int64_t>();
    bool done = unlocked([&] {
        std::vector<std::vector<uint32_t>> own;
        std::vector<uint32_t> n_labels, weight(n_members);
        for (size_t i = 0; i < n_members; i++) weight[i] = row[member[i]];
        for (size_t c = 0; c < d && n_members; c++) {
            if (c == size_t(column)) continue;
            std::vector<uint32_t> of(n_members);
            bool same = true;
            for (size_t i = 0; i < n_members; i++) {
                of[i] = label[c * n + size_t(member[i])];
                same &= of[i] == of[0];
            }
            if (same) continue;  // a column in which all are alike divides no class
            n_labels.push_back(*std::max_element(of.begin(), of.end()) + 1);
            own.push_back(std::move(of));
        }
        FewColumns few(std::move(own), std::move(n_labels), std::move(weight), inside.as<uint8_t>(), uint64_t(k));
        few.settle(size_t(std::min(m - 1, 1LL)));  // what fails on two columns fails on more, and is found sooner
        if (few.left() && m > 2) few.settle(size_t(m - 1));
    });
    if (!done) return nullptr;
    Py_RETURN_NONE;
}

PyMethodDef methods[] = {
    {"put_back", put_back_, METH_VARARGS, "put_back(labels, rows, members, column, k, m, inside)"},
    {nullptr, nullptr, 0, nullptr},
};

PyModuleDef module = {PyModuleDef_HEAD_INIT, "_few_columns", "The compiled kernel for k on every few columns.", -1, methods, nullptr, nullptr, nullptr, nullptr};

}  // namespace

PyMODINIT_FUNC PyInit__few_columns(void) { return PyModule_Create(&module); }
