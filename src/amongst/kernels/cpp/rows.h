// Putting rows in the order they are published in.
#pragma once

#include <algorithm>
#include <cstdint>
#include <cstring>
#include <vector>

namespace amongst {

// Rows sorted by class, keeping the input order within a class; rows of class -1 are left out.
// first_of_class has n_classes + 1 entries.
inline void order_by_class(const int32_t* class_of_row, size_t n, size_t n_classes, uint32_t* row_at, int64_t* first_of_class) {
    std::fill(first_of_class, first_of_class + n_classes + 1, 0);
    for (size_t i = 0; i < n; i++)
        if (class_of_row[i] >= 0) first_of_class[class_of_row[i] + 1]++;
    for (size_t c = 0; c < n_classes; c++) first_of_class[c + 1] += first_of_class[c];
    std::vector<int64_t> next(first_of_class, first_of_class + n_classes);
    for (size_t i = 0; i < n; i++)
        if (class_of_row[i] >= 0) row_at[next[class_of_row[i]]++] = uint32_t(i);
}

// One column to sort by: n keys whose unsigned order is the order of the values.
struct KeyColumn {
    const void* data;
    int itemsize;

    uint64_t at(uint32_t row) const {
        switch (itemsize) {
            case 1: return static_cast<const uint8_t*>(data)[row];
            case 2: return static_cast<const uint16_t*>(data)[row];
            case 4: return static_cast<const uint32_t*>(data)[row];
            default: return static_cast<const uint64_t*>(data)[row];
        }
    }
};

struct Span {
    int64_t first, end;
    size_t column;
};

// Within every class, rows sorted by the key columns in turn. Rows equal in all of them keep their order: nobody can
// tell them apart in the published table.
inline void sort_within(uint32_t* row_at, const int64_t* first_of_class, size_t n_classes, const std::vector<KeyColumn>& keys) {
    if (keys.empty()) return;
    std::vector<std::pair<uint64_t, uint32_t>> local;
    std::vector<Span> stack;
    for (size_t c = 0; c < n_classes; c++) {
        stack.push_back({first_of_class[c], first_of_class[c + 1], 0});
        while (!stack.empty()) {
            Span span = stack.back();
            stack.pop_back();
            size_t n = size_t(span.end - span.first);
            if (n < 2) continue;
            uint32_t* rows = row_at + span.first;
            local.resize(n);
            const KeyColumn& key = keys[span.column];
            bool sorted = true;
            for (size_t i = 0; i < n; i++) {
                local[i] = {key.at(rows[i]), uint32_t(i)};
                sorted &= i == 0 || local[i - 1].first <= local[i].first;
            }
            if (!sorted) {
                std::sort(local.begin(), local.end());
                std::vector<uint32_t> moved(n);
                for (size_t i = 0; i < n; i++) moved[i] = rows[local[i].second];
                std::memcpy(rows, moved.data(), n * sizeof(uint32_t));
            }
            if (span.column + 1 == keys.size()) continue;
            for (size_t i = 0; i < n;) {
                size_t j = i + 1;
                while (j < n && local[j].first == local[i].first) j++;
                if (j - i > 1) stack.push_back({span.first + int64_t(i), span.first + int64_t(j), span.column + 1});
                i = j;
            }
        }
    }
}

// values[row_at[i]]; the misses overlap.
template <typename T>
void gather(const T* from, const uint32_t* row_at, size_t n, T* to) {
    for (size_t i = 0; i < n; i++) {
#if defined(__GNUC__)
        if (i + 24 < n) __builtin_prefetch(&from[row_at[i + 24]]);
#endif
        to[i] = from[row_at[i]];
    }
}

// table[index[i]], for a table that is small.
template <typename I, typename T>
void look_up(const I* index, size_t n, const T* table, T* to) {
    for (size_t i = 0; i < n; i++) to[i] = table[index[i]];
}

// values[i] repeated times[i] times.
template <typename T>
void repeat(const T* values, const int64_t* times, size_t n, T* to) {
    for (size_t i = 0; i < n; i++)
        for (int64_t j = 0; j < times[i]; j++) *to++ = values[i];
}

// How many rows have every pair of class and key: a table of n_classes rows of n_keys counts. Class -1 is left out.
template <typename K>
void count_pairs(const int32_t* class_of_row, const K* key_of_row, size_t n, size_t n_keys, uint32_t* count) {
    for (size_t i = 0; i < n; i++)
        if (class_of_row[i] >= 0) count[size_t(class_of_row[i]) * n_keys + key_of_row[i]]++;
}

}  // namespace amongst
