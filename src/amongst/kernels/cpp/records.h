// Rows as fixed-size records: all codes of a row side by side, then its id and its weight.
// A record is moved as one piece, so that every pass over a group is sequential.
#pragma once

#include <cstdint>
#include <cstring>
#include <vector>

namespace amongst {

// T: the lane type, unsigned 8 bits or signed 16 or 32 (signed, because SSE2 has no unsigned 16-bit minimum).
// W: how many 8-byte words the codes take.
template <typename T, int W>
struct Record {
    static constexpr int LANES = 8 * W / int(sizeof(T));
    T code[LANES];
    uint32_t id;
    uint32_t weight;
};

// One input column: n codes of 1, 2 or 4 bytes.
struct CodeColumn {
    const void* data;
    int itemsize;

    uint32_t at(size_t row) const {
        switch (itemsize) {
            case 1: return static_cast<const uint8_t*>(data)[row];
            case 2: return static_cast<const uint16_t*>(data)[row];
            default: return static_cast<const uint32_t*>(data)[row];
        }
    }
};

template <typename T, typename From, typename R>
void fill_lane(R* records, size_t n, int lane, const From* codes) {
    for (size_t i = 0; i < n; i++) records[i].code[lane] = T(codes[i]);
}

template <typename T, int W>
void pack(const std::vector<CodeColumn>& columns, size_t first, size_t n, Record<T, W>* records) {
    std::memset(static_cast<void*>(records), 0, n * sizeof(Record<T, W>));
    for (size_t c = 0; c < columns.size(); c++) {
        const CodeColumn& column = columns[c];
        switch (column.itemsize) {
            case 1: fill_lane<T>(records, n, int(c), static_cast<const uint8_t*>(column.data) + first); break;
            case 2: fill_lane<T>(records, n, int(c), static_cast<const uint16_t*>(column.data) + first); break;
            default: fill_lane<T>(records, n, int(c), static_cast<const uint32_t*>(column.data) + first);
        }
    }
}

// The smallest and largest code of every lane. Works on whole 16-byte pieces; the id and the weight may be
// swept along in the last piece, and their lanes are not looked at.
template <typename T, int W>
void extent(const Record<T, W>* records, size_t n, T* lowest, T* highest) {
    using R = Record<T, W>;
#if defined(__GNUC__)
    typedef T Piece __attribute__((vector_size(16)));
    constexpr int PIECES = (W + 1) / 2;
    Piece lo[PIECES], hi[PIECES];
    for (int p = 0; p < PIECES; p++) {
        std::memcpy(&lo[p], reinterpret_cast<const char*>(records) + 16 * p, 16);
        hi[p] = lo[p];
    }
    for (size_t i = 1; i < n; i++) {
        const char* record = reinterpret_cast<const char*>(records + i);
        for (int p = 0; p < PIECES; p++) {
            Piece x;
            std::memcpy(&x, record + 16 * p, 16);
            lo[p] = x < lo[p] ? x : lo[p];
            hi[p] = x > hi[p] ? x : hi[p];
        }
    }
    std::memcpy(lowest, lo, sizeof(T) * R::LANES);
    std::memcpy(highest, hi, sizeof(T) * R::LANES);
#else
    for (int j = 0; j < R::LANES; j++) lowest[j] = highest[j] = records[0].code[j];
    for (size_t i = 1; i < n; i++)
        for (int j = 0; j < R::LANES; j++) {
            T x = records[i].code[j];
            if (x < lowest[j]) lowest[j] = x;
            if (x > highest[j]) highest[j] = x;
        }
#endif
}

inline uint64_t mix(uint64_t h, uint64_t word) {
    h = (h ^ word) * 0x9E3779B97F4A7C15ull;
    return h ^ (h >> 29);
}

template <int WORDS>
inline uint64_t hash_words(const uint64_t* words) {
    uint64_t h = 0x243F6A8885A308D3ull;
    for (int w = 0; w < WORDS; w++) h = mix(h, words[w]);
    return h ^ (h >> 32);
}

// Codes of one column into one lane of a block of words.
template <typename From>
inline void scatter_lane(const void* data, size_t start, size_t m, char* bytes, size_t stride) {
    const From* from = static_cast<const From*>(data) + start;
    for (size_t i = 0; i < m; i++) std::memcpy(bytes + i * stride, from + i, sizeof(From));
}

// The frequency set: distinct rows in order of first appearance, how often each occurs, and which one every row is.
// An open-addressing table that holds the rows themselves, so that a probe costs one miss; the rows are hashed a
// block ahead, so that the misses overlap.
// With weights (null: 1 each) the weights are added up instead of the rows.
template <int WORDS>
void distinct_rows(const std::vector<CodeColumn>& columns, int lane_bytes, size_t n, const uint32_t* weight,
                   uint32_t* tuple_of_row, std::vector<uint32_t>& first_row, std::vector<uint32_t>& count) {
    struct Slot {
        uint64_t words[WORDS];
        uint64_t tuple;  // its number + 1, 0 where empty
    };
    constexpr size_t BLOCK = 128;
    size_t capacity = 1 << 12;
    std::vector<Slot> table(capacity, Slot{});
    std::vector<uint64_t> block(BLOCK * WORDS);
    uint64_t hashes[BLOCK];
    auto grow = [&]() {
        std::vector<Slot> old(capacity * 2, Slot{});
        old.swap(table);
        capacity *= 2;
        for (const Slot& slot : old) {
            if (!slot.tuple) continue;
            size_t at = hash_words<WORDS>(slot.words) & (capacity - 1);
            while (table[at].tuple) at = (at + 1) & (capacity - 1);
            table[at] = slot;
        }
    };
    for (size_t start = 0; start < n; start += BLOCK) {
        size_t m = n - start < BLOCK ? n - start : BLOCK;
        std::memset(block.data(), 0, BLOCK * WORDS * 8);
        char* bytes = reinterpret_cast<char*>(block.data());
        for (size_t c = 0; c < columns.size(); c++) {
            char* lane = bytes + c * lane_bytes;
            switch (columns[c].itemsize) {
                case 1: scatter_lane<uint8_t>(columns[c].data, start, m, lane, WORDS * 8); break;
                case 2: scatter_lane<uint16_t>(columns[c].data, start, m, lane, WORDS * 8); break;
                default: scatter_lane<uint32_t>(columns[c].data, start, m, lane, WORDS * 8);
            }
        }
        for (size_t i = 0; i < m; i++) {
            hashes[i] = hash_words<WORDS>(&block[i * WORDS]);
#if defined(__GNUC__)
            __builtin_prefetch(&table[hashes[i] & (capacity - 1)]);
#endif
        }
        for (size_t i = 0; i < m; i++) {
            size_t at = hashes[i] & (capacity - 1);
            const uint64_t* words = &block[i * WORDS];
            while (table[at].tuple && std::memcmp(table[at].words, words, WORDS * 8) != 0) at = (at + 1) & (capacity - 1);
            if (!table[at].tuple) {
                first_row.push_back(uint32_t(start + i));
                count.push_back(0);
                std::memcpy(table[at].words, words, WORDS * 8);
                table[at].tuple = first_row.size();
            }
            uint32_t t = uint32_t(table[at].tuple - 1);
            count[t] += weight ? weight[start + i] : 1;
            tuple_of_row[start + i] = t;
        }
        if (first_row.size() * 2 > capacity) grow();
    }
}

}  // namespace amongst
