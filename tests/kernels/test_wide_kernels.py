"""Tables of many columns: the compiled kernels decide as those without a compiler, whatever lanes hold a row."""

from __future__ import annotations

import numpy as np
import pytest

from amongst.kernels import cluster, one_dimensional, utility
from amongst.kernels.numpy import cluster as reference_cluster
from amongst.kernels.numpy import intervals as reference_intervals
from amongst.kernels.numpy import utility as reference_utility
from amongst.kernels.price import FULL, Price, Prices

WIDTHS = (64, 65, 256, 257)
N_ROWS, K = 7, 2


@pytest.fixture(params=WIDTHS)
def problem(request: pytest.FixtureRequest) -> tuple[Prices, list[np.ndarray]]:
    """Lines of few and of many codes, on which the last column matters as much as the first."""
    d = request.param
    rng = np.random.default_rng(d)
    sizes = [3, 300] if d == 65 else [5]
    priced = [
        Price(n, FULL // d, position=np.linspace(0, FULL // d, n).astype(np.int32))
        for n in (sizes[c % len(sizes)] for c in range(d))
    ]
    codes = [np.zeros(N_ROWS, dtype=np.uint32) for _ in priced]
    for c in {0, d // 2, *range(max(d - 4, 0), d)}:
        codes[c] = rng.integers(0, priced[c].n, N_ROWS).astype(np.uint32)
    return Prices(priced, np.empty((0, 3), dtype=np.int32)), codes


def test_groups_are_the_same_at_every_width(problem: tuple[Prices, list[np.ndarray]]) -> None:
    prices, codes = problem
    split = cluster.gain_split(prices, codes, K)
    assert np.array_equal(split, reference_cluster.gain_split(prices, codes, K))
    assert len(set(split.tolist())) > 1
    start = (np.arange(N_ROWS) % 3).astype(np.int32)
    ours, losses = cluster.refine(prices, codes, K, start, window=1, passes=1)
    theirs, other_losses = reference_cluster.refine(prices, codes, K, start, window=1, passes=1)
    assert np.array_equal(ours, theirs)
    assert np.array_equal(losses, other_losses)


def test_utility_kernels_are_the_same_at_every_width(problem: tuple[Prices, list[np.ndarray]]) -> None:
    prices, codes = problem
    count, tuple_of_row = np.ones(N_ROWS, dtype=np.uint32), np.arange(N_ROWS)
    tuples = (prices, codes, count, tuple_of_row)
    ours = utility.bottom_up(*tuples, K, window=1)
    assert np.array_equal(ours, reference_utility.bottom_up(*tuples, K, window=1))
    options = {"enough": K, "rounds": 1, "by_increase": False, "window": 1}
    assert np.array_equal(utility.top_down(*tuples, K, **options), reference_utility.top_down(*tuples, K, **options))
    asked = np.arange(N_ROWS)
    near = utility.kth_nearest(prices, codes, count, K, asked)
    assert np.array_equal(near, reference_utility.kth_nearest(prices, codes, count, K, asked))


def test_runs_are_the_same_at_every_width(problem: tuple[Prices, list[np.ndarray]]) -> None:
    prices, codes = problem
    count = np.ones(N_ROWS, dtype=np.uint32)
    ours, theirs = one_dimensional.Intervals(K, prices), reference_intervals.Intervals(K, prices)
    assert np.array_equal(ours.feed(codes, count), theirs.feed(codes, count))
    assert ours.loss == theirs.loss
