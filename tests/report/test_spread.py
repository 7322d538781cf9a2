"""Even spreading against one value at a time."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from amongst.report.spread import spread_codes, spread_ranges

groups = st.lists(st.tuples(st.integers(0, 19), st.integers(0, 19), st.integers(1, 50)), min_size=1, max_size=20)


def by_hand(cases: list[tuple[int, int, int]], n_codes: int) -> list[float]:
    expected = [0.0] * n_codes
    for a, b, size in cases:
        lo, hi = min(a, b), max(a, b)
        for code in range(lo, hi + 1):
            expected[code] += size / (hi - lo + 1)
    return expected


def arrays(cases: list[tuple[int, int, int]]) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    table = np.array(cases)
    return table[:, :2].min(axis=1), table[:, :2].max(axis=1), table[:, 2]


@given(groups)
def test_codes(cases: list[tuple[int, int, int]]) -> None:
    assert spread_codes(*arrays(cases), 20) == pytest.approx(by_hand(cases, 20), abs=1e-6)


@given(groups, st.integers(1, 7))
def test_whole_numbers_in_bins(cases: list[tuple[int, int, int]], width: int) -> None:
    edges = np.arange(0, 20 + width, width)
    values = np.array(by_hand(cases, 20))
    bins = np.bincount(np.arange(20) // width, weights=values, minlength=len(edges) - 1)
    assert spread_ranges(*arrays(cases), edges, step=1) == pytest.approx(bins.tolist(), abs=1e-9)


@given(groups, st.integers(1, 7))
def test_numbers_keep_all_rows(cases: list[tuple[int, int, int]], n_bins: int) -> None:
    assert spread_ranges(*arrays(cases), np.linspace(0, 19, n_bins + 1)).sum() == pytest.approx(
        sum(size for *_, size in cases)
    )


def test_points_fall_where_a_histogram_puts_them() -> None:
    points, edges = np.array([0.0, 1.0, 1.5, 2.0]), np.array([0.0, 1.0, 2.0])
    expected = np.histogram(points, edges)[0]
    assert spread_ranges(points, points, np.ones(4), edges).tolist() == expected.tolist()


def test_no_groups() -> None:
    assert spread_codes([], [], [], 3).tolist() == [0, 0, 0]
    assert spread_ranges([], [], [], [0, 1]).tolist() == [0]
