// The Python face of the kernels in one dimension: keys on a curve, their order, and the best runs of sorted rows.
#include "priced_columns.h"

#include <memory>

#include "hilbert.h"
#include "interval_dp.h"
#include "key_sort.h"
#include "nearest.h"

using namespace amongst;

namespace {

constexpr const char* CAPSULE = "amongst.intervals";

// A program that is fed block by block, whatever its lanes.
struct Intervals {
    PricedColumns priced;  // no prices: runs are priced by their extent
    size_t k = 1;
    bool busy = false;
    int64_t last_position = 0;

    virtual ~Intervals() = default;
    virtual void feed(const std::vector<const uint32_t*>& columns, const int64_t* position, const uint32_t* count, size_t n, uint32_t* length) = 0;
    virtual int64_t best() const = 0;
};

template <typename T, int L>
struct BoxIntervals : Intervals {
    IntervalProgram<BoxSpan<T, L>> program;
    BoxIntervals(size_t k, const std::vector<Price>& prices) : program(k, BoxSpan<T, L>(prices)) {}
    void feed(const std::vector<const uint32_t*>& columns, const int64_t*, const uint32_t* count, size_t n, uint32_t* length) override {
        program.span().append(columns, n);
        program.feed(count, n, length);
    }
    int64_t best() const override { return program.best(); }
};

struct ExtentIntervals : Intervals {
    IntervalProgram<ExtentSpan> program;
    explicit ExtentIntervals(size_t k) : program(k, ExtentSpan()) {}
    void feed(const std::vector<const uint32_t*>&, const int64_t* position, const uint32_t* count, size_t n, uint32_t* length) override {
        program.span().append(position, n);
        program.feed(count, n, length);
    }
    int64_t best() const override { return program.best(); }
};

template <typename T>
std::unique_ptr<Intervals> box_intervals(size_t k, const std::vector<Price>& prices) {
    if (prices.size() <= 8) return std::unique_ptr<Intervals>(new BoxIntervals<T, 8>(k, prices));
    if (prices.size() <= 16) return std::unique_ptr<Intervals>(new BoxIntervals<T, 16>(k, prices));
    if (prices.size() <= 64) return std::unique_ptr<Intervals>(new BoxIntervals<T, 64>(k, prices));
    if (prices.size() <= 256) return std::unique_ptr<Intervals>(new BoxIntervals<int32_t, 256>(k, prices));
    return std::unique_ptr<Intervals>(new BoxIntervals<int32_t, MOST_COLUMNS>(k, prices));
}

Intervals* intervals_of(PyObject* capsule) { return static_cast<Intervals*>(PyCapsule_GetPointer(capsule, CAPSULE)); }

void end_intervals(PyObject* capsule) { delete intervals_of(capsule); }

// intervals(k, tables, positions, starts, ends, numbers), or intervals(k) for runs priced by their extent -> capsule
PyObject* intervals(PyObject*, PyObject* args) {
    PyObject *parts[4] = {nullptr, nullptr, nullptr, nullptr}, *numbers = nullptr;
    Py_ssize_t k;
    if (!PyArg_ParseTuple(args, "n|OOOOO", &k, &parts[0], &parts[1], &parts[2], &parts[3], &numbers)) return nullptr;
    if (!check(k >= 1 && k <= Py_ssize_t(1) << 30, "k must be 1 or more, and no more than a table has rows")) return nullptr;
    PricedColumns priced;
    if (parts[0] && (!check(numbers != nullptr, "prices have five parts") || !open_prices(parts, numbers, priced, MOST_COLUMNS))) return nullptr;
    std::unique_ptr<Intervals> made;
    try {
        if (!parts[0]) made.reset(new ExtentIntervals(size_t(k)));
        else if (priced.most_codes <= 256) made = box_intervals<uint8_t>(size_t(k), priced.prices);
        else made = box_intervals<int32_t>(size_t(k), priced.prices);
    } catch (const std::bad_alloc&) {
        return PyErr_NoMemory();
    }
    made->priced = std::move(priced);
    made->k = size_t(k);
    PyObject* capsule = PyCapsule_New(made.get(), CAPSULE, end_intervals);
    if (capsule) made.release();
    return capsule;
}

// Ascending, from where the last block ended, and so near 0 that 2k times a position is a number.
bool check_positions(const Buffer& position, size_t n, const Intervals& own) {
    if (!check(position.n() == n, "there must be a position for every count")) return false;
    const int64_t* at = position.as<const int64_t>();
    int64_t before = own.last_position;
    bool sound = true;
    for (size_t i = 0; i < n; i++) sound &= before <= at[i], before = at[i];
    return check(sound, "positions must ascend from 0") && check(before <= (int64_t(1) << 61) / int64_t(2 * own.k), "a position is too large");
}

// feed(capsule, codes or position, count, length) -> the best loss of all rows so far; the length of the last run for every row
PyObject* feed(PyObject*, PyObject* args) {
    PyObject *capsule, *what, *py_count, *py_length;
    if (!PyArg_ParseTuple(args, "OOOO", &capsule, &what, &py_count, &py_length)) return nullptr;
    Intervals* own = intervals_of(capsule);
    if (!own) return nullptr;
    Buffer position, count, length;
    std::vector<Buffer> kept;
    std::vector<const uint32_t*> columns;
    if (!count.open_items(py_count, 4) || !length.open_items(py_length, 4, true)) return nullptr;
    size_t n = count.n(), n_codes = n;
    const uint32_t* counts = count.as<const uint32_t>();
    if (own->priced.prices.empty()) {
        if (!position.open_items(what, 8) || !check_positions(position, n, *own)) return nullptr;
    } else if (!open_codes(what, own->priced, kept, columns, n_codes)) {
        return nullptr;
    }
    uint64_t rows = 0;
    bool counted = n_codes == n;
    for (size_t i = 0; i < n; i++) rows += counts[i], counted &= counts[i] > 0;
    if (!check(counted && rows == length.n(), "every tuple needs a count of 1 or more, and every row a length")) return nullptr;
    if (!check(!own->busy, "two threads feed the same program")) return nullptr;
    if (n == 0) return PyLong_FromLongLong(own->best());
    const int64_t* positions = own->priced.prices.empty() ? position.as<const int64_t>() : nullptr;
    own->busy = true;
    bool done = unlocked([&] { own->feed(columns, positions, counts, n, length.as<uint32_t>()); });
    if (!done) return nullptr;  // and stays busy: what it knows may be half a block
    own->busy = false;
    if (positions) own->last_position = positions[n - 1];
    return PyLong_FromLongLong(own->best());
}

// walk_back(length, first, end, begins) -> (number of runs found, where the last one found begins)
PyObject* walk_back_(PyObject*, PyObject* args) {
    PyObject *py_length, *py_begins;
    long long first, end;
    if (!PyArg_ParseTuple(args, "OLLO", &py_length, &first, &end, &py_begins)) return nullptr;
    Buffer length, begins;
    if (!length.open(py_length) || !check_itemsize(length, 4) || !begins.open_items(py_begins, 8, true)) return nullptr;
    if (!check(first >= 0 && end - first <= (long long)(length.n()) && begins.n() >= length.n(), "the end lies outside of the block")) return nullptr;
    int64_t at = end, from = first;
    size_t n = 0;
    switch (length.itemsize()) {
        case 1: n = walk_back(length.as<const uint8_t>(), from, at, begins.as<int64_t>()); break;
        case 2: n = walk_back(length.as<const uint16_t>(), from, at, begins.as<int64_t>()); break;
        default: n = walk_back(length.as<const uint32_t>(), from, at, begins.as<int64_t>());
    }
    if (!check(n > 0 || end <= first, "a length is no run of rows")) return nullptr;
    return Py_BuildValue("nL", Py_ssize_t(n), (long long)(at));
}

// deal(tuple_of_row, next_place_of_tuple, group_at, group_of_row); every tuple must have as many places as rows
PyObject* deal_(PyObject*, PyObject* args) {
    PyObject *py_tuple, *py_next, *py_at, *py_group;
    if (!PyArg_ParseTuple(args, "OOOO", &py_tuple, &py_next, &py_at, &py_group)) return nullptr;
    Buffer tuple, next, at, group;
    if (!tuple.open_items(py_tuple, 4) || !next.open_items(py_next, 4, true) || !at.open_items(py_at, 4) || !group.open_items(py_group, 4, true))
        return nullptr;
    size_t n = tuple.n();
    if (!check(at.n() == n && group.n() == n, "every row needs a place and a group") || !check_below(tuple, next.n())) return nullptr;
    std::vector<uint32_t> count(next.n(), 0);
    for (size_t i = 0; i < n; i++) count[tuple.as<const uint32_t>()[i]]++;
    for (size_t t = 0; t < next.n(); t++)
        if (!check(uint64_t(next.as<const uint32_t>()[t]) + count[t] <= n, "a tuple has too few places")) return nullptr;
    bool done = unlocked([&] { deal(tuple.as<const uint32_t>(), n, next.as<uint32_t>(), at.as<const int32_t>(), group.as<int32_t>()); });
    if (!done) return nullptr;
    Py_RETURN_NONE;
}

// hilbert_keys(coordinates, bits, keys): one uint16 array a dimension; keys: n x n_words
PyObject* hilbert_keys_(PyObject*, PyObject* args) {
    PyObject *py_coordinates, *py_keys;
    int bits;
    if (!PyArg_ParseTuple(args, "OiO", &py_coordinates, &bits, &py_keys)) return nullptr;
    std::vector<Buffer> kept;
    Buffer keys;
    if (!open_all(py_coordinates, kept) || !keys.open_items(py_keys, 8, true)) return nullptr;
    if (!check(!kept.empty() && kept.size() <= 4096 && bits >= 1 && bits <= 16, "from 1 to 16 bits, and at least one dimension")) return nullptr;
    size_t n = kept[0].n(), n_words = (kept.size() * size_t(bits) + 63) / 64;
    std::vector<const uint16_t*> coordinates;
    for (const Buffer& own : kept) {
        if (!check(own.itemsize() == 2 && own.n() == n, "coordinates must be n items of 2 bytes")) return nullptr;
        if (!check_below(own, uint64_t(1) << bits)) return nullptr;
        coordinates.push_back(own.as<const uint16_t>());
    }
    if (!check(keys.n() == n * n_words, "the keys need as many words as their bits take")) return nullptr;
    if (!unlocked([&] { hilbert_keys(coordinates, n, bits, n_words, keys.as<uint64_t>()); })) return nullptr;
    Py_RETURN_NONE;
}

// sort_keys(keys, n_words, order)
PyObject* sort_keys_(PyObject*, PyObject* args) {
    PyObject *py_keys, *py_order;
    Py_ssize_t n_words;
    if (!PyArg_ParseTuple(args, "OnO", &py_keys, &n_words, &py_order)) return nullptr;
    Buffer keys, order;
    if (!keys.open_items(py_keys, 8) || !order.open_items(py_order, 4, true)) return nullptr;
    if (!check(n_words >= 1 && keys.n() == order.n() * size_t(n_words), "every item needs a key of so many words")) return nullptr;
    if (!unlocked([&] { sort_keys(keys.as<const uint64_t>(), order.n(), size_t(n_words), order.as<uint32_t>()); })) return nullptr;
    Py_RETURN_NONE;
}

// nearest(places, codes, centres, centre, square): a dimension each; places by code and centres uint16, codes uint32
PyObject* nearest_(PyObject*, PyObject* args) {
    PyObject *py_places, *py_codes, *py_centres, *py_centre, *py_square;
    if (!PyArg_ParseTuple(args, "OOOOO", &py_places, &py_codes, &py_centres, &py_centre, &py_square)) return nullptr;
    std::vector<Buffer> places, codes, centres;
    Buffer centre, square;
    if (!open_all(py_places, places) || !open_all(py_codes, codes) || !open_all(py_centres, centres)) return nullptr;
    if (!centre.open_items(py_centre, 4, true) || !square.open_items(py_square, 4, true)) return nullptr;
    size_t d = places.size(), n = centre.n();
    if (!check(d >= 1 && d <= 64 && codes.size() == d && centres.size() == d && square.n() == n, "from 1 to 64 dimensions, the same everywhere")) return nullptr;
    size_t n_centres = centres[0].n();
    std::vector<const uint32_t*> columns;
    for (size_t c = 0; c < d; c++) {
        if (!check(places[c].itemsize() == 2 && centres[c].itemsize() == 2 && codes[c].itemsize() == 4, "places are items of 2 bytes, codes of 4")) return nullptr;
        if (!check(codes[c].n() == n && centres[c].n() == n_centres && n_centres > 0, "every tuple and every centre needs a place")) return nullptr;
        if (!check_below(codes[c], places[c].n()) || !check_below(places[c], 4096) || !check_below(centres[c], 4096)) return nullptr;
        columns.push_back(codes[c].as<const uint32_t>());
    }
    bool done = unlocked([&] {
        std::vector<CentreColumn> dimensions;
        for (size_t c = 0; c < d; c++) dimensions.emplace_back(places[c].as<const uint16_t>(), places[c].n(), centres[c].as<const uint16_t>(), n_centres);
        nearest(dimensions, columns, n, n_centres, centre.as<uint32_t>(), square.as<uint32_t>());
    });
    if (!done) return nullptr;
    Py_RETURN_NONE;
}

PyMethodDef methods[] = {
    {"intervals", intervals, METH_VARARGS, "intervals(...) -> capsule"},
    {"feed", feed, METH_VARARGS, "feed(...) -> best loss so far"},
    {"walk_back", walk_back_, METH_VARARGS, "walk_back(...) -> (number of runs, begin of the last)"},
    {"deal", deal_, METH_VARARGS, "deal(...)"},
    {"hilbert_keys", hilbert_keys_, METH_VARARGS, "hilbert_keys(...)"},
    {"sort_keys", sort_keys_, METH_VARARGS, "sort_keys(...)"},
    {"nearest", nearest_, METH_VARARGS, "nearest(...)"},
    {nullptr, nullptr, 0, nullptr},
};

PyModuleDef module = {PyModuleDef_HEAD_INIT, "_one_dimensional", "Kernels of amongst in one dimension.", -1, methods, nullptr, nullptr, nullptr, nullptr};

}  // namespace

PyMODINIT_FUNC PyInit__one_dimensional(void) { return PyModule_Create(&module); }
