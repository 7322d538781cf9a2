// Groups of at least k by putting one after the other into the closest open cluster (algorithm 2), and what becomes
// of the clusters that are left, or whose sensitive values are not spread enough (algorithm 6).
#pragma once

#include <algorithm>
#include <cstdint>
#include <deque>
#include <vector>

namespace amongst {

struct StreamOptions {
    size_t k = 2, limit = 150;  // a cluster of k is full; so many are open at most
    double threshold = 0;
    bool join = false;         // people left over join the closest group; else they are suppressed
    size_t near = 150;         // of groups that fail, the closest of so many is taken
};

// Space: Entity, make(i), distance(a, b), merge(a, b), size(a), far_enough(a, b).
template <typename Space>
class Clusters {
public:
    using Entity = typename Space::Entity;
    Clusters(Space& space, StreamOptions options) : space_(space), options_(options) {}

    std::vector<Entity> closed, open, left;

    void add(Entity one) {
        size_t best = open.size();
        double least = 0;
        for (size_t i = 0; i < open.size(); i++) {
            double distance = space_.placing_distance(open[i], one);
            if (best == open.size() || distance < least) best = i, least = distance;
        }
        if (best == open.size() || (least > options_.threshold && open.size() < options_.limit)) {
            open.push_back(std::move(one));
            best = open.size() - 1;
        } else {
            space_.merge(open[best], one);
        }
        close_if_full(best);
    }

    // Clusters that are not full take in the closest others until they are; the last may stay too small.
    void finish() {
        while (!open.empty()) {
            if (close_if_full(0)) continue;
            if (open.size() == 1) {
                left.push_back(std::move(open[0]));
                open.clear();
                break;
            }
            merge_closest(open, 0, open.size());
        }
    }

    // Groups for which `holds` is false merge with the closest of their like until it is true (algorithm 6), step by step.
    template <typename Holds>
    void begin_mending(Holds&& holds, bool by_merging) {
        std::vector<Entity> good;
        for (Entity& one : closed) {
            if (holds(one)) good.push_back(std::move(one));
            else if (by_merging) bad_.push_back(std::move(one));
            else left.push_back(std::move(one));
        }
        closed = std::move(good);
    }
    // Some steps; whether there is more to do. What holds after a merge is done with, and takes in no other.
    template <typename Holds>
    bool mend(Holds&& holds, size_t steps) {
        for (; !bad_.empty() && steps > 0; steps--) {
            if (bad_.size() == 1) {
                left.push_back(std::move(bad_[0]));
                bad_.clear();
            } else {
                merge_closest(bad_, 0, std::min(bad_.size(), options_.near + 1));
                // If it fails still the others come first: or one would grow and grow.
                if (holds(bad_[0])) closed.push_back(std::move(bad_[0]));
                else bad_.push_back(std::move(bad_[0]));
                bad_.pop_front();
            }
        }
        return !bad_.empty();
    }

    // What is left joins the closest group with which `holds` is true.
    template <typename Holds>
    void join_left(Holds&& holds) {
        if (!options_.join || closed.empty()) return;
        std::vector<Entity> still;
        for (Entity& one : left) {
            size_t best = closest(closed, closed.size(), one);
            Entity merged = closed[best];
            space_.merge(merged, one);
            if (holds(merged)) closed[best] = std::move(merged);
            else still.push_back(std::move(one));
        }
        left = std::move(still);
    }

private:
    Space& space_;
    StreamOptions options_;
    std::deque<Entity> bad_;

    bool close_if_full(size_t i) {
        if (space_.size(open[i]) < options_.k) return false;
        closed.push_back(std::move(open[i]));
        open.erase(open.begin() + int64_t(i));
        return true;
    }
    template <typename Entities>
    size_t closest(const Entities& among, size_t end, const Entity& one, size_t except = SIZE_MAX) {
        size_t best = SIZE_MAX;
        double least = 0;
        for (size_t j = 0; j < end; j++) {
            if (j == except) continue;
            double distance = space_.distance(among[j], one);
            if (best == SIZE_MAX || distance < least) best = j, least = distance;
        }
        return best;
    }
    template <typename Entities>
    void merge_closest(Entities& among, size_t i, size_t end) {
        size_t j = closest(among, end, among[i], i);
        space_.merge(among[i], among[j]);
        among.erase(among.begin() + int64_t(j));
    }
};

}  // namespace amongst
