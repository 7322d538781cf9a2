// The best division of sorted rows into runs of k to 2k-1, by dynamic programming; rows come block by block.
// The rows of one tuple lie side by side, so a run is priced once a pair of tuples, not once a pair of rows.
#pragma once

#include <algorithm>
#include <cstdint>
#include <vector>

#include "price.h"

namespace amongst {

// What a run costs a row: the price of the box around its tuples.
template <typename T, int L>
class BoxSpan {
public:
    explicit BoxSpan(std::vector<Price> prices) : prices_(std::move(prices)) {}

    void append(const std::vector<const uint32_t*>& columns, size_t n) {
        size_t before = codes_.size();
        codes_.resize(before + n * L, T(0));
        for (size_t c = 0; c < columns.size(); c++)
            for (size_t i = 0; i < n; i++) codes_[before + i * L + c] = T(columns[c][i]);
    }
    void forget(size_t n) { codes_.erase(codes_.begin(), codes_.begin() + ptrdiff_t(n * L)); }

    void start(size_t tuple) { box_.start(&codes_[tuple * L]); }
    void widen(size_t tuple) { box_.add(&codes_[tuple * L]); }
    int64_t price() const {
        int64_t sum = 0;
        for (size_t c = 0; c < prices_.size(); c++) sum += prices_[c].of(int32_t(box_.lo[c]), int32_t(box_.hi[c]));
        return sum;
    }

private:
    std::vector<T> codes_;
    std::vector<Price> prices_;
    Box<T, L> box_ = {};
};

// What a run costs a row: how far its ends are apart on the line.
class ExtentSpan {
public:
    void append(const int64_t* position, size_t n) { position_.insert(position_.end(), position, position + n); }
    void forget(size_t n) { position_.erase(position_.begin(), position_.begin() + ptrdiff_t(n)); }

    void start(size_t tuple) { right_ = left_ = position_[tuple]; }
    void widen(size_t tuple) { left_ = position_[tuple]; }
    int64_t price() const { return right_ - left_; }

private:
    std::vector<int64_t> position_;
    int64_t left_ = 0, right_ = 0;
};

// Between blocks it keeps the best loss of the last 2k-1 prefixes and the tuples of the last 2k-2 rows, no more.
template <typename Span>
class IntervalProgram {
public:
    IntervalProgram(size_t k, Span span) : k_(int64_t(k)), span_(std::move(span)), best_(1, 0) {}

    Span& span() { return span_; }
    int64_t best() const { return best_.back(); }

    // After n tuples were appended to the span: how long the last run is in the best division of the rows up to and
    // with every row; 0 where there is none. Of equally good divisions the one with the shorter last run.
    void feed(const uint32_t* count, size_t n, uint32_t* length) {
        size_t known = begin_.size(), rows = 0;
        for (size_t i = 0; i < n; i++) {
            begin_.push_back(int64_t(best_.size() - 1 + rows));
            rows += count[i];
        }
        int64_t place = int64_t(best_.size()) - 1;
        best_.resize(best_.size() + rows);
        price_.assign(best_.size(), 0);
        for (size_t i = 0; i < n; i++) {
            int64_t end = place + int64_t(count[i]);
            set_prices(known + i, end);
            for (; place < end; place++) *length++ = uint32_t(step(place + 1));
        }
        forget_all_but_last();
    }

    static constexpr int64_t NONE = int64_t(1) << 62;  // more than any loss, and twice that is still a number

private:
    // Of every run that ends in this tuple, by the place where it begins. Runs within the tuple cost nothing.
    void set_prices(size_t tuple, int64_t end) {
        int64_t begin = begin_[tuple];
        int64_t first = std::max<int64_t>(0, begin + 2 - 2 * k_), last = end - k_;
        std::fill(price_.begin() + begin, price_.begin() + end, 0);
        span_.start(tuple);
        for (int64_t right = begin; right > first;) {
            span_.widen(--tuple);
            int64_t left = std::max(first, begin_[tuple]);
            if (left <= last) std::fill(price_.begin() + left, price_.begin() + right, span_.price());
            right = left;
        }
    }

    // Line 6 of figure 3: the best last run of the rows before ``end``.
    int64_t step(int64_t end) {
        int64_t loss = NONE, length = 0;
        for (int64_t j = end - k_, least = std::max<int64_t>(0, end - 2 * k_ + 1); j >= least; j--) {
            int64_t other = best_[size_t(j)] + (end - j) * price_[size_t(j)];
            length = other < loss ? end - j : length;
            loss = std::min(loss, other);
        }
        best_[size_t(end)] = loss;
        return length;
    }

    void forget_all_but_last() {
        int64_t now = int64_t(best_.size()) - 1, gone = std::max<int64_t>(0, now - (2 * k_ - 2));
        best_.erase(best_.begin(), best_.begin() + gone);
        size_t n = 0;  // a tuple is over where the next begins
        while (n + 1 < begin_.size() && begin_[n + 1] <= gone) n++;
        begin_.erase(begin_.begin(), begin_.begin() + ptrdiff_t(n));
        span_.forget(n);
        for (int64_t& begin : begin_) begin -= gone;
    }

    int64_t k_;
    Span span_;
    std::vector<int64_t> best_;   // by the number of rows, counted from the first that is kept
    std::vector<int64_t> price_;  // of the run from this row to the tuple at hand
    std::vector<int64_t> begin_;  // the first row of every tuple; may lie before the first that is kept
};

// Lines 8 to 12: walks back from the end of a block that starts at row ``first``; the run that begins before the block
// is found too. Writes where runs begin, last one first, and returns how many; ``end`` becomes the begin of the last.
template <typename I>
size_t walk_back(const I* length, int64_t first, int64_t& end, int64_t* begins) {
    size_t n = 0;
    while (end > first) {
        int64_t own = int64_t(length[end - 1 - first]);
        if (own <= 0 || own > end) return 0;
        begins[n++] = end -= own;
    }
    return n;
}

// Rows of a tuple go to the places of that tuple in the order of the input.
inline void deal(const uint32_t* tuple_of_row, size_t n, uint32_t* next_place_of_tuple, const int32_t* group_at, int32_t* group_of_row) {
    for (size_t i = 0; i < n; i++) {
#if defined(__GNUC__)
        if (i + 24 < n) __builtin_prefetch(&next_place_of_tuple[tuple_of_row[i + 24]], 1);
        if (i + 12 < n) __builtin_prefetch(&group_at[next_place_of_tuple[tuple_of_row[i + 12]]]);
#endif
        group_of_row[i] = group_at[next_place_of_tuple[tuple_of_row[i]]++];
    }
}

}  // namespace amongst
