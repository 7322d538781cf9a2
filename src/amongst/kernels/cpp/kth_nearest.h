// How near the k-th nearest row is: the pair price at which a row has k rows around it, itself among them.
#pragma once

#include <chrono>

#include "weighed_groups.h"

namespace amongst {

// For every tuple asked for, the smallest price within which the tuples weigh k. Writes int64 prices; -1 for none.
// False when told to stop.
template <typename T, int L>
bool kth_nearest(const Rows<T, L>& tuples, const uint32_t* count, int64_t k, const uint32_t* asked, size_t n_asked, int64_t* price, const Tick& tick) {
    PairPrice<T, L> pair(tuples.prices);
    std::vector<std::pair<int32_t, uint32_t>> heap;  // the nearest so far that are needed to weigh k, the farthest on top
    auto last = std::chrono::steady_clock::now();
    for (size_t i = 0; i < n_asked; i++) {
        heap.clear();
        int64_t weight = 0;
        int32_t most = INT32_MAX;  // nothing this far or farther is needed
        pair.from(tuples.at(asked[i]));
        auto offer = [&](size_t t, int32_t far) {
            heap.push_back({far, uint32_t(t)});
            std::push_heap(heap.begin(), heap.end());
            weight += count[t];
            while (weight - int64_t(count[heap[0].second]) >= k) {
                weight -= count[heap[0].second];
                std::pop_heap(heap.begin(), heap.end());
                heap.pop_back();
            }
            if (weight >= k) most = heap[0].first;
        };
        offer(asked[i], 0);
        for (size_t t = 0; t < tuples.n && most > 0; t++) {
            int32_t far = pair.to(tuples.at(uint32_t(t)));
            if (far < most && t != asked[i]) offer(t, far);
        }
        price[i] = weight >= k ? heap[0].first : -1;
        if (tick && (i & 31) == 0) {
            auto now = std::chrono::steady_clock::now();
            if (now - last > std::chrono::milliseconds(100)) {
                last = now;
                if (!tick(int64_t(i), int64_t(n_asked))) return false;
            }
        }
    }
    return true;
}

}  // namespace amongst
