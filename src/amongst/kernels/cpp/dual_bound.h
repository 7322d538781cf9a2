// Pay of rows that no group is overpaid with: its sum is a loss that no grouping can go below (docs/certified.md has the proof).
#pragma once

#include <cmath>
#include <functional>
#include <numeric>
#include <queue>

#include "published_price.h"

namespace amongst {

// The k largest of some pays: a heap with the least of them on top as soon as there are k.
struct Largest {
    std::vector<double> pays;
    double sum = 0;
    size_t k = 0;
    uint64_t visits = 0;  // places looked at to keep them in order

    void clear(size_t n) { pays.clear(), sum = 0, k = n; }
    bool full() const { return pays.size() == k; }
    double least() const { return pays.front(); }
    // Whether it is one of them.
    bool add(double pay) {
        if (!full()) {
            sum += pay;
            pays.push_back(pay);
            if (full()) std::make_heap(pays.begin(), pays.end(), std::greater<double>());
            return true;
        }
        if (pay <= least()) return false;
        sum += pay - least();
        size_t hole = 0;
        for (size_t child = 1; child < k; child = 2 * hole + 1, visits++) {
            if (child + 1 < k && pays[child + 1] < pays[child]) child++;
            if (pays[child] >= pay) break;
            pays[hole] = pays[child], hole = child;
        }
        pays[hole] = pay;
        return true;
    }
    // Of what exceeds the price, the share that may stay such that the mean is the price.
    double share_left(double price) const {
        double above = 0, below = 0;
        for (double pay : pays) (pay > price ? above : below) += std::fabs(pay - price);
        return above > below ? below / above : 1;
    }
    void lower(double price, double share) {  // the order stays
        for (double& pay : pays)
            if (pay > price) pay = price + share * (pay - price);
        sum = price * double(k);
    }
};

// Lowers the pay of rows such that in every box the mean of the k largest is at most the price of the box.
// Rows are numbered by their pay, the largest first, and kept in that order: the k largest of some rows are the first k.
class Project {
public:
    // `order` lists the columns that are looked at; of those priced by ranges the last is looked at exactly.
    Project(const Sheet& sheet, const std::vector<size_t>& order, size_t k, const double* pay, double* fair, uint64_t budget)
        : sheet_(sheet), order_(order), k_(k), budget_(budget), rows_(order.size() + 2), row_(sheet.n), pay_(sheet.n), fair_(sheet.n), out_(fair) {
        std::iota(row_.begin(), row_.end(), 0);
        std::sort(row_.begin(), row_.end(), [&](uint32_t a, uint32_t b) { return pay[a] != pay[b] ? pay[a] > pay[b] : a < b; });
        for (size_t i = 0; i < sheet.n; i++) pay_[i] = fair_[i] = pay[row_[i]];
        for (size_t c : order) {
            codes_.emplace_back(sheet.n);
            for (size_t i = 0; i < sheet.n; i++) codes_.back()[i] = sheet.at(row_[i])[c];
        }
    }

    // False where it would take more visits than the budget: then nothing is proved.
    bool run() {
        std::vector<uint32_t> all(sheet_.n);
        std::iota(all.begin(), all.end(), 0);
        descend(0, all.data(), all.size(), 0);
        for (size_t i = 0; i < sheet_.n; i++) out_[row_[i]] = fair_[i];
        return visits_ <= budget_;
    }

private:
    static constexpr int WIDTHS = 10;
    static constexpr size_t FEW_VALUES = 24;
    const Sheet& sheet_;
    const std::vector<size_t>& order_;
    size_t k_;
    uint64_t budget_, visits_ = 0;
    std::vector<std::vector<uint32_t>> rows_;  // of every depth
    std::vector<uint32_t> row_;                // the row of every number
    std::vector<double> pay_, fair_;
    double* out_;
    std::vector<std::vector<int32_t>> codes_;  // of every depth, by number
    Largest largest_;

    // The mean of the k largest pays as they are now, which are in `largest_` then; pays were no lower before, so that rows in the
    // old order may be left early.
    double mean_of_top(const uint32_t* rows, size_t n) {
        largest_.clear(k_);
        size_t i = 0;
        for (; i < n && !(largest_.full() && pay_[rows[i]] <= largest_.least()); i++) largest_.add(fair_[rows[i]]);
        visits_ += i + k_ + largest_.visits, largest_.visits = 0;
        return largest_.sum / double(k_);
    }

    // Rows that agree in the columns so far: boxes within cost at least `price`.
    void descend(size_t depth, const uint32_t* rows, size_t n, double price) {
        if (n < k_ || visits_ > budget_ || pay_[rows[0]] <= price) return;
        double mean = 0, now = 0;  // of the k first: before, which no k rows are above now, and now
        for (size_t i = 0; i < k_; i++) mean += pay_[rows[i]], now += fair_[rows[i]];
        mean /= double(k_), now /= double(k_), visits_ += k_;
        if (mean <= price) return;
        if (depth == order_.size() || now <= price) {
            mean = mean_of_top(rows, n);
            if (mean <= price) return;
        }
        if (depth == order_.size()) {
            double share = largest_.share_left(price);
            for (size_t i = 0; i < n && pay_[rows[i]] > price; i++) lower(rows[i], price, share);
            return;
        }
        visits_ += n;
        const PublishedPrice& column = sheet_.columns[order_[depth]];
        if (column.set()) {
            by_values(depth, rows, n, [&](int32_t) { return price; });
            descend(depth + 1, rows, n, price + std::max(std::floor(2.0 * column.full / column.of_all) - 1, 0.0));
        } else if (column.start) {
            by_nodes(depth, rows, n, price);
        } else if (depth + 1 == order_.size()) {
            by_windows(depth, rows, n, price, mean);
        } else {
            by_widths(depth, rows, n, price, mean);
        }
    }

    // The rows in order of a number that each has, those of one number in the order they had; where every number begins.
    template <typename F>
    std::vector<uint32_t> sorted(const uint32_t* rows, size_t n, size_t n_numbers, std::vector<uint32_t>& into, F number) {
        std::vector<uint32_t> first(n_numbers + 1, 0);
        for (size_t i = 0; i < n; i++) first[size_t(number(rows[i])) + 1]++;
        for (size_t v = 0; v < n_numbers; v++) first[v + 1] += first[v];
        std::vector<uint32_t> next(first.begin(), first.end() - 1);
        into.resize(n);
        for (size_t i = 0; i < n; i++) into[next[size_t(number(rows[i]))]++] = rows[i];
        visits_ += n_numbers / 8;
        return first;
    }

    template <typename F>
    void by_values(size_t depth, const uint32_t* rows, size_t n, F price_of) {
        const std::vector<int32_t>& code = codes_[depth];
        size_t m = size_t(sheet_.columns[order_[depth]].n);
        std::vector<uint32_t> own, first = sorted(rows, n, m, own, [&](uint32_t i) { return code[i]; });
        for (size_t v = 0; v < m; v++)
            if (first[v + 1] - first[v] >= k_) descend(depth + 1, own.data() + first[v], first[v + 1] - first[v], price_of(int32_t(v)));
    }

    // A node whose rows are those of one of its children costs more than that one and holds no more: it is left out.
    void by_nodes(size_t depth, const uint32_t* rows, size_t n, double price) {
        const PublishedPrice& column = sheet_.columns[order_[depth]];
        const std::vector<int32_t>& code = codes_[depth];
        std::vector<uint32_t> own;
        for (int64_t level = 0; level < column.n_levels; level++) {
            const int32_t *start = column.start + level * column.n, *node = column.node + level * column.n;
            const int32_t* below = level ? start - column.n : nullptr;
            std::vector<uint32_t> first = sorted(rows, n, size_t(column.n), own, [&](uint32_t i) { return start[code[i]]; });
            visits_ += n;
            for (size_t v = 0; v < size_t(column.n); v++) {
                size_t size = first[v + 1] - first[v];
                if (size < k_) continue;
                const uint32_t* part = own.data() + first[v];
                double cost = price + std::max(node[code[part[0]]] - 1, 0);
                if (pay_[part[0]] <= cost) continue;
                bool widens = !below;
                for (size_t i = 1; i < size && !widens; i++) widens = below[code[part[i]]] != below[code[part[0]]];
                if (widens) descend(depth + 1, part, size, cost);
            }
        }
    }

    // Every window of the last column, from every value on; the k largest pays are kept while it widens.
    void by_windows(size_t depth, const uint32_t* rows, size_t n, double price, double mean) {
        const PublishedPrice& column = sheet_.columns[order_[depth]];
        const std::vector<int32_t>& code = codes_[depth];
        std::vector<uint32_t>& own = rows_[depth];
        std::vector<uint32_t> first;
        std::vector<int32_t> values;  // that occur, and where each begins
        if (size_t(column.n) <= 4 * n) {
            std::vector<uint32_t> begins = sorted(rows, n, size_t(column.n), own, [&](uint32_t i) { return code[i]; });
            for (int32_t v = 0; v < column.n; v++)
                if (begins[size_t(v) + 1] > begins[size_t(v)]) values.push_back(v), first.push_back(begins[size_t(v)]);
        } else {
            own.assign(rows, rows + n);
            std::sort(own.begin(), own.end(), [&](uint32_t a, uint32_t b) { return code[a] != code[b] ? code[a] < code[b] : a < b; });
            for (size_t i = 0; i < n; i++)
                if (i == 0 || code[own[i]] != values.back()) values.push_back(code[own[i]]), first.push_back(uint32_t(i));
        }
        first.push_back(uint32_t(n));
        // From the last value on down: windows that begin later hold already, and so does one whose k largest pays are theirs.
        size_t enough = values.size();  // the window from a on has k rows only with the values before this one
        for (size_t a = values.size(); a-- > 0 && visits_ <= budget_;) {
            if (n - first[a] < k_) continue;
            while (first[enough - 1] - first[a] >= k_) enough--;
            if (price + std::max(column.of(values[a], values[enough - 1]) - 1, 0) >= mean) continue;
            double dearest = 0;
            for (size_t i = first[a]; i < first[a + 1]; i++) dearest = std::max(dearest, fair_[own[i]]);
            largest_.clear(k_);
            for (size_t b = a; b < values.size(); b++) {
                double cost = price + std::max(column.of(values[a], values[b]) - 1, 0);
                if (cost >= mean || (largest_.full() && largest_.least() > dearest)) break;
                size_t i = first[b];
                bool more = false;
                for (; i < first[b + 1]; i++) {
                    if (largest_.full() && pay_[own[i]] <= largest_.least()) break;
                    more |= largest_.add(fair_[own[i]]);
                }
                visits_ += i - first[b] + 1 + largest_.visits, largest_.visits = 0;
                if (!more || !largest_.full() || largest_.sum <= cost * double(k_)) continue;
                double share = largest_.share_left(cost);
                for (size_t v = a; v <= b; v++)
                    for (size_t j = first[v]; j < first[v + 1] && pay_[own[j]] > cost; j++) lower(own[j], cost, share), visits_++;
                largest_.lower(cost, share);
                if (dearest > cost) dearest = cost + share * (dearest - cost);
            }
        }
    }

    // Of few values every window; of more, windows of some widths from some places on. Rows that are no wider than a width lie in
    // the window that begins at the place before the first of them, and cost more than the next smaller width; those of several
    // values no less than two that are next to each other.
    void by_widths(size_t depth, const uint32_t* rows, size_t n, double price, double mean) {
        const PublishedPrice& column = sheet_.columns[order_[depth]];
        const std::vector<int32_t>& code = codes_[depth];
        std::vector<uint32_t> own(rows, rows + n);
        std::sort(own.begin(), own.end(), [&](uint32_t a, uint32_t b) { return code[a] != code[b] ? code[a] < code[b] : a < b; });
        std::vector<size_t> first;  // of every value
        double nearest = column.full;
        for (size_t i = 0; i < n; i++) {
            if (i > 0 && code[own[i]] == code[own[i - 1]]) continue;
            if (i > 0) nearest = std::min<double>(nearest, column.of(code[own[i - 1]], code[own[i]]));
            first.push_back(i);
        }
        first.push_back(n);
        if (first.size() <= FEW_VALUES + 1) {
            for (size_t a = first.size() - 1; a-- > 0;)
                for (size_t b = a; b + 1 < first.size(); b++) {
                    double cost = price + std::max(column.of(code[own[first[a]]], code[own[first[b]]]) - 1, 0);
                    if (cost >= mean || visits_ > budget_) break;
                    window(depth, own, first[a], first[b + 1], cost);
                }
            return;
        }
        for (size_t v = 0; v + 1 < first.size(); v++) window(depth, own, first[v], first[v + 1], price + std::max(column.of(code[own[first[v]]], code[own[first[v]]]) - 1, 0));
        auto place = [&](uint32_t i) {  // a null that is a value of its own lies beyond all others
            return code[i] == column.own_null ? 4.0 * column.full : double(column.low[code[i]]);
        };
        double widest = column.full;
        for (int s = 0; s < WIDTHS && visits_ <= budget_; s++, widest *= 2.0 / 3) {
            bool last = s + 1 == WIDTHS || widest * 2 / 3 <= nearest;
            double least = std::max(std::floor(last ? nearest : widest * 2 / 3) - 1, 0.0);
            if (price + least >= mean) continue;
            if (s == 0) {
                descend(depth + 1, rows, n, price + least);
            } else {
                double step = widest / 4;
                for (size_t begin = 0, end = 0, next = 0; begin < n && visits_ <= budget_; begin = next) {
                    double from = std::floor(place(own[begin]) / step) * step;
                    for (next = begin + 1; next < n && place(own[next]) < from + step;) next++;
                    size_t before = end;
                    while (end < n && place(own[end]) <= from + step + widest + 1) end++;
                    if (end > before) window(depth, own, begin, end, price + least);  // else it lies within the window before
                }
            }
            if (last) break;
        }
    }

    // Some of the rows, which are in order of a column.
    void window(size_t depth, const std::vector<uint32_t>& own, size_t begin, size_t end, double price) {
        if (end - begin < k_) return;
        std::vector<uint32_t> part(own.begin() + ptrdiff_t(begin), own.begin() + ptrdiff_t(end));
        std::sort(part.begin(), part.end());
        visits_ += 2 * part.size();
        descend(depth + 1, part.data(), part.size(), price);
    }

    void lower(uint32_t i, double price, double share) { if (fair_[i] > price) fair_[i] = price + share * (fair_[i] - price); }
};

}  // namespace amongst
