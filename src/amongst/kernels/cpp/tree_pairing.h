// Two trees made one: which node goes with which, and what it costs (MultiRelational k-Anonymity, algorithms 1, 3, 4, 5).
#pragma once

#include <limits>

#include "level_pairing.h"

namespace amongst {

struct PairingOptions {
    bool upper_only = false;  // MiRaCleX: nodes are paired by their own values, without what is below them
    bool optimal = false;     // assignment of least total cost, not the first best for each in turn
    bool increase = false;    // price what a merger adds to the loss of all its members, not the loss of one copy
    bool levels = false;      // with upper_only: nodes are paired level by level, not every one with every one
    bool printed = false;     // as printed: the loss of one tree for both, in which rows without a partner stay as stars
};

constexpr size_t MOST_PAIRS = size_t(1) << 22;  // of two trees whose pairs are priced in advance
constexpr size_t MOST_OPTIMAL = 256;            // children of one node that are assigned optimally

// The assignment of least total cost of m rows to n >= m columns, by shortest augmenting paths.
template <typename Cost>
void assign(size_t m, size_t n, Cost&& cost, std::vector<int64_t>& column_of_row) {
    constexpr int64_t far = std::numeric_limits<int64_t>::max() / 4;
    std::vector<int64_t> u(m + 1), v(n + 1), least(n + 1);
    std::vector<size_t> row_of(n + 1, 0), way(n + 1, 0);
    std::vector<char> used(n + 1);
    for (size_t i = 1; i <= m; i++) {
        row_of[0] = i;
        size_t at = 0;
        std::fill(least.begin(), least.end(), far);
        std::fill(used.begin(), used.end(), 0);
        do {
            used[at] = 1;
            size_t row = row_of[at], next = 0;
            int64_t step = far;
            for (size_t j = 1; j <= n; j++) {
                if (used[j]) continue;
                int64_t reduced = cost(row - 1, j - 1) - u[row] - v[j];
                if (reduced < least[j]) least[j] = reduced, way[j] = at;
                if (least[j] < step) step = least[j], next = j;
            }
            for (size_t j = 0; j <= n; j++) {
                if (used[j]) u[row_of[j]] += step, v[j] -= step;
                else least[j] -= step;
            }
            at = next;
        } while (row_of[at] != 0);
        do {
            size_t before = way[at];
            row_of[at] = row_of[before];
            at = before;
        } while (at != 0);
    }
    column_of_row.assign(m, -1);
    for (size_t j = 1; j <= n; j++)
        if (row_of[j]) column_of_row[row_of[j] - 1] = int64_t(j - 1);
}

class Pairing {
public:
    Pairing(const Forest& forest, PairingOptions options) : forest_(forest), options_(options), cost_(forest.size()), pairs_(forest.size()) {
        for (const TableRows& table : forest) alike_.push_back(table.parent >= 0 && table.alike());
    }

    // What it costs to make two people, or groups of them, indistinguishable: a share of all there is to lose.
    double distance(const Entity& a, const Entity& b) {
        if (options_.printed) return match(a, b);
        weigh(a, b);
        int64_t cost = in_advance(a, b) ? (price_pairs(a, b), cost_[0][0]) : walk(a, b, false, false);
        return share(a, b, cost);
    }

    // The same, with the pairs of nodes kept in `pairs`.
    double match(const Entity& a, const Entity& b) {
        weigh(a, b);
        bool priced = in_advance(a, b);
        if (priced) price_pairs(a, b);
        return share(a, b, walk(a, b, priced, true));
    }

    // a takes in b: of both trees the nodes that were paired stay, as printed the others too, as stars.
    void merge(Entity& a, const Entity& b) {
        match(a, b);
        Entity made;
        made.members = a.members;
        made.members.insert(made.members.end(), b.members.begin(), b.members.end());
        made.of.resize(forest_.size());
        for (size_t t = 0; t < forest_.size(); t++) {
            auto& pairs = pairs_[t];
            const Nodes &from = a.of[t], &other = b.of[t];
            Nodes& nodes = made.of[t];
            size_t d = forest_[t].d(), n = pairs.size();
            nodes.n = n;
            nodes.lo.resize(n * d);
            nodes.hi.resize(n * d);
            std::vector<char> star(n, 0);
            for (size_t i = 0; i < n; i++) {
                star[i] = pairs[i].a < 0 || pairs[i].b < 0 || from.star(size_t(pairs[i].a)) || other.star(size_t(pairs[i].b));
                for (size_t c = 0; star[i] && c < d; c++) {
                    nodes.lo[i * d + c] = 0;
                    nodes.hi[i * d + c] = int32_t(forest_[t].columns[c].n - 1);
                }
                if (star[i]) continue;
                size_t x = size_t(pairs[i].a) * d, y = size_t(pairs[i].b) * d;
                for (size_t c = 0; c < d; c++) {
                    nodes.lo[i * d + c] = std::min(from.lo[x + c], other.lo[y + c]);
                    nodes.hi[i * d + c] = std::max(from.hi[x + c], other.hi[y + c]);
                }
            }
            nodes.rows.reserve(n * made.size());
            for (size_t m = 0; m < a.size(); m++)
                for (size_t i = 0; i < n; i++) nodes.rows.push_back(star[i] ? -1 : from.rows[m * from.n + size_t(pairs[i].a)]);
            for (size_t m = 0; m < b.size(); m++)
                for (size_t i = 0; i < n; i++) nodes.rows.push_back(star[i] ? -1 : other.rows[m * other.n + size_t(pairs[i].b)]);
            if (t > 0) {
                nodes.first.assign(pairs_[size_t(forest_[t].parent)].size() + 1, 0);
                for (const Pair& pair : pairs) nodes.first[size_t(pair.parent) + 1]++;
                for (size_t i = 1; i < nodes.first.size(); i++) nodes.first[i] += nodes.first[i - 1];
            }
        }
        price_entity(forest_, made, options_.increase);
        a = std::move(made);
    }

    struct Pair {
        int64_t a, b, parent;  // parent: the number of the pair that theirs are; -1 for a partner that there is not
    };
    const std::vector<std::vector<Pair>>& pairs() const { return pairs_; }

private:
    const Forest& forest_;
    PairingOptions options_;
    std::vector<std::vector<int64_t>> cost_;  // of every pair of nodes with all below them, table by table
    std::vector<std::vector<Pair>> pairs_;
    std::vector<int64_t> chosen_, grid_;
    std::vector<char> taken_, alike_;
    int64_t wa_ = 1, wb_ = 1;

    void weigh(const Entity& a, const Entity& b) {
        wa_ = options_.increase ? int64_t(a.size()) : 1;
        wb_ = options_.increase ? int64_t(b.size()) : 1;
    }
    double share(const Entity& a, const Entity& b, int64_t cost) const {
        int64_t whole = options_.increase ? b.full * int64_t(b.size()) : a.full + b.full;
        if (options_.printed) {  // of the tree that stands for both
            whole = 0;
            for (size_t t = 0; t < forest_.size(); t++) whole += forest_[t].full * int64_t(pairs_[t].size());
        }
        return whole > 0 ? double(cost) / double(whole) : 0.0;
    }
    bool in_advance(const Entity& a, const Entity& b) const {
        if (options_.upper_only) return false;
        size_t pairs = 0;
        for (size_t t = 0; t < forest_.size(); t++) pairs += a.of[t].n * b.of[t].n;
        return pairs <= MOST_PAIRS;
    }

    int64_t own(size_t t, const Nodes& a, size_t i, const Nodes& b, size_t j) const {
        const TableRows& table = forest_[t];
        size_t d = table.d();
        const int32_t *la = a.lo.data() + i * d, *ha = a.hi.data() + i * d, *lb = b.lo.data() + j * d, *hb = b.hi.data() + j * d;
        int64_t price = 0;
        for (size_t c = 0; c < d; c++) price += table.columns[c].of(std::min(la[c], lb[c]), std::max(ha[c], hb[c]));
        return options_.printed ? price : wa_ * (price - a.old[i]) + wb_ * (price - b.old[j]);
    }

    // From the leaves up, the cost of every pair of nodes of a table, the best pairing below them included.
    void price_pairs(const Entity& a, const Entity& b) {
        for (size_t t = forest_.size(); t-- > 0;) {
            if (alike_[t]) continue;
            const Nodes &x = a.of[t], &y = b.of[t];
            auto& cost = cost_[t];
            cost.resize(x.n * y.n);
            for (size_t i = 0; i < x.n; i++)
                for (size_t j = 0; j < y.n; j++) {
                    int64_t price = own(t, x, i, y, j);
                    for (size_t u : forest_[t].children) {
                        const int64_t *fa = &a.of[u].first[i], *fb = &b.of[u].first[j];
                        if (fa[0] == fa[1] && fb[0] == fb[1]) continue;
                        if (alike_[u]) {
                            price += left_alone(u, fa[1] - fa[0], fb[1] - fb[0]);
                            continue;
                        }
                        price += pair_children(a.of[u], b.of[u], size_t(fa[0]), size_t(fa[1]), size_t(fb[0]), size_t(fb[1]),
                                               cost_[u].data(), b.of[u].n);
                    }
                    cost[i * y.n + j] = price;
                }
        }
    }

    // What the rows without a partner cost where all rows are alike.
    int64_t left_alone(size_t u, int64_t n_a, int64_t n_b) const { return forest_[u].full * (n_a > n_b ? wa_ * (n_a - n_b) : wb_ * (n_b - n_a)); }

    // Pairs the children [a0, a1) with [b0, b1): the cost of the pairs and of the children that stay alone.
    // chosen_[i] is the partner of the i-th of the smaller side.
    int64_t pair_children(const Nodes& a, const Nodes& b, size_t a0, size_t a1, size_t b0, size_t b1, const int64_t* cost, size_t stride) {
        bool swapped = a1 - a0 > b1 - b0;
        size_t m = swapped ? b1 - b0 : a1 - a0, n = swapped ? a1 - a0 : b1 - b0;
        const int64_t* lost = swapped ? a.lost.data() + a0 : b.lost.data() + b0;
        int64_t weight = swapped ? wa_ : wb_, sum = 0;
        auto of = [&](size_t i, size_t j) { return swapped ? cost[(a0 + j) * stride + b0 + i] : cost[(a0 + i) * stride + b0 + j]; };
        taken_.assign(n, 0);
        chosen_.resize(m);
        if (options_.optimal && n <= MOST_OPTIMAL) {
            assign(m, n, [&](size_t i, size_t j) { return of(i, j) - weight * lost[j]; }, chosen_);
            for (size_t i = 0; i < m; i++) taken_[size_t(chosen_[i])] = 1, sum += of(i, size_t(chosen_[i]));
        } else {
            for (size_t i = 0; i < m; i++) {
                size_t best = n;
                int64_t least = 0;
                for (size_t j = 0; j < n; j++) {
                    if (taken_[j]) continue;
                    int64_t price = of(i, j);
                    if (best == n || price < least) best = j, least = price;
                }
                taken_[best] = 1;
                chosen_[i] = int64_t(best);
                sum += least;
            }
        }
        for (size_t j = 0; j < n; j++)
            if (!taken_[j]) sum += weight * lost[j];
        return sum;
    }

    // From the roots down: the pairs of every table, and what they cost. Without prices of all pairs the children are
    // paired by their own values alone. Without `all`, pairs that nothing hangs on are not kept.
    int64_t walk(const Entity& a, const Entity& b, bool priced, bool all) {
        for (auto& pairs : pairs_) pairs.clear();
        pairs_[0].push_back({0, 0, -1});
        int64_t sum = own(0, a.of[0], 0, b.of[0], 0);
        for (size_t t = 0; t < forest_.size(); t++) {
            for (size_t p = 0; p < pairs_[t].size(); p++) {
                Pair pair = pairs_[t][p];
                for (size_t u : forest_[t].children) {
                    const Nodes &x = a.of[u], &y = b.of[u];
                    if (pair.a < 0 || pair.b < 0) {  // what it costs was counted with the row itself
                        const Nodes& own = pair.a < 0 ? y : x;
                        size_t at = size_t(pair.a < 0 ? pair.b : pair.a);
                        for (int64_t i = own.first[at]; i < own.first[at + 1]; i++)
                            pairs_[u].push_back(pair.a < 0 ? Pair{-1, i, int64_t(p)} : Pair{i, -1, int64_t(p)});
                        continue;
                    }
                    size_t a0 = size_t(x.first[size_t(pair.a)]), a1 = size_t(x.first[size_t(pair.a) + 1]);
                    size_t b0 = size_t(y.first[size_t(pair.b)]), b1 = size_t(y.first[size_t(pair.b) + 1]);
                    if (a0 == a1 && b0 == b1) continue;
                    sum += pair_walked(u, x, y, a0, a1, b0, b1, int64_t(p), priced, all || !forest_[u].children.empty());
                }
            }
        }
        return sum;
    }

    // The children of one pair: what their own values cost, and those that stay alone.
    int64_t pair_walked(size_t u, const Nodes& x, const Nodes& y, size_t a0, size_t a1, size_t b0, size_t b1, int64_t parent, bool priced, bool keep) {
        bool swapped = a1 - a0 > b1 - b0;
        int64_t sum = 0;
        if (alike_[u]) {
            if (!keep) return left_alone(u, int64_t(a1 - a0), int64_t(b1 - b0));
            size_t m = std::min(a1 - a0, b1 - b0), n = std::max(a1 - a0, b1 - b0);
            chosen_.resize(m);
            for (size_t i = 0; i < m; i++) chosen_[i] = int64_t(i);
            taken_.assign(n, 0);
            std::fill(taken_.begin(), taken_.begin() + int64_t(m), 1);
        } else if (priced) {
            pair_children(x, y, a0, a1, b0, b1, cost_[u].data(), y.n);
            for (size_t i = 0; i < chosen_.size(); i++)
                sum += swapped ? own(u, x, a0 + size_t(chosen_[i]), y, b0 + i) : own(u, x, a0 + i, y, b0 + size_t(chosen_[i]));
        } else if (options_.levels && options_.upper_only) {
            if (swapped) pair_by_levels(forest_[u], y, x, b0, b1, a0, a1, chosen_, taken_);
            else pair_by_levels(forest_[u], x, y, a0, a1, b0, b1, chosen_, taken_);
            for (size_t i = 0; i < chosen_.size(); i++)
                sum += swapped ? own(u, x, a0 + size_t(chosen_[i]), y, b0 + i) : own(u, x, a0 + i, y, b0 + size_t(chosen_[i]));
        } else if (options_.optimal && std::max(a1 - a0, b1 - b0) <= MOST_OPTIMAL) {
            sum = assign_grid(u, x, y, a0, a1, b0, b1);
        } else {
            sum = first_best(u, x, y, a0, a1, b0, b1);
        }
        const int64_t* lost = swapped ? x.lost.data() + a0 : y.lost.data() + b0;
        int64_t alone = 0;
        for (size_t j = 0; j < taken_.size(); j++)
            if (!taken_[j]) alone += lost[j];
        sum += (swapped ? wa_ : wb_) * alone;
        if (!keep) return sum;
        size_t before = pairs_[u].size();
        for (size_t i = 0; i < chosen_.size(); i++) {
            int64_t one = int64_t(i), other = chosen_[i];
            pairs_[u].push_back(swapped ? Pair{int64_t(a0) + other, int64_t(b0) + one, parent} : Pair{int64_t(a0) + one, int64_t(b0) + other, parent});
        }
        for (size_t j = 0; options_.printed && j < taken_.size(); j++)
            if (!taken_[j]) pairs_[u].push_back(swapped ? Pair{int64_t(a0 + j), -1, parent} : Pair{-1, int64_t(b0 + j), parent});
        if (swapped) std::sort(pairs_[u].begin() + int64_t(before), pairs_[u].end(), [](const Pair& p, const Pair& q) { return p.a < q.a; });
        return sum;
    }

    int64_t assign_grid(size_t u, const Nodes& x, const Nodes& y, size_t a0, size_t a1, size_t b0, size_t b1) {
        bool swapped = a1 - a0 > b1 - b0;
        size_t m = swapped ? b1 - b0 : a1 - a0, n = swapped ? a1 - a0 : b1 - b0;
        grid_.resize(m * n);
        for (size_t i = 0; i < m; i++)
            for (size_t j = 0; j < n; j++) grid_[i * n + j] = swapped ? own(u, x, a0 + j, y, b0 + i) : own(u, x, a0 + i, y, b0 + j);
        int64_t weight = swapped ? wa_ : wb_, sum = 0;
        const int64_t* lost = swapped ? x.lost.data() + a0 : y.lost.data() + b0;
        taken_.assign(n, 0);
        assign(m, n, [&](size_t i, size_t j) { return grid_[i * n + j] - weight * lost[j]; }, chosen_);
        for (size_t i = 0; i < m; i++) taken_[size_t(chosen_[i])] = 1, sum += grid_[i * n + size_t(chosen_[i])];
        return sum;
    }

    int64_t first_best(size_t u, const Nodes& x, const Nodes& y, size_t a0, size_t a1, size_t b0, size_t b1) {
        bool swapped = a1 - a0 > b1 - b0;
        size_t m = swapped ? b1 - b0 : a1 - a0, n = swapped ? a1 - a0 : b1 - b0;
        taken_.assign(n, 0);
        chosen_.resize(m);
        int64_t sum = 0;
        for (size_t i = 0; i < m; i++) {
            size_t best = n;
            int64_t least = 0;
            for (size_t j = 0; j < n; j++) {
                if (taken_[j]) continue;
                int64_t price = swapped ? own(u, x, a0 + j, y, b0 + i) : own(u, x, a0 + i, y, b0 + j);
                if (best == n || price < least) best = j, least = price;
            }
            taken_[best] = 1;
            chosen_[i] = int64_t(best);
            sum += least;
        }
        return sum;
    }
};

}  // namespace amongst
