// k on every few columns: which tuples can get a finer label of one column.
#pragma once

#include <algorithm>
#include <cstdint>
#include <unordered_map>
#include <vector>

namespace amongst {

// Tuples that publish one label of a column, or a finer one (FIXED); those that MOVES marks are to get the finer one too.
// They are put back until on every choice of `size` other columns every class of those with the finer label, and every
// class of those without, has no rows or at least k.
class FewColumns {
public:
    FewColumns(std::vector<std::vector<uint32_t>> label, std::vector<uint32_t> n_labels, std::vector<uint32_t> rows, uint8_t* inside, uint64_t k)
        : label_(std::move(label)), n_labels_(std::move(n_labels)), rows_(std::move(rows)), inside_(inside), k_(k), n_(rows_.size()) {}

    void settle(size_t size) {
        size = std::min(size, label_.size());
        number_.assign(size + 1, std::vector<uint32_t>(n_, 0));
        do {
            changed_ = false;
            visit(0, 0, size, 1);
        } while (changed_ && left_);
    }

    bool left() const { return left_; }

private:
    void visit(size_t depth, size_t from, size_t size, uint64_t n_classes) {
        if (depth == size) return judge(number_[depth], n_classes);
        for (size_t c = from; c + (size - depth) <= label_.size() && left_; c++)
            visit(depth + 1, c + 1, size, refine(number_[depth], n_classes, c, number_[depth + 1]));
    }

    // The classes divided by one more column; numbered without gaps where there would be more numbers than tuples.
    uint64_t refine(const std::vector<uint32_t>& own, uint64_t n_classes, size_t c, std::vector<uint32_t>& finer) {
        const std::vector<uint32_t>& label = label_[c];
        uint64_t radix = n_labels_[c], product = n_classes * radix;
        if (product <= FEW) {
            for (size_t i = 0; i < n_; i++) finer[i] = uint32_t(own[i] * radix + label[i]);
            return product;
        }
        std::unordered_map<uint64_t, uint32_t> seen;
        seen.reserve(n_);
        for (size_t i = 0; i < n_; i++) finer[i] = seen.emplace(own[i] * radix + label[i], uint32_t(seen.size())).first->second;
        return seen.size();
    }

    void judge(const std::vector<uint32_t>& own, uint64_t n_classes) {
        for (auto& of : count_) of.assign(n_classes, 0);
        for (size_t i = 0; i < n_; i++) count_[inside_[i]][own[i]] += rows_[i];
        bool any = false;
        for (size_t g = 0; g < n_classes; g++) {
            uint64_t moves = count_[MOVES][g], in = moves + count_[FIXED][g], out = count_[0][g];
            count_[MOVES][g] = 0;  // from here on: how many rows are to be put back
            if (moves == 0 || (in >= k_ && (out == 0 || out >= k_))) continue;
            count_[MOVES][g] = in < k_ || in + out < 2 * k_ ? moves : k_ - out;
            any = true;
        }
        if (!any) return;
        changed_ = true;
        left_ = false;
        for (size_t i = 0; i < n_; i++) {
            if (inside_[i] != MOVES) continue;
            uint64_t& back = count_[MOVES][own[i]];
            if (back == 0) {
                left_ = true;
                continue;
            }
            inside_[i] = 0;
            back -= std::min<uint64_t>(back, rows_[i]);
        }
    }

    static constexpr uint64_t FEW = 1 << 16;
    static constexpr uint8_t MOVES = 1, FIXED = 2;

    std::vector<std::vector<uint32_t>> label_, number_;
    std::vector<uint32_t> n_labels_, rows_;
    uint8_t* inside_;
    uint64_t k_;
    size_t n_;
    std::vector<uint64_t> count_[3];
    bool changed_ = false, left_ = true;
};

}  // namespace amongst
