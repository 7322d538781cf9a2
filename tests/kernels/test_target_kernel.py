"""The compiled split by information decides as the one without a compiler does, and takes the best cut."""

from __future__ import annotations

from math import log2

import numpy as np
import pytest
from condition_inputs import random_conditions
from test_cluster_kernels import random_problem

from amongst.kernels import target
from amongst.kernels.numpy import target as reference
from amongst.kernels.numpy.conditions import hold
from amongst.kernels.price import FULL, Price, Prices

compiled_only = pytest.mark.skipif(target._target is None, reason="there is no compiled kernel to compare")


@compiled_only
@pytest.mark.parametrize("seed", range(120))
def test_both_kernels_cut_alike(seed: int) -> None:
    rng = np.random.default_rng(seed)
    prices, codes, k = random_problem(rng)
    n, n_classes = len(codes[0]), int(rng.choice([1, 2, 3, 50]))
    classes = rng.integers(0, n_classes, n)
    conditions = random_conditions(rng, n, k) if seed % 2 else None
    if conditions is not None and not hold(conditions, np.arange(n)):
        return
    found = target.target_split(prices, codes, classes, n_classes, k, conditions)
    assert np.array_equal(found, reference.target_split(prices, codes, classes, target.n_log_n(n), k, conditions))
    assert np.bincount(found).min() >= k
    for g in range(int(found.max()) + 1):
        assert conditions is None or found.max() == 0 or hold(conditions, np.flatnonzero(found == g))


@pytest.mark.parametrize("seed", range(40))
def test_the_first_cut_tells_most(seed: int) -> None:
    """Against entropies worked out one by one: with room for one cut, no other cut leaves less."""
    rng = np.random.default_rng(seed)
    n, k = 12, 5
    codes = [rng.integers(0, 4, n).astype(np.uint32) for _ in range(2)]
    classes = rng.integers(0, 2, n)
    prices = Prices(
        [Price(4, FULL, position=np.arange(4, dtype=np.int32) * (FULL // 3)) for _ in codes], np.empty((0, 3))
    )
    found = target.target_split(prices, codes, classes, 2, k)
    left_over = {
        (c, code): sum(_entropy(classes[side]) for side in (own <= code, own > code))
        for c, own in enumerate(codes)
        for code in range(3)
        if min((own <= code).sum(), (own > code).sum()) >= k
    }
    assert (found.max() == 1) == bool(left_over)
    if left_over:
        ours = sum(_entropy(classes[found == g]) for g in (0, 1))
        assert ours == pytest.approx(min(left_over.values()), abs=1e-3)


@pytest.mark.parametrize("seed", range(20))
def test_the_first_cut_of_numbers_leaves_the_least_squared_deviance(seed: int) -> None:
    rng = np.random.default_rng(seed)
    n, k = 12, 5
    codes = [rng.integers(0, 4, n).astype(np.uint32) for _ in range(2)]
    scores = rng.integers(-(1 << 15), 1 << 15, n)
    position = np.arange(4, dtype=np.int32) * (FULL // 3)
    prices = Prices([Price(4, FULL, position=position) for _ in codes], np.empty((0, 3)))
    found = target.deviance_split(prices, codes, scores, k)
    left_over = [
        sum(float(scores[side].var()) * side.sum() for side in (own <= code, own > code))
        for own in codes
        for code in range(3)
        if min((own <= code).sum(), (own > code).sum()) >= k
    ]
    assert (found.max() == 1) == bool(left_over)
    if left_over:
        ours = sum(float(scores[found == g].var()) * (found == g).sum() for g in (0, 1))
        assert ours == pytest.approx(min(left_over), abs=1 << 9)  # the last bits of a gain are not looked at


def _entropy(classes: np.ndarray) -> float:
    """Rows times the entropy of their classes, in bits."""
    counts = [int((classes == one).sum()) for one in set(classes.tolist())]
    return -sum(count * log2(count / len(classes)) for count in counts)


@compiled_only
def test_odd_arguments_are_refused() -> None:
    prices = Prices([Price(4, FULL, position=np.arange(4, dtype=np.int32))], np.empty((0, 3)))
    codes = [np.array([0, 1, 2], dtype=np.uint32)]
    with pytest.raises(IndexError):
        target.target_split(prices, [codes[0] + 9], np.zeros(3), 1, 1)
    with pytest.raises(IndexError):
        target.target_split(prices, codes, np.array([0, 1, 2]), 2, 1)
    with pytest.raises(ValueError):
        target.target_split(prices, codes, np.zeros(3), 1, 0)
    empty = np.zeros(0, dtype=np.uint32)
    assert len(target.target_split(prices, [empty], empty, 1, 1)) == 0
