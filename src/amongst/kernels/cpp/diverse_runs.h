// The 1-D l-diversity heuristic: groups of at least l rows with different values, from a frontier of one row a value.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <utility>
#include <vector>

#include "price.h"

namespace amongst {

// Rows in their order on a line, and again by their value.
struct DiverseLine {
    const uint32_t* tuple_at;    // of every place on the line
    const uint32_t* place;       // all places of the first value in ascending order, then those of the second, ...
    const int64_t* first;        // where the places of a value begin; one more than there are values
    const int64_t* position;     // of every tuple on the line; null where groups are priced by their box
    size_t n_rows, n_values;
    bool as_printed;             // the fall-back of figure 8, and one row by figure 9
};

// The next row of every value that has rows left. The lowest few lie sorted, so that the first l can be looked at; the
// others lie in a heap, where rows that were taken out of turn stay until they are met or are as many as the values.
class Frontier {
public:
    struct Row {
        uint32_t place, value;
        bool operator<(const Row& other) const { return place < other.place; }
        bool operator>(const Row& other) const { return place > other.place; }
    };

    Frontier(size_t n_values, size_t most_near) : most_near_(most_near), place_of_value_(n_values, NONE) {}

    void put(Row row) {
        place_of_value_[row.value] = row.place;
        if (near_.empty() ? !far_.empty() : near_.back() < row) return put_far(row);
        near_.insert(std::upper_bound(near_.begin(), near_.end(), row), row);
        if (near_.size() <= most_near_) return;
        put_far(near_.back());
        near_.pop_back();
    }
    // Whether there are so many; the lowest of them are front()[0], front()[1], ...
    bool look(size_t n) {
        while (near_.size() < n && !far_.empty()) {
            std::pop_heap(far_.begin(), far_.end(), std::greater<Row>());
            if (!is_gone(far_.back())) near_.push_back(far_.back());
            far_.pop_back();
        }
        return near_.size() >= n;
    }
    const Row* front() const { return near_.data(); }
    Row of(uint32_t value) const { return {place_of_value_[value], value}; }
    void take(uint32_t value) { place_of_value_[value] = NONE; }
    void forget_taken() { forget_gone(near_); }

private:
    static constexpr uint32_t NONE = UINT32_MAX;

    bool is_gone(const Row& row) const { return place_of_value_[row.value] != row.place; }
    void forget_gone(std::vector<Row>& rows) {
        rows.erase(std::remove_if(rows.begin(), rows.end(), [&](const Row& row) { return is_gone(row); }), rows.end());
    }
    void put_far(Row row) {
        if (far_.size() >= 2 * place_of_value_.size()) {
            forget_gone(far_);
            std::make_heap(far_.begin(), far_.end(), std::greater<Row>());
        }
        far_.push_back(row);
        std::push_heap(far_.begin(), far_.end(), std::greater<Row>());
    }

    size_t most_near_;
    std::vector<uint32_t> place_of_value_;
    std::vector<Row> near_, far_;
};

// Rows left by value. Eligible: no value has more than 1/l of them.
class Eligibility {
public:
    Eligibility(std::vector<uint32_t> rows_of_value, size_t n_rows, size_t l) : l_(l), n_left_(n_rows), left_(std::move(rows_of_value)) {}
    size_t n_left() const { return n_left_; }
    void take(size_t value) { left_[value]--, n_left_--; }

    // Whether one more row of this value leaves what is eligible.
    bool spares(uint32_t value) {
        if (n_left_ % l_ != 0) return true;
        const std::vector<uint32_t>& all = musts();
        return all.empty() || (all.size() == 1 && all[0] == value);
    }

    // The values without which the next group of l to l + n_left % l rows leaves too many behind: those that have
    // n_left / l rows. Of them there are no more than such a group has room for.
    const std::vector<uint32_t>& musts() {
        musts_.clear();
        refresh();
        uint32_t full = uint32_t(n_left_ / l_);
        for (uint32_t value : heavy_)
            if (left_[value] == full) musts_.push_back(value);
        return musts_;
    }
    uint32_t left(uint32_t value) const { return left_[value]; }
    bool is_must(uint32_t value) const { return left_[value] == uint32_t(n_left_ / l_); }

private:
    // Only values with more than half of what is allowed can become a must before what is allowed has halved; there
    // are fewer than 2l of them (4l near the end), so looking at all values is needed log N times.
    void refresh() {
        size_t full = n_left_ / l_;
        if (!stale_ && 2 * full > known_) return;
        stale_ = false;
        known_ = full;
        heavy_.clear();
        for (size_t value = 0; value < left_.size(); value++)
            if (left_[value] > 0 && 2 * size_t(left_[value]) > full) heavy_.push_back(uint32_t(value));
    }

    size_t l_, n_left_, known_ = 0;
    bool stale_ = true;
    std::vector<uint32_t> left_, heavy_, musts_;
};

// A line that is in memory as a whole. Of every value only the next row is asked for.
template <typename T, int L>
class LineInMemory {
public:
    using Row = Frontier::Row;

    LineInMemory(const DiverseLine& line, Rows<T, L> tuples) : line_(line), tuples_(std::move(tuples)), next_(line.first, line.first + line.n_values) {}

    size_t n_rows() const { return line_.n_rows; }
    size_t n_values() const { return line_.n_values; }
    bool as_printed() const { return line_.as_printed; }
    bool by_position() const { return line_.position != nullptr; }
    const std::vector<Price>& prices() const { return tuples_.prices; }
    int64_t price(const Box<T, L>& box) const { return tuples_.price(box); }
    std::vector<uint32_t> rows_of_value() const {
        std::vector<uint32_t> rows;
        for (size_t value = 0; value < line_.n_values; value++) rows.push_back(uint32_t(line_.first[value + 1] - line_.first[value]));
        return rows;
    }

    bool has_next(uint32_t value) { return next_[value] < line_.first[value + 1]; }
    Row next(uint32_t value) const { return {line_.place[next_[value]], value}; }
    void pass(uint32_t value) { next_[value]++; }
    const T* codes(Row row) const { return tuples_.at(line_.tuple_at[row.place]); }
    int64_t position(Row row) const { return line_.position[line_.tuple_at[row.place]]; }

private:
    DiverseLine line_;
    Rows<T, L> tuples_;
    std::vector<int64_t> next_;  // of every value, where its next row is found in ``place``
};

// A line of which only some next rows of every value are in memory; where a value has none left, more are asked for.
template <typename T, int L>
class LineInParts {
public:
    using Row = Frontier::Row;
    struct Queue {
        std::vector<uint32_t> place;
        std::vector<T> codes;
        std::vector<int64_t> position;
        size_t head = 0;
    };
    using Refill = std::function<void(uint32_t, Queue&)>;  // throws where it fails

    LineInParts(std::vector<uint32_t> rows_of_value, std::vector<Price> prices, bool by_position, bool as_printed, Refill refill)
        : left_(std::move(rows_of_value)), by_position_(by_position), as_printed_(as_printed), refill_(std::move(refill)), queues_(left_.size()), rows_(left_) {
        tuples_.prices = std::move(prices);
        tuples_.n = 0;
        for (uint32_t rows : rows_) n_rows_ += rows;
    }

    size_t n_rows() const { return n_rows_; }
    size_t n_values() const { return queues_.size(); }
    bool as_printed() const { return as_printed_; }
    bool by_position() const { return by_position_; }
    const std::vector<Price>& prices() const { return tuples_.prices; }
    int64_t price(const Box<T, L>& box) const { return tuples_.price(box); }
    std::vector<uint32_t> rows_of_value() const { return rows_; }

    bool has_next(uint32_t value) {
        if (left_[value] == 0) return false;
        Queue& queue = queues_[value];
        if (queue.head == queue.place.size()) {
            queue = Queue();
            refill_(value, queue);
        }
        return true;
    }
    Row next(uint32_t value) const { return {queues_[value].place[queues_[value].head], value}; }
    void pass(uint32_t value) { queues_[value].head++, left_[value]--; }
    // Of the next row of a value, which is the only one that is asked for.
    const T* codes(Row row) const { return queues_[row.value].codes.data() + queues_[row.value].head * L; }
    int64_t position(Row row) const { return queues_[row.value].position[queues_[row.value].head]; }

private:
    std::vector<uint32_t> left_;
    bool by_position_, as_printed_;
    Refill refill_;
    std::vector<Queue> queues_;
    std::vector<uint32_t> rows_;
    Rows<T, L> tuples_;  // without codes: its prices
    size_t n_rows_ = 0;
};

// Figure 8, and the optimization of figure 9.
template <typename T, int L, typename Line>
class DiverseRuns {
public:
    DiverseRuns(Line line, size_t l, int32_t* group_at, uint32_t* lo, uint32_t* hi)
        : line_(std::move(line)), l_(l), group_at_(group_at), lo_(lo), hi_(hi), left_(line_.rows_of_value(), line_.n_rows(), l), frontier_(line_.n_values(), 4 * l),
          group_of_value_(line_.n_values(), -1) {
        for (uint32_t value = 0; value < line_.n_values(); value++) put_next(value);
    }

    size_t n_groups() const { return size_t(group_); }

    // Goes on until so many rows are in groups; how many are.
    size_t advance(size_t enough) {
        while (left_.n_left() > 0 && line_.n_rows() - left_.n_left() < enough) step();
        return line_.n_rows() - left_.n_left();
    }

private:
    using Row = Frontier::Row;

    void step() {
        chosen_.clear();
        n_members_ = 0;
        if (!choose_lowest()) line_.as_printed() ? choose_most_frequent() : choose_musts();
        if (line_.by_position()) leftmost_ = line_.position(*std::min_element(chosen_.begin(), chosen_.end()));
        for (Row row : chosen_) take(row);
        frontier_.forget_taken();
        for (Row row : chosen_) put_next(row.value);
        while (take_one_more() && !line_.as_printed()) {
        }
        close();
    }

    // The greedy step: the l lowest of the frontier, and more while what they leave is not eligible.
    bool choose_lowest() {
        size_t n_musts = left_.musts().size(), most = l_ + left_.n_left() % l_;
        while (chosen_.size() < l_ || n_musts > 0) {
            size_t n = chosen_.size();
            if (n == most || !frontier_.look(n + 1)) return false;  // with more than ``most`` even all musts do not suffice
            chosen_.push_back(frontier_.front()[n]);
            n_musts -= left_.is_must(chosen_[n].value);
        }
        return true;
    }

    // The fall-back step: the values that must be there, and the lowest others.
    void choose_musts() {
        chosen_.clear();
        for (uint32_t value : left_.musts()) chosen_.push_back(frontier_.of(value));
        for (size_t i = 0; chosen_.size() < l_ && frontier_.look(i + 1); i++)
            if (!left_.is_must(frontier_.front()[i].value)) chosen_.push_back(frontier_.front()[i]);
    }

    // The fall-back step as printed: the l most frequent values, of equally frequent ones the lowest row, and more of them
    // while what they leave is not eligible.
    void choose_most_frequent() {
        std::vector<Row> all;
        for (uint32_t value = 0; value < line_.n_values(); value++)
            if (left_.left(value) > 0) all.push_back(frontier_.of(value));
        std::sort(all.begin(), all.end(), [&](const Row& a, const Row& b) {
            uint32_t more = left_.left(a.value), fewer = left_.left(b.value);
            return more != fewer ? more > fewer : a.place < b.place;
        });
        for (size_t count = l_; count <= all.size(); count++) {
            uint32_t most = left_.left(all[0].value) - 1;
            if (count < all.size()) most = std::max(most, left_.left(all[count].value));
            chosen_.assign(all.begin(), all.begin() + count);
            if (uint64_t(most) * l_ <= left_.n_left() - count) return;
        }
    }

    // The optimization of figure 9: the lowest row left joins the group where it is nearer to it than to those to come.
    bool take_one_more() {
        if (!frontier_.look(l_)) return false;
        Row lowest = frontier_.front()[0];
        if (group_of_value_[lowest.value] == group_ || !left_.spares(lowest.value) || !is_nearer(lowest)) return false;
        take(lowest);
        frontier_.forget_taken();
        put_next(lowest.value);
        return true;
    }

    // By extent: it lies nearer to the first row of the group than to the last of those it would be grouped with.
    // By price: it lowers the loss a row of the group and the l rows after it.
    bool is_nearer(Row lowest) {
        if (line_.by_position()) {
            int64_t at = line_.position(lowest);
            return at - leftmost_ < line_.position(frontier_.front()[l_ - 1]) - at;
        }
        if (!frontier_.look(l_ + 1)) return false;
        const Row* front = frontier_.front();
        Box<T, L> with = box_, next, rest;
        with.add(line_.codes(lowest));
        rest.start(line_.codes(front[1]));
        for (size_t i = 2; i < l_; i++) rest.add(line_.codes(front[i]));
        next = rest;
        if (l_ > 1) next.add(line_.codes(lowest));
        else next.start(line_.codes(lowest));
        rest.add(line_.codes(front[l_]));
        int64_t n = n_members_, l = int64_t(l_);
        int64_t before = n * line_.price(box_) + l * line_.price(next);
        int64_t after = (n + 1) * line_.price(with) + l * line_.price(rest);
        return after - before < (before + n + l - 1) / (n + l);  // after / (n + l + 1) < before / (n + l)
    }

    void take(Row row) {
        if (n_members_++ == 0) box_.start(line_.codes(row));
        else box_.add(line_.codes(row));
        group_at_[row.place] = group_;
        group_of_value_[row.value] = group_;
        left_.take(row.value);
        frontier_.take(row.value);
        line_.pass(row.value);
    }
    void put_next(uint32_t value) {
        if (line_.has_next(value)) frontier_.put(line_.next(value));
    }

    void close() {
        size_t d = line_.prices().size(), at = size_t(group_) * d;
        for (size_t c = 0; c < d; c++) lo_[at + c] = uint32_t(box_.lo[c]), hi_[at + c] = uint32_t(box_.hi[c]);
        group_++;
    }

    Line line_;
    size_t l_;
    int32_t* group_at_;
    uint32_t *lo_, *hi_;
    Eligibility left_;
    Frontier frontier_;
    std::vector<int32_t> group_of_value_;  // the last that took a row of it
    std::vector<Row> chosen_;
    Box<T, L> box_ = {};                   // of the group that is being made, which has n_members_ rows
    int64_t n_members_ = 0;
    int64_t leftmost_ = 0;                 // the position of its first row
    int32_t group_ = 0;
};

}  // namespace amongst
