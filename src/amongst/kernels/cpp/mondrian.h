// Greedy multidimensional partitioning (LeFevre et al., Mondrian, section 4), strict and relaxed.
// The rules for ties and for what the paper leaves open are in partition/mondrian.py; kernels/numpy/rows.py is the same in numpy.
#pragma once

#include <algorithm>
#include <chrono>
#include <functional>
#include <memory>

#include "conditions.h"
#include "records.h"

namespace amongst {

constexpr int64_t FIXED_POINT = int64_t(1) << 30;

// MEDIAN: only "<= median" against "> median", as printed in figure 7; MEDIAN_ONCE: of the widest column that keeps k, or none.
enum Cuts { ORDERED = 0, HIERARCHY_FIRST = 1, HIERARCHY = 2, MEDIAN = 3, MEDIAN_ONCE = 4 };

// How wide a range of codes of one column is, and where its tree allows a cut.
struct Axis {
    const int64_t* position;    // of every code, in [0, FIXED_POINT]; null for a column measured by its tree
    const int32_t* tree_start;  // n_levels x n_codes: first leaf of the ancestor; null without a tree
    const int32_t* tree_end;
    int32_t n_levels;
    int32_t n_codes;
    int64_t weight;
    int32_t own_null;  // the code of a null that is a value of its own, or -1
    int32_t wildcard;  // the code that matches anything (the largest), or -1

    int32_t ancestor_level(int32_t lo, int32_t hi) const {
        int32_t level = 0;
        while (tree_start[int64_t(level) * n_codes + lo] != tree_start[int64_t(level) * n_codes + hi]) level++;
        return level;
    }

    int64_t width(int32_t lo, int32_t hi) const {
        if (lo >= hi) return 0;
        if (hi == own_null) return FIXED_POINT * weight;
        if (position) return (position[hi] - position[lo]) * weight;
        int64_t at = int64_t(ancestor_level(lo, hi)) * n_codes + lo;
        int64_t leaves = int64_t(tree_end[at]) - tree_start[at] + 1;
        return leaves * FIXED_POINT / n_codes * weight;
    }
};

struct Cut {
    int32_t last_left = -1;     // codes up to here go left
    bool wildcards_left = false;
    bool found = false;
};

struct Node {
    size_t first, n;
    int64_t total;  // sum of weights
};

using Tick = std::function<bool(int64_t, int64_t)>;  // done, total -> go on?

template <typename T, int W>
class Mondrian {
    using R = Record<T, W>;

public:
    // With conditions both sides of a cut must hold them; they speak of the records by their ids.
    Mondrian(R* records, size_t n, const std::vector<Axis>& axes, int64_t k, int cuts, bool relaxed, const Conditions* conditions = nullptr)
        : records_(records), n_(n), axes_(axes), k_(k), cuts_(cuts), relaxed_(relaxed), scratch_(new R[n]) {
        if (conditions) left_.reset(new Judge(*conditions)), right_.reset(new Judge(*conditions));
        int32_t most = 1;
        for (const Axis& axis : axes) {
            most = std::max(most, axis.n_codes + 1);
            any_wildcard_ |= axis.wildcard >= 0;
        }
        counts_.resize(size_t(most) * (sizeof(T) == 1 ? 4 : 1));
    }

    // Writes the group of every record id, and appends the box of every group to lo and hi. False when told to stop.
    // n_alone counts records of weight 1 that equal no other: equal records always end in one group (not when relaxed).
    bool run(int32_t* group_of_id, std::vector<uint32_t>& lo, std::vector<uint32_t>& hi, int64_t& n_alone, const Tick& tick) {
        int64_t total = 0, done = 0;
        size_t visited = 0;
        for (size_t i = 0; i < n_; i++) total += records_[i].weight;
        auto last_tick = std::chrono::steady_clock::now();
        std::vector<Node> stack;
        if (n_) stack.push_back({0, n_, total});
        int32_t n_groups = 0;
        while (!stack.empty()) {
            Node node = stack.back();
            stack.pop_back();
            R* at = records_ + node.first;
            measure(at, node.n);
            size_t n_left = node.n;
            int64_t left_total = node.total;
            if (node.total / 2 >= k_) relaxed_ ? halve(at, node, n_left, left_total) : divide(at, node, n_left, left_total);
            if (n_left == node.n) {
                for (size_t i = 0; i < node.n; i++) group_of_id[at[i].id] = n_groups;
                for (size_t c = 0; c < axes_.size(); c++) lo.push_back(uint32_t(lowest_[c])), hi.push_back(uint32_t(highest_[c]));
                n_groups++;
                done += node.total;
                n_alone += alone(at, node);
            } else {
                stack.push_back({node.first + n_left, node.n - n_left, node.total - left_total});
                stack.push_back({node.first, n_left, left_total});
            }
            visited += node.n;
            if (tick && visited > (1u << 20)) {
                visited = 0;
                auto now = std::chrono::steady_clock::now();
                if (now - last_tick > std::chrono::milliseconds(100)) {
                    last_tick = now;
                    if (!tick(done, total)) return false;
                }
            }
        }
        return true;
    }

private:
    R* records_;
    size_t n_;
    const std::vector<Axis>& axes_;
    int64_t k_;
    int cuts_;
    bool relaxed_;
    bool any_wildcard_ = false;
    std::unique_ptr<Judge> left_, right_;  // null where only the size counts
    std::vector<std::pair<int64_t, Cut>> candidates_;
    std::unique_ptr<R[]> scratch_;  // not set to zero: it is written before it is read
    std::vector<uint32_t> counts_;
    std::vector<std::pair<T, uint32_t>> pairs_;
    std::vector<T> codes_;
    T lowest_[R::LANES], highest_[R::LANES];
    std::vector<std::pair<int64_t, int>> by_width_;

    int64_t alone(R* at, const Node& node) {
        if (node.total != int64_t(node.n)) {  // weighted records are distinct already
            int64_t n = 0;
            for (size_t i = 0; i < node.n; i++) n += at[i].weight == 1;
            return n;
        }
        auto less = [](const R& a, const R& b) { return std::memcmp(a.code, b.code, sizeof(a.code)) < 0; };
        auto same = [](const R& a, const R& b) { return std::memcmp(a.code, b.code, sizeof(a.code)) == 0; };
        std::sort(at, at + node.n, less);
        int64_t n = 0;
        for (size_t i = 0; i < node.n; i++)
            n += (i == 0 || !same(at[i - 1], at[i])) && (i + 1 == node.n || !same(at[i], at[i + 1]));
        return n;
    }

    void measure(const R* at, size_t n) {
        extent(at, n, lowest_, highest_);
        if (!any_wildcard_) return;
        for (size_t c = 0; c < axes_.size(); c++) {
            if (axes_[c].wildcard < 0 || int32_t(highest_[c]) != axes_[c].wildcard) continue;
            T wild = T(axes_[c].wildcard), top = lowest_[c];
            for (size_t i = 0; i < n; i++)
                if (at[i].code[c] != wild && at[i].code[c] > top) top = at[i].code[c];
            highest_[c] = top;  // stays the wildcard itself where there is nothing else
        }
    }

    // Columns that can be cut, widest first, ties in the order of the schema.
    void rank_columns() {
        by_width_.clear();
        for (size_t c = 0; c < axes_.size(); c++)
            if (lowest_[c] < highest_[c]) by_width_.push_back({-axes_[c].width(lowest_[c], highest_[c]), int(c)});
        std::sort(by_width_.begin(), by_width_.end());
    }

    void divide(R* at, const Node& node, size_t& n_left, int64_t& left_total) {
        rank_columns();
        for (int pass = 0; pass < (cuts_ == HIERARCHY_FIRST ? 2 : 1); pass++) {
            for (auto& [negative, c] : by_width_) {
                bool by_tree = axes_[c].position == nullptr && (cuts_ == HIERARCHY_FIRST || cuts_ == HIERARCHY);
                if (pass == 1 && !by_tree) continue;  // it was tried in the first pass
                candidates_.clear();
                Cut cut = by_tree && pass == 0 ? tree_cut(at, node, c) : median_cut(at, node, c);
                bool keeps_k = cut.found;
                if (left_) cut = first_that_holds(at, node, c);
                if (!cut.found && keeps_k && cuts_ == MEDIAN_ONCE) return;
                if (!cut.found) continue;
                move_apart(at, node, c, cut, n_left, left_total);
                return;
            }
        }
    }

    // Of the cuts of a column that keep k on both sides the first in their order whose sides hold the conditions.
    Cut first_that_holds(const R* at, const Node& node, int c) {
        std::stable_sort(candidates_.begin(), candidates_.end(), [](auto& a, auto& b) { return a.first < b.first; });
        for (auto& [order, cut] : candidates_) {
            left_->clear(), right_->clear();
            Judge* side[2] = {right_.get(), left_.get()};
            for (size_t i = 0; i < node.n; i++) {
                if (i + 12 < node.n) left_->expect(at[i + 6].id, at[i + 12].id);
                side[goes_left(at[i], c, cut)]->add(at[i].id, at[i].weight);
            }
            if (left_->holds() && right_->holds()) return cut;
        }
        return {};
    }

    bool goes_left(const R& record, int c, const Cut& cut) const {
        int32_t code = int32_t(record.code[c]), wild = axes_[c].wildcard;
        return wild >= 0 && code == wild ? cut.wildcards_left : code <= cut.last_left;
    }

    void remember(int64_t order, const Cut& cut) {
        if (left_) candidates_.push_back({order, cut});
    }

    // Weights by code over [lo, hi] of column c, in counts_[code - lo]; wildcards are summed apart.
    int64_t count_codes(const R* at, size_t n, int c, T lo, T hi) {
        size_t range = size_t(int64_t(hi) - lo) + 1;
        int64_t wild = 0;
        uint32_t* h = counts_.data();
        if (axes_[c].wildcard >= 0) {
            std::fill(h, h + range, 0);
            T w = T(axes_[c].wildcard);
            for (size_t i = 0; i < n; i++) {
                if (at[i].code[c] == w) wild += at[i].weight;
                else h[at[i].code[c] - lo] += at[i].weight;
            }
        } else if (sizeof(T) == 1) {
            // Four histograms side by side: skewed columns would wait on their own stores otherwise.
            std::fill(h, h + 4 * range, 0);
            size_t i = 0;
            for (; i + 4 <= n; i += 4) {
                h[at[i].code[c] - lo] += at[i].weight;
                h[range + at[i + 1].code[c] - lo] += at[i + 1].weight;
                h[2 * range + at[i + 2].code[c] - lo] += at[i + 2].weight;
                h[3 * range + at[i + 3].code[c] - lo] += at[i + 3].weight;
            }
            for (; i < n; i++) h[at[i].code[c] - lo] += at[i].weight;
            for (size_t j = 0; j < range; j++) h[j] += h[range + j] + h[2 * range + j] + h[3 * range + j];
        } else {
            std::fill(h, h + range, 0);
            for (size_t i = 0; i < n; i++) h[at[i].code[c] - lo] += at[i].weight;
        }
        return wild;
    }

    bool allowed(int64_t left, int64_t right, int64_t wild) const {
        return std::max(left, right) >= k_ && std::min(left, right) + wild >= k_ && left > 0 && right > 0;
    }

    static int64_t imbalance(int64_t left, int64_t right) { return left > right ? left - right : right - left; }

    // The cut on either side of the median value: the more balanced of the two that is allowed.
    Cut best_beside(int32_t median, int32_t code_below, int64_t below, int64_t upto, int64_t total, int64_t wild) {
        Cut cut;
        int64_t off = imbalance(upto, total - upto), off_below = imbalance(below, total - below);
        if (allowed(upto, total - upto, wild)) remember(off, cut = {median, upto <= total - upto, true});
        if (cuts_ >= MEDIAN || !allowed(below, total - below, wild)) return cut;
        Cut other = {code_below, below <= total - below, true};
        remember(off_below, other);
        return !cut.found || off_below < off ? other : cut;
    }

    Cut median_cut(const R* at, const Node& node, int c) {
        T lo = lowest_[c], hi = highest_[c];
        size_t range = size_t(int64_t(hi) - lo) + 1;
        if (range > 4 * node.n && axes_[c].wildcard < 0 && axes_[c].own_null < 0) return sparse_median_cut(at, node, c);
        int64_t wild = count_codes(at, node.n, c, lo, hi);
        const uint32_t* h = counts_.data();
        int64_t total = node.total - wild;
        if (int32_t(hi) == axes_[c].own_null && cuts_ < MEDIAN) {
            int64_t nulls = h[range - 1];
            Cut cut = {int32_t(hi) - 1, total - nulls <= nulls, true};
            if (allowed(total - nulls, nulls, wild)) {
                remember(-1, cut);
                if (!left_) return cut;
            }
        }
        int64_t below = 0, upto = h[0];
        size_t m = 0;
        while (2 * upto < total) below = upto, upto += h[++m];
        return best_beside(int32_t(lo) + int32_t(m), int32_t(lo) + int32_t(m) - 1, below, upto, total, wild);
    }

    // The same where the codes are many and the rows few: order the rows, not the codes.
    Cut sparse_median_cut(const R* at, const Node& node, int c) {
        if (node.total == int64_t(node.n)) return unweighted_median_cut(at, node, c);
        pairs_.resize(node.n);
        for (size_t i = 0; i < node.n; i++) pairs_[i] = {at[i].code[c], at[i].weight};
        std::sort(pairs_.begin(), pairs_.end());
        int64_t below = 0, upto = 0;
        size_t i = 0;
        T median = 0;
        while (2 * upto < node.total) {
            below = upto;
            median = pairs_[i].first;
            while (i < node.n && pairs_[i].first == median) upto += pairs_[i++].second;
        }
        return best_beside(median, int32_t(median) - 1, below, upto, node.total, 0);
    }

    Cut unweighted_median_cut(const R* at, const Node& node, int c) {
        codes_.resize(node.n);
        for (size_t i = 0; i < node.n; i++) codes_[i] = at[i].code[c];
        size_t place = (node.n - 1) / 2;
        std::nth_element(codes_.begin(), codes_.begin() + place, codes_.end());
        T median = codes_[place];
        int64_t below = 0, upto = 0;
        for (size_t i = 0; i < node.n; i++) {
            below += codes_[i] < median;
            upto += codes_[i] <= median;
        }
        return best_beside(median, int32_t(median) - 1, below, upto, node.total, 0);
    }

    // The most balanced allowed cut between two children of the lowest node that covers the group.
    // Rows are counted by child, not by code; where the children outnumber the rows, the rows are ordered instead.
    Cut tree_cut(const R* at, const Node& node, int c) {
        const Axis& axis = axes_[c];
        int32_t lo = int32_t(lowest_[c]), hi = int32_t(highest_[c]);
        int64_t level = axis.ancestor_level(lo, hi) - 1;
        const int32_t* child = axis.tree_start + level * axis.n_codes;
        const int32_t* last = axis.tree_end + level * axis.n_codes;
        TreeCut best{child, node.total, 0, 0, {}};
        uint32_t* h = counts_.data();
        size_t n_children = 0;
        for (int32_t code = lo; code <= hi && n_children <= 4 * node.n; code = last[code] + 1, n_children++) h[child[code]] = 0;
        if (n_children > 4 * node.n && axis.wildcard < 0) {
            pairs_.resize(node.n);
            for (size_t i = 0; i < node.n; i++) pairs_[i] = {at[i].code[c], at[i].weight};
            std::sort(pairs_.begin(), pairs_.end());
            for (size_t i = 0; i + 1 < node.n; i++) consider(best, pairs_[i].first, pairs_[i + 1].first, pairs_[i].second);
            return best.cut;
        }
        for (int32_t code = lo; code <= hi; code = last[code] + 1) h[child[code]] = 0;
        for (size_t i = 0; i < node.n; i++) {
            int32_t code = int32_t(at[i].code[c]);
            if (code == axis.wildcard) best.wild += at[i].weight;
            else h[child[code]] += at[i].weight;
        }
        best.total -= best.wild;
        for (int32_t code = lo; last[code] < hi; code = last[code] + 1) consider(best, last[code], last[code] + 1, h[child[code]]);
        return best.cut;
    }

    struct TreeCut {
        const int32_t* child;
        int64_t total, wild, left;
        Cut cut;
        int64_t off = 0;
    };

    // One step from a code to the next: a place to cut if they hang from different children.
    void consider(TreeCut& best, int32_t code, int32_t next, int64_t weight) {
        best.left += weight;
        if (best.child[code] == best.child[next]) return;
        int64_t right = best.total - best.left, off = imbalance(best.left, right);
        if (!allowed(best.left, right, best.wild)) return;
        remember(off, {code, best.left <= right, true});
        if (best.cut.found && off >= best.off) return;
        best.cut = {code, best.left <= right, true};
        best.off = off;
    }

    // Stable and without branches; the right side goes through a scratch that stays hot.
    void move_apart(R* at, const Node& node, int c, const Cut& cut, size_t& n_left, int64_t& left_total) {
        size_t left = 0, right = 0;
        int64_t weight = 0;
        int32_t wild = axes_[c].wildcard;
        R* scratch = scratch_.get();
        for (size_t i = 0; i < node.n; i++) {
            R record = at[i];
            int32_t code = int32_t(record.code[c]);
            bool goes_left = wild >= 0 && code == wild ? cut.wildcards_left : code <= cut.last_left;
            at[left] = record;
            scratch[right] = record;
            left += goes_left;
            right += !goes_left;
            weight += goes_left ? record.weight : 0;
        }
        std::memcpy(static_cast<void*>(at + left), scratch, right * sizeof(R));
        n_left = left;
        left_total = weight;
    }

    // Relaxed: the first half of the rows in the order of the widest column; rows at the median value are divided.
    // With conditions, the widest column whose halves hold them; rows that are all alike are halved as they come.
    void halve(R* at, const Node& node, size_t& n_left, int64_t& left_total) {
        rank_columns();
        size_t half = (node.n + 1) / 2;
        for (auto& [negative, c] : by_width_) {
            T median = kth_code(at, node.n, c, half - 1);
            size_t below = 0;
            for (size_t i = 0; i < node.n; i++) below += at[i].code[c] < median;
            if (left_ && !halves_hold(at, node, c, median, half - below)) continue;
            move_halves(at, node, c, median, half - below);
            n_left = half, left_total = int64_t(half);
            return;
        }
        if (left_ && (!by_width_.empty() || !ends_hold(at, node, half))) return;
        n_left = half, left_total = int64_t(half);
    }

    bool halves_hold(const R* at, const Node& node, int c, T median, size_t ties_left) {
        left_->clear(), right_->clear();
        for (size_t i = 0; i < node.n; i++) {
            bool tie = at[i].code[c] == median, left = at[i].code[c] < median || (tie && ties_left > 0);
            ties_left -= tie && ties_left > 0;
            (left ? left_ : right_)->add(at[i].id);
        }
        return left_->holds() && right_->holds();
    }

    bool ends_hold(const R* at, const Node& node, size_t half) {
        left_->clear(), right_->clear();
        for (size_t i = 0; i < node.n; i++) (i < half ? left_ : right_)->add(at[i].id);
        return left_->holds() && right_->holds();
    }

    void move_halves(R* at, const Node& node, int c, T median, size_t ties_left) {
        size_t left = 0, right = 0;
        R* scratch = scratch_.get();
        for (size_t i = 0; i < node.n; i++) {
            R record = at[i];
            bool tie = record.code[c] == median;
            bool goes_left = record.code[c] < median || (tie && ties_left > 0);
            ties_left -= tie && ties_left > 0;
            at[left] = record;
            scratch[right] = record;
            left += goes_left;
            right += !goes_left;
        }
        std::memcpy(static_cast<void*>(at + left), scratch, right * sizeof(R));
    }

    // The code of the row at this place in the order of column c; a wildcard comes last.
    T kth_code(const R* at, size_t n, int c, size_t place) {
        T lo = lowest_[c], hi = axes_[c].wildcard >= 0 ? T(axes_[c].wildcard) : highest_[c];
        size_t range = size_t(int64_t(hi) - lo) + 1;
        if (range > 4 * n) {
            codes_.resize(n);
            for (size_t i = 0; i < n; i++) codes_[i] = at[i].code[c];
            std::nth_element(codes_.begin(), codes_.begin() + place, codes_.end());
            return codes_[place];
        }
        uint32_t* h = counts_.data();
        std::fill(h, h + range, 0);
        for (size_t i = 0; i < n; i++) h[at[i].code[c] - lo]++;
        size_t m = 0, upto = h[0];
        while (upto <= place) upto += h[++m];
        return T(lo + T(m));
    }
};

}  // namespace amongst
