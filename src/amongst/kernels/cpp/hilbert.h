// Where a point lies on the Hilbert curve: any number of dimensions, up to 16 bits each, keys of as many words as needed.
#pragma once

#include <algorithm>
#include <cstdint>
#include <vector>

namespace amongst {

// Points side by side, one row a dimension: every step is the same for all of them, so it runs on whole vectors.
constexpr size_t HILBERT_POINTS = 128;

// The transposed key by Skilling's exchanges: bit b of dimension i becomes bit (b, i) of the key.
inline void transpose_to_curve(uint16_t* x, int d, int bits) {
    auto row = [&](int i) { return x + size_t(i) * HILBERT_POINTS; };
    uint16_t* x0 = row(0);
    for (int q = bits - 1; q > 0; q--) {
        const uint16_t below = uint16_t((1u << q) - 1);
        for (size_t p = 0; p < HILBERT_POINTS; p++) x0[p] ^= uint16_t(-((x0[p] >> q) & 1)) & below;
        for (int i = 1; i < d; i++) {
            uint16_t* xi = row(i);
            for (size_t p = 0; p < HILBERT_POINTS; p++) {  // set: turn the rest of x0 round; not set: exchange the rests
                uint16_t set = uint16_t(-((xi[p] >> q) & 1));
                uint16_t exchanged = uint16_t((x0[p] ^ xi[p]) & below & ~set);
                x0[p] ^= uint16_t((set & below) | exchanged);
                xi[p] ^= exchanged;
            }
        }
    }
    for (int i = 1; i < d; i++)
        for (size_t p = 0; p < HILBERT_POINTS; p++) row(i)[p] ^= row(i - 1)[p];
    const uint16_t* last = row(d - 1);
    uint16_t turn[HILBERT_POINTS] = {};
    for (int q = bits - 1; q > 0; q--)
        for (size_t p = 0; p < HILBERT_POINTS; p++) turn[p] ^= uint16_t(-((last[p] >> q) & 1)) & uint16_t((1u << q) - 1);
    for (int i = 0; i < d; i++)
        for (size_t p = 0; p < HILBERT_POINTS; p++) row(i)[p] ^= turn[p];
}

// Keys of n points, d coordinates each, given by dimension. A key is n_words words, the most significant bit first;
// bits that are left over at its end are 0.
inline void hilbert_keys(const std::vector<const uint16_t*>& coordinates, size_t n, int bits, size_t n_words, uint64_t* keys) {
    int d = int(coordinates.size());
    size_t n_pieces = 4 * n_words;
    std::vector<uint16_t> block(size_t(d) * HILBERT_POINTS), pieces(n_pieces * HILBERT_POINTS);
    for (size_t start = 0; start < n; start += HILBERT_POINTS) {
        size_t m = n - start < HILBERT_POINTS ? n - start : HILBERT_POINTS;
        for (int i = 0; i < d; i++)
            for (size_t p = 0; p < m; p++) block[size_t(i) * HILBERT_POINTS + p] = coordinates[size_t(i)][start + p];
        transpose_to_curve(block.data(), d, bits);
        std::fill(pieces.begin(), pieces.end(), uint16_t(0));
        size_t at = 0;
        for (int q = bits - 1; q >= 0; q--)
            for (int i = 0; i < d; i++, at++) {
                uint16_t* piece = &pieces[(at / 16) * HILBERT_POINTS];
                const uint16_t* xi = &block[size_t(i) * HILBERT_POINTS];
                int up = 15 - int(at % 16);
                for (size_t p = 0; p < HILBERT_POINTS; p++) piece[p] |= uint16_t(((xi[p] >> q) & 1) << up);
            }
        for (size_t p = 0; p < m; p++)
            for (size_t w = 0; w < n_words; w++) {
                uint64_t word = 0;
                for (size_t j = 0; j < 4; j++) word = word << 16 | pieces[(4 * w + j) * HILBERT_POINTS + p];
                keys[(start + p) * n_words + w] = word;
            }
    }
}

}  // namespace amongst
