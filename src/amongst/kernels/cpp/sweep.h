// One step of the sweep: at one generalization, rows that are alike and enough become groups.
#pragma once

#include <algorithm>
#include <cstdint>
#include <vector>

#include "records.h"

namespace amongst {

constexpr uint32_t NONE = 0xFFFFFFFFu;

// A class of tuples with equal keys while the tuples stream by in the order of the window column.
struct OpenClass {
    uint32_t head = NONE;    // first and last tuple of the pending window
    uint32_t tail = NONE;
    uint64_t pending = 0;    // weight of the window
    int32_t last_group = -1; // the group it closed last, and where that begins
    int32_t last_start = 0;
};

// All keys of a tuple as one number: exactly, when all combinations fit into 64 bits, else as a hash.
template <typename K>
void add_key(const void* data, const uint32_t* alive, size_t n, uint64_t radix, bool exact, uint64_t* words) {
    const K* codes = static_cast<const K*>(data);
    if (exact)
        for (size_t i = 0; i < n; i++) words[i] = words[i] * radix + codes[alive[i]];
    else
        for (size_t i = 0; i < n; i++) words[i] = mix(words[i], uint64_t(codes[alive[i]]) + 1);
}

// Tuples (by weight) that have equal keys and lie within `width` of each other in the window column become a group as
// soon as they weigh k; later ones that still fit into the last group join it. Gives the number of new groups.
// With `only_look` nothing is grouped, and the answer is 1 as soon as some group could be.
inline int32_t sweep_step(const std::vector<CodeColumn>& keys, const int64_t* radix, const uint32_t* alive, size_t n_alive,
                          const uint32_t* weight, const int32_t* position, int32_t width, uint64_t k, int32_t next_group,
                          int32_t* group, bool only_look) {
    size_t capacity = 1;
    while (capacity < 2 * n_alive) capacity *= 2;
    bool exact = true;
    uint64_t combinations = 1;
    for (size_t c = 0; c < keys.size(); c++) {
        exact = exact && combinations <= (uint64_t(1) << 62) / uint64_t(radix[c]);
        combinations *= uint64_t(radix[c]);
    }
    std::vector<uint64_t> words(n_alive, 0);
    for (size_t c = 0; c < keys.size(); c++) {
        switch (keys[c].itemsize) {
            case 1: add_key<uint8_t>(keys[c].data, alive, n_alive, uint64_t(radix[c]), exact, words.data()); break;
            case 2: add_key<uint16_t>(keys[c].data, alive, n_alive, uint64_t(radix[c]), exact, words.data()); break;
            default: add_key<uint32_t>(keys[c].data, alive, n_alive, uint64_t(radix[c]), exact, words.data());
        }
    }
    auto equal = [&](uint32_t a, uint32_t b) {
        for (const CodeColumn& key : keys)
            if (key.at(a) != key.at(b)) return false;
        return true;
    };
    struct Slot {
        uint64_t word;
        uint32_t tuple, number;
    };
    std::vector<Slot> table(capacity, Slot{0, NONE, 0});
    std::vector<uint32_t> class_of(n_alive);
    std::vector<uint64_t> class_weight;
    uint64_t heaviest = 0;
    for (size_t i = 0; i < n_alive; i++) {
        uint64_t h = words[i] * 0x9E3779B97F4A7C15ull;
        size_t at = (h ^ (h >> 32)) & (capacity - 1);
        while (table[at].tuple != NONE && !(table[at].word == words[i] && (exact || equal(table[at].tuple, alive[i])))) at = (at + 1) & (capacity - 1);
        if (table[at].tuple == NONE) {
            table[at] = {words[i], alive[i], uint32_t(class_weight.size())};
            class_weight.push_back(0);
        }
        class_of[i] = table[at].number;
        heaviest = std::max(heaviest, class_weight[table[at].number] += weight[alive[i]]);
    }
    if (heaviest < k) return 0;
    std::vector<OpenClass> classes(class_weight.size());
    std::vector<uint32_t> next(n_alive, NONE);
    int32_t n_new = 0;
    for (size_t i = 0; i < n_alive; i++) {
        OpenClass& own = classes[class_of[i]];
        if (class_weight[class_of[i]] < k) continue;
        int32_t here = position ? position[alive[i]] : 0;
        auto pop = [&]() {  // the first of the window leaves it: into the last group, or it stays alone
            uint32_t e = own.head;
            own.head = next[e];
            if (own.head == NONE) own.tail = NONE;
            own.pending -= weight[alive[e]];
            int32_t there = position ? position[alive[e]] : 0;
            if (own.last_group >= 0 && there - own.last_start <= width) group[alive[e]] = own.last_group;
        };
        if (own.tail == NONE) own.head = uint32_t(i);
        else next[own.tail] = uint32_t(i);
        own.tail = uint32_t(i);
        own.pending += weight[alive[i]];
        while (position && here - position[alive[own.head]] > width) pop();
        if (own.pending < k) continue;
        if (only_look) return 1;
        own.last_group = next_group + n_new++;
        own.last_start = position ? position[alive[own.head]] : 0;
        for (uint32_t e = own.head; e != NONE; e = next[e]) group[alive[e]] = own.last_group;
        own.head = own.tail = NONE;
        own.pending = 0;
    }
    for (OpenClass& own : classes)  // what is left at the end of every class
        for (uint32_t e = own.head; e != NONE; e = next[e]) {
            int32_t there = position ? position[alive[e]] : 0;
            if (own.last_group >= 0 && there - own.last_start <= width) group[alive[e]] = own.last_group;
        }
    return n_new;
}

}  // namespace amongst
