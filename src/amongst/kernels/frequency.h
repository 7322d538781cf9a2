// Frequency sets over packed keys: every class is a few 64-bit words with a bit field a column, and a count.
// Rolling up changes some fields by a table, drops others, and adds up the counts of keys that became equal.
#pragma once

#include <cstdint>
#include <cstring>
#include <memory>
#include <vector>

#include "records.h"

namespace amongst {

// One field that changes: its bits become table[its bits]. The table has an entry for every value of the field's
// width, so that no key can point past its end.
struct FieldStep {
    int word;
    int shift;
    uint64_t mask;
    const uint32_t* table;
};

// Classes while they are counted: open addressing, the key and its count side by side, so that a probe costs one
// miss. Keys are hashed a block ahead, so that the misses overlap.
template <int WORDS>
class Tally {
public:
    struct Slot {
        uint64_t key[WORDS];
        uint32_t count;
        uint32_t number;  // of the class + 1, 0 where empty
    };

    // most: there will not be more classes than that.
    explicit Tally(size_t most) {
        size_t wanted = most < MOST_AT_FIRST ? most : MOST_AT_FIRST;
        size_t capacity = 2 * BLOCK;
        while (capacity * FULL_OF_10 < (wanted + BLOCK) * 10) capacity *= 2;
        resize(capacity);
        place_of_class_.reserve(wanted);
    }
    Tally(const Tally&) = delete;
    ~Tally() {
        if (n_owned_ > n_spare_ && n_owned_ * sizeof(Slot) <= MOST_SPARE_BYTES) {
            spare_ = std::move(slots_);
            n_spare_ = n_owned_;
        }
    }

    size_t n_classes() const { return place_of_class_.size(); }

    void add_all(const uint64_t* keys, const uint32_t* weight, size_t n, const uint64_t* keep,
                 const std::vector<FieldStep>& steps, uint32_t* member) {
        uint64_t block[BLOCK * WORDS];
        size_t home[BLOCK];
        for (size_t start = 0; start < n; start += BLOCK) {
            size_t m = n - start < BLOCK ? n - start : BLOCK;
            step_block(keys + start * WORDS, m, keep, steps, block);
            for (size_t i = 0; i < m; i++) {
                home[i] = place(block + i * WORDS);
#if defined(__GNUC__)
                __builtin_prefetch(&slots_[home[i]], 1);
#endif
            }
            for (size_t i = 0; i < m; i++) {
                uint32_t number = add(block + i * WORDS, home[i], weight[start + i]);
                if (member) member[start + i] = number - 1;
            }
            if ((n_classes() + BLOCK) * 10 > capacity_ * FULL_OF_10) grow();
        }
    }

    // Classes in order of first appearance.
    void write(uint64_t* keys, uint32_t* count) const {
        for (size_t i = 0; i < place_of_class_.size(); i++) {
            const Slot& slot = slots_[place_of_class_[i]];
            std::memcpy(keys + i * WORDS, slot.key, sizeof(slot.key));
            count[i] = slot.count;
        }
    }

private:
    static constexpr size_t BLOCK = 64;
    static constexpr size_t MOST_AT_FIRST = 1 << 15;
    static constexpr size_t FULL_OF_10 = 6;
    static constexpr size_t MOST_SPARE_BYTES = 1 << 22;

    // Slots of an earlier call: fresh memory would cost more than the counting of a small set.
    static thread_local std::unique_ptr<Slot[]> spare_;
    static thread_local size_t n_spare_;

    static void step_block(const uint64_t* keys, size_t m, const uint64_t* keep, const std::vector<FieldStep>& steps,
                           uint64_t* block) {
        for (size_t i = 0; i < m; i++)
            for (int w = 0; w < WORDS; w++) block[i * WORDS + w] = keys[i * WORDS + w] & keep[w];
        for (const FieldStep& step : steps) {
            const uint64_t* from = keys + step.word;
            uint64_t* to = block + step.word;
            for (size_t i = 0; i < m; i++)
                to[i * WORDS] |= uint64_t(step.table[(from[i * WORDS] >> step.shift) & step.mask]) << step.shift;
        }
    }

    size_t place(const uint64_t* key) const {
        uint64_t h = key[0];
        for (int w = 1; w < WORDS; w++) h = mix(h, key[w]);
        h ^= h >> 32;
        return size_t((h * 0x9E3779B97F4A7C15ull) >> shift_);  // the top bits know of every bit of the key
    }

    uint32_t add(const uint64_t* key, size_t at, uint32_t weight) {
        for (;; at = (at + 1) & (capacity_ - 1)) {
            Slot& slot = slots_[at];
            if (!slot.number) {
                std::memcpy(slot.key, key, sizeof(slot.key));
                slot.count = weight;
                place_of_class_.push_back(uint32_t(at));
                return slot.number = uint32_t(place_of_class_.size());
            }
            if (std::memcmp(slot.key, key, sizeof(slot.key)) == 0) {
                slot.count += weight;
                return slot.number;
            }
        }
    }

    void resize(size_t capacity) {
        if (n_spare_ >= capacity) {
            slots_ = std::move(spare_);
            n_owned_ = n_spare_;
            n_spare_ = 0;
            std::memset(static_cast<void*>(slots_.get()), 0, capacity * sizeof(Slot));
        } else {
            slots_.reset(new Slot[capacity]());
            n_owned_ = capacity;
        }
        capacity_ = capacity;
        shift_ = 64;
        while (capacity > 1) capacity /= 2, shift_--;
    }

    void grow() {
        std::unique_ptr<Slot[]> old = std::move(slots_);
        resize(capacity_ * 4);
        for (uint32_t& place_of_class : place_of_class_) {
            const Slot& slot = old[place_of_class];
            size_t at = place(slot.key);
            while (slots_[at].number) at = (at + 1) & (capacity_ - 1);
            slots_[at] = slot;
            place_of_class = uint32_t(at);
        }
    }

    std::unique_ptr<Slot[]> slots_;
    std::vector<uint32_t> place_of_class_;
    size_t capacity_ = 0, n_owned_ = 0;
    int shift_ = 0;
};

template <int WORDS>
thread_local std::unique_ptr<typename Tally<WORDS>::Slot[]> Tally<WORDS>::spare_;
template <int WORDS>
thread_local size_t Tally<WORDS>::n_spare_ = 0;

// The rows of classes that have fewer than k.
inline uint64_t rows_below(const uint32_t* count, size_t n, uint64_t k) {
    uint64_t rows = 0;
    for (size_t i = 0; i < n; i++) rows += count[i] < k ? count[i] : 0;
    return rows;
}

}  // namespace amongst
