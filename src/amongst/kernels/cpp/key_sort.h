// Sorting keys of several words: by the first word with a radix sort, then whatever is equal in it by the others.
#pragma once

#include <algorithm>
#include <cstdint>
#include <cstring>
#include <memory>
#include <utility>

namespace amongst {

struct KeyedItem {
    uint64_t key;
    uint32_t item;
};

// Stable; leaves out the bytes that are the same in all keys.
inline KeyedItem* radix_sort(KeyedItem* items, KeyedItem* spare, size_t n) {
    std::unique_ptr<size_t[]> count(new size_t[8 * 256]());
    for (size_t i = 0; i < n; i++)
        for (int b = 0; b < 8; b++) count[size_t(b * 256) + ((items[i].key >> (8 * b)) & 255)]++;
    for (int b = 0; b < 8; b++) {
        size_t* own = &count[size_t(b * 256)];
        if (own[(items[0].key >> (8 * b)) & 255] == n) continue;
        size_t next = 0;
        for (int v = 0; v < 256; v++) next += std::exchange(own[v], next);
        for (size_t i = 0; i < n; i++) spare[own[(items[i].key >> (8 * b)) & 255]++] = items[i];
        std::swap(items, spare);
    }
    return items;
}

// order: the items by their keys, n_words words each; items with equal keys keep their order.
inline void sort_keys(const uint64_t* keys, size_t n, size_t n_words, uint32_t* order) {
    if (n == 0) return;
    std::unique_ptr<KeyedItem[]> items(new KeyedItem[n]), spare(new KeyedItem[n]);
    for (size_t i = 0; i < n; i++) items[i] = {keys[i * n_words], uint32_t(i)};
    const KeyedItem* sorted = radix_sort(items.get(), spare.get(), n);
    for (size_t i = 0; i < n; i++) order[i] = sorted[i].item;
    if (n_words == 1) return;
    auto before = [&](uint32_t a, uint32_t b) {
        const uint64_t *x = keys + size_t(a) * n_words, *y = keys + size_t(b) * n_words;
        for (size_t w = 1; w < n_words; w++)
            if (x[w] != y[w]) return x[w] < y[w];
        return a < b;
    };
    for (size_t i = 0; i < n;) {
        size_t j = i + 1;
        while (j < n && sorted[j].key == sorted[i].key) j++;
        if (j - i > 1) std::sort(order + i, order + j, before);
        i = j;
    }
}

}  // namespace amongst
