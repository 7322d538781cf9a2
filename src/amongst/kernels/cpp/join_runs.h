// The best way to join groups that follow each other until every one has k rows, by dynamic programming.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <vector>

#include "price.h"

namespace amongst {

// lo, hi: the boxes of n groups; run_of_group: 0, 1, ... Of equally good ways the one whose last run is shorter.
// A run that can be cut into two of k rows need not be looked at: the parts never cost more a row than the run.
template <typename T, int L>
void join_runs(const Rows<T, L>& lo, const Rows<T, L>& hi, const uint32_t* size, int64_t k, int32_t* run_of_group) {
    constexpr int64_t NONE = INT64_MAX;
    size_t n = lo.n;
    std::vector<int64_t> best(n + 1, NONE);
    std::vector<uint32_t> begin_of_last(n + 1, 0);
    best[0] = 0;
    for (size_t end = 1; end <= n; end++) {
        Box<T, L> box;
        box.start(lo.at(uint32_t(end - 1)));
        int64_t rows = 0, enough = 0;
        for (size_t j = end; j-- > 0;) {
            box.add(lo.at(uint32_t(j)));
            box.add(hi.at(uint32_t(j)));
            rows += size[j];
            if (rows < k) continue;
            if (enough == 0) enough = rows;
            if (rows - enough >= k) break;
            if (best[j] == NONE) continue;
            int64_t loss = best[j] + rows * lo.price(box);
            if (loss < best[end]) best[end] = loss, begin_of_last[end] = uint32_t(j);
        }
    }
    std::vector<size_t> begins;
    for (size_t end = n; end > 0; end = begins.back()) begins.push_back(begin_of_last[end]);
    int32_t run = -1;
    for (size_t i = 0; i < n; i++) {
        if (!begins.empty() && begins.back() == i) begins.pop_back(), run++;
        run_of_group[i] = run;
    }
}

}  // namespace amongst
