"""The methods against naive versions of themselves, on thousands of small tables: the same groups."""

from __future__ import annotations

from collections.abc import Callable
from functools import cache
from typing import Any

import naive
import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from small_tables import small_table

from amongst.encode import CodedTable
from amongst.errors import Infeasible
from amongst.models import KAnonymity
from amongst.partition import METHODS, Partition

CASES: dict[str, tuple[str, dict[str, Any], Callable[..., list[list[int]]]]] = {
    "ordered": ("mondrian", {"cuts": "ordered"}, lambda plain, k: naive.strict(plain, k, "ordered")),
    "hierarchy-first": ("mondrian", {}, lambda plain, k: naive.strict(plain, k, "hierarchy-first")),
    "hierarchy": ("mondrian", {"cuts": "hierarchy"}, lambda plain, k: naive.strict(plain, k, "hierarchy")),
    "relaxed": ("mondrian-relaxed", {}, naive.relaxed),
    "single-dimensional": ("single-dimensional", {}, naive.single_dimensional),
}
cases = pytest.mark.parametrize("case", CASES)


def run(case: str, table: CodedTable, k: int) -> Partition:
    method, options, _ = CASES[case]
    return METHODS[method].run(table, [KAnonymity(k)], **options)


def as_sets(groups: list[list[int]]) -> set[frozenset[int]]:
    return {frozenset(group) for group in groups}


def rows_of_groups(partition: Partition) -> set[frozenset[int]]:
    group_of_row = partition.group_of_row.tolist()
    rows: dict[int, list[int]] = {}
    for row, group in enumerate(group_of_row):
        rows.setdefault(group, []).append(row)
    assert sorted(rows) == list(range(partition.n_groups))
    return as_sets(list(rows.values()))


def compare(case: str, table: CodedTable, plain: list[naive.Plain], k: int) -> None:
    if k > table.n_rows:
        with pytest.raises(Infeasible):
            run(case, table, k)
        return
    partition = run(case, table, k)
    assert rows_of_groups(partition) == as_sets(CASES[case][2](plain, k))
    _boxes_hold_their_rows(partition, plain)


def _boxes_hold_their_rows(partition: Partition, plain: list[naive.Plain]) -> None:
    """``lo`` and ``hi`` hold the codes of a group: the smallest and largest, or the ends of its interval."""
    for row, group in enumerate(partition.group_of_row.tolist()):
        for c, column in enumerate(plain):
            lo, hi = int(partition.lo[group, c]), int(partition.hi[group, c])
            assert lo <= hi
            assert column.wild(row) or lo <= column.rank(row) <= hi


@cache
def tables(n: int, exact: bool) -> list[tuple[CodedTable, list[naive.Plain], int]]:
    rng = np.random.default_rng(n)
    return [(*small_table(rng, exact=exact), int(rng.choice([1, 2, 2, 3, 5, 9]))) for _ in range(n)]


@cases
def test_groups_on_hundreds_of_tables(case: str) -> None:
    """3,000 comparisons in all."""
    for table, plain, k in tables(600, exact=False):
        compare(case, table, plain, k)


@cases
def test_groups_where_equal_widths_are_exactly_equal(case: str) -> None:
    """All fractions are powers of two: the first of equally wide columns is cut, however one computes."""
    for table, plain, k in tables(200, exact=True):
        compare(case, table, plain, k)


@given(case=st.sampled_from(list(CASES)), seed=st.integers(0, 2**32 - 1), k=st.integers(1, 12))
def test_groups_on_tables_that_hypothesis_finds(case: str, seed: int, k: int) -> None:
    compare(case, *small_table(np.random.default_rng(seed)), k)


@pytest.mark.parametrize("case", ["ordered", "hierarchy-first", "hierarchy", "single-dimensional"])
def test_equal_rows_stay_together(case: str) -> None:
    rng = np.random.default_rng(5)
    for _ in range(100):
        table, plain = small_table(rng)
        group_of_tuple: dict[Any, int] = {}
        for row, group in enumerate(run(case, table, 1).group_of_row.tolist()):
            cells = tuple(column.cells[row] for column in plain)
            assert group_of_tuple.setdefault(cells, group) == group
