// People as rows of bits: one for every thing that somebody has (MultiRelational k-Anonymity, section 3.3).
#pragma once

#include <cstdint>
#include <vector>

namespace amongst {

inline int64_t n_bits(uint64_t word) {
    int64_t n = 0;
    for (; word; word &= word - 1) n++;
    return n;
}

// `has`: bits that all members have. `star`: bits that some have and others not; empty where only having counts.
struct BitmapSpace {
    struct Entity {
        std::vector<int32_t> members;
        std::vector<uint64_t> has, star;
    };
    const uint64_t* bits;
    size_t n_words, n_columns;
    bool complete;  // not having something is information too

    Entity make(int32_t person) const {
        const uint64_t* own = bits + size_t(person) * n_words;
        Entity one{{person}, {own, own + n_words}, {}};
        one.star.assign(complete ? n_words : 0, 0);
        return one;
    }
    size_t size(const Entity& a) const { return a.members.size(); }
    double placing_distance(const Entity& a, const Entity& b) const { return distance(a, b); }
    // The share of what is told of the two that would have to go.
    double distance(const Entity& a, const Entity& b) const {
        int64_t lost = 0, all = 0;
        for (size_t w = 0; w < n_words; w++) {
            if (complete) lost += n_bits((a.has[w] ^ b.has[w]) | a.star[w] | b.star[w]);
            else lost += n_bits(a.has[w] ^ b.has[w]), all += n_bits(a.has[w]) + n_bits(b.has[w]);
        }
        if (complete) all = int64_t(n_columns);
        return all > 0 ? double(lost) / double(all) : 0.0;
    }
    void merge(Entity& a, const Entity& b) const {
        for (size_t w = 0; w < n_words; w++) {
            if (complete) {
                a.star[w] |= b.star[w] | (a.has[w] ^ b.has[w]);
                a.has[w] &= ~a.star[w];
            } else {
                a.has[w] &= b.has[w];
            }
        }
        a.members.insert(a.members.end(), b.members.begin(), b.members.end());
    }
};

}  // namespace amongst
