// One step of the sweep: at one generalization, rows that are alike and enough become groups.
#pragma once

#include <cstdint>
#include <vector>

#include "records.h"

namespace amongst {

constexpr uint32_t NONE = 0xFFFFFFFFu;

// A class of tuples with equal keys while the tuples stream by in the order of the window column.
struct OpenClass {
    uint64_t weight = 0;     // of all its tuples that are not grouped yet
    uint32_t head = NONE;    // first and last tuple of the pending window
    uint32_t tail = NONE;
    uint64_t pending = 0;    // weight of the window
    int32_t last_group = -1; // the group it closed last, and where that begins
    int32_t last_start = 0;
};

// Tuples (by weight) that have equal keys and lie within `width` of each other in the window column become a group as
// soon as they weigh k; later ones that still fit into the last group join it. Gives the number of new groups.
// With `only_look` nothing is grouped, and the answer is 1 as soon as some group could be.
inline int32_t sweep_step(const std::vector<CodeColumn>& keys, const uint32_t* alive, size_t n_alive, const uint32_t* weight,
                          const int32_t* position, int32_t width, uint64_t k, int32_t next_group, int32_t* group, bool only_look) {
    size_t capacity = 1;
    while (capacity < 2 * n_alive) capacity *= 2;
    struct Slot {
        uint64_t hash;
        uint32_t tuple, number;
    };
    std::vector<Slot> table(capacity, Slot{0, NONE, 0});
    std::vector<uint32_t> class_of(n_alive);
    std::vector<OpenClass> classes;
    std::vector<uint64_t> hashes(n_alive, 0x243F6A8885A308D3ull);
    for (const CodeColumn& key : keys) {
        switch (key.itemsize) {
            case 1: { const uint8_t* d = static_cast<const uint8_t*>(key.data); for (size_t i = 0; i < n_alive; i++) hashes[i] = mix(hashes[i], d[alive[i]] + 1); break; }
            case 2: { const uint16_t* d = static_cast<const uint16_t*>(key.data); for (size_t i = 0; i < n_alive; i++) hashes[i] = mix(hashes[i], d[alive[i]] + 1); break; }
            default: { const uint32_t* d = static_cast<const uint32_t*>(key.data); for (size_t i = 0; i < n_alive; i++) hashes[i] = mix(hashes[i], uint64_t(d[alive[i]]) + 1); }
        }
    }
    auto equal = [&](uint32_t a, uint32_t b) {
        for (const CodeColumn& key : keys)
            if (key.at(a) != key.at(b)) return false;
        return true;
    };
    for (size_t i = 0; i < n_alive; i++) {
        size_t at = (hashes[i] ^ (hashes[i] >> 32)) & (capacity - 1);
        while (table[at].tuple != NONE && !(table[at].hash == hashes[i] && equal(table[at].tuple, alive[i]))) at = (at + 1) & (capacity - 1);
        if (table[at].tuple == NONE) {
            table[at] = {hashes[i], alive[i], uint32_t(classes.size())};
            classes.emplace_back();
        }
        class_of[i] = table[at].number;
        classes[table[at].number].weight += weight[alive[i]];
    }
    std::vector<uint32_t> next(n_alive, NONE);
    int32_t n_new = 0;
    for (size_t i = 0; i < n_alive; i++) {
        OpenClass& own = classes[class_of[i]];
        if (own.weight < k) continue;
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
