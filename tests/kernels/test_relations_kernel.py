"""The kernels for many tables: compiled and Python alike, and no reading past an end."""

from __future__ import annotations

import time
from dataclasses import replace

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from random_forest import random_forest, random_spreads

from amongst.kernels import relations
from amongst.kernels.numpy import relations as reference_relations
from amongst.kernels.numpy.assign import assign
from amongst.kernels.relations import Grouped, Rules, TableRows
from amongst.relations.forest import BEING_THERE
from thorough import some

compiled = pytest.importorskip("amongst.kernels.cpp._relations", reason="no compiled kernels here")


def random_rules(rng: np.random.Generator) -> Rules:
    upper, optimal, increase, join, merge = (bool(flag) for flag in rng.integers(0, 2, 5))
    return Rules(
        int(rng.integers(1, 6)),
        int(rng.integers(1, 12)),
        float(rng.choice([0.0, 0.1, 0.3, 1.0])),
        join,
        upper,
        optimal,
        increase,
        merge,
        float(rng.choice([0.0, 0.0, 1.0])),
        levels=bool(rng.integers(0, 2)),
        printed=not increase and bool(rng.integers(0, 2)),
    )


def by_reference(tables: list[TableRows], spreads: np.ndarray, rules: Rules, given_: np.ndarray | None) -> Grouped:
    made = Grouped(
        np.full(tables[0].n_rows, -1, dtype=np.int32),
        [table.codes.copy() for table in tables],
        [table.codes.copy() for table in tables],
        [np.full(table.n_rows, -1, dtype=np.int32) for table in tables],
    )
    reference_relations.cluster_trees(tables, spreads, rules, given_, made, None)
    return made


def both(seed: int) -> None:
    rng = np.random.default_rng(seed)
    compare(rng, random_forest(rng))


def compare(rng: np.random.Generator, tables: list[TableRows]) -> None:
    spreads, rules = random_spreads(rng, tables), random_rules(rng)
    groups = rng.integers(-1, 4, tables[0].n_rows).astype(np.int32) if rng.random() < 0.3 else None
    ours = relations.cluster_trees(tables, spreads, rules, given=groups)
    theirs = by_reference(tables, spreads, rules, groups)
    np.testing.assert_array_equal(ours.group_of_person, theirs.group_of_person)
    for t in range(len(tables)):
        np.testing.assert_array_equal(ours.node_of_row[t], theirs.node_of_row[t])
        np.testing.assert_array_equal(ours.lo[t], theirs.lo[t])
        np.testing.assert_array_equal(ours.hi[t], theirs.hi[t])


def with_rows_alike(rng: np.random.Generator, tables: list[TableRows], most: int) -> list[TableRows]:
    """The tables, and below one of them rows that no value tells apart."""
    parent = int(rng.integers(0, len(tables)))
    first = np.append(0, np.cumsum(rng.integers(0, most + 1, tables[parent].n_rows))).astype(np.int64)
    n = int(first[-1])
    sensitive = rng.integers(0, 3, (n, int(rng.integers(0, 2)))).astype(np.int32)
    return [*tables, TableRows(parent, first, np.zeros((n, 1), dtype=np.int32), [BEING_THERE], sensitive)]


@given(st.integers(0, 2**32 - 1))
def test_rows_that_are_all_alike_are_paired_as_if_each_pair_had_been_priced(seed: int) -> None:
    rng = np.random.default_rng(seed)
    compare(rng, with_rows_alike(rng, random_forest(rng, 10), 9))


def test_rows_that_are_all_alike_cost_no_pairing() -> None:
    """100 persons with 1,500 rows each: priced pair by pair it would take 10^10 prices."""
    first = np.arange(0, 150_001, 1500, dtype=np.int64)
    none = [np.zeros((n, 0), dtype=np.int32) for n in (100, 150_000)]
    codes = np.zeros((150_000, 1), dtype=np.int32)
    tables = [
        TableRows(-1, None, np.zeros((100, 1), dtype=np.int32), [BEING_THERE], none[0]),
        TableRows(0, first, codes, [BEING_THERE], none[1]),
    ]
    began = time.process_time()
    made = relations.cluster_trees(tables, np.zeros((0, 6)), Rules(5, threshold=0.0))
    assert time.process_time() - began < 5
    assert (made.node_of_row[1] >= 0).all()


def test_on_many_databases() -> None:
    for seed in range(some(120)):
        both(seed)


@given(st.integers(0, 2**32 - 1))
def test_on_databases_that_hypothesis_finds(seed: int) -> None:
    both(seed)


@given(st.integers(0, 2**32 - 1))
def test_splitting_alike(seed: int) -> None:
    rng = np.random.default_rng(seed)
    tables, rules = random_forest(rng, 30), random_rules(rng)
    spreads = random_spreads(rng, tables) if rng.integers(0, 2) else np.zeros((0, 6))
    rules = replace(rules, printed=False)  # there is no halving in the paper's algorithms
    ours = relations.split_trees(tables, rules, spreads=spreads)
    theirs = np.zeros(tables[0].n_rows, dtype=np.int32)
    reference_relations.split_trees(tables, spreads, rules, theirs, None)
    np.testing.assert_array_equal(ours, theirs)
    if len(ours) >= rules.k and not len(spreads):
        assert rules.k <= np.bincount(ours).min()
        assert np.bincount(ours).max() < 2 * rules.k


@given(st.integers(0, 2**32 - 1))
def test_bitmaps_alike(seed: int) -> None:
    rng = np.random.default_rng(seed)
    bits = rng.integers(0, 2**64, (int(rng.integers(1, 40)), int(rng.integers(0, 3))), dtype=np.uint64)
    bits &= rng.integers(0, 2**64, bits.shape, dtype=np.uint64)
    rules, complete = random_rules(rng), bool(rng.integers(0, 2))
    ours = relations.cluster_bits(bits, rules, n_columns=64 * bits.shape[1], complete=complete)
    theirs = np.full(len(bits), -1, dtype=np.int32)
    reference_relations.cluster_bits(bits, rules, 64 * bits.shape[1], complete, theirs, None)
    np.testing.assert_array_equal(ours, theirs)


@given(st.integers(0, 2**32 - 1))
def test_the_assignment_is_the_best_of_all(seed: int) -> None:
    from itertools import permutations

    rng = np.random.default_rng(seed)
    m = int(rng.integers(1, 5))
    cost = rng.integers(-5, 9, (m, m + int(rng.integers(0, 3))))
    found = assign(cost)
    assert len(set(found)) == m
    best = min(sum(cost[i, j] for i, j in enumerate(way)) for way in permutations(range(cost.shape[1]), m))
    assert sum(cost[i, j] for i, j in enumerate(found)) == best


def test_groups_have_k_members_and_rows_of_a_group_are_paired_one_to_one() -> None:
    for seed in range(some(60)):
        rng = np.random.default_rng(seed)
        tables, rules = random_forest(rng), random_rules(rng)
        made = relations.cluster_trees(tables, np.zeros((0, 6)), rules)
        groups = made.group_of_person
        sizes = np.bincount(groups[groups >= 0])
        assert (sizes >= rules.k).all()
        person = [np.arange(tables[0].n_rows)]
        for t, table in enumerate(tables[1:], start=1):
            assert table.first is not None
            parent_row = np.repeat(np.arange(len(table.first) - 1), np.diff(table.first))
            person.append(person[table.parent][parent_row])
            assert (made.node_of_row[table.parent][parent_row][made.node_of_row[t] >= 0] >= 0).all()
        for t, table in enumerate(tables):
            kept = made.node_of_row[t] >= 0
            keys = np.stack([groups[person[t][kept]], made.node_of_row[t][kept]], axis=1)
            nodes, count = np.unique(keys, axis=0, return_counts=True)
            assert (count == sizes[nodes[:, 0]]).all()
            assert (made.lo[t] <= table.codes).all()
            assert (table.codes <= made.hi[t]).all()


def test_what_the_tick_raises_comes_out() -> None:
    def stop(done: int, total: int) -> None:
        raise KeyboardInterrupt

    tables = random_forest(np.random.default_rng(3))
    with pytest.raises(KeyboardInterrupt):
        relations.cluster_trees(tables, np.zeros((0, 6)), Rules(2), tick=stop)


def two_tables() -> list[TableRows]:
    """The first random database whose second table has rows, and a tree among its columns."""
    for seed in range(some(100)):
        tables = random_forest(np.random.default_rng(seed))[:2]
        if (
            len(tables) == 2
            and tables[1].n_rows
            and any(one.tree_start is not None and one.n > 1 for one in tables[1].prices)
        ):
            return tables
    raise AssertionError("none found")


@pytest.mark.parametrize("wrong", ["code", "place", "spread", "short", "root"])
def test_a_wrong_argument_is_an_error(wrong: str) -> None:
    tables, spreads = two_tables(), np.zeros((0, 6))
    assert tables[1].first is not None
    if wrong == "code":
        tables[1].codes[0, 0] = 99
    elif wrong == "place":
        tables[1].first[-1] += 1
    elif wrong == "spread":
        spreads = np.array([[0, 7, 0, 2, 1, 0]], dtype=np.float64)
    elif wrong == "short":
        tables[1] = TableRows(0, tables[1].first[:-1], tables[1].codes, tables[1].prices, tables[1].sensitive)
    else:
        price = next(price for price in tables[1].prices if price.tree_start is not None and price.n > 1)
        price.tree_start[-1, -1] = 1  # type: ignore[index]
    with pytest.raises((ValueError, IndexError)):
        relations.cluster_trees(tables, spreads, Rules(2))
