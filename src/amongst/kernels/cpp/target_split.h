// Top-down splitting by information: of all cuts of a group, take the one that tells most about the class of its rows.
// kernels/numpy/target.py says the same in numpy.
#pragma once

#include <algorithm>
#include <memory>
#include <tuple>

#include "conditions.h"
#include "price.h"

namespace amongst {

class TargetSplit {
public:
    // Of the cuts that gain most so many are judged where sides must hold conditions.
    static constexpr size_t TRIES = 32;
    // Bits of a gain that are rounding.
    static constexpr int ROUNDED = 8;

    // codes: row by row. n_log_n: of 0 .. n, in fixed point: every machine takes the same decisions.
    TargetSplit(const std::vector<uint32_t>& codes, const std::vector<Price>& prices, const uint32_t* classes, size_t n_classes,
                const int64_t* n_log_n, size_t k, const Conditions* conditions)
        : codes_(codes), prices_(prices), d_(prices.size()), classes_(classes), n_classes_(n_classes), n_log_n_(n_log_n), k_(k) {
        if (conditions) left_.reset(new Judge(*conditions)), right_.reset(new Judge(*conditions));
    }

    // Divides all rows and writes their groups; how many there are.
    size_t run(size_t n, int32_t* group) {
        std::vector<uint32_t> rows(n), spare(n);
        for (size_t i = 0; i < n; i++) rows[i] = uint32_t(i);
        std::vector<std::pair<size_t, size_t>> stack(1, {0, n});
        size_t n_groups = 0;
        while (!stack.empty()) {
            auto [first, size] = stack.back();
            stack.pop_back();
            uint32_t* at = rows.data() + first;
            Cut cut = size >= 2 * k_ ? best_cut(at, size) : Cut{};
            if (cut.column < 0) {
                for (size_t i = 0; i < size; i++) group[at[i]] = int32_t(n_groups);
                n_groups++;
                continue;
            }
            size_t left = 0, right = 0;
            for (size_t i = 0; i < size; i++) {
                if (code(at[i], size_t(cut.column)) <= cut.last_left) at[left++] = at[i];
                else spare[right++] = at[i];
            }
            std::copy(spare.begin(), spare.begin() + std::ptrdiff_t(right), at + left);
            stack.push_back({first + left, size - left});
            stack.push_back({first, left});
        }
        return n_groups;
    }

private:
    struct Cut {
        int column = -1;
        uint32_t last_left = 0;
        int64_t gain = -1, width = 0, even = 0;  // even: rows of the smaller side

        bool better_than(const Cut& other) const { return std::tie(gain, width, even) > std::tie(other.gain, other.width, other.even); }
    };

    const std::vector<uint32_t>& codes_;
    const std::vector<Price>& prices_;
    size_t d_;
    const uint32_t* classes_;
    size_t n_classes_;
    const int64_t* n_log_n_;
    size_t k_;
    std::unique_ptr<Judge> left_, right_;  // null where only the size counts
    std::vector<uint32_t> counts_;         // by code and class
    std::vector<uint64_t> pairs_;          // code and class of every row, in order
    std::vector<int64_t> total_, on_left_;
    std::vector<Cut> found_, most_even_;
    int64_t own_ = 0;  // sum over classes of n log n in the group

    uint32_t code(uint32_t row, size_t c) const { return codes_[size_t(row) * d_ + c]; }

    Cut best_cut(const uint32_t* at, size_t n) {
        total_.assign(n_classes_, 0);
        for (size_t i = 0; i < n; i++) total_[classes_[at[i]]]++;
        own_ = 0;
        for (int64_t count : total_) own_ += n_log_n_[count];
        // Columns with a tree are cut between children of the lowest node above; anywhere, where there is no other cut.
        for (bool anywhere : {false, true}) {
            Cut cut = look_for(at, n, anywhere);
            if (cut.column >= 0) return cut;
        }
        return {};
    }

    Cut look_for(const uint32_t* at, size_t n, bool anywhere) {
        found_.clear();
        most_even_.clear();
        Cut best;
        for (size_t c = 0; c < d_; c++) look_at(at, n, c, anywhere, best);
        if (!left_) return best;
        // Every cut that tells much of a sensitive value may be forbidden: then that of the widest column that is most even.
        std::stable_sort(most_even_.begin(), most_even_.end(), [](const Cut& a, const Cut& b) { return a.width > b.width; });
        size_t tries = std::min(TRIES, found_.size());
        std::stable_sort(found_.begin(), found_.end(), [](const Cut& a, const Cut& b) { return a.better_than(b); });
        for (size_t i = 0; i < tries; i++)
            if (holds(at, n, found_[i])) return found_[i];
        for (const Cut& cut : most_even_)
            if (holds(at, n, cut)) return cut;
        return {};
    }

    void look_at(const uint32_t* at, size_t n, size_t c, bool anywhere, Cut& best) {
        uint32_t lo = code(at[0], c), hi = lo;
        for (size_t i = 1; i < n; i++) {
            uint32_t own = code(at[i], c);
            lo = std::min(lo, own), hi = std::max(hi, own);
        }
        if (lo == hi) return;
        const Price& price = prices_[c];
        const int32_t* child = anywhere || price.position || !price.tree_start ? nullptr : children(price, lo, hi);
        int64_t width = price.of(int32_t(lo), int32_t(hi)), sum_left = 0, sum_right = own_;
        int64_t n_left = 0;
        Cut most_even;
        on_left_.assign(n_classes_, 0);
        auto add = [&](size_t cls, int64_t count) {
            int64_t l = on_left_[cls], r = total_[cls] - l;
            sum_left += n_log_n_[l + count] - n_log_n_[l];
            sum_right += n_log_n_[r - count] - n_log_n_[r];
            on_left_[cls] += count;
            n_left += count;
        };
        auto between = [&](uint32_t last, uint32_t next) {
            int64_t n_right = int64_t(n) - n_left, even = std::min(n_left, n_right);
            if (even < int64_t(k_) || (child && child[last] == child[next])) return;
            int64_t gain = n_log_n_[n] - own_ - (n_log_n_[n_left] - sum_left) - (n_log_n_[n_right] - sum_right);
            Cut cut{int(c), last, std::max<int64_t>(gain, 0) >> ROUNDED, width, even};
            if (cut.better_than(best)) best = cut;
            if (!left_) return;
            found_.push_back(cut);
            if (most_even.column < 0 || even > most_even.even) most_even = cut;
        };
        size_t range = size_t(hi - lo) + 1;
        if (range * n_classes_ <= 4 * n + 64) walk_counts(at, n, c, lo, range, add, between);
        else walk_pairs(at, n, c, add, between);
        if (most_even.column >= 0) most_even_.push_back(most_even);
    }

    template <typename Add, typename Between>
    void walk_counts(const uint32_t* at, size_t n, size_t c, uint32_t lo, size_t range, Add add, Between between) {
        counts_.assign(range * n_classes_, 0);
        for (size_t i = 0; i < n; i++) counts_[size_t(code(at[i], c) - lo) * n_classes_ + classes_[at[i]]]++;
        uint32_t last = lo;
        for (size_t j = 0; j < range; j++) {
            const uint32_t* own = counts_.data() + j * n_classes_;
            if (std::all_of(own, own + n_classes_, [](uint32_t count) { return count == 0; })) continue;
            if (j) between(last, lo + uint32_t(j));
            last = lo + uint32_t(j);
            for (size_t cls = 0; cls < n_classes_; cls++)
                if (own[cls]) add(cls, own[cls]);
        }
    }

    // The same where codes and classes are many and rows few.
    template <typename Add, typename Between>
    void walk_pairs(const uint32_t* at, size_t n, size_t c, Add add, Between between) {
        pairs_.resize(n);
        for (size_t i = 0; i < n; i++) pairs_[i] = uint64_t(code(at[i], c)) << 32 | classes_[at[i]];
        std::sort(pairs_.begin(), pairs_.end());
        for (size_t i = 0; i < n;) {
            size_t j = i + 1;
            while (j < n && pairs_[j] == pairs_[i]) j++;
            if (i && pairs_[i] >> 32 != pairs_[i - 1] >> 32) between(uint32_t(pairs_[i - 1] >> 32), uint32_t(pairs_[i] >> 32));
            add(size_t(pairs_[i] & 0xffffffffu), int64_t(j - i));
            i = j;
        }
    }

    // The first leaf of the child of the lowest node above both codes, for every code.
    static const int32_t* children(const Price& price, uint32_t lo, uint32_t hi) {
        int64_t level = 0;
        while (price.tree_start[level * price.n + lo] != price.tree_start[level * price.n + hi]) level++;
        return price.tree_start + (level - 1) * price.n;
    }

    bool holds(const uint32_t* at, size_t n, const Cut& cut) {
        left_->clear(), right_->clear();
        for (size_t i = 0; i < n; i++) (code(at[i], size_t(cut.column)) <= cut.last_left ? left_ : right_)->add(at[i]);
        return left_->holds() && right_->holds();
    }
};

}  // namespace amongst
