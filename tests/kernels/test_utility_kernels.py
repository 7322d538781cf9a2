"""The compiled kernels of top-down, bottom-up and the bound decide as the ones without a compiler do."""

from __future__ import annotations

import signal

import numpy as np
import pytest
from test_cluster_kernels import random_problem

from amongst.encode import frequency_set
from amongst.kernels import utility
from amongst.kernels.numpy import utility as reference
from amongst.kernels.price import FULL, Price, Prices

compiled_only = pytest.mark.skipif(utility._utility is None, reason="there is no compiled kernel to compare")


def random_tuples(seed: int) -> tuple:
    """Prices, tuples, counts, the tuple of every row, k: some tuples occur often."""
    rng = np.random.default_rng(seed)
    prices, codes, k = random_problem(rng)
    k = int(rng.integers(1, 8))
    n = len(codes[0])
    rows = np.concatenate([np.arange(n), rng.integers(0, min(n, 3), int(rng.integers(0, 40)))])
    rows = np.concatenate([rows, np.zeros(max(0, k - len(rows)), dtype=np.int64)])
    found = frequency_set([np.ascontiguousarray(column[rng.permutation(rows)]) for column in codes])
    return prices, found.codes, found.count, found.tuple_of_row, k


@compiled_only
@pytest.mark.parametrize("seed", range(80))
def test_top_down_is_the_same(seed: int) -> None:
    *tuples, k = random_tuples(seed)
    options = {
        "enough": [k, max(1, k // 4)][seed % 2],
        "rounds": 1 + seed % 3,
        "by_increase": seed % 4 == 0,
        "window": 1 + seed % 5,
    }
    ours = utility.top_down(*tuples, k, **options)
    assert np.array_equal(ours, reference.top_down(*tuples, k, **options))


@compiled_only
@pytest.mark.parametrize("seed", range(80))
def test_bottom_up_is_the_same(seed: int) -> None:
    *tuples, k = random_tuples(100 + seed)
    ours = utility.bottom_up(*tuples, k, window=seed % 4)
    assert np.array_equal(ours, reference.bottom_up(*tuples, k, window=seed % 4))


@compiled_only
@pytest.mark.parametrize("seed", range(40))
def test_the_kth_nearest_is_the_same(seed: int) -> None:
    prices, codes, count, _, k = random_tuples(200 + seed)
    asked = np.arange(len(count))[:: 1 + seed % 3]
    k = int(count.sum()) + 1 if seed % 7 == 0 else k
    ours = utility.kth_nearest(prices, codes, count, k, asked)
    assert np.array_equal(ours, reference.kth_nearest(prices, codes, count, k, asked))


@pytest.mark.parametrize("seed", range(60))
def test_groups_have_from_k_to_2k_rows(seed: int) -> None:
    *tuples, k = random_tuples(300 + seed)
    n = len(tuples[3])
    for group in (
        utility.top_down(*tuples, k, enough=max(1, k // 4), rounds=3, by_increase=seed % 2 == 0, window=4),
        utility.bottom_up(*tuples, k, window=2),
    ):
        sizes = np.bincount(group)
        assert sizes.sum() == n
        assert sizes.min() >= k
        assert sizes.max() < 2 * k or n < 2 * k


@pytest.mark.parametrize("seed", range(40))
def test_bottom_up_against_all_pairs(seed: int) -> None:
    """A window that reaches every tuple finds what looking at all pairs of groups finds."""
    *tuples, k = random_tuples(400 + seed)
    wide = min(64, len(tuples[2]))
    if wide < 64:
        assert np.array_equal(utility.bottom_up(*tuples, k, window=wide), utility.bottom_up(*tuples, k, window=0))


class Stop(Exception):
    pass


@compiled_only
@pytest.mark.parametrize("what", ["top_down", "bottom_up", "kth_nearest"])
@pytest.mark.parametrize("how", ["raise", "signal"])
def test_a_long_run_can_be_stopped(what: str, how: str) -> None:
    rng = np.random.default_rng(1)
    n = 200_000
    codes = [rng.integers(0, 200, n).astype(np.uint32) for _ in range(4)]
    prices = Prices([Price(200, FULL, position=np.arange(200, dtype=np.int32) * 100)] * 4, np.zeros((0, 3), np.int32))
    tuples = frequency_set(codes)
    heard = []

    def tick(done: int, total: int) -> None:
        heard.append((done, total))
        if how == "raise":
            raise Stop
        signal.raise_signal(signal.SIGINT)

    common = (prices, tuples.codes, tuples.count)
    rows = tuples.tuple_of_row
    parting = {"enough": 2, "rounds": 3, "by_increase": False, "window": 99}
    run = {
        "top_down": lambda: utility.top_down(*common, rows, 10, **parting, tick=tick),
        "bottom_up": lambda: utility.bottom_up(*common, rows, 10, window=4, tick=tick),
        "kth_nearest": lambda: utility.kth_nearest(*common, 10, np.arange(20_000), tick=tick),
    }[what]
    before = signal.signal(signal.SIGINT, signal.default_int_handler)
    try:
        with pytest.raises(Stop if how == "raise" else KeyboardInterrupt):
            run()
    finally:
        signal.signal(signal.SIGINT, before)
    assert len(heard) == 1
    assert heard[0][0] <= heard[0][1]
