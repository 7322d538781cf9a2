// The nearest of some centres, by squared Euclidean distance in whole numbers.
#pragma once

#include <algorithm>
#include <cstdint>
#include <vector>

namespace amongst {

// One dimension: the place of every code, and of every centre. With few codes the squares are worked out beforehand.
class CentreColumn {
public:
    CentreColumn(const uint16_t* place, size_t n_codes, const uint16_t* centre, size_t n_centres)
        : place_(place), centre_(centre), n_(n_centres) {
        if (n_codes * n_centres > MOST_ENTRIES) return;
        table_.resize(n_codes * n_centres);
        for (size_t code = 0; code < n_codes; code++) add(uint32_t(code), &table_[code * n_centres]);
    }

    void add_to(uint32_t code, int32_t* sum) const {
        if (table_.empty()) return add(code, sum);
        const int32_t* own = &table_[size_t(code) * n_];
        for (size_t i = 0; i < n_; i++) sum[i] += own[i];
    }

private:
    static constexpr size_t MOST_ENTRIES = 1 << 21;

    void add(uint32_t code, int32_t* sum) const {
        int32_t here = place_[code];
        for (size_t i = 0; i < n_; i++) {
            int32_t apart = here - int32_t(centre_[i]);
            sum[i] += apart * apart;
        }
    }

    const uint16_t *place_, *centre_;
    size_t n_;
    std::vector<int32_t> table_;
};

// Of centres that are equally near the first.
inline void nearest(const std::vector<CentreColumn>& columns, const std::vector<const uint32_t*>& codes, size_t n, size_t n_centres,
                    uint32_t* centre, uint32_t* square) {
    std::vector<int32_t> sum(n_centres);
    for (size_t i = 0; i < n; i++) {
        std::fill(sum.begin(), sum.end(), 0);
        for (size_t c = 0; c < columns.size(); c++) columns[c].add_to(codes[c][i], sum.data());
        int32_t least = sum[0];
        for (size_t j = 1; j < n_centres; j++) least = sum[j] < least ? sum[j] : least;
        size_t at = 0;
        while (sum[at] != least) at++;
        centre[i] = uint32_t(at);
        square[i] = uint32_t(least);
    }
}

}  // namespace amongst
