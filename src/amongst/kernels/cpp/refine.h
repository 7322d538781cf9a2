// Refining a grouping: moves, swaps, dissolving and splitting groups, each only when the loss falls.
#pragma once

#include "gain_split.h"

namespace amongst {

// Rows near each row: its neighbours when all rows are sorted by all columns, with every column last in turn.
// Rows that agree in all columns but one stand beside each other in one of these orders.
template <typename T, int L>
std::vector<uint32_t> neighbours(const Rows<T, L>& rows, int window) {
    size_t n = rows.n, d = rows.prices.size(), width = 2 * size_t(window) * d;
    std::vector<uint32_t> near(n * width), order(n);
    for (size_t turn = 0; turn < d; turn++) {
        for (size_t i = 0; i < n; i++) order[i] = uint32_t(i);
        std::sort(order.begin(), order.end(), [&](uint32_t a, uint32_t b) {
            const T *x = rows.at(a), *y = rows.at(b);
            for (size_t q = 1; q <= d; q++) {
                size_t c = (turn + q) % d;
                if (x[c] != y[c]) return x[c] < y[c];
            }
            return a < b;
        });
        for (size_t i = 0; i < n; i++) {
            uint32_t* own = &near[size_t(order[i]) * width + turn * 2 * size_t(window)];
            for (int w = 1; w <= window; w++) {
                own[2 * (w - 1)] = i >= size_t(w) ? order[i - size_t(w)] : order[i];
                own[2 * w - 1] = i + size_t(w) < n ? order[i + size_t(w)] : order[i];
            }
        }
    }
    return near;
}

template <typename T, int L>
class Refine {
    using B = Box<T, L>;
    struct Group {
        std::vector<uint32_t> rows;
        B box;
        int64_t price = 0;  // a row
        int64_t loss() const { return price * int64_t(rows.size()); }
    };

public:
    Refine(const Rows<T, L>& rows, const std::vector<Stretch>& stretches, size_t k, int window, const int32_t* group_of_row, size_t n_groups,
           const Conditions* conditions = nullptr)
        : rows_(rows), k_(k), splitter_(rows, stretches, k, conditions), near_(neighbours(rows, window)), n_near_(2 * size_t(window) * rows.prices.size()),
          group_of_(group_of_row, group_of_row + rows.n), groups_(n_groups), seen_(n_groups, 0), changed_(n_groups, 1), asked_(rows.n, 0),
          dissolve_asked_(n_groups, 0), split_asked_(n_groups, 0) {
        for (size_t r = 0; r < rows.n; r++) groups_[size_t(group_of_[r])].rows.push_back(uint32_t(r));
        for (Group& group : groups_) measure(group);
        if (conditions) judge_.reset(new Judge(*conditions));
    }

    // Groups that do not hold the conditions are joined with those near them until all hold, or one is left.
    // The smallest go first. Of the groups near its rows one is joined that makes it hold, where it costs least. If none
    // does, the rows of a small group go one by one to groups that hold and still do with them; what is left of it is
    // joined where that costs least.
    void mend() {
        if (!judge_) return;
        std::vector<size_t> failing;
        good_.assign(groups_.size(), 0);
        for (size_t g = 0; g < groups_.size(); g++) {
            good_[g] = !groups_[g].rows.empty() && holds(groups_[g]);
            if (!good_[g] && !groups_[g].rows.empty()) failing.push_back(g);
        }
        std::stable_sort(failing.begin(), failing.end(), [&](size_t a, size_t b) { return groups_[a].rows.size() < groups_[b].rows.size(); });
        for (size_t g : failing)
            while (!groups_[g].rows.empty() && !(good_[g] = holds(groups_[g]))) {
                bool makes_it_hold = false;
                size_t other = partner(g, makes_it_hold);
                if (other == g) return;  // there is no other group
                if (!makes_it_hold && groups_[g].rows.size() <= FEW && scatter(g)) continue;
                join(g, other);
            }
    }

    // One pass over all rows and groups; the number of changes. Asks `go_on()` now and then: the grouping holds at any time.
    template <typename GoOn>
    size_t pass(GoOn go_on) {
        size_t n = 0;
        for (size_t r = 0; r < rows_.n; r++) {
            if (r % 1024 == 1023 && !go_on()) return n;
            if (is_quiet(uint32_t(r))) continue;
            size_t moved = groups_[size_t(group_of_[r])].rows.size() > k_ ? move(uint32_t(r)) : 0;
            if (!moved && (judge_ || groups_[size_t(group_of_[r])].rows.size() <= k_)) moved = swap(uint32_t(r));
            n += moved;
        }
        for (size_t g = 0; g < groups_.size(); g++) {
            if (g % 256 == 255 && !go_on()) return n;
            n += dissolve(g);
        }
        for (size_t g = 0, end = groups_.size(); g < end; g++) n += split(g);
        return n;
    }

    int64_t loss() const {
        int64_t sum = 0;
        for (const Group& group : groups_) sum += group.loss();
        return sum;
    }

    const std::vector<int32_t>& group_of_row() const { return group_of_; }

private:
    const Rows<T, L>& rows_;
    size_t k_;
    GainSplit<T, L> splitter_;
    std::vector<uint32_t> near_;
    size_t n_near_;
    std::vector<int32_t> group_of_;
    std::vector<Group> groups_;
    std::vector<uint64_t> seen_;
    uint64_t stamp_ = 0;
    std::vector<size_t> close_;
    // What was asked in vain is asked again only when a group it depends on has changed since: the answer would be the same.
    uint64_t clock_ = 1;
    std::vector<uint64_t> changed_, asked_, dissolve_asked_, split_asked_;  // by group, row, group, group

    std::unique_ptr<Judge> judge_;  // null where only the size counts

    std::vector<std::pair<int64_t, size_t>> costs_;

    static constexpr uint32_t NOBODY = UINT32_MAX;
    static constexpr size_t PARTNERS = 64;     // so many of the cheapest are asked whether they make a group hold
    static constexpr size_t LOOKED_AT = 1024;  // of a large group about so many rows look for partners, which are fewer then
    static constexpr size_t FEW = 64, PLACES = 4;
    std::vector<char> good_;  // the groups that hold, while mending

    // Whether a group may be, without one of its rows and with another.
    bool holds(const Group& group, uint32_t without = NOBODY, uint32_t with = NOBODY) {
        judge_->clear();
        for (uint32_t row : group.rows)
            if (row != without) judge_->add(row);
        if (with != NOBODY) judge_->add(with);
        return judge_->holds();
    }

    bool may_hold(const Group& group, uint32_t without, uint32_t with) { return !judge_ || holds(group, without, with); }

    // Whether two rows may change places: always where nothing tells them apart but their quasi-identifiers.
    bool may_swap(const Group& own, uint32_t row, const Group& other, uint32_t theirs) {
        return !judge_ || judge_->alike(row, theirs) || (holds(own, row, theirs) && holds(other, theirs, row));
    }

    int64_t cost_of_joining(const Group& one, const Group& other) const {
        B box = one.box;
        box.add(other.box);
        return rows_.price(box) * int64_t(one.rows.size() + other.rows.size()) - one.loss() - other.loss();
    }

    // Of the groups near the rows of a group the cheapest to join that makes it hold, if one of the cheapest does; else
    // the cheapest. Where no other group is near, of all groups.
    size_t partner(size_t g, bool& makes_it_hold) {
        costs_.clear();
        stamp_++;
        seen_[g] = stamp_;
        const std::vector<uint32_t>& rows = groups_[g].rows;
        for (size_t place = 0; place < rows.size(); place += 1 + rows.size() / LOOKED_AT) {
            const uint32_t* near = &near_[size_t(rows[place]) * n_near_];
            for (size_t i = 0; i < n_near_; i++) {
                size_t other = size_t(group_of_[near[i]]);
                if (seen_[other] == stamp_) continue;
                seen_[other] = stamp_;
                costs_.push_back({cost_of_joining(groups_[g], groups_[other]), other});
            }
        }
        if (costs_.empty())
            for (size_t other = 0; other < groups_.size(); other++)
                if (other != g && !groups_[other].rows.empty()) costs_.push_back({cost_of_joining(groups_[g], groups_[other]), other});
        if (costs_.empty()) return g;
        size_t n = std::min({PARTNERS, 1 + PARTNERS * LOOKED_AT / rows.size(), costs_.size()});
        std::partial_sort(costs_.begin(), costs_.begin() + ptrdiff_t(n), costs_.end());
        for (size_t i = 0; i < n; i++) {
            judge_->clear();
            for (uint32_t row : groups_[g].rows) judge_->add(row);
            for (uint32_t row : groups_[costs_[i].second].rows) judge_->add(row);
            if (judge_->holds()) {
                makes_it_hold = true;
                return costs_[i].second;
            }
        }
        return costs_[0].second;
    }

    // Rows of a group go to groups near them that hold and still do with them, each where it costs least; whether all went.
    bool scatter(size_t g) {
        std::vector<uint32_t> rows = groups_[g].rows, left;
        for (uint32_t row : rows) {
            costs_.clear();
            for (size_t other : close_to(row, g))
                if (good_[other]) costs_.push_back({added(groups_[other], rows_.at(row)), other});
            std::sort(costs_.begin(), costs_.end());
            size_t place = g;
            for (size_t i = 0; i < std::min(PLACES, costs_.size()) && place == g; i++)
                if (holds(groups_[costs_[i].second], NOBODY, row)) place = costs_[i].second;
            if (place == g) left.push_back(row);
            else put_in(place, row), note_change(place);
        }
        groups_[g].rows = left;
        measure(groups_[g]);
        note_change(g);
        return left.empty();
    }

    void join(size_t g, size_t other) {
        for (uint32_t row : groups_[other].rows) {
            groups_[g].rows.push_back(row);
            group_of_[row] = int32_t(g);
        }
        groups_[g].box.add(groups_[other].box);
        groups_[g].price = rows_.price(groups_[g].box);
        groups_[other].rows.clear();
        groups_[other].price = 0;
        good_[other] = 0;
        note_change(g), note_change(other);
    }

    void note_change(size_t g) { changed_[g] = clock_; }

    // Whether neither the group of a row nor one near it has changed since some time.
    bool unchanged_near(uint32_t row, uint64_t since) const {
        if (changed_[size_t(group_of_[row])] > since) return false;
        const uint32_t* near = &near_[size_t(row) * n_near_];
        for (size_t i = 0; i < n_near_; i++)
            if (changed_[size_t(group_of_[near[i]])] > since) return false;
        return true;
    }

    bool is_quiet(uint32_t row) {
        if (groups_[size_t(group_of_[row])].price == 0 || unchanged_near(row, asked_[row])) return true;
        asked_[row] = clock_++;
        return false;
    }

    bool is_quiet_group(size_t g) {
        bool quiet = true;
        for (size_t i = 0; i < groups_[g].rows.size() && quiet; i++) quiet = unchanged_near(groups_[g].rows[i], dissolve_asked_[g]);
        if (!quiet) dissolve_asked_[g] = clock_++;
        return quiet;
    }

    void measure(Group& group) {
        if (group.rows.empty()) {
            group.price = 0;
            return;
        }
        group.box.start(rows_.at(group.rows[0]));
        for (uint32_t row : group.rows) group.box.add(rows_.at(row));
        group.price = rows_.price(group.box);
    }

    // The groups of the rows near a row, but for its own, each once.
    const std::vector<size_t>& close_to(uint32_t row, size_t own) {
        close_.clear();
        stamp_++;
        const uint32_t* near = &near_[size_t(row) * n_near_];
        for (size_t i = 0; i < n_near_; i++) {
            size_t g = size_t(group_of_[near[i]]);
            if (g == own || seen_[g] == stamp_) continue;
            seen_[g] = stamp_;
            close_.push_back(g);
        }
        return close_;
    }

    int64_t added(const Group& group, const T* row) const {
        B box = group.box;
        box.add(row);
        return rows_.price(box) * int64_t(group.rows.size() + 1) - group.loss();
    }

    // The box of a group without one of its rows, with another put in (null: none).
    B box_without(const Group& group, uint32_t row, const T* instead = nullptr) const {
        B box;
        bool first = true;
        for (uint32_t other : group.rows) {
            if (other == row) continue;
            if (first) box.start(rows_.at(other));
            else box.add(rows_.at(other));
            first = false;
        }
        if (instead) first ? box.start(instead) : box.add(instead);
        return box;
    }

    // Whether a row may lie at an end of its group's box.
    bool at_an_end(const Group& group, const T* row) const {
        for (size_t c = 0; c < rows_.prices.size(); c++)
            if (group.box.lo[c] != group.box.hi[c] && (row[c] == group.box.lo[c] || row[c] == group.box.hi[c])) return true;
        return false;
    }

    // How many rows of a group lie at each end of its box.
    struct Ends {
        uint32_t lo[L], hi[L];
    };

    Ends count_ends(const Group& group) const {
        Ends ends{};
        for (uint32_t row : group.rows) {
            const T* codes = rows_.at(row);
            for (int j = 0; j < L; j++) {
                ends.lo[j] += codes[j] == group.box.lo[j];
                ends.hi[j] += codes[j] == group.box.hi[j];
            }
        }
        return ends;
    }

    // Whether the box shrinks without a row.
    bool is_alone(const Group& group, const Ends& ends, const T* codes) const {
        for (size_t j = 0; j < rows_.prices.size(); j++)
            if ((codes[j] == group.box.lo[j] && ends.lo[j] == 1) || (codes[j] == group.box.hi[j] && ends.hi[j] == 1)) return true;
        return false;
    }

    B box_with_instead(const Group& group, const Ends& ends, uint32_t row, const T* instead) const {
        if (is_alone(group, ends, rows_.at(row))) return box_without(group, row, instead);
        B box = group.box;
        box.add(instead);
        return box;
    }

    static void take_out(Group& group, uint32_t row) {
        auto place = std::find(group.rows.begin(), group.rows.end(), row);
        *place = group.rows.back();
        group.rows.pop_back();
    }

    // A row of a group that can spare one goes where it costs least.
    size_t move(uint32_t row) {
        size_t from = size_t(group_of_[row]);
        Group& own = groups_[from];
        if (own.price == 0) return 0;
        const T* codes = rows_.at(row);
        B rest = at_an_end(own, codes) ? box_without(own, row) : own.box;
        int64_t price = rows_.price(rest);
        int64_t best = own.loss() - price * int64_t(own.rows.size() - 1);  // what the group gains
        size_t to = from;
        bool can_spare = false;
        for (size_t g : close_to(row, from)) {
            int64_t more = added(groups_[g], codes);
            if (more >= best) continue;
            if (!can_spare) {
                if (!may_hold(own, row, NOBODY)) return 0;
                can_spare = true;
            }
            if (may_hold(groups_[g], NOBODY, row)) best = more, to = g;
        }
        if (to == from) return 0;
        take_out(own, row);
        own.box = rest;
        own.price = price;
        put_in(to, row);
        note_change(from), note_change(to);
        return 1;
    }

    void put_in(size_t g, uint32_t row) {
        groups_[g].rows.push_back(row);
        groups_[g].box.add(rows_.at(row));
        groups_[g].price = rows_.price(groups_[g].box);
        group_of_[row] = int32_t(g);
    }

    // A row of a group that cannot spare one changes places with a row of one of the two groups it fits best.
    size_t swap(uint32_t row) {
        size_t from = size_t(group_of_[row]);
        Group& own = groups_[from];
        const T* codes = rows_.at(row);
        if (own.price == 0 || !at_an_end(own, codes)) return 0;
        B rest = box_without(own, row);
        if (own.rows.size() < 2 || rows_.price(rest) == own.price) return 0;
        size_t fits[2] = {from, from};
        int64_t costs[2] = {INT64_MAX, INT64_MAX};
        for (size_t g : close_to(row, from)) {
            int64_t more = added(groups_[g], codes);
            if (more < costs[0]) fits[1] = fits[0], costs[1] = costs[0], fits[0] = g, costs[0] = more;
            else if (more < costs[1]) fits[1] = g, costs[1] = more;
        }
        int64_t best = 0;
        size_t to = from;
        uint32_t back = row;
        for (size_t g : fits) {
            if (g == from) continue;
            const Group& other = groups_[g];
            int64_t before = own.loss() + other.loss();
            const Ends ends = count_ends(other);
            for (uint32_t theirs : other.rows) {
                B mine = rest;
                mine.add(rows_.at(theirs));
                int64_t after = rows_.price(mine) * int64_t(own.rows.size());
                if (after - before >= best) continue;
                after += rows_.price(box_with_instead(other, ends, theirs, codes)) * int64_t(other.rows.size());
                if (after - before >= best || !may_swap(own, row, other, theirs)) continue;
                best = after - before, to = g, back = theirs;
            }
        }
        if (to == from) return 0;
        take_out(own, row), take_out(groups_[to], back);
        own.rows.push_back(back), groups_[to].rows.push_back(row);
        group_of_[row] = int32_t(to), group_of_[back] = int32_t(from);
        measure(own), measure(groups_[to]);
        note_change(from), note_change(to);
        return 1;
    }

    // All rows of a group go to other groups, if that costs less than the group.
    size_t dissolve(size_t g) {
        if (groups_[g].rows.empty() || groups_[g].price == 0 || is_quiet_group(g)) return 0;
        std::vector<size_t> to;
        int64_t sum = 0, limit = 2 * groups_[g].loss();
        for (uint32_t row : groups_[g].rows) {
            int64_t best = INT64_MAX;
            size_t place = g;
            for (size_t other : close_to(row, g)) {
                int64_t more = added(groups_[other], rows_.at(row));
                if (more < best) best = more, place = other;
            }
            if (place == g || (sum += best) >= limit) return 0;
            to.push_back(place);
        }
        std::vector<size_t> touched = to;
        std::sort(touched.begin(), touched.end());
        touched.erase(std::unique(touched.begin(), touched.end()), touched.end());
        std::vector<Group> before;
        int64_t loss = groups_[g].loss(), after = 0;
        for (size_t other : touched) before.push_back(groups_[other]), loss += groups_[other].loss();
        std::vector<uint32_t> rows = groups_[g].rows;
        for (size_t i = 0; i < rows.size(); i++) put_in(to[i], rows[i]);
        for (size_t other : touched) after += groups_[other].loss();
        bool all_hold = after < loss;
        for (size_t i = 0; judge_ && i < touched.size() && all_hold; i++) all_hold = holds(groups_[touched[i]]);
        if (all_hold) {
            groups_[g].rows.clear();
            groups_[g].price = 0;
            note_change(g);
            for (size_t other : touched) note_change(other);
            return 1;
        }
        for (size_t i = 0; i < touched.size(); i++) groups_[touched[i]] = before[i];
        for (uint32_t row : rows) group_of_[row] = int32_t(g);
        return 0;
    }

    // A group of 2k rows or more is divided where that helps.
    size_t split(size_t g) {
        if (groups_[g].rows.size() < 2 * k_ || groups_[g].price == 0 || split_asked_[g] >= changed_[g]) return 0;
        split_asked_[g] = clock_++;
        std::vector<uint32_t> rows = groups_[g].rows;
        std::sort(rows.begin(), rows.end());
        std::vector<size_t> begins;
        int64_t loss = 0;
        splitter_.run(rows, begins, loss);
        if (begins.size() < 2) return 0;
        begins.push_back(rows.size());
        for (size_t i = 0; i + 1 < begins.size(); i++) {
            size_t place = i == 0 ? g : groups_.size();
            if (i > 0) add_group();
            groups_[place].rows.assign(rows.begin() + begins[i], rows.begin() + begins[i + 1]);
            measure(groups_[place]);
            note_change(place);
            for (uint32_t row : groups_[place].rows) group_of_[row] = int32_t(place);
        }
        return 1;
    }

    void add_group() {
        groups_.emplace_back();
        seen_.push_back(0);
        changed_.push_back(clock_), dissolve_asked_.push_back(0), split_asked_.push_back(0);
    }
};

template <typename T, int L>
Refine<T, L> refiner(const Rows<T, L>& rows, const std::vector<Stretch>& stretches, size_t k, int window, const int32_t* group_of_row, size_t n_groups,
                     const Conditions* conditions) {
    return Refine<T, L>(rows, stretches, k, window, group_of_row, n_groups, conditions);
}

}  // namespace amongst
