// Are the sensitive values of people who look alike spread enough? (MultiRelational k-Anonymity, definition 10.)
#pragma once

#include <cmath>
#include <map>

#include "entity_trees.h"

namespace amongst {

enum Sense { FREQUENCY = 0, DISTINCT = 1, ENTROPY = 2, RECURSIVE = 3 };

enum Counted { BOTH = 0, ROWS = 1, PERSONS = 2 };

// What is asked of one sensitive column.
struct Spread {
    int64_t table = 0, column = 0, sense = 0;
    double l = 1, c = 1;
    int64_t counted = BOTH;
};

constexpr double ROUNDING = 1e-12;  // logarithms are not exact

// Counts in the order of the values. `people` is how many there are for the counts of people, 0 for counts of rows.
inline bool spread_enough(const Spread& asked, const std::vector<int64_t>& counts, int64_t people) {
    int64_t sum = 0, most = 0;
    for (int64_t count : counts) sum += count, most = std::max(most, count);
    if (sum == 0) return true;
    switch (asked.sense) {
        case DISTINCT: return double(counts.size()) >= asked.l;
        case FREQUENCY: return double(most) * asked.l <= double(people > 0 ? people : sum) * (1 + ROUNDING);
        case ENTROPY: {
            double entropy = 0;
            for (int64_t count : counts) {
                double share = double(count) / double(sum);
                entropy -= share * std::log(share);
            }
            return entropy >= std::log(asked.l) - ROUNDING;
        }
        default: {
            std::vector<int64_t> falling = counts;
            std::sort(falling.rbegin(), falling.rend());
            int64_t tail = 0;
            for (size_t i = size_t(asked.l) - 1; i < falling.size(); i++) tail += falling[i];
            return double(most) < asked.c * double(tail);
        }
    }
}

// Nodes of a tree that nobody can tell apart by what is published: the same values, the same below, alike above.
inline std::vector<std::vector<int32_t>> alike_nodes(const Forest& forest, const Entity& entity) {
    std::vector<std::vector<int32_t>> below(forest.size()), alike(forest.size());
    for (size_t t = forest.size(); t-- > 0;) {
        const TableRows& table = forest[t];
        const Nodes& nodes = entity.of[t];
        std::map<std::vector<int32_t>, int32_t> number;
        std::vector<int32_t> key, kinds;
        below[t].resize(nodes.n);
        for (size_t i = 0; i < nodes.n; i++) {
            key.clear();
            for (size_t c = 0; c < table.d(); c++) table.columns[c].label(nodes.lo[i * table.d() + c], nodes.hi[i * table.d() + c], key);
            for (size_t u : table.children) {
                const auto& first = entity.of[u].first;
                kinds.assign(below[u].begin() + first[i], below[u].begin() + first[i + 1]);
                std::sort(kinds.begin(), kinds.end());
                key.push_back(-2);
                key.insert(key.end(), kinds.begin(), kinds.end());
            }
            below[t][i] = number.emplace(key, int32_t(number.size())).first->second;
        }
    }
    for (size_t t = 0; t < forest.size(); t++) {
        alike[t].resize(entity.of[t].n);
        std::map<std::pair<int32_t, int32_t>, int32_t> number;
        if (t == 0) {
            alike[0].assign(entity.of[0].n, 0);
            continue;
        }
        size_t up = size_t(forest[t].parent);
        for (size_t p = 0; p < entity.of[up].n; p++)
            for (int64_t i = entity.of[t].first[p]; i < entity.of[t].first[p + 1]; i++)
                alike[t][size_t(i)] = number.emplace(std::make_pair(alike[up][p], below[t][size_t(i)]), int32_t(number.size())).first->second;
    }
    return alike;
}

inline bool column_diverse(const Forest& forest, const Entity& entity, const Spread& asked, const std::vector<int32_t>& alike) {
    size_t t = size_t(asked.table), n = entity.of[t].n;
    const TableRows& table = forest[t];
    struct Count {
        int64_t rows = 0, people = 0;
        size_t last = SIZE_MAX;
    };
    std::map<std::pair<int32_t, int32_t>, Count> counts;  // of every kind of node and value
    for (size_t m = 0; m < entity.size(); m++)
        for (size_t i = 0; i < n; i++) {
            int64_t row = entity.of[t].rows[m * n + i];
            Count& count = counts[{alike[i], table.sensitive[row * table.n_sensitive + asked.column]}];
            count.rows++;
            if (count.last != m) count.people++, count.last = m;
        }
    std::vector<int64_t> rows, people;
    auto holds = [&] {
        return (asked.counted == PERSONS || spread_enough(asked, rows, 0)) &&
               (asked.counted == ROWS || spread_enough(asked, people, int64_t(entity.size())));
    };
    int32_t kind = -1;
    for (const auto& [key, count] : counts) {
        if (key.first != kind) {
            if (!holds()) return false;
            rows.clear();
            people.clear();
            kind = key.first;
        }
        rows.push_back(count.rows);
        people.push_back(count.people);
    }
    return holds();
}

inline bool diverse(const Forest& forest, const Entity& entity, const std::vector<Spread>& asked) {
    if (asked.empty()) return true;
    auto alike = alike_nodes(forest, entity);
    for (const Spread& one : asked)
        if (!column_diverse(forest, entity, one, alike[size_t(one.table)])) return false;
    return true;
}

}  // namespace amongst
