"""Which frequency sets are kept: the greedy rule against one that tries every set, and what it saves."""

from __future__ import annotations

import itertools
from typing import Any

import numpy as np
import pytest

import amongst as am
from amongst.encode import encode
from amongst.errors import BadOption
from amongst.partition.frequency_sets import FrequencySets
from amongst.partition.full_domain.incognito_materialized import choose_views
from amongst.partition.full_domain.search import search_sets
from amongst.partition.methods import METHODS
from amongst.schema.check import check


def naive_views(n_nodes: list[list[int]], n_tuples: int, room: float) -> list[tuple[int, ...]]:
    """Every set against every other, again and again: the one that saves most for a class of it."""
    states = [[*range(len(own) - 1), len(own)] for own in n_nodes]
    views = list(itertools.product(*states))

    def size(view: tuple[int, ...]) -> float:
        cells = 1.0
        for own, level in zip(n_nodes, view, strict=True):
            cells *= own[level] if level < len(own) else 1
        return max(cells * (1 - (1 - min(1 / cells, 1 - 1e-12)) ** n_tuples), 1.0)

    chosen: list[tuple[int, ...]] = []
    cost = dict.fromkeys(views, float(n_tuples))
    while True:
        promises = []
        for view in views:
            own = size(view)
            if view in chosen or own > room or not 1 < own < n_tuples:
                continue
            saved = sum(max(cost[w] - own, 0) for w in views if all(a <= b for a, b in zip(view, w, strict=True)))
            if saved > own:
                promises.append((-saved / own, view))
        if not promises:
            return chosen
        best = min(promises)[1]
        room -= size(best)
        chosen.append(best)
        for w in views:
            if all(a <= b for a, b in zip(best, w, strict=True)):
                cost[w] = min(cost[w], size(best))


@pytest.mark.parametrize("seed", range(5))
def test_the_sets_that_are_kept_are_those_of_the_greedy_rule(seed: int) -> None:
    rng = np.random.default_rng(seed)
    n_nodes = [[int(rng.integers(5, 30)), int(rng.integers(2, 5)), 1][: int(rng.integers(2, 4))] for _ in range(3)]
    n_nodes = [own if own[-1] == 1 else [*own, 1] for own in n_nodes]
    n_tuples = int(rng.integers(50, 2000))
    found = choose_views(n_nodes, n_tuples, 1.5 * n_tuples)
    assert found == naive_views(n_nodes, n_tuples, 1.5 * n_tuples)
    assert found


def test_the_table_is_read_less_and_the_answer_is_the_same() -> None:
    adult = am.datasets.load("adult")
    columns = ["age", "sex", "race", "marital-status", "education"]
    schema = am.Schema({name: adult.schema[name] for name in columns})
    table = adult.table.select(columns)
    coded = encode(table, check(schema, table))
    answers, read = [], []
    for name, options in [("incognito", {}), ("incognito-materialized", {}), ("incognito-materialized", {"room": 0})]:
        sets = Counting(coded)
        answers.append(set(search_sets(METHODS[name], sets, [am.KAnonymity(10)], **options)))
        read.append(sets.n_read)
    assert answers[0] == answers[1] == answers[2]
    assert read[1] < read[2] <= read[0]
    assert read[1] < 0.7 * read[0]


class Counting(FrequencySets):
    """Frequency sets that count the classes they are counted from."""

    n_read = 0

    def _count(self, source: Any, *args: Any, **options: Any) -> Any:
        self.n_read += source.n_classes
        return super()._count(source, *args, **options)


def test_room_is_a_number() -> None:
    patients = am.datasets.load("incognito-patients")
    with pytest.raises(BadOption, match="room"):
        am.generalizations(
            patients.table, patients.schema, [am.KAnonymity(2)], method="incognito-materialized", room=-1
        )
