// Top-down splitting by gain: of all cuts of a group, take the one that lowers the loss most.
#pragma once

#include <algorithm>
#include <memory>

#include "conditions.h"
#include "price.h"

namespace amongst {

// A stretch of codes of one column that can be set apart from the rest: a node of its tree.
struct Stretch {
    int32_t column, first, last;
};

// The stretches that hold a code: a group asks for those of its own codes, however many the tree has.
class Holders {
public:
    Holders(const std::vector<Stretch>& stretches, size_t n_columns) : begins_(n_columns), numbers_(n_columns) {
        for (const Stretch& s : stretches) {
            auto& begins = begins_[size_t(s.column)];
            begins.resize(std::max(begins.size(), size_t(s.last) + 3));
            for (int32_t code = s.first; code <= s.last; code++) begins[size_t(code) + 2]++;
        }
        for (size_t c = 0; c < n_columns; c++) {
            for (size_t i = 1; i < begins_[c].size(); i++) begins_[c][i] += begins_[c][i - 1];
            if (!begins_[c].empty()) numbers_[c].resize(begins_[c].back());
        }
        for (size_t i = 0; i < stretches.size(); i++) {
            const Stretch& s = stretches[i];
            for (int32_t code = s.first; code <= s.last; code++) numbers_[size_t(s.column)][begins_[size_t(s.column)][size_t(code) + 1]++] = uint32_t(i);
        }
    }

    // Calls with the number of every stretch of a column that holds a code.
    template <typename F>
    void each(size_t c, uint32_t code, F tell) const {
        const auto& begins = begins_[c];
        if (size_t(code) + 1 >= begins.size()) return;
        for (size_t i = begins[code]; i < begins[code + 1]; i++) tell(numbers_[c][i]);
    }

private:
    std::vector<std::vector<size_t>> begins_;
    std::vector<std::vector<uint32_t>> numbers_;
};

template <typename T, int L>
class GainSplit {
    using B = Box<T, L>;

public:
    // With conditions both sides of a cut must hold them; of the cuts that gain most so many are tried.
    static constexpr size_t TRIES = 32;

    GainSplit(const Rows<T, L>& rows, const std::vector<Stretch>& stretches, size_t k, const Conditions* conditions = nullptr, bool divides = true)
        : rows_(rows), stretches_(stretches), holders_(stretches, rows.prices.size()), seen_(stretches.size(), 0), k_(k), divides_(divides) {
        conditions_ = conditions;
        if (conditions) inside_.reset(new Judge(*conditions)), outside_.reset(new Judge(*conditions));
    }

    // Divides rows (in place) and gives where every part begins; the parts' loss is added to `loss`.
    void run(std::vector<uint32_t>& rows, std::vector<size_t>& begins, int64_t& loss) {
        begins.clear();
        spare_.resize(rows.size());
        stack_.assign(1, {0, rows.size()});
        while (!stack_.empty()) {
            auto [first, n] = stack_.back();
            stack_.pop_back();
            uint32_t* at = rows.data() + first;
            B box;
            box.start(rows_.at(at[0]));
            for (size_t i = 1; i < n; i++) box.add(rows_.at(at[i]));
            int64_t own = rows_.price(box) * int64_t(n);
            Stretch cut = n >= 2 * k_ && own > 0 ? best_cut(at, n, box, own) : Stretch{-1, 0, 0};
            size_t left = 0, right = 0;
            if (cut.column < 0 && divides_ && inside_ && n >= 2 * k_ && own > 0) left = halve_every_value(at, n, own);
            if (cut.column < 0 && left == 0) {
                begins.push_back(first);
                loss += own;
                continue;
            }
            if (cut.column >= 0) {
                for (size_t i = 0; i < n; i++) {
                    int32_t code = int32_t(rows_.at(at[i])[cut.column]);
                    if (code >= cut.first && code <= cut.last) at[left++] = at[i];
                    else spare_[right++] = at[i];
                }
                std::copy(spare_.begin(), spare_.begin() + right, at + left);
            }
            stack_.push_back({first + left, n - left});
            stack_.push_back({first, left});
        }
    }

private:
    const Rows<T, L>& rows_;
    const std::vector<Stretch>& stretches_;
    Holders holders_;
    std::vector<char> seen_;               // of every stretch: whether it is among those held
    std::vector<uint32_t> held_;           // the stretches inside a group that hold one of its codes
    size_t k_;
    bool divides_;  // whether equal rows may go to both sides where no cut holds
    std::unique_ptr<Judge> inside_, outside_;  // null where only the size counts
    const Conditions* conditions_;
    std::vector<std::pair<int64_t, Stretch>> gains_;
    std::vector<uint32_t> trial_, best_trial_;
    std::vector<uint32_t> spare_;
    std::vector<std::pair<size_t, size_t>> stack_;
    std::vector<uint32_t> codes_;          // the distinct codes of one column, in order
    std::vector<uint32_t> rank_;           // of every code from the lowest on
    std::vector<size_t> upto_;             // rows with one of the first i codes
    std::vector<B> of_code_, before_, after_;

    // The stretch of codes to set apart: from the lowest code on, or a node of the tree. Ties: the first column, then
    // cuts in order of code, then nodes in their order.
    Stretch best_cut(const uint32_t* at, size_t n, const B& box, int64_t own) {
        Stretch best{-1, 0, 0};
        int64_t most = -1;
        gains_.clear();
        auto consider = [&](int64_t gain, const Stretch& cut) {
            if (inside_ && gain >= 0) gains_.push_back({gain, cut});
            if (gain > most) most = gain, best = cut;
        };
        for (size_t c = 0; c < rows_.prices.size(); c++) {
            if (box.lo[c] == box.hi[c]) continue;
            count(at, n, c, box);
            size_t m = codes_.size();
            for (size_t i = 1; i < m; i++) {
                size_t left = upto_[i], right = n - left;
                if (left < k_ || right < k_) continue;
                int64_t gain = own - rows_.price(before_[i]) * int64_t(left) - rows_.price(after_[i]) * int64_t(right);
                consider(gain, {int32_t(c), int32_t(codes_[0]), int32_t(codes_[i - 1])});
            }
            find_held(c);
            for (uint32_t number : held_) {
                const Stretch& s = stretches_[number];
                size_t a = std::lower_bound(codes_.begin(), codes_.end(), uint32_t(s.first)) - codes_.begin();
                size_t b = std::upper_bound(codes_.begin(), codes_.end(), uint32_t(s.last)) - codes_.begin();
                size_t inside = upto_[b] - upto_[a], outside = n - inside;
                if (inside < k_ || outside < k_) continue;
                B in = of_code_[a], out = before_[a];
                for (size_t i = a + 1; i < b; i++) in.add(of_code_[i]);
                out.add(after_[b]);
                int64_t gain = own - rows_.price(in) * int64_t(inside) - rows_.price(out) * int64_t(outside);
                consider(gain, s);
            }
        }
        return inside_ ? first_that_holds(at, n) : best;
    }

    // The stretches of a column that hold some code counted, but neither the first nor the last: those at an end were tried.
    void find_held(size_t c) {
        held_.clear();
        int32_t lowest = int32_t(codes_.front()), highest = int32_t(codes_.back());
        for (uint32_t code : codes_)
            holders_.each(c, code, [&](uint32_t number) {
                if (seen_[number] || stretches_[number].first <= lowest || stretches_[number].last >= highest) return;
                seen_[number] = 1, held_.push_back(number);
            });
        std::sort(held_.begin(), held_.end());
        for (uint32_t number : held_) seen_[number] = 0;
    }

    // Where no cut holds: the rows of every sensitive value are halved, each at its own median of one column, so that
    // both halves have the values of the whole. The column that gains most; how many rows go left, 0 for none.
    size_t halve_every_value(uint32_t* at, size_t n, int64_t own) {
        size_t d = rows_.prices.size(), best_left = 0;
        int64_t most = -1;
        for (size_t c = 0; c < d; c++) {
            trial_.assign(at, at + n);
            std::sort(trial_.begin(), trial_.end(), [&](uint32_t a, uint32_t b) {
                for (const Test& test : conditions_->tests)
                    if (test.code[a] != test.code[b]) return test.code[a] < test.code[b];
                for (size_t q = 0; q < d; q++) {
                    size_t column = (c + q) % d;
                    if (rows_.at(a)[column] != rows_.at(b)[column]) return rows_.at(a)[column] < rows_.at(b)[column];
                }
                return a < b;
            });
            size_t left = deal_halves(n);
            if (left < k_ || n - left < k_) continue;
            int64_t gain = own - price_of(trial_.data(), left) - price_of(trial_.data() + left, n - left);
            if (gain <= most || gain < 0) continue;
            inside_->clear(), outside_->clear();
            for (size_t i = 0; i < n; i++) (i < left ? inside_ : outside_)->add(trial_[i]);
            if (inside_->holds() && outside_->holds()) most = gain, best_left = left, best_trial_ = trial_;
        }
        if (best_left) std::copy(best_trial_.begin(), best_trial_.end(), at);
        return best_left;
    }

    // Moves the first half of every value's rows to the front; of an odd number the larger half in turn left and right.
    size_t deal_halves(size_t n) {
        size_t left = 0, right = 0;
        bool larger_left = true;
        for (size_t first = 0, end = 0; first < n; first = end) {
            while (end < n && same_values(trial_[first], trial_[end])) end++;
            size_t half = (end - first) / 2;
            if ((end - first) % 2) half += larger_left, larger_left = !larger_left;
            for (size_t i = first; i < end; i++) {
                if (i < first + half) trial_[left++] = trial_[i];
                else spare_[right++] = trial_[i];
            }
        }
        std::copy(spare_.begin(), spare_.begin() + right, trial_.begin() + ptrdiff_t(left));
        return left;
    }

    bool same_values(uint32_t a, uint32_t b) const {
        for (const Test& test : conditions_->tests)
            if (test.code[a] != test.code[b]) return false;
        return true;
    }

    int64_t price_of(const uint32_t* at, size_t n) const {
        B box;
        box.start(rows_.at(at[0]));
        for (size_t i = 1; i < n; i++) box.add(rows_.at(at[i]));
        return rows_.price(box) * int64_t(n);
    }

    Stretch first_that_holds(const uint32_t* at, size_t n) {
        std::stable_sort(gains_.begin(), gains_.end(), [](auto& a, auto& b) { return a.first > b.first; });
        for (size_t i = 0; i < std::min(TRIES, gains_.size()); i++) {
            const Stretch& cut = gains_[i].second;
            inside_->clear(), outside_->clear();
            for (size_t j = 0; j < n; j++) {
                int32_t code = int32_t(rows_.at(at[j])[cut.column]);
                (code >= cut.first && code <= cut.last ? inside_ : outside_)->add(at[j]);
            }
            if (inside_->holds() && outside_->holds()) return cut;
        }
        return {-1, 0, 0};
    }

    // The rows and the box of every code of a column, and of all codes before and from every one.
    void count(const uint32_t* at, size_t n, size_t c, const B& box) {
        size_t range = size_t(int64_t(box.hi[c]) - box.lo[c]) + 1;
        codes_.clear();
        if (range <= 4 * n) {
            rank_.assign(range, 0);
            for (size_t i = 0; i < n; i++) rank_[rows_.at(at[i])[c] - box.lo[c]] = 1;
            for (size_t v = 0; v < range; v++)
                if (rank_[v]) rank_[v] = uint32_t(codes_.size()), codes_.push_back(uint32_t(v + box.lo[c]));
        } else {
            for (size_t i = 0; i < n; i++) codes_.push_back(uint32_t(rows_.at(at[i])[c]));
            std::sort(codes_.begin(), codes_.end());
            codes_.erase(std::unique(codes_.begin(), codes_.end()), codes_.end());
        }
        size_t m = codes_.size();
        of_code_.resize(m), before_.resize(m + 1), after_.resize(m + 1);
        upto_.assign(m + 1, 0);
        for (size_t i = 0; i < n; i++) {
            const T* row = rows_.at(at[i]);
            size_t r = range <= 4 * n ? rank_[row[c] - box.lo[c]] : std::lower_bound(codes_.begin(), codes_.end(), uint32_t(row[c])) - codes_.begin();
            if (upto_[r + 1]++ == 0) of_code_[r].start(row);
            else of_code_[r].add(row);
        }
        for (size_t i = 0; i < m; i++) upto_[i + 1] += upto_[i];
        for (size_t i = 0; i < m; i++) {
            before_[i + 1] = of_code_[i];
            if (i > 0) before_[i + 1].add(before_[i]);
        }
        for (size_t i = m; i-- > 0;) {
            after_[i] = of_code_[i];
            if (i + 1 < m) after_[i].add(after_[i + 1]);
        }
    }
};

// The same as a function, for callers that do not know T and L.
template <typename T, int L>
void split_rows(const Rows<T, L>& rows, const std::vector<Stretch>& stretches, size_t k, const Conditions* conditions,
                std::vector<uint32_t>& order, std::vector<size_t>& begins, int64_t& loss, bool divides) {
    GainSplit<T, L>(rows, stretches, k, conditions, divides).run(order, begins, loss);
}

}  // namespace amongst
