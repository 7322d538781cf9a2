// The Python face of the kernels for sets of cuts.
#include "buffers.h"

#include "cuts.h"

using namespace amongst;

namespace {

// Cuts and tuples that belong together: every atom has its place, and every cut.
bool check_grid(const Buffer& atoms, const Buffer& first_cut, size_t n) {
    if (!check(first_cut.n() >= 2, "there must be a column")) return false;
    size_t d = first_cut.n() - 1;
    const int64_t* first = first_cut.as<const int64_t>();
    if (!check(first[0] == 0 && std::is_sorted(first, first + d + 1), "the cuts of a column follow those of the one before")) return false;
    if (!check(atoms.n() == n * d, "there must be an atom for every tuple and column")) return false;
    const uint16_t* atom = atoms.as<const uint16_t>();
    bool inside = true;
    for (size_t i = 0; i < n; i++)
        for (size_t c = 0; c < d; c++) inside &= int64_t(atom[i * d + c]) <= first[c + 1] - first[c];
    return check(inside, "an atom lies past the last cut of its column");
}

// merge_cells(atoms, weight, first_cut, fine, coarse, k, to_atoms, to_weight, class_of_cell, size_of_class)
// -> (n_cells, n_classes, gone)
PyObject* merge_cells_(PyObject*, PyObject* args) {
    PyObject* py[9];
    long long k;
    if (!PyArg_ParseTuple(args, "OOOOOLOOOO", &py[0], &py[1], &py[2], &py[3], &py[4], &k, &py[5], &py[6], &py[7], &py[8])) return nullptr;
    Buffer atoms, weight, first_cut, fine, coarse, to_atoms, to_weight, class_of_cell, size_of_class;
    if (!atoms.open_items(py[0], 2) || !weight.open_items(py[1], 4) || !first_cut.open_items(py[2], 8)) return nullptr;
    if (!fine.open_items(py[3], 1) || !coarse.open_items(py[4], 1) || !to_atoms.open_items(py[5], 2, true)) return nullptr;
    if (!to_weight.open_items(py[6], 4, true) || !class_of_cell.open_items(py[7], 4, true)) return nullptr;
    if (!size_of_class.open_items(py[8], 8, true)) return nullptr;
    size_t n = weight.n();
    if (!check(k >= 1, "k must be at least 1") || !check_grid(atoms, first_cut, n)) return nullptr;
    size_t d = first_cut.n() - 1, n_cuts = size_t(first_cut.as<const int64_t>()[d]);
    if (!check(fine.n() == n_cuts && coarse.n() == n_cuts, "a grid must say of every cut whether it is made")) return nullptr;
    bool room = to_atoms.n() >= n * d && to_weight.n() >= n && class_of_cell.n() >= n && size_of_class.n() >= n;
    if (!check(room, "the output does not fit")) return nullptr;
    const int64_t* first = first_cut.as<const int64_t>();
    Merged made;
    bool done = unlocked([&] {
        made = merge_cells({fine.as<const uint8_t>(), first, d}, {coarse.as<const uint8_t>(), first, d}, atoms.as<const uint16_t>(),
                           weight.as<const uint32_t>(), n, uint64_t(k), to_atoms.as<uint16_t>(), to_weight.as<uint32_t>(),
                           class_of_cell.as<int32_t>(), size_of_class.as<int64_t>());
    });
    if (!done) return nullptr;
    return Py_BuildValue("nnK", Py_ssize_t(made.n_cells), Py_ssize_t(made.n_classes), (unsigned long long)made.gone);
}

// cut_effects(atoms, weight, class_of_cell, n_classes, first_cut, n_priced, k, floor, now, effects)
PyObject* cut_effects_(PyObject*, PyObject* args) {
    PyObject* py[8];
    long long n_classes, k;
    if (!PyArg_ParseTuple(args, "OOOLOOLOOO", &py[0], &py[1], &py[2], &n_classes, &py[3], &py[4], &k, &py[5], &py[6], &py[7])) return nullptr;
    Buffer atoms, weight, class_of_cell, first_cut, n_priced, floor, now, effects;
    if (!atoms.open_items(py[0], 2) || !weight.open_items(py[1], 4) || !class_of_cell.open_items(py[2], 4)) return nullptr;
    if (!first_cut.open_items(py[3], 8) || !n_priced.open_items(py[4], 8) || !floor.open_items(py[5], 8)) return nullptr;
    if (!now.open_items(py[6], 8) || !effects.open_items(py[7], 8, true)) return nullptr;
    size_t n = weight.n();
    if (!check_grid(atoms, first_cut, n)) return nullptr;
    size_t d = first_cut.n() - 1, n_cuts = size_t(first_cut.as<const int64_t>()[d]);
    if (!check(class_of_cell.n() == n && floor.n() == n && now.n() == n, "there must be a class and two prices for every cell")) return nullptr;
    if (!check(n_priced.n() == d && effects.n() == N_EFFECTS * n_cuts && n_classes >= 0, "the output does not fit")) return nullptr;
    const int32_t* own = class_of_cell.as<const int32_t>();
    bool inside = true;
    for (size_t j = 0; j < n; j++) inside &= 0 <= own[j] && own[j] < n_classes;
    if (!check(inside, "a cell has a class that does not exist")) return nullptr;
    bool done = unlocked([&] {
        cut_effects(atoms.as<const uint16_t>(), weight.as<const uint32_t>(), own, n, size_t(n_classes), first_cut.as<const int64_t>(),
                    n_priced.as<const int64_t>(), d, k, floor.as<const int64_t>(), now.as<const int64_t>(), effects.as<int64_t>());
    });
    if (!done) return nullptr;
    Py_RETURN_NONE;
}

PyMethodDef methods[] = {
    {"merge_cells", merge_cells_, METH_VARARGS, "merge_cells(...) -> (n_cells, n_classes, gone)"},
    {"cut_effects", cut_effects_, METH_VARARGS, "cut_effects(...)"},
    {nullptr, nullptr, 0, nullptr},
};

PyModuleDef module = {PyModuleDef_HEAD_INIT, "_cuts", "Compiled kernels for sets of cuts.", -1, methods, nullptr, nullptr, nullptr, nullptr};

}  // namespace

PyMODINIT_FUNC PyInit__cuts(void) { return PyModule_Create(&module); }
