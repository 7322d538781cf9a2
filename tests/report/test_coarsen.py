"""No shown count rests on fewer rows than the threshold."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from amongst.report import Distribution
from amongst.report.coarsen import add_up, coarsen, round_counts
from amongst.report.shown import MOST_CATEGORIES, show

counts_and_k = st.tuples(st.lists(st.integers(0, 40), min_size=1, max_size=30), st.integers(1, 25))


def merge_by_hand(counts: list[int], k: int) -> list[list[int]]:
    """Runs of neighbours as lists, the way one would do it on paper."""
    runs: list[list[int]] = []
    run: list[int] = []
    for count in counts:
        run.append(count)
        if sum(run) >= k:
            runs.append(run)
            run = []
    if runs:
        runs[-1].extend(run)
    return runs


@given(counts_and_k, st.booleans())
def test_every_cell_has_k_rows_and_none_is_lost(case: tuple[list[int], int], ordered: bool) -> None:
    counts, k = case
    cell_of_bin = coarsen(np.array(counts), k, ordered=ordered)
    cells = add_up(np.array(counts), cell_of_bin)
    if sum(counts) < k:
        assert (cell_of_bin == -1).all()
        assert len(cells) == 0
    else:
        assert cells.min() >= k
        assert cells.sum() == sum(counts)
        assert set(cell_of_bin) == set(range(len(cells)))


@given(counts_and_k)
def test_ordered_cells_are_the_runs_made_by_hand(case: tuple[list[int], int]) -> None:
    counts, k = case
    cells = add_up(np.array(counts), coarsen(np.array(counts), k, ordered=True))
    assert cells.tolist() == [sum(run) for run in merge_by_hand(counts, k)]


@given(counts_and_k)
def test_pooling_keeps_all_but_one_of_the_frequent(case: tuple[list[int], int]) -> None:
    counts, k = case
    if sum(counts) < k:
        return
    cell_of_bin = coarsen(np.array(counts), k)
    alone = [b for b in range(len(counts)) if (cell_of_bin == cell_of_bin[b]).sum() == 1]
    frequent = [b for b, count in enumerate(counts) if count >= k]
    assert set(alone) <= set(frequent)
    assert len(alone) >= len(frequent) - 1


def test_nothing_merges_when_all_are_large() -> None:
    assert coarsen(np.array([10, 11, 12]), 10).tolist() == [0, 1, 2]
    assert coarsen(np.array([10, 11, 12]), 10, ordered=True).tolist() == [0, 1, 2]


def test_one_rare_cell_cannot_be_found_by_subtraction() -> None:
    assert coarsen(np.array([50, 9, 12]), 10).tolist() == [0, 1, 1]


@given(st.integers(1, 1000), st.integers(1, 50))
def test_rounding_is_near_and_keeps_what_may_be_shown(count: int, k: int) -> None:
    rounded = round_counts(np.array([count]), k)[0]
    assert rounded % k == 0
    assert abs(rounded - count) <= k / 2
    assert (rounded > 0) or count < k


def test_rounding_does_not_part_an_expected_count_from_an_exact_one() -> None:
    assert round_counts(np.array([15 - 1e-12, 15.0]), 10).tolist() == [20.0, 20.0]


@given(counts_and_k, st.sampled_from(["numeric", "ordered", "categorical"]))
def test_shown_shares_stand_for_k_rows(case: tuple[list[int], int], kind: str) -> None:
    counts, k = case
    labels = None if kind == "numeric" else tuple(f"c{i}" for i in range(len(counts)))
    edges = np.arange(len(counts) + 1) if kind == "numeric" else None
    shown = show(Distribution("x", kind, np.array(counts), np.array(counts, dtype=float), edges, labels), k)
    assert len(shown.labels) == len(shown.before) == len(shown.after)
    assert shown.moved == pytest.approx(0)
    if sum(counts) < k:
        assert shown.n_cells == 0
        return
    assert shown.before.sum() == pytest.approx(1)
    assert shown.before.min() * (sum(counts) + k * len(counts) / 2) >= k - 1e-6
    if kind == "categorical":
        assert shown.n_cells <= MOST_CATEGORIES
    if kind == "numeric":
        assert shown.edges is not None
        assert (shown.edges[0], shown.edges[-1]) == (0, len(counts))


def test_moved_is_the_share_that_changes_places() -> None:
    shown = show(Distribution("x", "categorical", [60, 40], [50, 50], labels=("a", "b")), 10)
    assert shown.moved == pytest.approx(0.1)


def test_ordered_labels_name_both_ends() -> None:
    shown = show(Distribution("x", "ordered", [50, 3, 30, 2], [50, 3, 30, 2], labels=("A", "B", "C", "D")), 10)
    assert shown.labels == ["A", "B – D"]


def test_most_frequent_categories_come_first() -> None:
    counts = np.arange(10, 40)
    shown = show(Distribution("x", "categorical", counts, counts, labels=tuple(map(str, counts))), 5)
    assert shown.labels == [*map(str, range(39, 30, -1)), "21 others"]
    assert shown.n_rare == 21


def test_lengths_must_fit() -> None:
    with pytest.raises(ValueError, match="same length"):
        Distribution("x", "categorical", np.ones(2), np.ones(2), labels=("a",))
    with pytest.raises(ValueError, match="one edge more"):
        Distribution("x", "numeric", np.ones(2), np.ones(2), edges=np.arange(2))
