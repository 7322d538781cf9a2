"""The lattice as arrays against the lattice as a set of tuples; frequency sets against a Counter."""

from __future__ import annotations

from collections import Counter
from itertools import combinations, pairwise, product
from typing import Any

import numpy as np
import pytest
from lattice_oracle import Case, Node, all_nodes, counts, generalizes, minimal_nodes, random_case

from amongst.encode.node_ends import ends_of_node
from amongst.partition.frequency_sets import FrequencySets, NodeSet, level_maps
from amongst.partition.lattice import (
    Lattice,
    as_tuples,
    candidates,
    families,
    mark_above,
    mark_below,
    minimal,
)

HEIGHTS = [(0,), (3,), (1, 2), (0, 0, 2), (2, 1, 3), (1, 1, 1, 1)]


def nodes_of(heights: Node) -> list[Node]:
    return list(product(*(range(height + 1) for height in heights)))


@pytest.mark.parametrize("heights", HEIGHTS)
def test_a_lattice_has_every_vector_of_levels(heights: Node) -> None:
    lattice = Lattice(heights)
    assert lattice.n_nodes == len(nodes_of(heights)) == lattice.everything().sum()
    assert as_tuples(lattice.everything()) == nodes_of(heights)
    assert as_tuples(lattice.nothing()) == []
    by_height = [lattice.at_height(height) for height in range(sum(heights) + 2)]
    assert sorted(node for nodes in by_height for node in nodes) == nodes_of(heights)
    assert all(sum(node) == height for height, nodes in enumerate(by_height) for node in nodes)


@pytest.mark.parametrize("heights", HEIGHTS)
def test_direct_generalizations_are_one_step_up(heights: Node) -> None:
    nodes = nodes_of(heights)
    for node in nodes:
        expected = {other for other in nodes if generalizes(other, node) and sum(other) == sum(node) + 1}
        found = list(Lattice(heights).parents(node))
        assert len(found) == len(expected)
        assert set(found) == expected


@pytest.mark.parametrize("heights", HEIGHTS)
def test_marking_takes_in_all_above_or_all_below(heights: Node) -> None:
    nodes = nodes_of(heights)
    for node in nodes:
        above, below = Lattice(heights).nothing(), Lattice(heights).nothing()
        mark_above(above, node)
        mark_below(below, node)
        assert set(as_tuples(above)) == {node, *(other for other in nodes if generalizes(other, node))}
        assert set(as_tuples(below)) == {node, *(other for other in nodes if generalizes(node, other))}


def test_minimal_nodes_of_upward_closed_sets() -> None:
    rng = np.random.default_rng(1)
    for _ in range(300):
        heights = HEIGHTS[rng.integers(len(HEIGHTS))]
        safe = Lattice(heights).nothing()
        for node in nodes_of(heights):
            if rng.random() < 0.15:
                mark_above(safe, node)
        assert set(as_tuples(minimal(safe))) == minimal_nodes(set(as_tuples(safe)))


def test_candidates_are_the_nodes_whose_every_smaller_part_is_safe() -> None:
    rng = np.random.default_rng(2)
    for _ in range(200):
        heights = tuple(rng.integers(0, 4, 3).tolist())
        shape = Lattice(heights).shape
        safe = {family: rng.random([shape[c] for c in family]) < 0.6 for family in families(3, 2)}
        expected = {
            node
            for node in nodes_of(heights)
            if all(safe[family][tuple(node[c] for c in family)] for family in combinations(range(3), 2))
        }
        assert set(as_tuples(candidates(safe, (0, 1, 2), shape))) == expected


def test_a_family_of_one_column_starts_with_every_level() -> None:
    assert candidates({}, (1,), (2, 4)).tolist() == [True] * 4


def test_the_ends_of_a_node_leave_out_what_matches_anything() -> None:
    together = np.zeros(4, dtype=np.uint8)
    assert [ends.tolist() for ends in ends_of_node(together, wildcard=3)] == [[0], [2]]
    assert [ends.tolist() for ends in ends_of_node(together)] == [[0], [3]]
    assert [ends.tolist() for ends in ends_of_node(np.array([0, 0, 1]), wildcard=2)] == [[0, 2], [1, 2]]


def as_counts(case: Case, sets: FrequencySets, found: NodeSet) -> Counter[tuple[Any, ...]]:
    """A frequency set of amongst in the names of the oracle."""
    name_of = []
    for c, level in zip(found.columns, found.levels, strict=True):
        number = sets.maps[c][level].tolist()
        name_of.append({n: case.names[c][level][value] for value, n in enumerate(number)})
    named = [map(name.get, codes.tolist()) for name, codes in zip(name_of, found.codes, strict=True)]
    keys = zip(*named, strict=True)
    told = list(zip(keys, found.count.tolist(), strict=True))
    assert len({key for key, _ in told}) == len(told), "a class stands twice"
    return Counter(dict(told))


@pytest.mark.parametrize("seed", range(4))
def test_scan_rollup_and_project_give_the_counts_of_the_rows(seed: int) -> None:
    rng = np.random.default_rng(seed)
    for _ in range(40):
        case = random_case(rng)
        sets, nodes = case.sets(), all_nodes(case)
        columns = tuple(range(len(case.names)))
        for node in nodes:
            scanned = sets.scan(columns, node)
            assert as_counts(case, sets, scanned) == counts(case, node)
            assert scanned.rows_below(case.k) == sum(n for n in counts(case, node).values() if n < case.k)
            above = [other for other in nodes if generalizes(other, node)]
            if above:
                target = above[rng.integers(len(above))]
                assert as_counts(case, sets, sets.rollup(scanned, target)) == counts(case, target)
            some = tuple(np.flatnonzero(rng.random(len(columns)) < 0.5).tolist()) or (0,)
            part = tuple(node[c] for c in some)
            assert as_counts(case, sets, sets.project(scanned, some)) == counts(case, part, some)
            assert as_counts(case, sets, sets.scan(some, part)) == counts(case, part, some)


def test_rollup_of_a_rollup_is_a_rollup() -> None:
    rng = np.random.default_rng(9)
    for _ in range(60):
        case = random_case(rng)
        sets, top = case.sets(), case.heights
        columns = tuple(range(len(top)))
        levels, found = (0,) * len(top), sets.scan(columns, (0,) * len(top))
        while levels != top:
            c = int(rng.choice([c for c in columns if levels[c] < top[c]]))
            levels = (*levels[:c], levels[c] + 1, *levels[c + 1 :])
            found = sets.rollup(found, levels)
            assert as_counts(case, sets, found) == counts(case, levels)


def test_the_class_of_every_tuple_is_told() -> None:
    rng = np.random.default_rng(4)
    for _ in range(60):
        case = random_case(rng)
        sets = case.sets()
        columns, node = tuple(range(len(case.heights))), tuple(int(rng.integers(h + 1)) for h in case.heights)
        found = sets.scan(columns, node)
        total = np.bincount(found.class_of_member, weights=sets.tuples.count)
        assert total.tolist() == found.count.tolist()


def test_every_counting_is_counted() -> None:
    case = random_case(np.random.default_rng(3), most_columns=3)
    sets = case.sets()
    columns, bottom = tuple(range(len(case.names))), (0,) * len(case.names)
    found = sets.scan(columns, bottom)
    sets.rollup(found, tuple(len(levels) - 1 for levels in case.names))
    sets.project(found, columns[:1])
    assert (sets.n_scans, sets.n_rollups) == (1, 2)


def test_levels_of_a_column_go_from_all_apart_to_all_together() -> None:
    rng = np.random.default_rng(5)
    for _ in range(100):
        for column in random_case(rng).coded.columns:
            maps = level_maps(column)
            assert maps[0].tolist() == list(range(len(maps[0])))
            assert set(maps[-1].tolist()) == {0}
            for lower, upper in pairwise(maps):
                steps = set(zip(lower.tolist(), upper.tolist(), strict=True))
                assert len(steps) == len(set(lower.tolist()))
