// A pool: a few groups that are near, whose rows are clustered anew and then moved and swapped while the loss falls.
#pragma once

#include <memory>

#include "conditions.h"
#include "published_price.h"

namespace amongst {

class Pool {
public:
    struct Part {
        std::vector<uint32_t> rows;  // local numbers
        Hull hull;
        int64_t price = 0;
        int64_t loss() const { return price * int64_t(rows.size()); }
    };

    Pool(const Sheet& sheet, size_t k, const Conditions* conditions) : sheet_(sheet), k_(k) {
        if (conditions) judge_.reset(new Judge(*conditions)), conditions_ = conditions;
    }

    uint64_t visits = 0;  // prices looked up

    // Takes groups of rows; gives them back as they are, or made anew where the loss is below the old one and `more`.
    // The change of the loss.
    int64_t run(std::vector<std::vector<uint32_t>>& groups, Lots& lots, int64_t more, int way) {
        row_.clear();
        for (const auto& group : groups) row_.insert(row_.end(), group.begin(), group.end());
        m_ = row_.size();
        load();
        parts_.resize(groups.size());
        uint32_t next = 0;
        for (size_t g = 0; g < groups.size(); g++) {
            parts_[g].rows.clear();
            for (size_t i = 0; i < groups[g].size(); i++) parts_[g].rows.push_back(next++);
        }
        int64_t before = 0;
        for (Part& part : parts_) measure(part), before += part.loss();
        bool made = true;
        if (way == 0) made = before > 0 && cluster_anew(lots);
        if (!made) return 0;
        search();
        int64_t after = 0;
        for (const Part& part : parts_) after += part.loss();
        if (after >= before + more || (after == before && way != 0)) return 0;
        groups.resize(parts_.size());
        for (size_t g = 0; g < parts_.size(); g++) {
            groups[g].clear();
            for (uint32_t i : parts_[g].rows) groups[g].push_back(row_[i]);
            std::sort(groups[g].begin(), groups[g].end());
        }
        return after - before;
    }

private:
    static constexpr uint32_t NOBODY = UINT32_MAX;

    // Where a part ends in a column, and where it would without the row that lies there alone, if one does.
    struct Ends {
        int32_t lo = INT32_MAX, hi = INT32_MIN, next_lo = INT32_MAX, next_hi = INT32_MIN;
        uint32_t at_lo = NOBODY, at_hi = NOBODY;
    };

    const Sheet& sheet_;
    size_t k_;
    std::unique_ptr<Judge> judge_;
    const Conditions* conditions_ = nullptr;
    size_t m_ = 0;
    std::vector<uint32_t> row_;       // global row of every local one
    std::vector<int32_t> code_;       // column by column
    std::vector<Part> parts_;
    std::vector<uint32_t> part_of_;   // of every local row
    std::vector<int64_t> with_;       // by part and row: the price of the part with the row
    std::vector<int64_t> without_;    // by row: the price of its part without it
    std::vector<Ends> ends_;          // by part and column
    std::vector<uint8_t> known_;      // by part: whether `with_` was worked out, for these ends and masks
    std::vector<uint64_t> with_mask_, rest_mask_;  // by part; by row: the values of its part without it
    std::vector<uint8_t> seen_;
    std::vector<uint32_t> left_;
    std::vector<int32_t> now_;        // by column and row: what the column costs with the row; by code where a column has few
    std::vector<int64_t> sum_;        // by row
    std::vector<int32_t> more_;       // by code: how much more it costs now
    std::vector<uint32_t> pool_count_, own_count_, person_seen_, value_, number_of_value_;  // `value_`: of every row
    std::vector<uint8_t> too_few_;    // by value: whether a part that is being made has too few of it
    bool counts_ = false;             // whether rows are taken by the values that a part has too few of
    static constexpr size_t MOST_SORTS = 48;
    size_t n_sorts_ = 0;              // 0 where they are too many
    std::vector<uint32_t> sort_of_, of_sort_;
    std::vector<uint32_t> n_of_sort_;  // by part and sort
    std::vector<int8_t> held_;        // by part, sort of what goes, sort of what comes: whether it holds; -1 where not known

    void load() {
        size_t d = sheet_.d;
        code_.resize(d * m_);
        for (size_t i = 0; i < m_; i++) {
            const int32_t* row = sheet_.at(row_[i]);
            for (size_t c = 0; c < d; c++) code_[c * m_ + i] = row[c];
        }
        now_.resize(d * m_), sum_.resize(m_);
    }

    const int32_t* codes_of(uint32_t i) const { return sheet_.at(row_[i]); }

    void measure(Part& part) {
        if (part.rows.empty()) {
            part.price = 0;
            return;
        }
        part.hull.start(sheet_, codes_of(part.rows[0]));
        for (uint32_t i : part.rows) part.hull.add(sheet_, codes_of(i));
        part.price = part.hull.price(sheet_);
    }

    bool holds(const std::vector<uint32_t>& rows, uint32_t without = UINT32_MAX, uint32_t with = UINT32_MAX) {
        if (!judge_) return rows.size() + (with != UINT32_MAX) - (without != UINT32_MAX) >= k_;
        judge_->clear();
        for (uint32_t i : rows)
            if (i != without) judge_->add(row_[i]);
        if (with != UINT32_MAX) judge_->add(row_[with]);
        return judge_->holds();
    }

    // Rows of a pool that count the same are of one sort: whether a part holds after one row goes and another comes follows from
    // their sorts, and is kept until the part changes.
    void sort_rows() {
        n_sorts_ = 0;
        if (!judge_ || conditions_->unit) return;
        sort_of_.resize(m_), of_sort_.clear();
        for (uint32_t i = 0; i < m_; i++) {
            size_t sort = 0;
            while (sort < of_sort_.size() && !judge_->alike(row_[of_sort_[sort]], row_[i])) sort++;
            if (sort == MOST_SORTS) return;
            if (sort == of_sort_.size()) of_sort_.push_back(i);
            sort_of_[i] = uint32_t(sort);
        }
        n_sorts_ = of_sort_.size();
        held_.resize(parts_.size() * (n_sorts_ + 1) * (n_sorts_ + 1)), n_of_sort_.resize(parts_.size() * n_sorts_);
    }

    // A part has changed: how many rows of every sort it has; whether it holds with others is not known.
    void count_sorts(size_t g) {
        if (!n_sorts_) return;
        size_t of_part = (n_sorts_ + 1) * (n_sorts_ + 1);
        std::fill_n(held_.begin() + ptrdiff_t(g * of_part), of_part, int8_t(-1));
        std::fill_n(n_of_sort_.begin() + ptrdiff_t(g * n_sorts_), n_sorts_, 0);
        for (uint32_t i : parts_[g].rows) n_of_sort_[g * n_sorts_ + sort_of_[i]]++;
    }

    bool part_holds(size_t g, uint32_t without, uint32_t with) {
        if (!n_sorts_) return holds(parts_[g].rows, without, with);
        size_t out = without == UINT32_MAX ? n_sorts_ : sort_of_[without], in = with == UINT32_MAX ? n_sorts_ : sort_of_[with];
        int8_t& known = held_[(g * (n_sorts_ + 1) + out) * (n_sorts_ + 1) + in];
        if (known >= 0) return known;
        judge_->clear();
        for (size_t sort = 0; sort < n_sorts_; sort++) {
            uint32_t n = n_of_sort_[g * n_sorts_ + sort] + (sort == in) - (sort == out);
            if (n) judge_->add(row_[of_sort_[sort]], n);
        }
        known = judge_->holds();
        return known;
    }

    // What every row left would cost a part: all columns, or those whose ends have changed.
    void price_all(const Hull& hull) {
        size_t d = sheet_.d;
        for (uint32_t i : left_) sum_[i] = 0;
        for (size_t c = 0; c < d; c++) price_column(hull, c, true);
    }

    void price_column(const Hull& hull, size_t c, bool first) {
        const PublishedPrice& column = sheet_.columns[c];
        const int32_t* code = &code_[c * m_];
        int32_t* now = &now_[c * m_];
        visits += left_.size();
        if (column.table && !column.set() && size_t(column.n) <= m_) {
            // What changes is worked out once for every code.
            int32_t lo = hull.lo[c], hi = hull.hi[c];
            const int32_t *high = column.table + int64_t(lo) * column.n, *low = column.table + hi;
            more_.resize(size_t(column.n));
            for (int32_t v = 0; v < column.n; v++) {
                int32_t price = v < lo ? low[int64_t(v) * column.n] : high[std::max(hi, v)];
                more_[size_t(v)] = price - (first ? 0 : now[v]);
                now[v] = price;
            }
            for (uint32_t i : left_) sum_[i] += more_[size_t(code[i])];
            return;
        }
        if (first)
            for (uint32_t i : left_) now[i] = 0;
        if (column.table && !column.set()) {
            int32_t lo = hull.lo[c], hi = hull.hi[c];
            for (uint32_t i : left_) {
                int32_t price = column.table[int64_t(std::min(lo, code[i])) * column.n + std::max(hi, code[i])];
                sum_[i] += price - now[i];
                now[i] = price;
            }
        } else {
            for (uint32_t i : left_) {
                int32_t price = hull.price_with(sheet_, c, code[i]);
                sum_[i] += price - now[i];
                now[i] = price;
            }
        }
    }

    void take_left(size_t place) {
        left_[place] = left_.back();
        left_.pop_back();
    }

    size_t farthest() const {
        size_t place = 0;
        for (size_t p = 1; p < left_.size(); p++)
            if (sum_[left_[p]] > sum_[left_[place]]) place = p;
        return place;
    }

    // Rows are clustered: from a row far off, the cheapest row is added until there are enough; then again from the row
    // that is farthest from this cluster. False where not all rows find a place.
    bool cluster_anew(Lots& lots) {
        left_.resize(m_);
        for (size_t i = 0; i < m_; i++) left_[i] = uint32_t(i);
        for (size_t i = m_; i > 1; i--) std::swap(left_[i - 1], left_[lots.below(i)]);
        parts_.clear();
        Hull hull;
        hull.start(sheet_, codes_of(left_[0]));
        price_all(hull);
        size_t most = m_ / k_;
        if (most > 1 && lots.below(8) == 0) most--;
        size_t test = judge_ && !conditions_->tests.empty() ? lots.below(conditions_->tests.size()) : 0;
        counts_ = judge_ && !conditions_->tests.empty() && conditions_->tests[test].kind != test::WEIGHED;
        if (counts_) count_pool(test);
        while (!left_.empty()) {
            if (parts_.size() + 1 == most || left_.size() < 2 * k_) {
                if (!parts_.empty() && left_.size() < k_) break;
                Part part;
                part.rows = left_;
                left_.clear();
                measure(part);
                if (judge_ && !holds(part.rows)) {
                    left_ = part.rows;
                    break;
                }
                parts_.push_back(std::move(part));
                break;
            }
            size_t way = lots.below(3);
            size_t place = way == 0 ? farthest() : way == 1 ? lots.below(left_.size()) : cheapest(false, 0);
            Part part;
            if (!grow(part, place)) {
                left_.insert(left_.end(), part.rows.begin(), part.rows.end());
                break;
            }
            parts_.push_back(std::move(part));
        }
        if (parts_.empty()) return false;
        return place_rest();
    }

    // A part from one row on; false where what is left does not make it hold.
    bool grow(Part& part, size_t place) {
        uint32_t seed = left_[place];
        part.rows.assign(1, seed);
        take_left(place);
        part.hull.start(sheet_, codes_of(seed));
        price_all(part.hull);
        bool good = !judge_ && k_ <= 1;
        if (judge_) {
            judge_->clear();
            judge_->add(row_[seed]);
            start_counts(seed);
            good = judge_->holds();
        }
        while (!good) {
            if (left_.empty()) return false;
            size_t next = cheapest(part.rows.size() >= k_, part.rows.size());
            uint32_t i = left_[next];
            part.rows.push_back(i);
            take_left(next);
            widen(part.hull, i);
            if (judge_) {
                judge_->add(row_[i]);
                note_count(i);
                good = part.rows.size() >= k_ && judge_->holds();
            } else good = part.rows.size() >= k_;
        }
        part.price = part.hull.price(sheet_);
        return true;
    }

    void widen(Hull& hull, uint32_t i) {
        const int32_t* row = codes_of(i);
        for (size_t c = 0; c < sheet_.d; c++) {
            if (sheet_.columns[c].set()) {
                if (sheet_.columns[c].has(hull.mask.data(), row[c])) continue;
                sheet_.columns[c].put(hull.mask.data(), row[c]);
            } else if (row[c] >= hull.lo[c] && row[c] <= hull.hi[c]) continue;
            hull.lo[c] = std::min(hull.lo[c], row[c]), hull.hi[c] = std::max(hull.hi[c], row[c]);
            price_column(hull, c, false);
        }
    }

    // Of the rows left the cheapest; where a part has the size but does not hold, of those that it has too few of.
    size_t cheapest(bool only_helpful, size_t size) {
        size_t best = SIZE_MAX;
        int64_t least = INT64_MAX;
        if (judge_ && only_helpful) {
            look_for_too_few(size);
            for (size_t p = 0; p < left_.size(); p++)
                if (sum_[left_[p]] < least && helps(left_[p])) least = sum_[left_[p]], best = p;
        }
        if (best != SIZE_MAX) return best;
        for (size_t p = 0; p < left_.size(); p++)
            if (sum_[left_[p]] < least) least = sum_[left_[p]], best = p;
        return best;
    }

    void count_pool(size_t test) {
        const Test& one = conditions_->tests[test];
        number_of_value_.resize(std::max(number_of_value_.size(), one.n_values), UINT32_MAX);
        pool_count_.clear(), value_.resize(m_);
        for (size_t i = 0; i < m_; i++) {
            uint32_t& number = number_of_value_[one.code[row_[i]]];
            if (number == UINT32_MAX) number = uint32_t(pool_count_.size()), pool_count_.push_back(0);
            pool_count_[value_[i] = number]++;
        }
        for (uint32_t row : row_) number_of_value_[one.code[row]] = UINT32_MAX;
        too_few_.resize(pool_count_.size());
    }

    void start_counts(uint32_t i) {
        person_seen_.clear();
        if (counts_) own_count_.assign(pool_count_.size(), 0);
        note_count(i);
    }

    void note_count(uint32_t i) {
        if (counts_) own_count_[value_[i]]++;
        if (conditions_->unit) person_seen_.push_back(conditions_->unit[row_[i]]);
    }

    void look_for_too_few(size_t size) {
        if (!counts_) return;
        for (size_t value = 0; value < too_few_.size(); value++)
            too_few_[value] = uint64_t(own_count_[value]) * m_ < uint64_t(pool_count_[value]) * size;
    }

    bool helps(uint32_t i) const {
        if (counts_ && !too_few_[value_[i]]) return false;
        return !conditions_->unit || std::find(person_seen_.begin(), person_seen_.end(), conditions_->unit[row_[i]]) == person_seen_.end();
    }

    // Rows without a part join the one where that costs least, and that holds with them.
    bool place_rest() {
        std::sort(left_.begin(), left_.end());
        for (uint32_t i : left_) {
            const int32_t* row = codes_of(i);
            order_.clear();
            for (size_t g = 0; g < parts_.size(); g++) {
                int64_t price = 0;
                for (size_t c = 0; c < sheet_.d; c++) price += parts_[g].hull.price_with(sheet_, c, row[c]);
                order_.push_back({price * int64_t(parts_[g].rows.size() + 1) - parts_[g].loss(), uint32_t(g)});
            }
            visits += parts_.size() * sheet_.d;
            std::sort(order_.begin(), order_.end());
            bool placed = false;
            for (auto& [cost, g] : order_) {
                if (judge_ && !holds(parts_[g].rows, UINT32_MAX, i)) continue;
                parts_[g].rows.push_back(i);
                parts_[g].hull.add(sheet_, row);
                parts_[g].price = parts_[g].hull.price(sheet_);
                placed = true;
                break;
            }
            if (!placed) return false;
        }
        left_.clear();
        return true;
    }

    std::vector<std::pair<int64_t, uint32_t>> order_;

    // Works out a part anew: its hull, what it costs with every row of the others, and without each of its own. What a row
    // adds by a column is looked up again only where the ends of the part in this column have moved.
    void refresh(size_t g) {
        Part& part = parts_[g];
        size_t d = sheet_.d;
        count_sorts(g);
        visits += m_ * d;
        part.price = 0;
        if (sheet_.n_words) put_in_sets(part);
        for (size_t c = 0; c < d; c++) {
            const PublishedPrice& column = sheet_.columns[c];
            Ends &ends = ends_[g * d + c], before = ends;
            ends = ends_of(part, &code_[c * m_]);
            part.hull.lo[c] = ends.lo, part.hull.hi[c] = ends.hi;
            if (column.set()) {
                const uint64_t *now = part.hull.mask.data(), *then = &with_mask_[g * sheet_.n_words];
                part.price += column.of_set(now);
                if (known_[g] && std::equal(now + column.word, now + column.word + column.n_words, then + column.word)) continue;
                price_rows(g, c, [&](int32_t code) { return column.of_set_with(now, code); }, [&](int32_t code) { return column.of_set_with(then, code); });
            } else {
                part.price += column.of(ends.lo, ends.hi);
                if (known_[g] && ends.lo == before.lo && ends.hi == before.hi) continue;
                auto with = [&](const Ends& own) { return [&](int32_t code) { return column.of(std::min(own.lo, code), std::max(own.hi, code)); }; };
                price_rows(g, c, with(ends), with(before));
            }
        }
        known_[g] = 1;
        std::copy(part.hull.mask.begin(), part.hull.mask.end(), with_mask_.begin() + ptrdiff_t(g * sheet_.n_words));
        for (uint32_t i : part.rows) part_of_[i] = uint32_t(g), without_[i] = part.rows.size() > 1 ? part.price : 0;
        for (size_t c = 0; c < d && part.rows.size() > 1; c++) rests(part, c, ends_[g * d + c]);
    }

    void put_in_sets(Part& part) {
        std::fill(part.hull.mask.begin(), part.hull.mask.end(), 0);
        for (size_t c = 0; c < sheet_.d; c++)
            if (sheet_.columns[c].set())
                for (uint32_t i : part.rows) sheet_.columns[c].put(part.hull.mask.data(), code_[c * m_ + i]);
    }

    // What every row costs a part by a column, in place of what it cost before: by code where these are fewer.
    template <typename Now, typename Then>
    void price_rows(size_t g, size_t c, Now now, Then then) {
        int64_t* with = &with_[g * m_];
        const int32_t* code = &code_[c * m_];
        size_t n = size_t(sheet_.columns[c].n);
        if (n > m_) {
            for (size_t i = 0; i < m_; i++) with[i] += now(code[i]) - (known_[g] ? then(code[i]) : 0);
            return;
        }
        more_.resize(n);
        for (size_t v = 0; v < n; v++) more_[v] = now(int32_t(v)) - (known_[g] ? then(int32_t(v)) : 0);
        for (size_t i = 0; i < m_; i++) with[i] += more_[size_t(code[i])];
    }

    Ends ends_of(const Part& part, const int32_t* code) const {
        Ends ends;
        for (uint32_t i : part.rows) {
            int32_t own = code[i];
            if (own < ends.lo) ends.next_lo = ends.lo, ends.lo = own, ends.at_lo = i;
            else if (own == ends.lo) ends.at_lo = NOBODY;
            else ends.next_lo = std::min(ends.next_lo, own);
            if (own > ends.hi) ends.next_hi = ends.hi, ends.hi = own, ends.at_hi = i;
            else if (own == ends.hi) ends.at_hi = NOBODY;
            else ends.next_hi = std::max(ends.next_hi, own);
        }
        return ends;
    }

    // One column of a part without each of its rows: it costs less where a row lies at an end alone.
    void rests(const Part& part, size_t c, const Ends& ends) {
        const PublishedPrice& column = sheet_.columns[c];
        if (!column.set()) {
            int32_t whole = column.of(ends.lo, ends.hi);
            if (ends.at_lo != NOBODY) without_[ends.at_lo] += column.of(ends.next_lo, ends.hi) - whole;
            if (ends.at_hi != NOBODY) without_[ends.at_hi] += column.of(ends.lo, ends.next_hi) - whole;
            return;
        }
        const int32_t* code = &code_[c * m_];
        const uint64_t* mask = part.hull.mask.data();
        int32_t whole = column.of_set(mask);
        seen_.assign(size_t(column.n), 0);
        for (uint32_t i : part.rows) seen_[size_t(code[i])] = uint8_t(std::min(seen_[size_t(code[i])] + 1, 2));
        for (uint32_t i : part.rows) {
            uint64_t* rest = &rest_mask_[i * sheet_.n_words];
            std::copy(mask + column.word, mask + column.word + column.n_words, rest + column.word);
            if (seen_[size_t(code[i])] != 1) continue;
            column.take(rest, code[i]);
            without_[i] += column.of_set(rest) - whole;
        }
    }

    // The price of the part of row i without it, with row j in its place.
    int64_t price_instead(uint32_t i, uint32_t j) {
        size_t d = sheet_.d;
        int64_t sum = 0;
        const int32_t* row = codes_of(j);
        const Ends* ends = &ends_[part_of_[i] * d];
        visits += d;
        for (size_t c = 0; c < d; c++) {
            const PublishedPrice& column = sheet_.columns[c];
            int32_t lo = ends[c].at_lo == i ? ends[c].next_lo : ends[c].lo, hi = ends[c].at_hi == i ? ends[c].next_hi : ends[c].hi;
            sum += column.set() ? column.of_set_with(&rest_mask_[i * sheet_.n_words], row[c]) : column.of(std::min(lo, row[c]), std::max(hi, row[c]));
        }
        return sum;
    }

    // Moves, swaps and dissolving while the loss falls.
    void search() {
        size_t s = parts_.size(), d = sheet_.d;
        if (s < 2) return;
        part_of_.resize(m_), without_.resize(m_);
        with_.assign(s * m_, 0), known_.assign(s, 0), ends_.resize(s * d);
        with_mask_.resize(s * sheet_.n_words), rest_mask_.resize(m_ * sheet_.n_words);
        for (size_t g = 0; g < s; g++)
            for (uint32_t i : parts_[g].rows) part_of_[i] = uint32_t(g);
        sort_rows();
        for (size_t g = 0; g < s; g++) refresh(g);
        for (int pass = 0; pass < 8; pass++) {
            bool changed = false;
            for (uint32_t i = 0; i < m_; i++) changed |= move(i) || swap(i);
            for (size_t g = 0; g < s; g++) changed |= dissolve(g);
            if (!changed) break;
        }
        size_t kept = 0;
        for (size_t g = 0; g < s; g++)
            if (!parts_[g].rows.empty()) {
                if (kept != g) std::swap(parts_[kept], parts_[g]);
                kept++;
            }
        parts_.resize(kept);
    }

    static void remove(std::vector<uint32_t>& rows, uint32_t i) {
        auto place = std::find(rows.begin(), rows.end(), i);
        *place = rows.back();
        rows.pop_back();
    }

    bool move(uint32_t i) {
        size_t a = part_of_[i];
        Part& own = parts_[a];
        if (own.price == 0 || own.rows.size() <= k_) return false;
        int64_t gain = own.loss() - without_[i] * int64_t(own.rows.size() - 1);
        size_t to = a;
        int64_t best = 0;
        for (size_t g = 0; g < parts_.size(); g++) {
            if (g == a || parts_[g].rows.empty()) continue;
            int64_t change = with_[g * m_ + i] * int64_t(parts_[g].rows.size() + 1) - parts_[g].loss() - gain;
            if (change >= best) continue;
            if (judge_ && (!part_holds(a, i, UINT32_MAX) || !part_holds(g, UINT32_MAX, i))) continue;
            best = change, to = g;
        }
        if (to == a) return false;
        remove(own.rows, i);
        parts_[to].rows.push_back(i);
        refresh(a), refresh(to);
        return true;
    }

    bool swap(uint32_t i) {
        size_t a = part_of_[i];
        Part& own = parts_[a];
        if (own.price == 0 || own.rows.size() < 2 || without_[i] >= own.price) return false;
        int64_t n_own = int64_t(own.rows.size()), best = 0;
        int64_t gain = (own.price - without_[i]) * n_own;  // at most, on this side
        uint32_t back = i;
        for (size_t g = 0; g < parts_.size(); g++) {
            if (g == a || parts_[g].rows.size() < 2) continue;
            Part& other = parts_[g];
            int64_t n_other = int64_t(other.rows.size());
            int64_t most = (with_[g * m_ + i] - other.price) * n_other;  // what the other side may lose where nothing leaves it
            for (uint32_t j : other.rows) {
                bool frees = without_[j] < other.price;
                int64_t spared = (other.price - without_[j]) * n_other;
                if (-gain - spared >= best || (!frees && most - gain >= best)) continue;
                int64_t mine = price_instead(i, j) * n_own - own.loss();
                if (mine - spared >= best) continue;
                int64_t theirs = frees ? price_instead(j, i) * n_other - other.loss() : most;
                if (mine + theirs >= best) continue;
                if (judge_ && !judge_->alike(row_[i], row_[j]) && (!part_holds(a, i, j) || !part_holds(g, j, i))) continue;
                best = mine + theirs, back = j;
            }
        }
        if (back == i) return false;
        size_t b = part_of_[back];
        remove(own.rows, i), remove(parts_[b].rows, back);
        own.rows.push_back(back), parts_[b].rows.push_back(i);
        refresh(a), refresh(b);
        return true;
    }

    // All rows of a part go to the others, if that costs less.
    bool dissolve(size_t g) {
        Part& own = parts_[g];
        if (own.rows.empty() || own.price == 0) return false;
        int64_t limit = own.loss(), sum = 0;
        std::vector<size_t> to;
        for (uint32_t i : own.rows) {
            int64_t best = INT64_MAX;
            size_t place = g;
            for (size_t other = 0; other < parts_.size(); other++) {
                if (other == g || parts_[other].rows.empty()) continue;
                int64_t more = with_[other * m_ + i] * int64_t(parts_[other].rows.size() + 1) - parts_[other].loss();
                if (more < best) best = more, place = other;
            }
            if (place == g || (sum += best) >= 2 * limit) return false;
            to.push_back(place);
        }
        std::vector<Part> before = parts_;
        int64_t loss = 0, after = 0;
        for (const Part& part : parts_) loss += part.loss();
        std::vector<uint32_t> rows = own.rows;
        for (size_t i = 0; i < rows.size(); i++) {
            parts_[to[i]].rows.push_back(rows[i]);
            parts_[to[i]].hull.add(sheet_, codes_of(rows[i]));
        }
        parts_[g].rows.clear();
        bool good = true;
        for (Part& part : parts_) {
            part.price = part.rows.empty() ? 0 : part.hull.price(sheet_);
            after += part.loss();
        }
        good = after < loss;
        for (size_t p = 0; p < parts_.size() && good && judge_; p++) good = parts_[p].rows.empty() || holds(parts_[p].rows);
        if (!good) {
            parts_ = before;
            return false;
        }
        for (size_t p = 0; p < parts_.size(); p++)
            if (!parts_[p].rows.empty()) refresh(p);
        return true;
    }
};

}  // namespace amongst
