// What two rows cost together: the distance between them, column by column.
#pragma once

#include <algorithm>

#include "price.h"

namespace amongst {

// Distances between rows of codes. Where every column has a table the prices of one row with all others are looked up,
// one row of each table; lanes past the last column look up a zero.
template <typename T, int L>
class PairPrice {
public:
    explicit PairPrice(const std::vector<Price>& prices) : prices_(prices) {
        tabled_ = true;
        for (const Price& price : prices) tabled_ &= price.table != nullptr;
        if (!tabled_) return;
        for (const Price& price : prices) {
            size_t n = size_t(price.n);
            both_.emplace_back(n * n);
            for (size_t a = 0; a < n; a++)
                for (size_t b = 0; b < n; b++) both_.back()[a * n + b] = price.table[std::min(a, b) * n + std::max(a, b)];
        }
    }

    // Measures from this row on.
    void from(const T* row) {
        for (size_t c = 0; c < size_t(L); c++) {
            seed_[c] = row[c];
            lookup_[c] = tabled_ && c < prices_.size() ? both_[c].data() + size_t(row[c]) * size_t(prices_[c].n) : &zero_;
        }
    }

    int32_t to(const T* row) const {
        int32_t sum = 0;
        if (tabled_) {
            for (int c = 0; c < L; c++) sum += lookup_[c][row[c]];
            return sum;
        }
        for (size_t c = 0; c < prices_.size(); c++) sum += prices_[c].of(int32_t(std::min(seed_[c], row[c])), int32_t(std::max(seed_[c], row[c])));
        return sum;
    }

private:
    const std::vector<Price>& prices_;
    std::vector<std::vector<int32_t>> both_;
    const int32_t* lookup_[L];
    T seed_[L];
    int32_t zero_ = 0;
    bool tabled_;
};

}  // namespace amongst
