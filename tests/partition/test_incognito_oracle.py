"""Every search against brute force: each node of thousands of random lattices, counted over plain tuples."""

from __future__ import annotations

import weakref
from typing import Any

import numpy as np
import pytest
from lattice_oracle import all_nodes, minimal_nodes, random_case, safe_nodes
from printed_incognito import figure_8

import amongst as am
from amongst.lattice.generalize import searches
from amongst.partition.frequency_sets import FrequencySets, NodeSet
from amongst.partition.full_domain.search import search_lattice
from amongst.partition.methods import METHODS

COMPLETE: list[tuple[str, dict[str, Any]]] = [
    *[(name, {"marking": marking}) for name in searches() if "incognito" in name for marking in ("all", "direct")],
    *[
        ("bottom-up-search", {"rollup": rollup, "marking": marking})
        for rollup in (True, False)
        for marking in ("all", "direct")
    ],
]


@pytest.mark.parametrize("seed", range(20))
def test_sound_and_complete(seed: int) -> None:
    rng = np.random.default_rng(seed)
    for number in range(120):
        case = random_case(rng)
        expected, where = safe_nodes(case), f"seed {seed}, case {number}"
        sets = case.sets()
        asked = case.ask(sets)
        # Every case goes to every algorithm, with the ways to mark and to count in turn.
        for name, options in COMPLETE[number % 2 :: 2]:
            safe, n_searched = METHODS[name].search(sets, asked, **options)
            assert {tuple(node) for node in np.argwhere(safe).tolist()} == expected, (where, name, options)
            assert n_searched >= 1
            if name == "bottom-up-search":
                assert n_searched <= len(all_nodes(case))


@pytest.mark.parametrize("name", [name for name, options in COMPLETE if options["marking"] == "all"])
def test_the_answer_tells_itself(name: str) -> None:
    rng = np.random.default_rng(7)
    for _ in range(50):
        case = random_case(rng)
        models = [am.KAnonymity(case.k)]
        found = search_lattice(METHODS[name], case.coded, models, case.suppression, case.limits)
        expected = safe_nodes(case)
        assert found.complete
        assert set(found) == expected
        assert len(found) == len(expected)
        assert set(found.minimal()) == minimal_nodes(expected)
        assert found.safe().sum() == len(expected)
        assert found.heights == case.heights
        assert found.columns == [column.name for column in case.coded.columns]
        assert all(node in found for node in expected)
        assert case.heights in found or not expected


def test_how_the_variants_get_their_frequency_sets() -> None:
    """Basic scans once a root, super-roots at most once a family, cube once; without rollup all are scans."""
    rng = np.random.default_rng(8)
    saved = 0
    for _ in range(60):
        case = random_case(rng)
        n_scans, n_searched = {}, {}
        for name, options in COMPLETE:
            sets = case.sets()
            key = (name, *options.values())
            _, n_searched[key] = METHODS[name].search(sets, case.ask(sets), **options)
            n_scans[key] = sets.n_scans
        n_families = 2 ** len(case.names) - 1
        assert n_scans["incognito-cube", "all"] == 1
        assert n_scans["incognito-superroots", "all"] <= min(n_scans["incognito", "all"], n_families)
        assert n_scans["bottom-up-search", True, "all"] == 1
        assert n_scans["bottom-up-search", False, "all"] == n_searched["bottom-up-search", False, "all"]
        assert n_searched["incognito", "all"] == n_searched["incognito-cube", "all"]
        assert n_searched["incognito", "all"] == n_searched["incognito-superroots", "all"]
        assert n_searched["incognito", "all"] <= n_searched["incognito", "direct"]
        saved += n_scans["incognito", "all"] - n_scans["incognito-superroots", "all"]
    assert saved > 0


class Watched(FrequencySets):
    """Frequency sets that know how many of them there are at a time."""

    alive: weakref.WeakSet[NodeSet]
    most = 0

    def _count(self, *args: Any, **options: Any) -> Any:
        found, members = super()._count(*args, **options)
        self.__dict__.setdefault("alive", weakref.WeakSet()).add(found)
        self.most = max(self.most, len(self.alive))
        return found, members


def test_few_sets_wait_and_the_nodes_looked_at_are_those_with_nothing_below_that_holds() -> None:
    """One set a column, those of the table and of the node at hand, and the one that this is rolled up from; the
    lattices have some hundred nodes. Searched by height, fifty and more of them wait."""
    rng = np.random.default_rng(9)
    n_large = 0
    for _ in range(40):
        case = random_case(rng)
        holding = np.array(sorted(safe_nodes(case))).reshape(-1, len(case.names))
        sets = Watched(case.coded)
        _, n_searched = METHODS["bottom-up-search"].search(sets, case.ask(sets))
        below = [(holding <= node).all(axis=1) & (holding < node).any(axis=1) for node in all_nodes(case)]
        assert n_searched == sum(not one.any() for one in below)
        assert sets.most <= len(case.names) + 4
        n_large += len(below) > 50
    assert n_large > 5


def test_figure_8_as_printed() -> None:
    """Its joins, pruning and edges in lists: the same answer, the same nodes looked at, a scan for every root."""
    rng = np.random.default_rng(5)
    for _ in range(80):
        case = random_case(rng)
        sets = case.sets()
        safe, n_searched = METHODS["incognito"].search(sets, case.ask(sets), marking="direct")
        found = {tuple(node) for node in np.argwhere(safe).tolist()}
        assert (found, n_searched, sets.n_scans) == figure_8(case)
