// One look at a set of cuts: the cells of the finest grid that is still possible, the classes of the cuts made so far,
// and what every further cut would do to them.
#pragma once

#include <algorithm>
#include <cstdint>
#include <vector>

namespace amongst {

// Where a grid cuts: after atom a of column c when cut[first_cut[c] + a] is set. Column c has
// first_cut[c + 1] - first_cut[c] + 1 atoms, in order.
struct Grid {
    const uint8_t* cut;
    const int64_t* first_cut;
    size_t n_columns;
};

// The number of every key, in order of first appearance; gives how many there are.
inline uint32_t number_keys(std::vector<uint64_t>& keys, std::vector<uint32_t>& number, std::vector<uint32_t>& first) {
    constexpr uint32_t FREE = 0xFFFFFFFFu;
    size_t capacity = 16;
    while (capacity < 2 * keys.size()) capacity *= 2;
    std::vector<uint32_t> table(capacity, FREE);
    number.resize(keys.size());
    first.clear();
    for (size_t i = 0; i < keys.size(); i++) {
        uint64_t hash = keys[i] * 0x9E3779B97F4A7C15ull;
        size_t at = size_t(hash ^ (hash >> 32)) & (capacity - 1);
        while (table[at] != FREE && keys[first[table[at]]] != keys[i]) at = (at + 1) & (capacity - 1);
        if (table[at] == FREE) {
            table[at] = uint32_t(first.size());
            first.push_back(uint32_t(i));
        }
        number[i] = table[at];
    }
    return uint32_t(first.size());
}

// The cell of every tuple in a grid, numbered in order of first appearance. Keys that outgrow 64 bits are numbered in
// between, so that no two cells are ever taken for one.
inline uint32_t cells_of(const Grid& grid, const uint16_t* atoms, size_t n, std::vector<uint32_t>& cell, std::vector<uint32_t>& first) {
    size_t d = grid.n_columns;
    std::vector<uint64_t> keys(n, 0);
    std::vector<uint32_t> interval;
    uint64_t combinations = 1;
    for (size_t c = 0; c < d; c++) {
        const uint8_t* cut = grid.cut + grid.first_cut[c];
        size_t n_cuts = size_t(grid.first_cut[c + 1] - grid.first_cut[c]);
        interval.assign(n_cuts + 1, 0);
        for (size_t a = 0; a < n_cuts; a++) interval[a + 1] = interval[a] + (cut[a] != 0);
        uint64_t radix = interval[n_cuts] + 1;
        if (radix == 1) continue;
        if (combinations > (uint64_t(1) << 62) / radix) {
            combinations = number_keys(keys, cell, first);
            for (size_t i = 0; i < n; i++) keys[i] = cell[i];
        }
        combinations *= radix;
        for (size_t i = 0; i < n; i++) keys[i] = keys[i] * radix + interval[atoms[i * d + c]];
    }
    return number_keys(keys, cell, first);
}

struct Merged {
    size_t n_cells = 0, n_classes = 0;
    uint64_t gone = 0;
};

// Tuples that the fine grid does not tell apart become one; classes of the coarse grid with less than k are left out.
// The fine grid has all the cuts of the coarse one. Outputs have room for n tuples.
inline Merged merge_cells(const Grid& fine, const Grid& coarse, const uint16_t* atoms, const uint32_t* weight, size_t n, uint64_t k,
                          uint16_t* to_atoms, uint32_t* to_weight, int32_t* class_of_cell, int64_t* size_of_class) {
    size_t d = fine.n_columns;
    std::vector<uint32_t> cell, first, own, ignored;
    uint32_t n_cells = cells_of(fine, atoms, n, cell, first);
    std::vector<uint32_t> weight_of_cell(n_cells, 0);
    for (size_t i = 0; i < n; i++) weight_of_cell[cell[i]] += weight[i];
    std::vector<uint16_t> records(size_t(n_cells) * d);
    for (size_t j = 0; j < n_cells; j++) std::copy_n(atoms + size_t(first[j]) * d, d, &records[j * d]);
    uint32_t n_all = cells_of(coarse, records.data(), n_cells, own, ignored);
    std::vector<int64_t> size(n_all, 0);
    for (size_t j = 0; j < n_cells; j++) size[own[j]] += weight_of_cell[j];
    Merged made;
    std::vector<int32_t> number(n_all, -1);
    for (size_t g = 0; g < n_all; g++) {
        if (uint64_t(size[g]) < k) {
            made.gone += uint64_t(size[g]);
            continue;
        }
        size_of_class[made.n_classes] = size[g];
        number[g] = int32_t(made.n_classes++);
    }
    for (size_t j = 0; j < n_cells; j++) {
        if (number[own[j]] < 0) continue;
        std::copy_n(&records[j * d], d, to_atoms + made.n_cells * d);
        to_weight[made.n_cells] = weight_of_cell[j];
        class_of_cell[made.n_cells++] = number[own[j]];
    }
    return made;
}

// What one more cut would do: one row of figures each, n_cuts long.
enum Effect { SPLIT, USEFUL, LOST, LOST_LEFT, LOST_RIGHT, LOST_FLOOR, LOST_NOW, SQUARES, N_EFFECTS };

struct Side {
    int64_t weight = 0, priced = 0, floor = 0, now = 0;

    void add(const Side& other) { weight += other.weight, priced += other.priced, floor += other.floor, now += other.now; }
};

// For every cut: how many classes it splits (SPLIT), and of these how many keep a side of k (USEFUL); the weight on
// sides with less than k (LOST), that part of it on the left and on the right whose atom has a price in the column
// (LOST_LEFT, LOST_RIGHT), and its floors and its present prices (LOST_FLOOR, LOST_NOW); by how much the sum of
// squared class sizes falls, lost sides counting nothing (SQUARES).
inline void cut_effects(const uint16_t* atoms, const uint32_t* weight, const int32_t* class_of_cell, size_t n, size_t n_classes,
                        const int64_t* first_cut, const int64_t* n_priced, size_t d, int64_t k, const int64_t* floor,
                        const int64_t* now, int64_t* effects) {
    size_t n_cuts = size_t(first_cut[d]), most_atoms = 1;
    for (size_t c = 0; c < d; c++) most_atoms = std::max(most_atoms, size_t(first_cut[c + 1] - first_cut[c] + 1));
    std::fill(effects, effects + N_EFFECTS * n_cuts, 0);
    std::vector<size_t> begin(n_classes + 1, 0);
    for (size_t j = 0; j < n; j++) begin[size_t(class_of_cell[j]) + 1]++;
    for (size_t g = 0; g < n_classes; g++) begin[g + 1] += begin[g];
    std::vector<uint32_t> cell_at(n);
    std::vector<size_t> next(begin.begin(), begin.end() - 1);
    for (size_t j = 0; j < n; j++) cell_at[next[size_t(class_of_cell[j])]++] = uint32_t(j);
    std::vector<Side> of_atom(most_atoms);
    for (size_t g = 0; g < n_classes; g++) {
        for (size_t c = 0; c < d; c++) {
            size_t lo = most_atoms, hi = 0;
            Side total;
            for (size_t at = begin[g]; at < begin[g + 1]; at++) {
                size_t j = cell_at[at], atom = atoms[j * d + c];
                int64_t w = weight[j];
                Side own{w, int64_t(atom) < n_priced[c] ? w : 0, w * floor[j], w * now[j]};
                of_atom[atom].add(own);
                total.add(own);
                lo = std::min(lo, atom), hi = std::max(hi, atom);
            }
            Side left;
            for (size_t atom = lo; atom < hi; atom++) {
                left.add(of_atom[atom]);
                of_atom[atom] = Side{};
                int64_t* figure = effects + first_cut[c] + int64_t(atom);
                int64_t right = total.weight - left.weight, squares = total.weight * total.weight;
                bool lost_left = left.weight < k, lost_right = right < k;
                figure[SPLIT * n_cuts] += 1;
                figure[USEFUL * n_cuts] += !lost_left || !lost_right;
                if (lost_left) {
                    figure[LOST * n_cuts] += left.weight;
                    figure[LOST_LEFT * n_cuts] += left.priced;
                    figure[LOST_FLOOR * n_cuts] += left.floor;
                    figure[LOST_NOW * n_cuts] += left.now;
                } else {
                    squares -= left.weight * left.weight;
                }
                if (lost_right) {
                    figure[LOST * n_cuts] += right;
                    figure[LOST_RIGHT * n_cuts] += total.priced - left.priced;
                    figure[LOST_FLOOR * n_cuts] += total.floor - left.floor;
                    figure[LOST_NOW * n_cuts] += total.now - left.now;
                } else {
                    squares -= right * right;
                }
                figure[SQUARES * n_cuts] += squares;
            }
            if (lo <= hi && lo < most_atoms) of_atom[hi] = Side{};
        }
    }
}

}  // namespace amongst
