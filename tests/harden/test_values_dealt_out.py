"""An intruder who knows the method, its options and everybody, but no sensitive value, tries all ways to deal them out.

A region that is not split tells that a part of it would have failed: so ways are ruled out, down to a value that is
certain in a class that has two. Where lots decide now and then no way is ruled out.
"""

from __future__ import annotations

from dataclasses import replace
from itertools import combinations, product

import numpy as np
import pyarrow as pa
import pytest

import amongst as am
from amongst.anonymize import release_of
from amongst.engines import open_store
from amongst.errors import AmongstError
from amongst.request import Request

ROLES = {
    "a": am.Column(role="quasi", kind="numeric"),
    "b": am.Column(role="quasi", kind="categorical", hierarchy=am.Hierarchy.flat()),
    "ill": am.Column(role="sensitive"),
}


def published(request: Request, table: pa.Table) -> am.Release | None:
    try:
        store = open_store("memory", table, request, silent, reading={})
        return release_of(store, request, silent)
    except AmongstError:
        return None


def silent(step: str, done: int, total: int) -> None:
    """Nobody waits."""


def ways(release: am.Release) -> list[np.ndarray]:
    """All ways to deal the values of every class out to its rows."""
    ill = np.array(release.source.table["ill"].to_pylist()) == "yes"
    of_class = [np.flatnonzero(release.plan.class_of_row == c) for c in range(release.plan.n_classes)]
    dealt = [[rows[list(some)] for some in combinations(range(len(rows)), int(ill[rows].sum()))] for rows in of_class]
    found = []
    for one in product(*dealt):
        found.append(np.zeros(len(ill), dtype=bool))
        found[-1][np.concatenate(one)] = True
    return found


def left(release: am.Release, n_seeds: int) -> tuple[list[np.ndarray], int]:
    """The ways after which the method publishes the same, with some seed; and how many there were."""
    table, found = release.source.table, []
    everything = ways(release)
    for way in everything:
        values = pa.array(np.where(way, "yes", "no"))
        dealt = table.set_column(table.column_names.index("ill"), "ill", values)
        for seed in range(1, n_seeds + 1):
            again = published(replace(release.request, seed=seed), dealt)
            if again is not None and again.arrow.equals(release.arrow):
                found.append(way)
                break
    return found, len(everything)


def hardened(seed: int, drawn: float) -> am.Release:
    rng = np.random.default_rng(seed)
    n = int(rng.integers(8, 11))
    table = pa.table(
        {
            "a": rng.integers(0, 10, n),
            "b": rng.choice(list("xyz"), n),
            "ill": np.where(rng.random(n) < 0.4, "yes", "no"),
        }
    )
    promised = am.Harden(membership=None, drawn=drawn, likelier=2.0)
    return am.anonymize(table, am.Schema(ROLES), [am.KAnonymity(2)], harden=promised, seed=1)


def certain(worlds: list[np.ndarray]) -> int:
    """How many people have the same value in all of them."""
    share = np.mean(worlds, axis=0)
    return int(((share == 0) | (share == 1)).sum())


def tables(drawn: float) -> list[am.Release]:
    made = []
    for seed in range(5, 14):
        try:
            made.append(hardened(seed, drawn))
        except AmongstError:
            continue
    return [one for one in made if one.plan.n_classes > 1 and len(ways(one)) <= 40]


def test_without_lots_ways_are_ruled_out() -> None:
    found = [left(one, 1) for one in tables(0.0)]
    assert any(len(worlds) < n for worlds, n in found)
    assert any(certain(worlds) for worlds, _ in found)


def test_with_lots_every_way_stays_possible_so_nobodys_value_is_certain() -> None:
    found = tables(0.2)[:3]
    assert len(found) >= 3
    for release in found:
        worlds, n = left(release, 200)
        assert len(worlds) == n
        assert certain(worlds) == 0


@pytest.mark.parametrize("drawn", [0.0, 0.2])
def test_a_method_that_looks_at_values_without_lots_is_not_said_to_withstand(drawn: float) -> None:
    """Who asks for diversity and promises that nobody is certain gets lots, also where cells may be narrowed."""
    adult = am.datasets.load("adult")
    promised = am.Harden(membership=None, narrowed=False, drawn=drawn)
    models = [am.KAnonymity(5), am.LDiversity(2, "distinct")]
    release = am.anonymize(adult.table.slice(0, 1000), adult.schema, models, "mondrian", harden=promised)
    assert release.method == ("regions" if drawn else "mondrian")
