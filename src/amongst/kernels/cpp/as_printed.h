// Utility-based anonymization as printed (Xu et al., figures 3 and 4): row by row, every scan over all groups.
// What the paper leaves open is said in partition/clusters/as_printed.py.
#pragma once

#include <algorithm>
#include <chrono>
#include <functional>
#include <numeric>

#include "price.h"

namespace amongst {

class AsPrinted {
public:
    using Tick = std::function<bool(int64_t, int64_t)>;  // done, total -> go on?

    AsPrinted(const std::vector<const uint32_t*>& codes, const std::vector<Price>& prices, size_t n, int64_t k)
        : codes_(codes), prices_(prices), n_(n), k_(size_t(k)), last_(std::chrono::steady_clock::now()) {}

    // Figure 3. False when told to stop.
    bool bottom_up(int32_t* group_of_row, const Tick& tick) {
        for (uint32_t row = 0; row < n_; row++) groups_.push_back(measured({row}));
        for (int round = 1;; round++) {
            std::vector<size_t> small = smaller_than_k();
            if (small.empty() || groups_.size() < 2) break;
            std::vector<int> grown(groups_.size(), 0);
            for (size_t g : small) {
                if (groups_[g].rows.empty() || grown[g]) continue;
                size_t h = nearest(g);
                if (h == g) break;
                merge(g, h);
                grown[std::min(g, h)] = 1;
                if (!go_on(tick, 0)) return false;
            }
            forget_empty();
            for (size_t g = 0, n = groups_.size(); g < n; g++)
                if (groups_[g].rows.size() >= 2 * k_) split(g);
        }
        return label(group_of_row);
    }

    // Figure 4, and the adjustment after it. False when told to stop.
    bool top_down(int rounds, int32_t* group_of_row, const Tick& tick) {
        std::vector<uint32_t> all(n_);
        std::iota(all.begin(), all.end(), 0u);
        std::vector<std::vector<uint32_t>> stack{all};
        int64_t done = 0;
        while (!stack.empty()) {
            std::vector<uint32_t> rows = std::move(stack.back());
            stack.pop_back();
            if (rows.size() <= k_) {
                done += int64_t(rows.size());
                groups_.push_back(measured(rows));
                continue;
            }
            auto [left, right] = parted(rows, rounds);
            stack.push_back(std::move(right));
            stack.push_back(std::move(left));
            if (!go_on(tick, done)) return false;
        }
        for (std::vector<size_t> small = smaller_than_k(); !small.empty() && groups_.size() > 1; small = smaller_than_k()) {
            for (size_t g : small) {
                if (groups_[g].rows.empty() || groups_[g].rows.size() >= k_) continue;
                if (!adjust(g)) break;
                if (!go_on(tick, done)) return false;
            }
            forget_empty();
        }
        return label(group_of_row);
    }

private:
    struct Group {
        std::vector<uint32_t> rows;
        std::vector<int32_t> lo, hi;
        int64_t price = 0;
    };

    const std::vector<const uint32_t*>& codes_;
    const std::vector<Price>& prices_;
    size_t n_, k_;
    std::vector<Group> groups_;
    std::chrono::steady_clock::time_point last_;

    Group measured(std::vector<uint32_t> rows) const {
        Group group{std::move(rows), {}, {}, 0};
        for (size_t c = 0; c < codes_.size(); c++) {
            int32_t low = int32_t(codes_[c][group.rows[0]]), high = low;
            for (uint32_t row : group.rows) low = std::min(low, int32_t(codes_[c][row])), high = std::max(high, int32_t(codes_[c][row]));
            group.lo.push_back(low), group.hi.push_back(high);
            group.price += prices_[c].of(low, high);
        }
        return group;
    }

    // The NCP of two groups together; anything above the limit where it is above.
    int64_t together(const Group& a, const Group& b, int64_t limit) const {
        int64_t sum = 0;
        for (size_t c = 0; c < prices_.size() && sum <= limit; c++) sum += prices_[c].of(std::min(a.lo[c], b.lo[c]), std::max(a.hi[c], b.hi[c]));
        return sum;
    }
    int64_t with(const Group& a, uint32_t row) const {
        int64_t sum = 0;
        for (size_t c = 0; c < prices_.size(); c++) {
            int32_t code = int32_t(codes_[c][row]);
            sum += prices_[c].of(std::min(a.lo[c], code), std::max(a.hi[c], code));
        }
        return sum;
    }
    int64_t apart(uint32_t a, uint32_t b) const {
        int64_t sum = 0;
        for (size_t c = 0; c < prices_.size(); c++) sum += prices_[c].of(int32_t(std::min(codes_[c][a], codes_[c][b])), int32_t(std::max(codes_[c][a], codes_[c][b])));
        return sum;
    }
    void widen(Group& a, uint32_t row) const {
        for (size_t c = 0; c < prices_.size(); c++) a.lo[c] = std::min(a.lo[c], int32_t(codes_[c][row])), a.hi[c] = std::max(a.hi[c], int32_t(codes_[c][row]));
        a.rows.push_back(row);
    }

    // Line 4 of figure 3: the group that costs least together with this one, the first of them; itself where it is alone.
    size_t nearest(size_t g) const {
        int64_t least = INT64_MAX - 1;
        size_t found = g;
        for (size_t h = 0; h < groups_.size(); h++) {
            if (h == g || groups_[h].rows.empty()) continue;
            int64_t price = together(groups_[g], groups_[h], least);
            if (price < least) least = price, found = h;
        }
        return found;
    }

    void merge(size_t g, size_t h) {
        size_t into = std::min(g, h), from = std::max(g, h);
        std::vector<uint32_t> rows = groups_[into].rows;
        rows.insert(rows.end(), groups_[from].rows.begin(), groups_[from].rows.end());
        groups_[into] = measured(std::move(rows));
        groups_[from] = Group();
    }

    // Two rows far apart: from the first the farthest, and again from there, as long as the distance grows.
    std::pair<uint32_t, uint32_t> seeds(const std::vector<uint32_t>& rows, int rounds) const {
        uint32_t u = rows[0], v = rows[0];
        int64_t far = -1;
        for (int round = 0; round < rounds; round++) {
            int64_t now = -1;
            uint32_t found = u;
            for (uint32_t row : rows) {
                int64_t price = row == u ? -1 : apart(u, row);
                if (price > now) now = price, found = row;
            }
            if (now <= far) break;
            far = now, v = u, u = found;
        }
        return {u, v};
    }

    // Lines 6 and 7: as many groups as there can be, cut from the rows in order from one seed to the other.
    void split(size_t g) {
        std::vector<uint32_t> rows = groups_[g].rows;
        auto [u, v] = seeds(rows, 3);
        std::vector<std::pair<int64_t, uint32_t>> order;
        for (uint32_t row : rows) order.push_back({apart(u, row) - apart(v, row), row});
        std::sort(order.begin(), order.end());
        size_t parts = rows.size() / k_, n = rows.size();
        for (size_t part = 0; part < parts; part++) {
            std::vector<uint32_t> own;
            for (size_t i = part * n / parts; i < (part + 1) * n / parts; i++) own.push_back(order[i].second);
            if (part == 0) groups_[g] = measured(std::move(own));
            else groups_.push_back(measured(std::move(own)));
        }
    }

    // Line 3 of figure 4: a row goes where the group with it costs less; where both cost alike, to the smaller group.
    std::pair<std::vector<uint32_t>, std::vector<uint32_t>> parted(const std::vector<uint32_t>& rows, int rounds) const {
        auto [u, v] = seeds(rows, rounds);
        Group left = measured({u}), right = measured({v});
        for (uint32_t row : rows) {
            if (row == u || row == v) continue;
            int64_t a = with(left, row), b = with(right, row);
            widen(a < b || (a == b && left.rows.size() <= right.rows.size()) ? left : right, row);
        }
        std::sort(left.rows.begin(), left.rows.end()), std::sort(right.rows.begin(), right.rows.end());
        return {left.rows, right.rows};
    }

    // The two ways to raise a group to k. False where it is alone.
    bool adjust(size_t g) {
        size_t h = nearest(g);
        if (h == g) return false;
        const Group &own = groups_[g], &other = groups_[h];
        int64_t n = int64_t(own.rows.size()), m = int64_t(other.rows.size());
        int64_t by_merging = (n + m) * together(own, other, INT64_MAX) - n * own.price - m * other.price;
        Group best;
        size_t lender = g;
        for (size_t i = 0; i < groups_.size(); i++) {
            if (i == g || groups_[i].rows.size() <= 2 * k_ - own.rows.size()) continue;
            Group with_loan = lent(own, groups_[i]);
            if (lender == g || with_loan.price < best.price) best = std::move(with_loan), lender = i;
        }
        if (lender == g || int64_t(k_) * best.price - n * own.price >= by_merging) return merge(g, h), true;
        std::vector<uint32_t> kept;
        for (uint32_t row : groups_[lender].rows)
            if (std::find(best.rows.begin(), best.rows.end(), row) == best.rows.end()) kept.push_back(row);
        groups_[lender] = measured(std::move(kept));
        groups_[g] = std::move(best);
        return true;
    }

    // A group with what it lacks from another: one after the other the row that widens it least.
    Group lent(const Group& own, const Group& from) const {
        Group group = own;
        std::vector<uint32_t> left = from.rows;
        while (group.rows.size() < k_) {
            size_t found = 0;
            int64_t least = INT64_MAX;
            for (size_t i = 0; i < left.size(); i++) {
                int64_t price = with(group, left[i]);
                if (price < least) least = price, found = i;
            }
            widen(group, left[found]);
            left.erase(left.begin() + found);
            group.price = least;
        }
        return group;
    }

    std::vector<size_t> smaller_than_k() const {
        std::vector<size_t> found;
        for (size_t g = 0; g < groups_.size(); g++)
            if (groups_[g].rows.size() < k_) found.push_back(g);
        return found;
    }
    void forget_empty() {
        groups_.erase(std::remove_if(groups_.begin(), groups_.end(), [](const Group& group) { return group.rows.empty(); }), groups_.end());
    }

    bool go_on(const Tick& tick, int64_t done) {
        auto now = std::chrono::steady_clock::now();
        if (now - last_ < std::chrono::milliseconds(100)) return true;
        last_ = now;
        return tick(done, int64_t(n_));
    }

    bool label(int32_t* group_of_row) const {
        for (size_t g = 0; g < groups_.size(); g++)
            for (uint32_t row : groups_[g].rows) group_of_row[row] = int32_t(g);
        return true;
    }
};

}  // namespace amongst
