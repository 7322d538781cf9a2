// Groups of weighed tuples that grow until each weighs k: merging, borrowing, dividing (Xu et al., section 4).
// A tuple may be divided: its pieces are then in different groups.
#pragma once

#include <chrono>
#include <functional>

#include "pair_price.h"

namespace amongst {

using Tick = std::function<bool(int64_t, int64_t)>;  // done, total -> go on?

template <typename T, int L>
class WeighedGroups {
    using B = Box<T, L>;

public:
    struct Group {
        std::vector<uint32_t> pieces;
        B box;
        int64_t price = 0;   // a row
        int64_t weight = 0;  // 0: the group is gone
    };

    WeighedGroups(const Rows<T, L>& tuples, const uint32_t* count, const int32_t* group_of_tuple, size_t n_groups, int64_t k)
        : tuples_(tuples), k_(k), pair_(tuples.prices), groups_(n_groups), seen_(n_groups, 0) {
        for (size_t t = 0; t < tuples.n; t++) {
            pieces_.push_back({uint32_t(t), count[t], group_of_tuple[t], NONE});
            groups_[size_t(group_of_tuple[t])].pieces.push_back(uint32_t(t));
        }
        link_.resize(n_groups);
        for (size_t g = 0; g < n_groups; g++) {
            measure(groups_[g]);
            link_[g] = {g == 0 ? NONE : uint32_t(g - 1), g + 1 == n_groups ? NONE : uint32_t(g + 1)};
        }
        for (size_t g = 0; g < n_groups; g++) divide(g);
    }

    // Merges, and where `borrows` also borrows, until every group weighs k; the lightest groups first, those of one
    // weight in their order. `close` calls back with the groups that may be chosen. False when told to stop.
    template <typename Close>
    bool raise(Close close, bool borrows, const Tick& tick) {
        std::vector<std::vector<uint32_t>> waiting(size_t(std::max<int64_t>(k_, 1)));
        int64_t total = 0, done = 0;
        for (size_t g = 0; g < groups_.size(); g++)
            if (groups_[g].weight < k_) waiting[size_t(groups_[g].weight)].push_back(uint32_t(g)), total++;
        auto last = std::chrono::steady_clock::now();
        for (int64_t s = 1; s < k_; s++) {
            std::sort(waiting[size_t(s)].begin(), waiting[size_t(s)].end());
            for (uint32_t g : waiting[size_t(s)]) {
                if (groups_[g].weight != s) continue;
                uint32_t grown = grow(g, close, borrows);
                if (grown == NONE) return true;  // it is alone
                if (groups_[grown].weight < k_) waiting[size_t(groups_[grown].weight)].push_back(grown);
                if (tick && (++done & 255) == 0) {
                    auto now = std::chrono::steady_clock::now();
                    if (now - last > std::chrono::milliseconds(100)) {
                        last = now;
                        if (!tick(std::min(done, total), total)) return false;
                    }
                }
            }
            std::vector<uint32_t>().swap(waiting[size_t(s)]);
        }
        return true;
    }

    // Calls f with up to `window` groups on each side, in the order the groups began in.
    template <typename F>
    void beside(uint32_t g, int window, F f) const {
        uint32_t h = link_[g].before;
        for (int i = 0; i < window && h != NONE; i++, h = link_[h].before) f(h);
        h = link_[g].after;
        for (int i = 0; i < window && h != NONE; i++, h = link_[h].after) f(h);
    }

    // Calls f with the groups of the tuples near those of a group, each group once; `n_near` tuples are near each.
    template <typename F>
    void near(uint32_t g, const std::vector<uint32_t>& near, size_t n_near, F f) {
        stamp_++;
        seen_[g] = stamp_;
        for (uint32_t p : groups_[g].pieces)
            for (size_t i = 0; i < n_near; i++)
                for (uint32_t q = near[size_t(pieces_[p].tuple) * n_near + i]; q != NONE; q = pieces_[q].next) {
                    uint32_t h = uint32_t(pieces_[q].group);
                    if (seen_[h] == stamp_) continue;
                    seen_[h] = stamp_;
                    f(h);
                }
    }

    // Calls f with all other groups.
    template <typename F>
    void all(uint32_t g, F f) const {
        for (size_t h = 0; h < groups_.size(); h++)
            if (h != g && groups_[h].weight > 0) f(uint32_t(h));
    }

    // Deals the rows of every tuple out to its pieces. Groups of 2k and more (their rows cost nothing together, else they
    // would have been divided) are dealt out to as many groups as they can fill. The number of groups.
    int32_t label(const uint32_t* tuple_of_row, size_t n_rows, int32_t* group_of_row) const {
        std::vector<uint32_t> piece(tuples_.n), left(tuples_.n);
        for (size_t t = 0; t < tuples_.n; t++) piece[t] = uint32_t(t), left[t] = pieces_[t].weight;
        std::vector<int32_t> first(groups_.size(), -1);
        std::vector<int64_t> dealt(groups_.size(), 0);
        int32_t n_groups = 0;
        for (size_t g = 0; g < groups_.size(); g++)
            if (groups_[g].weight > 0) first[g] = n_groups, n_groups += int32_t(parts(groups_[g]));
        for (size_t r = 0; r < n_rows; r++) {
            uint32_t t = tuple_of_row[r];
            while (left[t] == 0) piece[t] = pieces_[piece[t]].next, left[t] = pieces_[piece[t]].weight;
            left[t]--;
            size_t g = size_t(pieces_[piece[t]].group);
            group_of_row[r] = first[g] + int32_t(dealt[g]++ * parts(groups_[g]) / groups_[g].weight);
        }
        return n_groups;
    }

private:
    static constexpr uint32_t NONE = 0xFFFFFFFFu;
    struct Piece {
        uint32_t tuple, weight;
        int32_t group;
        uint32_t next;  // the next piece of the same tuple
    };
    struct Link {
        uint32_t before, after;
    };
    struct Loan {
        uint32_t piece, weight;
    };

    const Rows<T, L>& tuples_;
    int64_t k_;
    PairPrice<T, L> pair_;
    std::vector<Piece> pieces_;
    std::vector<Group> groups_;
    std::vector<Link> link_;
    std::vector<uint64_t> seen_;
    uint64_t stamp_ = 0;
    std::vector<Loan> loans_;
    std::vector<B> before_, after_;

    const T* at(uint32_t piece) const { return tuples_.at(pieces_[piece].tuple); }

    int64_t parts(const Group& group) const { return std::max<int64_t>(1, group.weight / k_); }

    void measure(Group& group) {
        group.weight = group.price = 0;
        if (group.pieces.empty()) return;
        group.box.start(at(group.pieces[0]));
        for (uint32_t p : group.pieces) group.box.add(at(p)), group.weight += pieces_[p].weight;
        group.price = tuples_.price(group.box);
    }

    // By how much the loss grows when group g joins group h. Where both come to 2k and more they will be divided again:
    // then k rows pay for the box of both, and the rest what they paid before.
    int64_t added(const Group& g, const Group& h) const {
        B box = g.box;
        box.add(h.box);
        int64_t price = tuples_.price(box), both = g.weight + h.weight;
        return both < 2 * k_ ? price * both - h.price * h.weight : price * k_ - h.price * (k_ - g.weight);
    }

    template <typename Close>
    uint32_t grow(uint32_t g, Close close, bool borrows) {
        uint32_t nearest = NONE, lender = NONE;
        int64_t least = INT64_MAX, least_lender = INT64_MAX;
        int64_t need = k_ - groups_[g].weight;
        auto look = [&](uint32_t h) {
            int64_t more = added(groups_[g], groups_[h]);
            if (more < least || (more == least && h < nearest)) least = more, nearest = h;
            if (!borrows || groups_[h].weight < k_ + need) return;
            if (more < least_lender || (more == least_lender && h < lender)) least_lender = more, lender = h;
        };
        close(g, look);
        if (nearest == NONE) all(g, look);
        if (nearest == NONE) return NONE;
        if (lender != NONE && borrow(g, lender, need, nearest)) return g;
        merge(g, nearest);
        divide(nearest);
        return nearest;
    }

    void merge(uint32_t g, uint32_t into) {
        Group &from = groups_[g], &to = groups_[into];
        for (uint32_t p : from.pieces) pieces_[p].group = int32_t(into), to.pieces.push_back(p);
        to.box.add(from.box);
        to.price = tuples_.price(to.box);
        to.weight += from.weight;
        from = Group();
        Link link = link_[g];
        if (link.before != NONE) link_[link.before].after = link.after;
        if (link.after != NONE) link_[link.after].before = link.before;
    }

    // Takes what a group needs from a lender, the rows that widen it least first, if that costs less than merging.
    bool borrow(uint32_t g, uint32_t lender, int64_t need, uint32_t nearest) {
        loans_.clear();
        B box = groups_[g].box;
        std::vector<uint32_t> rest = groups_[lender].pieces;
        int64_t price = 0;
        for (int64_t left = need; left > 0;) {
            size_t cheapest = 0;
            int64_t least = INT64_MAX;
            for (size_t i = 0; i < rest.size(); i++) {
                B wider = box;
                wider.add(at(rest[i]));
                int64_t p = tuples_.price(wider);
                if (p < least || (p == least && rest[i] < rest[cheapest])) least = p, cheapest = i;
            }
            uint32_t piece = rest[cheapest];
            uint32_t weight = uint32_t(std::min<int64_t>(left, pieces_[piece].weight));
            loans_.push_back({piece, weight});
            box.add(at(piece));
            price = least;
            left -= weight;
            if (weight == pieces_[piece].weight) rest[cheapest] = rest.back(), rest.pop_back();
        }
        B kept;
        kept.start(at(rest[0]));
        for (uint32_t p : rest) kept.add(at(p));
        const Group &own = groups_[g], &theirs = groups_[lender];
        int64_t more = price * k_ + tuples_.price(kept) * (theirs.weight - need) - theirs.price * theirs.weight;
        if (more >= added(own, groups_[nearest])) return false;
        groups_[lender].pieces = rest;
        for (const Loan& loan : loans_) take(loan, g);
        measure(groups_[g]), measure(groups_[lender]);
        return true;
    }

    // Moves a piece, or as much of it as is lent, to a group.
    void take(const Loan& loan, uint32_t g) {
        uint32_t piece = loan.piece;
        if (loan.weight < pieces_[piece].weight) piece = cut(piece, loan.weight);
        pieces_[piece].group = int32_t(g);
        groups_[g].pieces.push_back(piece);
    }

    // A new piece of some weight, taken off another.
    uint32_t cut(uint32_t piece, uint32_t weight) {
        uint32_t made = uint32_t(pieces_.size());
        pieces_.push_back({pieces_[piece].tuple, weight, pieces_[piece].group, pieces_[piece].next});
        pieces_[piece].weight -= weight;
        pieces_[piece].next = made;
        return made;
    }

    // Divides a group until no part weighs 2k; a group of no price stays as it is.
    void divide(size_t start) {
        std::vector<size_t> stack{start};
        while (!stack.empty()) {
            size_t g = stack.back();
            stack.pop_back();
            if (groups_[g].weight < 2 * k_ || groups_[g].price == 0) continue;
            size_t made = halve(g);
            stack.push_back(made), stack.push_back(g);
        }
    }

    // Cuts a group in two where it costs least, along the line between two rows that are far apart. The new group's number.
    size_t halve(size_t g) {
        std::vector<uint32_t> pieces = groups_[g].pieces;
        sort_between_seeds(pieces);
        size_t m = pieces.size();
        before_.resize(m), after_.resize(m);
        before_[0].start(at(pieces[0])), after_[m - 1].start(at(pieces[m - 1]));
        for (size_t i = 1; i < m; i++) {
            before_[i] = before_[i - 1], before_[i].add(at(pieces[i]));
            after_[m - 1 - i] = after_[m - i], after_[m - 1 - i].add(at(pieces[m - 1 - i]));
        }
        int64_t weight = groups_[g].weight, least = INT64_MAX, upto = 0, left = 0;
        size_t last = 0;  // the last piece of the left part, of which `left` rows lie on the left
        for (size_t i = 0; i < m; i++) {
            int64_t end = upto + pieces_[pieces[i]].weight;
            for (int64_t w : {k_, weight - k_, end}) {
                if (w <= upto || w > end || w < k_ || w > weight - k_) continue;
                int64_t loss = tuples_.price(before_[i]) * w + tuples_.price(after_[w == end ? i + 1 : i]) * (weight - w);
                if (loss < least) least = loss, last = i, left = w - upto;
            }
            upto = end;
        }
        size_t made = groups_.size();
        groups_.emplace_back(), seen_.push_back(0);
        link_.push_back({uint32_t(g), link_[g].after});
        if (link_[made].after != NONE) link_[link_[made].after].before = uint32_t(made);
        link_[g].after = uint32_t(made);
        uint32_t rest = uint32_t(int64_t(pieces_[pieces[last]].weight) - left);
        if (rest > 0) groups_[made].pieces.push_back(cut(pieces[last], rest));
        groups_[made].pieces.insert(groups_[made].pieces.end(), pieces.begin() + last + 1, pieces.end());
        pieces.resize(last + 1);
        groups_[g].pieces = pieces;
        for (uint32_t p : groups_[made].pieces) pieces_[p].group = int32_t(made);
        measure(groups_[g]), measure(groups_[made]);
        return made;
    }

    // From the pieces nearest to one seed to those nearest to the other.
    void sort_between_seeds(std::vector<uint32_t>& pieces) {
        uint32_t u = pieces[0], v = u;
        int32_t far = -1;
        for (int round = 0; round < 3; round++) {
            int32_t now = -1;
            uint32_t found = u;
            pair_.from(at(u));
            for (uint32_t p : pieces)
                if (pair_.to(at(p)) > now) now = pair_.to(at(p)), found = p;
            if (now <= far) break;
            far = now, v = u, u = found;
        }
        std::vector<std::pair<int32_t, uint32_t>> order;
        pair_.from(at(u));
        for (uint32_t p : pieces) order.push_back({pair_.to(at(p)), p});
        pair_.from(at(v));
        for (auto& [difference, p] : order) difference -= pair_.to(at(p));
        std::sort(order.begin(), order.end());
        for (size_t i = 0; i < pieces.size(); i++) pieces[i] = order[i].second;
    }
};

}  // namespace amongst
