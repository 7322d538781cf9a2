// Rounds of pools: all groups are divided into leaves of near ones, and pools of near groups in every leaf are made anew.
// A leaf asks nothing of the others, so that leaves may be worked on side by side; what comes out does not depend on how many are.
#pragma once

#include <atomic>
#include <numeric>
#include <thread>

#include "pool.h"

namespace amongst {

// How hot a round is: cycles of cooling, each longer than the one before, so that a longer search goes on from a shorter one.
inline int64_t heat_of(uint64_t number) {
    uint64_t first = 64, length = 128;
    while (number >= first + length) first += length, length *= 2;
    return number >= first && number < first + length / 2 ? 3 : 0;
}

class PoolSearch {
public:
    // `pay`, where it is told, has a pay for every row such that no group is paid more than it loses: rows of a pool cannot lose
    // less than they are paid, so that work goes to groups that lose much more.
    PoolSearch(const Sheet& sheet, size_t k, const Conditions* conditions, const int32_t* group_of_row, size_t n_groups, size_t n_threads, const int64_t* pay)
        : sheet_(sheet), k_(k), conditions_(conditions), pay_(pay), groups_(n_groups), hulls_(n_groups), losses_(n_groups) {
        for (size_t r = 0; r < sheet.n; r++) groups_[size_t(group_of_row[r])].push_back(uint32_t(r));
        size_t kept = 0;
        for (size_t g = 0; g < groups_.size(); g++)
            if (!groups_[g].empty()) {
                if (kept != g) groups_[kept] = std::move(groups_[g]);
                kept++;
            }
        groups_.resize(kept), hulls_.resize(kept), losses_.resize(kept);
        if (sheet.n * sheet.d < FEW_CELLS) n_threads = 1;  // starting threads would take longer than the work
        for (size_t t = 0; t < std::max<size_t>(n_threads, 1); t++) pools_.emplace_back(new Pool(sheet, k, conditions));
        in_parallel(groups_.size(), [&](size_t g, Pool&) { measure(g); });
        loss_ = std::accumulate(losses_.begin(), losses_.end(), int64_t(0));
        best_ = groups_, best_loss_ = loss_;
    }

    int64_t loss() const { return best_loss_; }
    uint64_t visits() const { return visits_; }

    // One round; `heat` is how much of a row's mean loss a pool may lose for each of its rows, in 1/1024.
    void round(uint64_t number, int64_t heat) {
        Lots lots(number * 0x2545f4914f6cdd1du + 77);
        divide(lots);
        if (pay_) look_for_gaps();
        size_t n_leaves = leaves_.size() - 1;
        std::vector<std::vector<std::vector<uint32_t>>> made(n_leaves);
        std::vector<int64_t> change(n_leaves, 0);
        std::vector<uint64_t> visits(n_leaves, 0);
        int64_t mean = loss_ / int64_t(std::max<size_t>(sheet_.n, 1));
        in_parallel(n_leaves, [&](size_t leaf, Pool& pool) {
            uint64_t before = pool.visits;
            Lots own((number << 32) + leaf * 0x9e3779b97f4a7c15u + 1);
            change[leaf] = work_on(leaf, pool, own, number, mean * heat, made[leaf]);
            visits[leaf] = pool.visits - before;
        });
        std::vector<std::vector<uint32_t>> all;
        for (size_t leaf = 0; leaf < n_leaves; leaf++) {
            for (auto& group : made[leaf]) all.push_back(std::move(group));
            loss_ += change[leaf], visits_ += visits[leaf];
        }
        groups_.swap(all);
        hulls_.resize(groups_.size()), losses_.resize(groups_.size());
        in_parallel(groups_.size(), [&](size_t g, Pool&) { measure(g); });
        if (loss_ < best_loss_) best_ = groups_, best_loss_ = loss_;
    }

    void copy_to(int32_t* group_of_row) const {
        for (size_t g = 0; g < best_.size(); g++)
            for (uint32_t row : best_[g]) group_of_row[row] = int32_t(g);
    }

    void back_to_best() {
        if (loss_ == best_loss_) return;
        groups_ = best_, loss_ = best_loss_;
        hulls_.resize(groups_.size()), losses_.resize(groups_.size());
        in_parallel(groups_.size(), [&](size_t g, Pool&) { measure(g); });
    }

private:
    static constexpr size_t LEAF = 48, MOST_ROWS = 1500, FEW_ROWS = 12, FEW_CELLS = 2000;
    const Sheet& sheet_;
    size_t k_;
    const Conditions* conditions_;
    const uint64_t rounds_of_moves_ = rounds_of_moves(conditions_);
    const int64_t* pay_;
    std::vector<std::vector<uint32_t>> groups_, best_;
    std::vector<Hull> hulls_;
    std::vector<int64_t> losses_, gaps_;  // of every group: what it loses, and how much that is above its pay
    int64_t mean_gap_ = 0;
    std::vector<std::unique_ptr<Pool>> pools_;
    int64_t loss_ = 0, best_loss_ = 0;
    uint64_t visits_ = 0;
    std::vector<uint32_t> order_;   // groups, leaf by leaf
    std::vector<size_t> leaves_;    // where each begins, and one more

    // In how many of four rounds rows of pools are not clustered anew but only moved and swapped. Clustering pays less where groups
    // must hold many values, and seldom where shares are limited.
    static uint64_t rounds_of_moves(const Conditions* conditions) {
        uint64_t n = 1;
        for (size_t t = 0; conditions && t < conditions->tests.size(); t++) {
            int kind = conditions->tests[t].kind;
            bool many = kind == test::DISTINCT || kind == test::ENTROPY || kind == test::RECURSIVE;
            n = std::max<uint64_t>(n, kind == test::WEIGHED ? 1 : many ? 2 : 3);
        }
        return n;
    }

    void measure(size_t g) {
        hulls_[g].start(sheet_, sheet_.at(groups_[g][0]));
        for (uint32_t row : groups_[g]) hulls_[g].add(sheet_, sheet_.at(row));
        losses_[g] = hulls_[g].price(sheet_) * int64_t(groups_[g].size());
    }

    // Does all the work, each piece by whichever thread is free.
    template <typename F>
    void in_parallel(size_t n, F work) {
        std::atomic<size_t> next{0};
        auto some = [&](Pool& pool) {
            for (size_t i = next++; i < n; i = next++) work(i, pool);
        };
        std::vector<std::thread> threads;
        for (size_t t = 1; t < pools_.size() && t < n; t++) threads.emplace_back(some, std::ref(*pools_[t]));
        some(*pools_[0]);
        for (std::thread& thread : threads) thread.join();
    }

    // Halves the groups again and again: by what they cost with one group, less what they cost with another far from it.
    void divide(Lots& lots) {
        size_t n = groups_.size(), leaf = std::min(LEAF, std::max<size_t>(12, n / 8));
        order_.resize(n);
        std::iota(order_.begin(), order_.end(), 0);
        leaves_.clear();
        std::vector<std::pair<size_t, size_t>> stack{{0, n}};
        std::vector<std::pair<int64_t, uint32_t>> side;
        while (!stack.empty()) {
            auto [first, end] = stack.back();
            stack.pop_back();
            if (end - first <= leaf) {
                leaves_.push_back(first);
                continue;
            }
            uint32_t one = order_[first + lots.below(end - first)], other = one;
            for (int turn = 0; turn < 2; turn++) {  // two groups far from each other
                int64_t most = -1;
                uint32_t from = turn == 0 ? one : other, far = from;
                for (int look = 0; look < 12; look++) {
                    uint32_t g = order_[first + lots.below(end - first)];
                    int64_t price = hulls_[from].price_with(sheet_, hulls_[g]);
                    if (price > most) most = price, far = g;
                }
                (turn == 0 ? other : one) = far;
            }
            side.clear();
            for (size_t i = first; i < end; i++) {
                const Hull& hull = hulls_[order_[i]];
                side.push_back({hulls_[one].price_with(sheet_, hull) - hulls_[other].price_with(sheet_, hull), order_[i]});
            }
            visits_ += 2 * (end - first) * sheet_.d;
            size_t half = (end - first) / 2;
            std::nth_element(side.begin(), side.begin() + ptrdiff_t(half), side.end());
            for (size_t i = first; i < end; i++) order_[i] = side[i - first].second;
            stack.push_back({first + half, end}), stack.push_back({first, first + half});
        }
        std::sort(leaves_.begin(), leaves_.end());
        for (size_t i = 0; i < leaves_.size(); i++)
            std::sort(order_.begin() + ptrdiff_t(leaves_[i]), order_.begin() + ptrdiff_t(i + 1 < leaves_.size() ? leaves_[i + 1] : n));
        leaves_.push_back(n);
    }

    void look_for_gaps() {
        gaps_.resize(groups_.size());
        in_parallel(groups_.size(), [&](size_t g, Pool&) {
            gaps_[g] = losses_[g];
            for (uint32_t row : groups_[g]) gaps_[g] -= pay_[row];
            gaps_[g] = std::max<int64_t>(gaps_[g], 0);
        });
        mean_gap_ = std::accumulate(gaps_.begin(), gaps_.end(), int64_t(0)) / int64_t(gaps_.size());
    }

    // Whether a pool is to be made around a group: the more it loses above its pay, the more often.
    bool worthwhile(uint32_t g, Lots& lots) const { return !pay_ || gaps_[g] * 1024 > int64_t(lots.below(1024)) * mean_gap_; }

    // Pools of near groups of a leaf, one after the other.
    int64_t work_on(size_t leaf, Pool& pool, Lots& lots, uint64_t number, int64_t heat, std::vector<std::vector<uint32_t>>& made) {
        std::vector<uint32_t> own(order_.begin() + ptrdiff_t(leaves_[leaf]), order_.begin() + ptrdiff_t(leaves_[leaf + 1]));
        for (size_t i = own.size(); i > 1; i--) std::swap(own[i - 1], own[lots.below(i)]);
        std::vector<char> used(own.size(), 0);
        std::vector<std::pair<int64_t, size_t>> near;
        std::vector<std::vector<uint32_t>> groups;
        int64_t change = 0;
        for (size_t i = 0; i < own.size(); i++) {
            if (used[i]) continue;
            uint32_t seed = own[i];
            if (!worthwhile(seed, lots)) continue;
            used[i] = 1;
            near.clear();
            bool by_row = lots.below(2) == 0;
            const int32_t* row = sheet_.at(groups_[seed][lots.below(groups_[seed].size())]);
            for (size_t j = pay_ ? 0 : i + 1; j < own.size(); j++) {
                if (used[j]) continue;
                uint32_t other = own[j];
                int64_t cost = 0;
                if (by_row) {
                    for (size_t c = 0; c < sheet_.d; c++) cost += hulls_[other].price_with(sheet_, c, row[c]);
                    cost = cost * int64_t(groups_[other].size() + 1) - losses_[other];
                } else
                    cost = hulls_[seed].price_with(sheet_, hulls_[other]) * int64_t(groups_[seed].size() + groups_[other].size()) - losses_[other];
                near.push_back({cost, j});
            }
            pool.visits += near.size() * sheet_.d;
            size_t size = 2 + lots.below(std::max<size_t>(3, FEW_ROWS / k_)), rows = groups_[seed].size();
            std::sort(near.begin(), near.end());
            groups.assign(1, groups_[seed]);
            for (auto& [cost, j] : near) {
                if (groups.size() >= size) break;
                if (lots.below(4) == 0) continue;
                if ((rows += groups_[own[j]].size()) > MOST_ROWS) break;
                groups.push_back(groups_[own[j]]);
                used[j] = 1;
            }
            int64_t more = heat * int64_t(rows) / 1024;
            change += pool.run(groups, lots, more > 0 ? int64_t(lots.below(size_t(std::min<int64_t>(more, INT32_MAX)))) : 0, number % 4 < rounds_of_moves_ ? 1 : 0);
            for (auto& group : groups) made.push_back(group);
        }
        for (size_t i = 0; i < own.size(); i++)
            if (!used[i]) made.push_back(groups_[own[i]]);
        return change;
    }
};

}  // namespace amongst
