"""The bounds of the Mondrian paper, on random tables of all shapes, by brute force."""

from __future__ import annotations

from collections import Counter

import numpy as np
import pyarrow as pa
import pytest
from hypothesis import given
from hypothesis import strategies as st
from small_tables import small_table

import amongst as am
from amongst.encode import CodedTable, encode
from amongst.partition import METHODS
from amongst.schema.check import check

seeds = st.integers(0, 2**32 - 1)
ks = st.integers(1, 12)


def shaped_table(rng: np.random.Generator) -> CodedTable:
    """Up to 300 rows and 6 columns: ties, one value, all different, skewed."""
    n_rows, n_columns = int(rng.integers(1, 300)), int(rng.integers(1, 7))
    draws = [
        lambda: rng.integers(0, 3, n_rows),
        lambda: np.zeros(n_rows, dtype=np.int64),
        lambda: rng.permutation(n_rows) * 7 - 100,
        lambda: rng.geometric(0.3, n_rows) ** 2,
        lambda: rng.integers(0, 1000, n_rows),
    ]
    table = pa.table({f"c{i}": draws[int(rng.integers(len(draws)))]() for i in range(n_columns)})
    return encode(table, check(am.Schema({name: am.Column(role="quasi") for name in table.column_names}), table))


def any_table(seed: int) -> CodedTable:
    rng = np.random.default_rng(seed)
    return shaped_table(rng) if rng.random() < 0.7 else small_table(rng, nulls=("none", "own value"))[0]


def copies(table: CodedTable) -> int:
    """How often the most frequent tuple occurs: the paper's m."""
    return max(Counter(zip(*(codes.tolist() for codes in table.codes), strict=True)).values())


def has_allowable_cut(table: CodedTable, rows: np.ndarray, k: int) -> bool:
    """Some cut of some column with k rows at or below it and k above."""
    for codes in table.codes:
        own = np.sort(codes[rows])
        if any(k <= np.searchsorted(own, x, side="right") <= len(own) - k for x in np.unique(own)):
            return True
    return False


@pytest.mark.parametrize("cuts", ["ordered", "hierarchy-first"])
@given(seed=seeds, k=ks)
def test_strict_groups_are_minimal_and_within_theorem_2(cuts: str, seed: int, k: int) -> None:
    table = any_table(seed)
    k = min(k, table.n_rows)
    partition = METHODS["mondrian"].run(table, [am.KAnonymity(k)], cuts=cuts)
    assert partition.size_of_group.min() >= k
    most = 2 * table.n_qi * (k - 1) + copies(table)
    assert partition.size_of_group.max() <= most
    assert (partition.size_of_group.astype(np.int64) ** 2).sum() <= most * table.n_rows  # section 4.1: C_DM
    assert table.n_rows / partition.n_groups <= most  # and k times C_AVG
    for group in range(partition.n_groups):
        assert not has_allowable_cut(table, np.flatnonzero(partition.group_of_row == group), k)


@given(seed=seeds, k=ks)
def test_relaxed_groups_are_within_theorem_5(seed: int, k: int) -> None:
    table = any_table(seed)
    k = min(k, table.n_rows)
    sizes = METHODS["mondrian-relaxed"].run(table, [am.KAnonymity(k)]).size_of_group
    assert sizes.min() >= k
    assert sizes.max() <= 2 * k - 1


@given(seed=seeds, k=ks)
def test_relaxed_groups_are_within_theorem_5_also_with_nulls_that_match_anything(seed: int, k: int) -> None:
    table, _ = small_table(np.random.default_rng(seed), nulls=("match anything",))
    k = min(k, table.n_rows)
    sizes = METHODS["mondrian-relaxed"].run(table, [am.KAnonymity(k)]).size_of_group
    assert k <= sizes.min() <= sizes.max() <= 2 * k - 1


@given(seed=seeds, k=ks)
def test_strict_groups_are_disjoint_boxes(seed: int, k: int) -> None:
    table = any_table(seed)
    partition = METHODS["mondrian"].run(table, [am.KAnonymity(min(k, table.n_rows))])
    lo, hi = partition.lo.astype(np.int64), partition.hi.astype(np.int64)
    apart = (hi[:, None, :] < lo[None, :, :]) | (lo[:, None, :] > hi[None, :, :])
    overlap = ~apart.any(axis=2)
    assert np.array_equal(overlap, np.eye(partition.n_groups, dtype=bool))
    for c, codes in enumerate(table.codes):
        assert np.array_equal(
            np.unique(lo[:, c]),
            np.unique([codes[partition.group_of_row == g].min() for g in range(partition.n_groups)]),
        )


@given(seed=seeds, k=ks)
def test_cuts_between_children_never_cut_a_node_from_outside(seed: int, k: int) -> None:
    """With cuts="hierarchy" in one column, a group and a node are apart, or one holds the other."""
    rng = np.random.default_rng(seed)
    table = next(t for t in iter(lambda: small_table(rng, nulls=("none",), kinds=("tree",))[0], None) if t.n_qi == 1)
    partition = METHODS["mondrian"].run(table, [am.KAnonymity(min(k, table.n_rows))], cuts="hierarchy")
    (column,) = table.columns
    assert column.tree is not None
    for level in column.tree.start:
        node_of_row = level[column.codes]
        for node in np.unique(node_of_row):
            below = set(np.flatnonzero(node_of_row == node).tolist())
            for group in range(partition.n_groups):
                rows = set(np.flatnonzero(partition.group_of_row == group).tolist())
                assert not below & rows or below <= rows or rows <= below


@pytest.mark.parametrize("method", ["mondrian", "mondrian-relaxed", "single-dimensional"])
def test_k_of_1_keeps_every_value_and_k_of_all_rows_makes_one_group(method: str) -> None:
    rng = np.random.default_rng(3)
    for _ in range(20):
        table = shaped_table(rng)
        finest = METHODS[method].run(table, [am.KAnonymity(1)])
        if method != "single-dimensional":
            assert np.array_equal(finest.lo, finest.hi)
        assert METHODS[method].run(table, [am.KAnonymity(table.n_rows)]).n_groups == 1
