// Which rows go with which, level by level: first those whose values are the same, then those whose values are the same
// one level up, and so on (MultiRelational k-Anonymity, end of section 4.3).
#pragma once

#include <map>

#include "entity_trees.h"

namespace amongst {

// What a node says with every column taken up to a level; a column that says less already says the same as before.
inline void key_at_level(const TableRows& table, const Nodes& nodes, size_t i, int64_t level, std::vector<int32_t>& key) {
    key.clear();
    for (size_t c = 0; c < table.d(); c++) {
        const CellPrice& column = table.columns[c];
        int32_t lo = nodes.lo[i * table.d() + c], hi = nodes.hi[i * table.d() + c];
        if (column.position) {  // a range has no levels: what it says, or nothing
            key.push_back(level > 0 ? -1 : lo);
            key.push_back(level > 0 ? -1 : hi);
            continue;
        }
        int64_t at = std::min(std::max(level, column.level(lo, hi)), column.n_levels - 1) * column.n + lo;
        key.push_back(column.start[at]);
        key.push_back(column.end[at]);
    }
}

inline int64_t top_level(const TableRows& table) {
    int64_t top = 1;
    for (const CellPrice& column : table.columns) top = std::max(top, column.n_levels - 1);
    return top;
}

// Pairs the nodes [a0, a1) with [b0, b1), of which there are as many or more: the place of the partner of each.
inline void pair_by_levels(const TableRows& table, const Nodes& a, const Nodes& b, size_t a0, size_t a1, size_t b0, size_t b1,
                           std::vector<int64_t>& chosen, std::vector<char>& taken) {
    chosen.assign(a1 - a0, -1);
    taken.assign(b1 - b0, 0);
    size_t left = a1 - a0;
    std::vector<int32_t> key;
    for (int64_t level = 0, top = top_level(table); level <= top && left > 0; level++) {
        std::map<std::vector<int32_t>, std::vector<size_t>> free;  // the last of a list is the first in order
        for (size_t j = b1 - b0; j-- > 0;) {
            if (taken[j]) continue;
            key_at_level(table, b, b0 + j, level, key);
            free[key].push_back(j);
        }
        for (size_t i = 0; i < chosen.size(); i++) {
            if (chosen[i] >= 0) continue;
            key_at_level(table, a, a0 + i, level, key);
            auto found = free.find(key);
            if (found == free.end() || found->second.empty()) continue;
            chosen[i] = int64_t(found->second.back());
            taken[found->second.back()] = 1;
            found->second.pop_back();
            left--;
        }
    }
}

}  // namespace amongst
