// Groups of k to 2k - 1 by halving around two persons that are far apart: the top-down scheme of Xu et al. (KDD 2006,
// figure 5), with the distance of trees in place of that of rows.
#pragma once

#include "tree_space.h"

namespace amongst {

constexpr int SEED_ROUNDS = 2;

class TreeSplit {
public:
    TreeSplit(const Forest& forest, PairingOptions options, size_t k) : forest_(forest), options_(options), pairing_(forest, options), k_(k) {}

    // Halves order[begin, end) in place; where the second half begins.
    size_t halve(std::vector<int32_t>& order, size_t begin, size_t end) {
        single_entity(forest_, order[begin], options_.increase, u_);
        for (int round = 0; round < SEED_ROUNDS; round++) {
            size_t far = begin;
            double most = -1;
            distances_.resize(end - begin);
            for (size_t i = begin; i < end; i++) {
                double distance = from(u_, order[i]);
                if (distance > most) most = distance, far = i;
            }
            std::swap(u_, v_);
            single_entity(forest_, order[far], options_.increase, u_);
        }
        for (size_t i = begin; i < end; i++) {
            double to_u = from(u_, order[i]), to_v = from(v_, order[i]);
            distances_[i - begin] = {to_u - to_v, order[i]};
        }
        // The closer to u the earlier; the border lies where both are as close, but leaves k on each side.
        std::stable_sort(distances_.begin(), distances_.end(), [](const Place& p, const Place& q) { return p.balance < q.balance; });
        size_t closer = 0;
        while (closer < distances_.size() && distances_[closer].balance < 0) closer++;
        size_t border = std::min(std::max(closer, k_), end - begin - k_);
        for (size_t i = begin; i < end; i++) order[i] = distances_[i - begin].person;
        return begin + border;
    }

    // Whether the sensitive values of order[begin, end) are spread enough in the tree that stands for all of them.
    bool diverse_together(const std::vector<int32_t>& order, size_t begin, size_t end, const std::vector<Spread>& asked) {
        Entity together;
        single_entity(forest_, order[begin], options_.increase, together);
        for (size_t i = begin + 1; i < end; i++) {
            single_entity(forest_, order[i], options_.increase, w_);
            pairing_.merge(together, w_);
        }
        return diverse(forest_, together, asked);
    }

private:
    struct Place {
        double balance;
        int32_t person;
    };
    const Forest& forest_;
    PairingOptions options_;
    Pairing pairing_;
    size_t k_;
    Entity u_, v_, w_;
    std::vector<Place> distances_;

    double from(const Entity& seed, int32_t person) {
        single_entity(forest_, person, options_.increase, w_);
        return pairing_.distance(seed, w_);
    }
};

}  // namespace amongst
