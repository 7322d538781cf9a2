// What a group costs a row by what it publishes: ranges, cells of a grid, nodes of a tree, sets of values.
#pragma once

#include <algorithm>
#include <cstdint>
#include <vector>

namespace amongst {

inline int ones(uint64_t word) {
    word -= (word >> 1) & 0x5555555555555555u;  // without the processor's instruction a compiler calls a function
    word = (word & 0x3333333333333333u) + ((word >> 2) & 0x3333333333333333u);
    word = (word + (word >> 4)) & 0x0f0f0f0f0f0f0f0fu;
    return int((word * 0x0101010101010101u) >> 56);
}

// One column. By a table of all pairs where it has few codes; else by the ends of ranges, or by the nodes of a tree.
struct PublishedPrice {
    const int32_t* table = nullptr;  // n x n, by first and last code
    const int32_t *low = nullptr, *high = nullptr;  // where the range of a code begins and ends, in price units
    const int32_t *start = nullptr, *node = nullptr;  // n_levels x n: the first leaf of the node above, and what it costs
    int32_t n = 0, n_levels = 0, full = 0, own_null = -1;
    int32_t of_all = 0;      // of a column published as sets: the number of its values in all; 0 of others
    size_t word = 0, n_words = 0;  // and where its values are in the words of a hull, a bit each

    bool set() const { return of_all > 0; }

    int32_t of(int32_t lo, int32_t hi) const {
        if (table) return table[int64_t(lo) * n + hi];
        if (hi == own_null) return lo == hi ? 0 : full;
        if (low) return std::min(high[hi] - low[lo], full);
        int64_t level = 0;
        while (start[level * n + lo] != start[level * n + hi]) level++;
        return node[level * n + lo];
    }

    int32_t of_set(const uint64_t* mask) const {
        int count = 0;
        for (size_t w = 0; w < n_words; w++) count += ones(mask[word + w]);
        if (count < 2) return 0;
        if (own_null >= 0 && has(mask, own_null)) return full;
        return int32_t(std::min<int64_t>(int64_t(count) * full / of_all, full));
    }

    // The price of a set with one more value.
    int32_t of_set_with(const uint64_t* mask, int32_t code) const {
        if (has(mask, code)) return of_set(mask);
        int count = 1;
        for (size_t w = 0; w < n_words; w++) count += ones(mask[word + w]);
        if (count < 2) return 0;
        if (own_null >= 0 && (code == own_null || has(mask, own_null))) return full;
        return int32_t(std::min<int64_t>(int64_t(count) * full / of_all, full));
    }

    bool has(const uint64_t* mask, int32_t code) const { return mask[word + size_t(code) / 64] >> (code % 64) & 1; }
    void put(uint64_t* mask, int32_t code) const { mask[word + size_t(code) / 64] |= uint64_t(1) << (code % 64); }
    void take(uint64_t* mask, int32_t code) const { mask[word + size_t(code) / 64] &= ~(uint64_t(1) << (code % 64)); }
};

// Rows of codes, side by side, and the prices of their columns.
struct Sheet {
    size_t n = 0, d = 0, n_words = 0;
    std::vector<int32_t> codes;
    std::vector<PublishedPrice> columns;

    const int32_t* at(size_t row) const { return codes.data() + row * d; }
};

// What some rows have together: the smallest and the largest code of every column, or all of them.
struct Hull {
    std::vector<int32_t> lo, hi;
    std::vector<uint64_t> mask;

    void start(const Sheet& sheet, const int32_t* row) {
        lo.assign(row, row + sheet.d), hi = lo;
        mask.assign(sheet.n_words, 0);
        add_to_sets(sheet, row);
    }
    void add(const Sheet& sheet, const int32_t* row) {
        for (size_t c = 0; c < sheet.d; c++) lo[c] = std::min(lo[c], row[c]), hi[c] = std::max(hi[c], row[c]);
        if (sheet.n_words) add_to_sets(sheet, row);
    }
    void add(const Hull& other) {
        for (size_t c = 0; c < lo.size(); c++) lo[c] = std::min(lo[c], other.lo[c]), hi[c] = std::max(hi[c], other.hi[c]);
        for (size_t w = 0; w < mask.size(); w++) mask[w] |= other.mask[w];
    }
    int64_t price(const Sheet& sheet) const {
        int64_t sum = 0;
        for (size_t c = 0; c < sheet.d; c++) {
            const PublishedPrice& column = sheet.columns[c];
            sum += column.set() ? column.of_set(mask.data()) : column.of(lo[c], hi[c]);
        }
        return sum;
    }
    // The price of this and another together.
    int64_t price_with(const Sheet& sheet, const Hull& other) const {
        int64_t sum = 0;
        for (size_t c = 0; c < sheet.d; c++) {
            const PublishedPrice& column = sheet.columns[c];
            if (!column.set()) sum += column.of(std::min(lo[c], other.lo[c]), std::max(hi[c], other.hi[c]));
        }
        if (sheet.n_words) {
            std::vector<uint64_t> both(mask);
            for (size_t w = 0; w < both.size(); w++) both[w] |= other.mask[w];
            for (const PublishedPrice& column : sheet.columns)
                if (column.set()) sum += column.of_set(both.data());
        }
        return sum;
    }
    int32_t price_with(const Sheet& sheet, size_t c, int32_t code) const {
        const PublishedPrice& column = sheet.columns[c];
        return column.set() ? column.of_set_with(mask.data(), code) : column.of(std::min(lo[c], code), std::max(hi[c], code));
    }

private:
    void add_to_sets(const Sheet& sheet, const int32_t* row) {
        for (size_t c = 0; c < sheet.d && sheet.n_words; c++)
            if (sheet.columns[c].set()) sheet.columns[c].put(mask.data(), row[c]);
    }
};

// Lots that fall the same everywhere.
struct Lots {
    uint64_t state;
    explicit Lots(uint64_t seed) : state(seed) {}
    uint64_t next() {
        uint64_t z = (state += 0x9e3779b97f4a7c15u);
        z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9u;
        z = (z ^ (z >> 27)) * 0x94d049bb133111ebu;
        return z ^ (z >> 31);
    }
    size_t below(size_t n) { return size_t((next() >> 32) * uint64_t(n) >> 32); }
};

}  // namespace amongst
