"""What holds for the tree of every recipe, and the ancestors of a tree against a naive search on sets."""

from __future__ import annotations

import datetime as dt
import math
from itertools import pairwise

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from amongst.schema.export import to_rows
from amongst.schema.hierarchy import Hierarchy
from amongst.schema.tree import Tree

WHOLE = st.lists(st.integers(-10_000, 10_000), unique=True, max_size=40)
HUGE = st.lists(st.integers(-(2**80), 2**80), unique=True, max_size=10)
FLOATS = st.lists(st.floats(-1e6, 1e6), unique=True, max_size=40)
TEXTS = st.lists(st.text("abc12", min_size=1, max_size=5), unique=True, max_size=40)
DATES = st.lists(st.dates(), unique=True, max_size=40)
TIMES = st.lists(st.datetimes(), unique=True, max_size=40)
ZIPS = st.lists(st.integers(0, 99_999), unique=True, max_size=40)
CALENDAR = st.sampled_from([("month", "quarter", "year", "decade"), ("week",), ("day", "week"), ("day", "year")])


@st.composite
def widths(draw: st.DrawFn, unit: st.SearchStrategy[float]) -> list[float]:
    width = draw(unit)
    result = [width]
    for factor in draw(st.lists(st.integers(2, 5), max_size=3)):
        result.append(result[-1] * factor)
    return result


@st.composite
def rows(draw: st.DrawFn) -> list[list[str]]:
    """Sound rows: every label of a level gets one parent, rows in any order."""
    n_levels = draw(st.integers(1, 4))
    n_leaves = draw(st.integers(1, 25))
    nodes = [f"l{i}" for i in range(n_leaves)]
    table = [[node] for node in nodes]
    for level in range(n_levels):
        parent = {
            node: f"{'ab'[level % 2]}{draw(st.integers(0, 4))}" for node in dict.fromkeys(row[-1] for row in table)
        }
        for row in table:
            row.append(parent[row[-1]])
    return draw(st.permutations(table))


def some_trees() -> st.SearchStrategy[Tree]:
    whole_widths = widths(st.integers(1, 50))
    tenths = widths(st.sampled_from([0.5, 0.25, 2.0, 1.5]))
    return st.one_of(
        st.builds(lambda v, w, o: Hierarchy.intervals(w, o).tree(v), WHOLE, whole_widths, st.integers(-9, 9)),
        st.builds(lambda v, w: Hierarchy.intervals(w).tree(v), HUGE, whole_widths),
        st.builds(lambda v, w, o: Hierarchy.intervals(w, o).tree(v), FLOATS, tenths, st.sampled_from([0, 0.1])),
        st.builds(lambda v: Hierarchy.edges([[-10_000, -5, 0, 70, 10_000], [-10_000, 0, 10_000]]).tree(v), WHOLE),
        st.builds(lambda v: Hierarchy.digits(5).tree(v), ZIPS),
        st.builds(lambda v: Hierarchy.digits(5).tree([f"{n:05d}" for n in v]), ZIPS),
        st.builds(lambda v, k: Hierarchy.prefix(k).tree(v), TEXTS, st.sampled_from([[3, 1], [1], [4, 3, 2]])),
        st.builds(lambda v, p: Hierarchy.dates(*p).tree(v), st.one_of(DATES, TIMES), CALENDAR),
        st.builds(lambda v, n: Hierarchy.fanout(n).tree(v), st.one_of(WHOLE, TEXTS, DATES), st.integers(2, 5)),
        st.builds(lambda v: Hierarchy.flat().tree(v), st.one_of(WHOLE, TEXTS)),
        st.builds(lambda r: Hierarchy.from_rows(r).tree([r[0][0]]), rows()),
    )


@given(some_trees())
def test_every_level_partitions_the_leaves_and_nests_in_the_next(tree: Tree) -> None:
    n = tree.n_leaves
    assert tree.start.shape == tree.end.shape == (tree.n_levels, n)
    assert tree.start.dtype == tree.end.dtype == np.int32
    assert tree.n_levels >= 2
    codes = np.arange(n)
    assert np.array_equal(tree.start[0], codes)
    assert np.array_equal(tree.end[0], codes)
    for start, end, labels in zip(tree.start, tree.end, tree.labels, strict=True):
        assert np.all((start <= codes) & (codes <= end))
        assert np.array_equal(start[start], start)  # the first leaf of a node lies in that node
        assert np.array_equal(start[end], start)
        assert np.array_equal(end[start], end)
        assert set(labels) == set(start.tolist())
        assert all(isinstance(label, str) and label for label in labels.values())
    for (s, t), (e, f) in zip(pairwise(tree.start), pairwise(tree.end), strict=True):
        assert np.all(t <= s)
        assert np.all(f >= e)
    assert np.all(tree.start[-1] == 0)
    assert np.all(tree.end[-1] == n - 1)


@given(some_trees())
def test_leaves_are_distinct_and_numbers_and_dates_ascend(tree: Tree) -> None:
    assert len(set(tree.leaves)) == tree.n_leaves
    if tree.leaves and not isinstance(tree.leaves[0], str):
        assert tree.leaves == sorted(tree.leaves)


@given(some_trees(), st.data())
def test_the_lowest_common_ancestor_is_that_of_a_search_on_sets(tree: Tree, data: st.DataObject) -> None:
    if not tree.n_leaves:
        return
    code = st.integers(0, tree.n_leaves - 1)
    pairs = data.draw(st.lists(st.tuples(code, code), min_size=1, max_size=20))
    lo, hi = np.array([min(pair) for pair in pairs]), np.array([max(pair) for pair in pairs])
    found = tree.ancestor_leaves(lo, hi)
    levels = tree.ancestor_level(lo, hi)
    nodes = [
        (level, set(range(start, int(tree.end[level, start]) + 1)))
        for level, labels in enumerate(tree.labels)
        for start in labels
    ]
    for i, (a, b) in enumerate(zip(lo.tolist(), hi.tolist(), strict=True)):
        level, smallest = min(((v, node) for v, node in nodes if {a, b} <= node), key=lambda one: (len(one[1]), one[0]))
        assert found[i] == len(smallest)
        assert levels[i] == level


@given(some_trees())
def test_rows_of_a_tree_make_the_same_tree_again(tree: Tree) -> None:
    if not tree.n_leaves:
        return
    if any(len(set(labels.values())) < len(labels) for labels in tree.labels):
        return  # a mask may name two nodes alike, which rows cannot say
    again = Hierarchy.from_rows(to_rows(tree)).tree(tree.leaves)
    assert again.leaves == tree.leaves
    assert np.array_equal(again.start, tree.start)
    assert np.array_equal(again.end, tree.end)
    assert again.labels == tree.labels


@given(FLOATS, widths(st.sampled_from([0.1, 0.3, 0.7, 1e-3, 12.5])), st.sampled_from([0, 0.1, -7.3]))
def test_a_number_lies_in_the_interval_that_its_label_shows(
    values: list[float], wide: list[float], origin: float
) -> None:
    wide = [float(f"{width:.12g}") for width in wide]
    tree = Hierarchy.intervals(wide, origin).tree(values)
    for level in range(1, tree.height):
        for code, value in enumerate(tree.leaves):
            label = tree.label(level, code)
            cut = label.index("-", 2 if label[1] == "-" else 1)
            cut = label.index("-", cut + 1) if label[cut - 1] == "e" else cut  # [1e-05-2e-05[
            assert label[0] == label[-1] == "["
            assert float(label[1:cut]) <= value < float(label[cut + 1 : -1])


@given(WHOLE, widths(st.integers(1, 50)), st.integers(-9, 9))
def test_whole_intervals_are_those_of_floor_division(values: list[int], wide: list[int], origin: int) -> None:
    tree = Hierarchy.intervals(wide, origin).tree(values)
    for level, width in enumerate(wide, start=1):
        for code, value in enumerate(tree.leaves):
            low = origin + math.floor((value - origin) / width) * width
            expected = str(low) if width == 1 else f"[{low}-{low + width - 1}]"
            assert tree.label(level, code) == expected


@given(st.one_of(DATES, TIMES))
def test_parts_of_the_calendar_are_those_of_strftime(values: list[dt.date]) -> None:
    week = Hierarchy.dates("week").tree(values)
    year = Hierarchy.dates("month", "year").tree(values)
    for code, day in enumerate(week.leaves):
        iso = day.isocalendar()
        assert week.label(1, code) == f"{iso[0]:04d}-W{iso[1]:02d}"
        assert [year.label(1, code), year.label(2, code)] == [
            f"{day.year:04d}-{day.month:02d}",
            f"{day.year:04d}",
        ]


@pytest.mark.parametrize(
    ("hierarchy", "values"),
    [
        (Hierarchy.digits(5), [f"{n:05d}" for n in range(32_000)]),
        (Hierarchy.intervals([5, 10, 20]), list(range(100_000))),
    ],
)
def test_large_columns_are_quick(hierarchy: Hierarchy, values: list) -> None:
    import time

    started = time.process_time()
    tree = hierarchy.tree(values)
    assert tree.n_leaves == len(values)
    assert time.process_time() - started < 2  # about 0.1 s; the rest is for a slow machine
