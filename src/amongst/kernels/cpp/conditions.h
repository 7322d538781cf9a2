// What a group must hold beyond its size: people counted once, sensitive values spread or like those of the table.
// kernels/numpy/conditions.py says the same in numpy; the models behind it are in models/.
#pragma once

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <vector>

namespace amongst {

namespace test {
enum Kind { LIMITS = 0, DISTINCT = 1, ENTROPY = 2, RECURSIVE = 3, EQUAL = 4, ORDERED = 5, HIERARCHICAL = 6, PROXIMITY = 7, WEIGHED = 8 };
}

constexpr double COUNT_SLACK = 1e-9, SHARE_SLACK = 1e-12;

// One condition on one sensitive column.
struct Test {
    int kind = test::LIMITS;
    const uint32_t* code = nullptr;  // of every member
    const uint32_t* pair = nullptr;  // the person and value of every member as one number; null where rows are counted
    std::vector<uint8_t> short_code;  // the same where they fit, or empty: a quarter of the memory to read through
    size_t n_values = 0, n_pairs = 0;
    double bound = 0, factor = 0;
    bool every_value = false;         // LIMITS: also for values that the group does not have
    bool of_people = false;           // LIMITS: shares of the people, not of the values
    const double* share = nullptr;    // EQUAL, ORDERED, HIERARCHICAL: of every value in the table
    const double* lower = nullptr;    // LIMITS; WEIGHED: what every value weighs
    const double* upper = nullptr;    // LIMITS
    const int32_t* node = nullptr;    // HIERARCHICAL: n_levels x n_values, the node of every value; leaves first
    size_t n_levels = 0;
    const int32_t* last = nullptr;    // PROXIMITY: the last value within the width from this one on
    std::vector<double> below, summed;  // ORDERED: cumulated shares, and the sums of those
};

// Items are what is grouped: rows, distinct tuples with a weight, or tuples with the rows that are their members.
struct Conditions {
    int64_t k = 1;
    const uint32_t* first = nullptr;  // the first member of every item, and one more; null where items are their own members
    const uint32_t* unit = nullptr;   // the person of every member; null where rows are counted
    size_t n_units = 0;
    const uint32_t* weight = nullptr;  // how many rows every member stands for; null: one each. Not where people are counted
    std::vector<Test> tests;
};

// Counts some items, and says whether they may be a group.
class Judge {
public:
    explicit Judge(const Conditions& conditions) : conditions_(conditions), of_test_(conditions.tests.size()) {
        if (conditions.unit) seen_.assign(conditions.n_units, 0);
        for (size_t t = 0; t < of_test_.size(); t++) {
            of_test_[t].count.assign(conditions.tests[t].n_values, 0);
            of_test_[t].touched.assign(conditions.tests[t].n_values + 1, 0);
            if (conditions.tests[t].pair) of_test_[t].seen.assign(conditions.tests[t].n_pairs, 0);
        }
    }

    void clear() {
        total_ = 0;
        stamp_++;
        for (OfTest& own : of_test_) {
            for (size_t i = 0; i < own.n_touched; i++) own.count[own.touched[i]] = 0;
            own.n_touched = 0;
            own.sum = 0;
        }
    }

    void add(uint32_t item, uint32_t weight = 1) {
        uint32_t first = conditions_.first ? conditions_.first[item] : item;
        uint32_t end = conditions_.first ? conditions_.first[item + 1] : item + 1;
        if (conditions_.weight) add_weighted(first, end);
        else add_members(first, end, conditions_.first ? 1 : weight);
    }

    // Ask memory for items that will be added soon: `later` after `soon`.
    void expect(uint32_t soon, uint32_t later) const {
#if defined(__GNUC__)
        if (!conditions_.first || conditions_.tests.empty()) return;
        __builtin_prefetch(&conditions_.first[later]);
        const Test& test = conditions_.tests[0];
        uint32_t member = conditions_.first[soon];
        __builtin_prefetch(test.short_code.empty() ? static_cast<const void*>(test.code + member) : test.short_code.data() + member);
#else
        (void)soon, (void)later;
#endif
    }

    // Whether two items count the same in any group.
    bool alike(uint32_t a, uint32_t b) const {
        if (conditions_.unit && conditions_.unit[a] != conditions_.unit[b]) return false;
        for (const Test& test : conditions_.tests)
            if (test.code[a] != test.code[b]) return false;
        return true;
    }

    bool holds() {
        if (total_ < conditions_.k) return false;
        for (size_t t = 0; t < of_test_.size(); t++)
            if (!holds(conditions_.tests[t], of_test_[t])) return false;
        return true;
    }

private:
    struct OfTest {
        std::vector<uint32_t> count, touched;  // the values that were counted: the first n_touched
        std::vector<uint32_t> seen;
        size_t n_touched = 0;
        int64_t sum = 0;

        const uint32_t* begin() const { return touched.data(); }
        const uint32_t* end() const { return touched.data() + n_touched; }

        void count_one(uint32_t value, uint32_t weight) {
            touched[n_touched] = value;
            n_touched += count[value] == 0;
            count[value] += weight;
            sum += weight;
        }
    };

    const Conditions& conditions_;
    std::vector<OfTest> of_test_;
    std::vector<uint32_t> seen_, sizes_;
    std::vector<double> extra_, above_, gains_, losses_;
    uint32_t stamp_ = 1;
    int64_t total_ = 0;

    void add_weighted(uint32_t first, uint32_t end) {
        const uint32_t* weight = conditions_.weight;
        for (uint32_t m = first; m < end; m++) total_ += weight[m];
        for (size_t t = 0; t < of_test_.size(); t++) {
            const Test& test = conditions_.tests[t];
            for (uint32_t m = first; m < end; m++) of_test_[t].count_one(test.code[m], weight[m]);
        }
    }

    void add_members(uint32_t first, uint32_t end, uint32_t weight) {
        if (!conditions_.unit) total_ += int64_t(end - first) * weight;
        else
            for (uint32_t m = first; m < end; m++) {
                uint32_t& seen = seen_[conditions_.unit[m]];
                total_ += seen != stamp_;
                seen = stamp_;
            }
        for (size_t t = 0; t < of_test_.size(); t++) {
            const Test& test = conditions_.tests[t];
            OfTest& own = of_test_[t];
            if (test.pair) {  // people are counted: members are rows, each of weight 1
                for (uint32_t m = first; m < end; m++) {
                    if (own.seen[test.pair[m]] == stamp_) continue;
                    own.seen[test.pair[m]] = stamp_;
                    own.count_one(test.code[m], 1);
                }
            } else if (!test.short_code.empty()) {
                const uint8_t* code = test.short_code.data();
                for (uint32_t m = first; m < end; m++) own.count_one(code[m], weight);
            } else {
                for (uint32_t m = first; m < end; m++) own.count_one(test.code[m], weight);
            }
        }
    }

    bool holds(const Test& test, OfTest& own) {
        switch (test.kind) {
            case test::LIMITS: return within_limits(test, own);
            case test::DISTINCT: return double(own.n_touched) + COUNT_SLACK >= test.bound;
            case test::ENTROPY: return entropy(own) >= test.bound - SHARE_SLACK;
            case test::RECURSIVE: return recursive(test, own);
            case test::EQUAL: return equal_distance(test, own) <= test.bound + SHARE_SLACK;
            case test::ORDERED: return ordered_distance(test, own) <= test.bound + SHARE_SLACK;
            case test::HIERARCHICAL: return hierarchical_distance(test, own) <= test.bound + SHARE_SLACK;
            case test::PROXIMITY: return spread_out(test, own);
            default: return weight(test, own) >= test.bound * (1 - SHARE_SLACK);
        }
    }

    bool within_limits(const Test& test, const OfTest& own) const {
        double whole = double(test.of_people ? total_ : own.sum);
        for (uint32_t value : own) {
            double count = own.count[value];
            if (count > test.upper[value] * whole + COUNT_SLACK || count < test.lower[value] * whole - COUNT_SLACK) return false;
        }
        if (!test.every_value) return true;
        for (size_t value = 0; value < test.n_values; value++)
            if (own.count[value] == 0 && test.lower[value] > 0) return false;
        return true;
    }

    static double entropy(const OfTest& own) {
        double sum = 0, whole = double(own.sum);
        for (uint32_t value : own) sum += own.count[value] * std::log(double(own.count[value]));
        return std::log(whole) - sum / whole;
    }

    // f1 < c (f_l + ... + f_m), counted from the most frequent value.
    bool recursive(const Test& test, const OfTest& own) {
        sizes_.clear();
        for (uint32_t value : own) sizes_.push_back(own.count[value]);
        size_t first = size_t(test.bound) - 1;
        if (first >= sizes_.size()) return false;
        std::sort(sizes_.begin(), sizes_.end(), std::greater<uint32_t>());
        double tail = 0;
        for (size_t i = first; i < sizes_.size(); i++) tail += sizes_[i];
        return double(sizes_[0]) < test.factor * tail * (1 - SHARE_SLACK);
    }

    static double equal_distance(const Test& test, const OfTest& own) {
        double apart = 0, known = 0, whole = double(own.sum);
        for (uint32_t value : own) {
            apart += std::fabs(own.count[value] / whole - test.share[value]);
            known += test.share[value];
        }
        return (apart + std::max(0.0, 1 - known)) / 2;
    }

    double ordered_distance(const Test& test, OfTest& own) const {
        size_t m = test.n_values;
        if (m < 2) return 0;
        double whole = double(own.sum), apart = 0, upto = 0;
        if (own.n_touched * 8 > m) {
            for (size_t value = 0; value < m; value++) {
                upto += own.count[value] / whole;
                apart += std::fabs(upto - test.below[value]);
            }
            return apart / double(m - 1);
        }
        // Few values: between two of them the group's sum stands still, and the table's has known sums.
        std::sort(own.touched.begin(), own.touched.begin() + std::ptrdiff_t(own.n_touched));
        size_t from = 0;
        for (size_t i = 0; i <= own.n_touched; i++) {
            size_t to = i < own.n_touched ? own.touched[i] : m;
            apart += stretch(test, from, to, upto);
            if (i < own.n_touched) upto += own.count[to] / whole;
            from = to;
        }
        return apart / double(m - 1);
    }

    // The sum of |upto - cumulated share| over the values from..to-1.
    static double stretch(const Test& test, size_t from, size_t to, double upto) {
        if (from >= to) return 0;
        const double* below = test.below.data();
        size_t turn = size_t(std::upper_bound(below + from, below + to, upto) - below);
        double left = upto * double(turn - from) - (test.summed[turn] - test.summed[from]);
        double right = (test.summed[to] - test.summed[turn]) - upto * double(to - turn);
        return left + right;
    }

    // At a node of height h the smaller of what its children have too much and too little moves over h / H.
    double hierarchical_distance(const Test& test, const OfTest& own) {
        size_t m = test.n_values;
        double whole = double(own.sum), cost = 0, height = double(test.n_levels - 1);
        if (test.n_levels < 2) return 0;
        extra_.assign(m, 0);
        for (size_t value = 0; value < m; value++) extra_[value] = own.count[value] / whole - test.share[value];
        for (size_t level = 1; level < test.n_levels; level++) {
            const int32_t *child = test.node + (level - 1) * m, *parent = test.node + level * m;
            above_.assign(m, 0), gains_.assign(m, 0), losses_.assign(m, 0);
            for (size_t value = 0; value < m; value++) {
                if (child[value] != int32_t(value)) continue;  // a node is named by its first value
                double extra = extra_[value];
                above_[size_t(parent[value])] += extra;
                (extra > 0 ? gains_ : losses_)[size_t(parent[value])] += std::fabs(extra);
            }
            for (size_t value = 0; value < m; value++)
                if (parent[value] == int32_t(value)) cost += double(level) / height * std::min(gains_[value], losses_[value]);
            extra_.swap(above_);
        }
        return cost;
    }

    static double weight(const Test& test, const OfTest& own) {
        double sum = 0;
        for (uint32_t value : own) sum += own.count[value] * test.lower[value];
        return sum;
    }

    bool spread_out(const Test& test, OfTest& own) const {
        std::sort(own.touched.begin(), own.touched.begin() + std::ptrdiff_t(own.n_touched));
        double most = test.bound * double(own.sum) + COUNT_SLACK;
        int64_t inside = 0;
        for (size_t i = 0, end = 0; i < own.n_touched; i++) {
            for (; end < own.n_touched && int32_t(own.touched[end]) <= test.last[own.touched[i]]; end++) inside += own.count[own.touched[end]];
            if (double(inside) > most) return false;
            inside -= own.count[own.touched[i]];
        }
        return true;
    }
};

}  // namespace amongst
