"""Running the method anew: what follows from nothing else having been published, for every method."""

from __future__ import annotations

from itertools import permutations

import numpy as np
import pyarrow as pa
import pytest

import amongst as am
from amongst.attack import replay
from amongst.partition.methods import METHODS

AGES, TRUTH = [30, 30, 40, 40, 40], ["hiv", "hiv", "flu", "cold", "acne"]
RULES = am.Schema(
    {
        "age": am.Column(role="quasi", kind="numeric", hierarchy=am.Hierarchy.intervals([10])),
        "disease": am.Column(role="sensitive"),
    }
)
MODELS = [am.KAnonymity(2), am.LDiversity(2)]
TAKES_MODELS = METHODS.names(lambda one: one.publishes == "one table" and one.takes != "k" and not one.draws_lots)


def published(values, method):
    return am.anonymize(pa.table({"age": AGES, "disease": list(values)}), RULES, MODELS, method=method)


def by_hand(method) -> tuple[int, int]:
    """Of how many people a value became likelier than in their class, and of how many one is left: over all worlds."""
    release = published(TRUTH, method)
    left = [world for world in set(permutations(TRUTH)) if published(world, method).table.equals(release.table)]
    raised = certain = 0
    class_of_row = release.plan.class_of_row
    for person, seen in enumerate(class_of_row):
        own = [TRUTH[other] for other in range(len(TRUTH)) if class_of_row[other] == seen]
        belief = {value: sum(world[person] == value for world in left) / len(left) for value in own}
        raised += any(belief[value] > own.count(value) / len(own) + 0.08 for value in own)
        certain += max(belief.values()) == 1 and len(set(own)) > 1
    return raised, certain


@pytest.mark.parametrize("method", ["hilbert", "gain-split"])
def test_beliefs_are_those_of_all_worlds(method):
    found = am.attack(published(TRUTH, method), attacks=["minimality"], k=1)["minimality"]
    assert tuple(rate.success for rate in found.rates) == by_hand(method)
    assert found.succeeded


@pytest.mark.parametrize("method", TAKES_MODELS)
def test_it_is_tried_for_every_method_that_looks_at_values(method, monkeypatch):
    monkeypatch.setattr(replay, "MOST_RUNS", 20)
    found = am.attack(published(TRUTH, method), attacks=["minimality"])
    assert found.of("minimality"), found.skipped


def test_a_planted_leak_is_seen_and_k_alone_tells_nothing():
    leak = am.attack(published(TRUTH, "hilbert"), attacks=["minimality"])["minimality"]
    assert leak.succeeded
    table = pa.table({"age": AGES, "disease": TRUTH})
    alone = am.attack(am.anonymize(table, RULES, [am.KAnonymity(2)], method="hilbert"), attacks=["minimality"])
    assert "nothing was asked of disease" in alone.skipped[0][1]


def test_of_a_large_table_a_part_is_published_anew():
    rng = np.random.default_rng(0)
    disease = pa.array(rng.choice(list("abcd"), 900)).dictionary_encode()
    table = pa.table({"age": rng.integers(0, 30, 900), "disease": disease})
    release = am.anonymize(table, RULES, MODELS, method="gain-split")
    found = am.attack(release, attacks=["minimality"])["minimality"]
    assert "Run anew on 300 people" in found.achieved[0]
