// The cells of a text file, numbered column by column in the order in which they are first seen.
//
// Only plain text is taken: every line is a row, quotes stand around whole cells, and all rows have as many cells.
// Whatever else there is ends it, and a reader that knows more (and tells what is wrong) begins anew.
#pragma once

#include <cstdint>
#include <cstring>
#include <string>
#include <vector>

namespace amongst {

// The distinct cells of one column: open addressing, the cells one after the other.
class DistinctCells {
public:
    static constexpr size_t MOST_BYTES = size_t(1) << 31;  // offsets are 32 bits wide
    static constexpr size_t NEAR = 16;                     // a cell up to this length is its two words

    DistinctCells() : slots_(1 << 6, 0) { offsets.push_back(0); }

    int32_t number(const char* at, size_t length, const char* end) {
        uint64_t low = 0, high = 0;
        words(at, length, end, low, high);
        uint64_t hash = mix(low ^ mix(high + length));
        size_t place = size_t(hash) & (slots_.size() - 1);
        for (; slots_[place]; place = (place + 1) & (slots_.size() - 1))
            if (is(slots_[place] - 1, low, high, at, length)) return int32_t(slots_[place] - 1);
        return added(place, hash, low, high, at, length);
    }

    std::vector<int32_t> offsets;
    std::string text;

private:
    struct Key {
        uint64_t low, high, hash;
    };

    static uint64_t mix(uint64_t x) {
        x ^= x >> 32;
        x *= 0x9E3779B97F4A7C15ull;
        return x ^ (x >> 29);
    }

    static uint64_t some(const char* at, size_t n) {
        uint64_t word = 0;
        std::memcpy(&word, at, n);
        return word;
    }

    static uint64_t eight(const char* at) {
        uint64_t word;
        std::memcpy(&word, at, 8);
        return word;
    }

    // Up to NEAR bytes are told whole; of more, all go into the words.
    static void words(const char* at, size_t length, const char* end, uint64_t& low, uint64_t& high) {
        if (length <= 8) {
            if (length == 0) return;
            low = size_t(end - at) >= 8 ? eight(at) & (~uint64_t(0) >> (64 - 8 * length)) : some(at, length);
            return;
        }
        low = eight(at), high = eight(at + length - 8);
        for (size_t i = 8; i + 8 < length; i += 8) low = mix(low) ^ eight(at + i);
    }

    bool is(size_t cell, uint64_t low, uint64_t high, const char* at, size_t length) const {
        if (keys_[cell].low != low || keys_[cell].high != high || size_t(offsets[cell + 1] - offsets[cell]) != length) return false;
        return length <= NEAR || std::memcmp(text.data() + offsets[cell], at, length) == 0;
    }

    int32_t added(size_t place, uint64_t hash, uint64_t low, uint64_t high, const char* at, size_t length) {
        if (text.size() + length >= MOST_BYTES) return -2;
        text.append(at, length);
        offsets.push_back(int32_t(text.size()));
        keys_.push_back({low, high, hash});
        slots_[place] = uint32_t(keys_.size());
        if (2 * keys_.size() > slots_.size()) grow();
        return int32_t(keys_.size() - 1);
    }

    void grow() {
        std::vector<uint32_t> slots(slots_.size() * 4, 0);
        for (size_t cell = 0; cell < keys_.size(); cell++) {
            size_t place = size_t(keys_[cell].hash) & (slots.size() - 1);
            while (slots[place]) place = (place + 1) & (slots.size() - 1);
            slots[place] = uint32_t(cell + 1);
        }
        slots_.swap(slots);
    }

    std::vector<Key> keys_;
    std::vector<uint32_t> slots_;
};

class CellsOfText {
public:
    static constexpr size_t MOST_ROWS = size_t(1) << 30;

    CellsOfText(size_t n_columns, char separator, std::vector<std::string> missing)
        : code(n_columns), distinct(n_columns), n_missing(n_columns, 0), separator_(separator), missing_(std::move(missing)) {}

    // Whole lines, the last perhaps without an end; false where they are not plain.
    bool feed(const char* at, const char* end) {
        while (at < end) {
            if (*at == '\n' || (*at == '\r' && end - at > 1 && at[1] == '\n')) {  // nobody's line
                at += *at == '\n' ? 1 : 2;
                continue;
            }
            for (size_t column = 0;; column++) {
                if (column == code.size()) return false;
                if (!(at = cell(at, end, column))) return false;
                if (at == end || *at != separator_) {
                    if (column + 1 != code.size()) return false;
                    break;
                }
                at++;
            }
            if (at < end && *at == '\r' && ++at == end) return false;
            if (at < end && *at++ != '\n') return false;
        }
        return code[0].size() < MOST_ROWS;
    }

    std::vector<std::vector<int32_t>> code;  // -1: missing
    std::vector<DistinctCells> distinct;
    std::vector<size_t> n_missing;

private:
    // Where the cell ends that begins here; null where it is not plain.
    const char* cell(const char* at, const char* end, size_t column) {
        if (at < end && *at == '"') return quoted(at + 1, end, column);
        const char* first = at;
        while (at < end && *at != separator_ && *at != '\n' && *at != '\r')
            if (*at++ == '"') return nullptr;
        bool none = at == first || means_missing(first, size_t(at - first));
        return put(column, none ? -1 : distinct[column].number(first, size_t(at - first), end)) ? at : nullptr;
    }

    const char* quoted(const char* at, const char* end, size_t column) {
        const char* first = at;
        bool twice = false;
        for (;; at++) {
            if (at == end || *at == '\n' || *at == '\r') return nullptr;
            if (*at != '"') continue;
            if (at + 1 == end || at[1] != '"') break;
            twice = true, at++;
        }
        const char* after = at + 1;
        if (after < end && *after != separator_ && *after != '\n' && *after != '\r') return nullptr;
        if (!twice) return put(column, distinct[column].number(first, size_t(at - first), end)) ? after : nullptr;
        once_.clear();
        for (; first < at; first++) {
            once_.push_back(*first);
            first += *first == '"';
        }
        return put(column, distinct[column].number(once_.data(), once_.size(), once_.data() + once_.size())) ? after : nullptr;
    }

    bool means_missing(const char* at, size_t length) const {
        for (const std::string& one : missing_)
            if (one.size() == length && std::memcmp(one.data(), at, length) == 0) return true;
        return false;
    }

    bool put(size_t column, int32_t number) {
        if (number < -1) return false;
        n_missing[column] += number < 0;
        code[column].push_back(number);
        return true;
    }

    char separator_;
    std::vector<std::string> missing_;
    std::string once_;
};

}  // namespace amongst
