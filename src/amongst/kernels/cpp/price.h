// What a range of codes costs: the normalized certainty penalty of every column, in whole numbers.
#pragma once

#include <cstdint>
#include <cstring>
#include <vector>

namespace amongst {

// More columns than this are left to numpy. A box of so many is 16 kB.
constexpr size_t MOST_COLUMNS = 2048;

// The price of one column. Small columns have a table of all pairs; larger ones work it out.
struct Price {
    const int32_t* table;       // n x n, by first and last code; null for a larger column
    const int32_t* position;    // of every code, in price units; null for a column measured by its tree
    const int32_t* tree_start;  // n_levels x n
    const int32_t* tree_end;
    int32_t n;
    int32_t n_levels;
    int32_t full;               // the price of saying nothing
    int32_t own_null;           // a range that ends in this code and holds others says nothing; -1: there is none

    int32_t of(int32_t lo, int32_t hi) const {
        if (table) return table[int64_t(lo) * n + hi];
        if (lo == hi) return 0;
        if (hi == own_null) return full;
        if (position) return position[hi] - position[lo];
        int64_t level = 0;
        while (tree_start[level * n + lo] != tree_start[level * n + hi]) level++;
        int64_t leaves = int64_t(tree_end[level * n + lo]) - tree_start[level * n + lo] + 1;
        return int32_t(leaves * full / n);
    }
};

// The smallest box that holds some rows: L lanes, of which the first d are columns.
template <typename T, int L>
struct Box {
    T lo[L], hi[L];

    void start(const T* row) {
        std::memcpy(lo, row, sizeof(lo));
        std::memcpy(hi, row, sizeof(hi));
    }
    void add(const T* row) {
        for (int j = 0; j < L; j++) {
            lo[j] = row[j] < lo[j] ? row[j] : lo[j];
            hi[j] = row[j] > hi[j] ? row[j] : hi[j];
        }
    }
    void add(const Box& other) {
        for (int j = 0; j < L; j++) {
            lo[j] = other.lo[j] < lo[j] ? other.lo[j] : lo[j];
            hi[j] = other.hi[j] > hi[j] ? other.hi[j] : hi[j];
        }
    }
};

// Rows as lanes of codes, side by side, with what a box of them costs a row.
template <typename T, int L>
struct Rows {
    std::vector<T> codes;
    std::vector<Price> prices;
    size_t n;

    const T* at(uint32_t row) const { return codes.data() + size_t(row) * L; }

    int64_t price(const Box<T, L>& box) const {
        int64_t sum = 0;
        for (size_t c = 0; c < prices.size(); c++) sum += prices[c].of(int32_t(box.lo[c]), int32_t(box.hi[c]));
        return sum;
    }
};

}  // namespace amongst
