// The prices of all columns as Python hands them over, checked.
#pragma once

#include "buffers.h"

#include "price.h"

namespace amongst {

// Keeps the arrays open that the prices point into.
struct PricedColumns {
    std::vector<Buffer> kept;
    std::vector<Price> prices;
    int64_t most_codes = 0;
};

// One array of int32 of a column, or null for None.
inline bool price_part(PyObject* tuple, size_t c, size_t n_items, std::vector<Buffer>& kept, const int32_t*& data) {
    PyObject* item = PyTuple_GetItem(tuple, Py_ssize_t(c));
    data = nullptr;
    if (!item) return false;
    if (item == Py_None) return true;
    Buffer buffer;
    if (!buffer.open_items(item, 4) || !check(buffer.n() == n_items, "a price has an array of another size than it states")) return false;
    data = buffer.as<const int32_t>();
    kept.push_back(std::move(buffer));
    return true;
}

// A tree that ends in one root: whoever climbs it to find a common ancestor comes to an end.
inline bool check_tree(const Price& price) {
    bool sound = price.tree_start && price.tree_end && price.n_levels > 0;
    for (int64_t i = 0; sound && i < price.n; i++) sound = price.tree_start[int64_t(price.n_levels - 1) * price.n + i] == 0;
    return check(sound, "a price needs a table, positions, or a tree with one root");
}

// tables, positions, starts, ends: tuples of int32 arrays or None; numbers: int64, 4 a column: n, n_levels, full, own_null.
// most: how many columns the caller has lanes for.
inline bool open_prices(PyObject* const (&parts)[4], PyObject* numbers, PricedColumns& columns, size_t most = 64) {
    Buffer figures;
    if (!figures.open_items(numbers, 8)) return false;
    size_t d = figures.n() / 4;
    if (!check(d > 0 && d <= most && figures.n() == 4 * d, "no columns, too many, or not four figures each")) return false;
    for (PyObject* part : parts)
        if (!check(PyTuple_Check(part) && size_t(PyTuple_Size(part)) == d, "there must be one price a column")) return false;
    const int64_t* f = figures.as<const int64_t>();
    for (size_t c = 0; c < d; c++, f += 4) {
        if (!check(f[0] >= 1 && f[0] <= INT32_MAX && f[1] >= 0 && f[1] <= INT32_MAX / f[0], "a price has no codes, or too many")) return false;
        if (!check(f[2] >= 0 && f[2] <= 1 << 24, "a price is too high")) return false;
        size_t n = size_t(f[0]), nodes = n * size_t(f[1]);
        Price price;
        if (!price_part(parts[0], c, n * n, columns.kept, price.table) || !price_part(parts[1], c, n, columns.kept, price.position) ||
            !price_part(parts[2], c, nodes, columns.kept, price.tree_start) || !price_part(parts[3], c, nodes, columns.kept, price.tree_end))
            return false;
        price.n = int32_t(f[0]), price.n_levels = int32_t(f[1]), price.full = int32_t(f[2]), price.own_null = int32_t(f[3]);
        if (!price.table && !price.position && !check_tree(price)) return false;
        columns.prices.push_back(price);
        columns.most_codes = std::max(columns.most_codes, f[0]);
    }
    return true;
}

// Columns of uint32 codes, n each, and none that its price does not know.
inline bool open_codes(PyObject* tuple, const PricedColumns& priced, std::vector<Buffer>& kept, std::vector<const uint32_t*>& columns, size_t& n) {
    if (!open_all(tuple, kept)) return false;
    if (!check(kept.size() == priced.prices.size(), "there must be one price a column")) return false;
    n = kept[0].n();
    for (size_t c = 0; c < kept.size(); c++) {
        if (!check(kept[c].itemsize() == 4 && kept[c].n() == n, "codes must be n items of 4 bytes")) return false;
        if (!check_below(kept[c], uint64_t(priced.prices[c].n))) return false;
        columns.push_back(kept[c].as<const uint32_t>());
    }
    return true;
}

}  // namespace amongst
