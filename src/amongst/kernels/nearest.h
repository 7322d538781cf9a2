// The nearest of some centres, by the price of the pair.
#pragma once

#include <algorithm>
#include <cstdint>
#include <vector>

#include "price.h"

namespace amongst {

// Distances of every code of a column to every centre; a column with too many codes works them out.
class CentreColumn {
public:
    CentreColumn(const Price& price, const uint32_t* centre, size_t n_centres) : price_(price), centre_(centre), n_(n_centres) {
        if (size_t(price.n) * n_centres > MOST_ENTRIES) return;
        table_.resize(size_t(price.n) * n_centres);
        for (int32_t code = 0; code < price.n; code++) add(code, &table_[size_t(code) * n_centres]);
    }

    void add_to(uint32_t code, int32_t* sum) const {
        if (table_.empty()) return add(int32_t(code), sum);
        const int32_t* own = &table_[size_t(code) * n_];
        for (size_t i = 0; i < n_; i++) sum[i] += own[i];
    }

private:
    static constexpr size_t MOST_ENTRIES = 1 << 23;

    void add(int32_t code, int32_t* sum) const {
        for (size_t i = 0; i < n_; i++) {
            int32_t other = int32_t(centre_[i]);
            sum[i] += price_.of(std::min(code, other), std::max(code, other));
        }
    }

    Price price_;
    const uint32_t* centre_;
    size_t n_;
    std::vector<int32_t> table_;
};

// Of centres that are equally near the first.
inline void nearest(const std::vector<CentreColumn>& columns, const std::vector<const uint32_t*>& codes, size_t n, size_t n_centres,
                    uint32_t* centre, uint32_t* distance) {
    std::vector<int32_t> sum(n_centres);
    for (size_t i = 0; i < n; i++) {
        std::fill(sum.begin(), sum.end(), 0);
        for (size_t c = 0; c < columns.size(); c++) columns[c].add_to(codes[c][i], sum.data());
        int32_t least = sum[0];
        for (size_t j = 1; j < n_centres; j++) least = sum[j] < least ? sum[j] : least;
        size_t at = 0;
        while (sum[at] != least) at++;
        centre[i] = uint32_t(at);
        distance[i] = uint32_t(least);
    }
}

}  // namespace amongst
