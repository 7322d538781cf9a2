// People as trees: the rows of many tables that belong to one person, and the tree that stands for several people.
#pragma once

#include <algorithm>
#include <cstdint>
#include <vector>

namespace amongst {

// What a range of codes of one column costs: nothing for one value, `full` for saying nothing.
struct CellPrice {
    const int32_t* table = nullptr;     // of all pairs, where there are few codes
    const int32_t* position = nullptr;  // of a range column, in price units
    const int32_t* start = nullptr;     // of a tree column: first and last leaf of the ancestor at every level
    const int32_t* end = nullptr;
    const int32_t* label_lo = nullptr;  // what is published for the ends of a range column
    const int32_t* label_hi = nullptr;
    int64_t n = 0, n_levels = 0, full = 0, own_null = -1;

    int64_t level(int32_t lo, int32_t hi) const {
        int64_t level = 0;
        while (start[level * n + lo] != start[level * n + hi]) level++;
        return level;
    }
    int64_t of(int32_t lo, int32_t hi) const {
        if (table) return table[int64_t(lo) * n + hi];
        if (lo == hi) return 0;
        if (position) return hi == own_null ? full : int64_t(position[hi]) - position[lo];
        int64_t at = level(lo, hi) * n + lo;
        return n > 1 ? (int64_t(end[at]) - start[at]) * full / (n - 1) : 0;
    }
    // Two ranges that publish the same have the same label.
    void label(int32_t lo, int32_t hi, std::vector<int32_t>& to) const {
        if (position) {
            bool mixed = hi == own_null && lo != hi;
            to.push_back(mixed ? -1 : label_lo[lo]);
            to.push_back(mixed ? -1 : label_hi[hi]);
            return;
        }
        int64_t at = level(lo, hi) * n + lo;
        to.push_back(start[at]);
        to.push_back(end[at]);
    }
};

// One table of the database: rows sorted by parent, so that the children of a row lie side by side.
struct TableRows {
    int64_t n = 0, parent = -1;
    const int64_t* first = nullptr;  // of every row of the parent table, and one more
    const int32_t* codes = nullptr;  // n x columns
    const int32_t* sensitive = nullptr;
    int64_t n_sensitive = 0;
    std::vector<CellPrice> columns;
    std::vector<size_t> children;  // tables that refer to this one
    int64_t full = 0;              // the price of a row of which nothing is said
    size_t d() const { return columns.size(); }
    // Rows that no value and nothing below them tells apart: whichever two are paired, it costs nothing.
    bool alike() const {
        return children.empty() && std::all_of(columns.begin(), columns.end(), [](const CellPrice& column) { return column.n == 1; });
    }
};

// The nodes of one table in the tree of some people.
struct Nodes {
    size_t n = 0;
    std::vector<int32_t> lo, hi;     // n x columns
    std::vector<int64_t> old;        // what every node costs already
    std::vector<int64_t> lost;       // what giving up a node and all below it costs
    std::vector<int64_t> first;      // of every node of the parent table, and one more
    std::vector<int32_t> rows;       // members x n: the row of every member that a node stands for; -1 for a star
    bool star(size_t i) const { return rows[i] < 0; }
};

struct Entity {
    std::vector<int32_t> members;
    std::vector<Nodes> of;  // one a table
    int64_t full = 0;       // the price of a tree of this shape of which nothing is said
    size_t size() const { return members.size(); }
};

using Forest = std::vector<TableRows>;

// The prices of the nodes, and what losing them costs, from the leaves up.
inline void price_entity(const Forest& forest, Entity& entity, bool increase) {
    for (size_t t = forest.size(); t-- > 0;) {
        const TableRows& table = forest[t];
        Nodes& nodes = entity.of[t];
        nodes.old.assign(nodes.n, 0);
        nodes.lost.assign(nodes.n, 0);
        for (size_t i = 0; i < nodes.n; i++) {
            if (increase)
                for (size_t c = 0; c < table.d(); c++) nodes.old[i] += table.columns[c].of(nodes.lo[i * table.d() + c], nodes.hi[i * table.d() + c]);
            nodes.lost[i] = table.full - nodes.old[i];
            for (size_t u : table.children)
                for (int64_t j = entity.of[u].first[i]; j < entity.of[u].first[i + 1]; j++) nodes.lost[i] += entity.of[u].lost[size_t(j)];
        }
    }
    entity.full = 0;
    for (size_t t = 0; t < forest.size(); t++) entity.full += forest[t].full * int64_t(entity.of[t].n);
}

// The tree without its stars, and without what hangs on them: what can be published.
inline Entity without_stars(const Forest& forest, const Entity& entity) {
    Entity made;
    made.members = entity.members;
    made.of.resize(forest.size());
    for (size_t t = 0; t < forest.size(); t++) {
        const Nodes& from = entity.of[t];
        Nodes& nodes = made.of[t];
        size_t d = forest[t].d();
        std::vector<size_t> kept;
        for (size_t i = 0; i < from.n; i++)
            if (!from.star(i)) kept.push_back(i);
        nodes.n = kept.size();
        for (size_t i : kept) {
            nodes.lo.insert(nodes.lo.end(), from.lo.begin() + int64_t(i * d), from.lo.begin() + int64_t((i + 1) * d));
            nodes.hi.insert(nodes.hi.end(), from.hi.begin() + int64_t(i * d), from.hi.begin() + int64_t((i + 1) * d));
        }
        for (size_t m = 0; m < entity.size(); m++)
            for (size_t i : kept) nodes.rows.push_back(from.rows[m * from.n + i]);
        if (t == 0) continue;
        const Nodes& up = entity.of[size_t(forest[t].parent)];
        nodes.first.assign(1, 0);
        int64_t n_before = 0;
        for (size_t p = 0; p < up.n; p++) {
            for (int64_t i = from.first[p]; i < from.first[p + 1]; i++) n_before += !from.star(size_t(i));
            if (!up.star(p)) nodes.first.push_back(n_before);
        }
    }
    return made;
}

// The tree of one person: in every table the rows are a stretch.
inline void single_entity(const Forest& forest, int32_t person, bool increase, Entity& entity) {
    entity.members.assign(1, person);
    entity.of.resize(forest.size());
    std::vector<int64_t> begins(forest.size());
    for (size_t t = 0; t < forest.size(); t++) {
        const TableRows& table = forest[t];
        Nodes& nodes = entity.of[t];
        int64_t begin = person, end = person + 1;
        if (t > 0) {
            size_t up = size_t(table.parent);
            int64_t from = begins[up], to = from + int64_t(entity.of[up].n);
            begin = table.first[from];
            end = table.first[to];
            nodes.first.resize(size_t(to - from) + 1);
            for (int64_t i = from; i <= to; i++) nodes.first[size_t(i - from)] = table.first[i] - begin;
        }
        begins[t] = begin;
        nodes.n = size_t(end - begin);
        nodes.lo.assign(table.codes + begin * int64_t(table.d()), table.codes + end * int64_t(table.d()));
        nodes.hi = nodes.lo;
        nodes.rows.resize(nodes.n);
        for (size_t i = 0; i < nodes.n; i++) nodes.rows[i] = int32_t(begin + int64_t(i));
    }
    price_entity(forest, entity, increase);
}

}  // namespace amongst
