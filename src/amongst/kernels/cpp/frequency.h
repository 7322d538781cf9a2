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

// What is done to every key: the bits that stay, and the fields that change.
struct KeyStep {
    const uint64_t* keep;  // a mask a word
    std::vector<FieldStep> fields;

    template <int WORDS>
    void apply(const uint64_t* keys, size_t n, uint64_t* to) const {
        for (size_t i = 0; i < n; i++)
            for (int w = 0; w < WORDS; w++) to[i * WORDS + w] = keys[i * WORDS + w] & keep[w];
        for (const FieldStep& field : fields) {
            const uint64_t* own = keys + field.word;
            uint64_t* own_to = to + field.word;
            for (size_t i = 0; i < n; i++)
                own_to[i * WORDS] |= uint64_t(field.table[(own[i * WORDS] >> field.shift) & field.mask]) << field.shift;
        }
    }
};

// One word for the whole key; not yet a hash.
template <int WORDS>
inline uint64_t fold(const uint64_t* key) {
    uint64_t h = key[0];
    for (int w = 1; w < WORDS; w++) h = mix(h, key[w]);
    return h ^ (h >> 32);
}

constexpr size_t KEY_BLOCK = 64;

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

    // wanted: a guess at how many classes there will be.
    explicit Tally(size_t wanted) {
        size_t capacity = 2 * KEY_BLOCK;
        while (capacity * FULL_OF_10 < (wanted + KEY_BLOCK) * 10) capacity *= 2;
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

    // Counts a block of at most KEY_BLOCK keys. member: the class of every key, or null.
    void add(const uint64_t* keys, const uint32_t* weight, size_t m, uint32_t* member = nullptr) {
        size_t home[KEY_BLOCK];
        for (size_t i = 0; i < m; i++) {
            home[i] = place(keys + i * WORDS);
#if defined(__GNUC__)
            __builtin_prefetch(&slots_[home[i]], 1);
#endif
        }
        for (size_t i = 0; i < m; i++) {
            uint32_t number = add_one(keys + i * WORDS, home[i], weight[i]);
            if (member) member[i] = number - 1;
        }
        if ((n_classes() + KEY_BLOCK) * 10 > capacity_ * FULL_OF_10) grow();
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
    static constexpr size_t FULL_OF_10 = 6;
    static constexpr size_t MOST_SPARE_BYTES = 1 << 22;

    // Slots of an earlier call: fresh memory would cost more than the counting of a small set.
    static thread_local std::unique_ptr<Slot[]> spare_;
    static thread_local size_t n_spare_;

    size_t place(const uint64_t* key) const {
        return size_t((fold<WORDS>(key) * 0x9E3779B97F4A7C15ull) >> shift_);  // the top bits know of every bit of the key
    }

    uint32_t add_one(const uint64_t* key, size_t at, uint32_t weight) {
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

// The frequency set that a step makes out of another one. Few classes are counted in one table. Where they become too
// many for the processor's cache, the rest of the keys is first divided by hash into parts that are small enough.
template <int WORDS>
class Rollup {
public:
    // most: there will not be more classes than that. member: the class of every key, or null.
    void run(const uint64_t* keys, const uint32_t* weight, size_t n, const KeyStep& step, size_t most, uint32_t* member) {
        tally_.reset(new Tally<WORDS>(most < MOST_AT_FIRST ? most : MOST_AT_FIRST));
        uint64_t block[KEY_BLOCK * WORDS];
        for (size_t start = 0; start < n; start += KEY_BLOCK) {
            size_t m = n - start < KEY_BLOCK ? n - start : KEY_BLOCK;
            step.apply<WORDS>(keys + start * WORDS, m, block);
            tally_->add(block, weight + start, m, member ? member + start : nullptr);
            size_t done = start + m;
            if (!member && tally_->n_classes() > MANY && n - done > MANY) {
                divide(keys + done * WORDS, weight + done, n - done, step);
                return;
            }
        }
    }

    size_t n_classes() const { return tally_ ? tally_->n_classes() : n_; }

    void write(uint64_t* keys, uint32_t* count) const {
        if (tally_) return tally_->write(keys, count);
        std::memcpy(keys, keys_.get(), n_ * WORDS * 8);
        std::memcpy(count, count_.get(), n_ * 4);
    }

private:
    static constexpr size_t MOST_AT_FIRST = 1 << 15;
    static constexpr size_t MANY = 1 << 18;
    static constexpr size_t PART = 1 << 15;
    static constexpr int MOST_PART_BITS = 9;

    // What was counted so far, and the keys that are left, part by part; then every part by itself, its classes
    // written over keys that were read before.
    void divide(const uint64_t* keys, const uint32_t* weight, size_t n, const KeyStep& step) {
        size_t n_before = tally_->n_classes(), total = n_before + n;
        std::unique_ptr<uint64_t[]> moved(new uint64_t[total * WORDS]);
        std::unique_ptr<uint32_t[]> count(new uint32_t[total]);
        tally_->write(moved.get(), count.get());
        tally_.reset();
        step.apply<WORDS>(keys, n, moved.get() + n_before * WORDS);
        std::memcpy(count.get() + n_before, weight, n * 4);
        int bits = 1;
        while (bits < MOST_PART_BITS && (total >> bits) > PART) bits++;
        std::vector<size_t> end = scatter(moved.get(), count.get(), total, bits);
        moved.reset();
        count.reset();
        size_t begin = 0;
        for (size_t stop : end) {
            count_part(begin, stop);
            begin = stop;
        }
    }

    // Into keys_ and count_, in the order of the parts; gives the end of every part.
    std::vector<size_t> scatter(const uint64_t* keys, const uint32_t* count, size_t n, int bits) {
        std::vector<size_t> next(size_t(1) << bits, 0);
        for (size_t i = 0; i < n; i++) next[part_of(keys + i * WORDS, bits)]++;
        size_t sum = 0;
        for (size_t& of_part : next) {
            size_t size = of_part;
            of_part = sum;
            sum += size;
        }
        keys_.reset(new uint64_t[n * WORDS]);
        count_.reset(new uint32_t[n]);
        for (size_t i = 0; i < n; i++) {
            size_t to = next[part_of(keys + i * WORDS, bits)]++;
            std::memcpy(&keys_[to * WORDS], keys + i * WORDS, WORDS * 8);
            count_[to] = count[i];
        }
        return next;  // every part has moved its begin to its end
    }

    void count_part(size_t begin, size_t end) {
        Tally<WORDS> part(end - begin);
        for (size_t start = begin; start < end; start += KEY_BLOCK) {
            size_t m = end - start < KEY_BLOCK ? end - start : KEY_BLOCK;
            part.add(&keys_[start * WORDS], &count_[start], m);
        }
        part.write(&keys_[n_ * WORDS], &count_[n_]);
        n_ += part.n_classes();
    }

    // Other bits than those that say where in its table a key goes.
    static size_t part_of(const uint64_t* key, int bits) {
        return size_t((fold<WORDS>(key) * 0xD6E8FEB86659FD93ull) >> (64 - bits));
    }

    std::unique_ptr<Tally<WORDS>> tally_;
    std::unique_ptr<uint64_t[]> keys_;
    std::unique_ptr<uint32_t[]> count_;
    size_t n_ = 0;
};

// The rows of classes that have fewer than k.
inline uint64_t rows_below(const uint32_t* count, size_t n, uint64_t k) {
    uint64_t rows = 0;
    for (size_t i = 0; i < n; i++) rows += count[i] < k ? count[i] : 0;
    return rows;
}

}  // namespace amongst
