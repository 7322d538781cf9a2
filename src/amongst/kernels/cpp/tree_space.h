// Entity trees as something that can be clustered.
#pragma once

#include "stream_clusters.h"
#include "tree_diversity.h"
#include "tree_pairing.h"

namespace amongst {

struct TreeSpace {
    using Entity = amongst::Entity;
    const Forest& forest;
    PairingOptions options;
    Pairing pairing;
    std::vector<Spread> asked;
    double penalty;  // for every share of sensitive values that a cluster has already (section 5.2, the first way)

    TreeSpace(const Forest& forest, PairingOptions options, std::vector<Spread> asked, double penalty)
        : forest(forest), options(options), pairing(forest, options), asked(std::move(asked)), penalty(penalty) {}

    Entity make(int32_t person) const {
        Entity one;
        single_entity(forest, person, options.increase, one);
        return one;
    }
    size_t size(const Entity& a) const { return a.size(); }
    double distance(const Entity& a, const Entity& b) { return pairing.distance(a, b); }
    void merge(Entity& a, const Entity& b) { pairing.merge(a, b); }
    double placing_distance(const Entity& a, const Entity& b) {
        if (penalty == 0 || asked.empty()) return pairing.distance(a, b);
        double distance = pairing.match(a, b);
        return distance + penalty * repeated(a, b);
    }

private:
    // The share of the sensitive values of b that a has already, in the nodes they would share.
    double repeated(const Entity& a, const Entity& b) const {
        int64_t same = 0, all = 0;
        for (const Spread& one : asked) {
            size_t t = size_t(one.table);
            const TableRows& table = forest[t];
            for (const auto& pair : pairing.pairs()[t]) {
                if (pair.a < 0 || pair.b < 0 || a.of[t].star(size_t(pair.a)) || b.of[t].star(size_t(pair.b))) continue;
                int32_t value = table.sensitive[b.of[t].rows[size_t(pair.b)] * table.n_sensitive + one.column];
                bool found = false;
                for (size_t m = 0; m < a.size() && !found; m++)
                    found = table.sensitive[a.of[t].rows[m * a.of[t].n + size_t(pair.a)] * table.n_sensitive + one.column] == value;
                same += found;
                all++;
            }
        }
        return all > 0 ? double(same) / double(all) : 0.0;
    }
};

}  // namespace amongst
