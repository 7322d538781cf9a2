// Top-down greedy partitioning (Xu et al., section 4.2): two rows far apart draw the others to themselves, again and again.
#pragma once

#include <memory>

#include "weighed_groups.h"

namespace amongst {

template <typename T, int L>
class TopDown {
    struct Item {
        T code[L];
        uint32_t id, weight;
        int32_t far;  // the distance to the seed that was measured from last
    };
    struct Node {
        size_t first, n;
        int64_t weight;
    };

public:
    TopDown(const Rows<T, L>& tuples, const uint32_t* count, int64_t enough, int rounds, bool by_increase)
        : tuples_(tuples), enough_(enough), rounds_(rounds), by_increase_(by_increase), pair_(tuples.prices), items_(tuples.n), spare_(tuples.n) {
        for (size_t t = 0; t < tuples.n; t++) {
            std::memcpy(items_[t].code, tuples.at(uint32_t(t)), sizeof(items_[t].code));
            items_[t].id = uint32_t(t);
            items_[t].weight = count[t];
        }
    }

    // Writes the part of every tuple, numbered in the order of the tree; the number of parts, or -1 when told to stop.
    int64_t run(int32_t* part_of_tuple, const Tick& tick) {
        int64_t total = 0, done = 0, n_parts = 0;
        size_t visited = 0;
        for (const Item& item : items_) total += item.weight;
        auto last = std::chrono::steady_clock::now();
        std::vector<Node> stack{{0, items_.size(), total}};
        while (!stack.empty()) {
            Node node = stack.back();
            stack.pop_back();
            Item* at = items_.data() + node.first;
            int64_t left_weight = 0;
            size_t left = node.weight <= enough_ || node.n < 2 ? 0 : divide(at, node.n, left_weight);
            if (left == 0) {
                for (size_t i = 0; i < node.n; i++) part_of_tuple[at[i].id] = int32_t(n_parts);
                n_parts++;
                done += node.weight;
            } else {
                stack.push_back({node.first + left, node.n - left, node.weight - left_weight});
                stack.push_back({node.first, left, left_weight});
            }
            visited += node.n;
            if (tick && visited > (1u << 18)) {
                visited = 0;
                auto now = std::chrono::steady_clock::now();
                if (now - last > std::chrono::milliseconds(100)) {
                    last = now;
                    if (!tick(done, total)) return -1;
                }
            }
        }
        return n_parts;
    }

private:
    const Rows<T, L>& tuples_;
    int64_t enough_;  // a part of this weight is not divided
    int rounds_;
    bool by_increase_;
    PairPrice<T, L> pair_;
    std::vector<Item> items_, spare_;

    // Moves the items of the first seed to the front; how many they are, 0 where no two differ.
    size_t divide(Item* at, size_t n, int64_t& left_weight) {
        size_t u = 0, v = 0;
        int32_t apart = 0;
        for (int round = 0; round < rounds_; round++) {
            int32_t now = -1;
            size_t found = 0;
            pair_.from(at[u].code);
            for (size_t i = 0; i < n; i++) {
                int32_t far = at[i].far = pair_.to(at[i].code);
                if (far > now) now = far, found = i;
            }
            bool same = now == apart;
            apart = now;
            v = found;
            if (same || round + 1 == rounds_) break;
            std::swap(u, v);
        }
        if (apart == 0) return 0;
        return by_increase_ ? assign_by_increase(at, n, u, v, left_weight) : assign_by_distance(at, n, v, left_weight);
    }

    // To the nearer seed; where both are as near, to the second. at[i].far is the distance to the first.
    size_t assign_by_distance(Item* at, size_t n, size_t v, int64_t& left_weight) {
        size_t left = 0, right = 0;
        pair_.from(at[v].code);
        for (size_t i = 0; i < n; i++) {
            Item item = at[i];
            bool goes_left = item.far < pair_.to(item.code);
            at[left] = item;
            spare_[right] = item;
            left += goes_left, right += !goes_left;
            left_weight += goes_left ? item.weight : 0;
        }
        std::copy(spare_.begin(), spare_.begin() + right, at + left);
        return left;
    }

    // The paper's rule: to the part whose box grows by the lower price; where both grow alike, to the second.
    size_t assign_by_increase(Item* at, size_t n, size_t u, size_t v, int64_t& left_weight) {
        Box<T, L> own, other;
        own.start(at[u].code), other.start(at[v].code);
        int64_t own_price = 0, other_price = 0;
        size_t left = 0, right = 0;
        for (size_t i = 0; i < n; i++) {
            Item item = at[i];
            Box<T, L> a = own, b = other;
            a.add(item.code), b.add(item.code);
            int64_t a_price = tuples_.price(a), b_price = tuples_.price(b);
            bool goes_left = i == u || (i != v && a_price - own_price < b_price - other_price);
            if (goes_left) at[left++] = item, own = a, own_price = a_price, left_weight += item.weight;
            else spare_[right++] = item, other = b, other_price = b_price;
        }
        std::copy(spare_.begin(), spare_.begin() + right, at + left);
        return left;
    }
};

}  // namespace amongst
