"""Kernels that must hold conditions: compiled and numpy take the same decisions, and every group holds them."""

from __future__ import annotations

import numpy as np
import pytest
from condition_inputs import random_conditions
from test_cluster_kernels import random_problem

from amongst import kernels
from amongst.kernels import cluster
from amongst.kernels import holds as judge
from amongst.kernels.axis import FIXED_POINT, Axis
from amongst.kernels.numpy import cluster as reference_cluster
from amongst.kernels.numpy import rows as reference
from amongst.kernels.numpy.conditions import hold

compiled_only = pytest.mark.skipif(
    cluster._cluster is None or kernels.NAME != "compiled", reason="there is no compiled kernel to compare"
)


def axes_of(rng: np.random.Generator, codes: list[np.ndarray]) -> list[Axis]:
    axes = []
    for column in codes:
        n_codes = int(column.max(initial=0)) + 1
        position = np.sort(rng.integers(0, FIXED_POINT, n_codes)).astype(np.int64)
        axes.append(Axis(n_codes, position=position))
    return axes


@compiled_only
@pytest.mark.parametrize("seed", range(80))
def test_split_and_refine_under_conditions(seed: int) -> None:
    rng = np.random.default_rng(seed)
    prices, codes, k = random_problem(rng)
    n = len(codes[0])
    conditions = random_conditions(rng, n, k)
    if not hold(conditions, np.arange(n)):
        return  # infeasible: it is refused before any kernel runs
    split = cluster.gain_split(prices, codes, k, conditions)
    assert np.array_equal(split, reference_cluster.gain_split(prices, codes, k, conditions))
    assert judge.holds_by_class(conditions, split, int(split.max()) + 1).all()
    start = (np.arange(n) % max(1, n // k)).astype(np.int32)
    ours, losses = cluster.refine(prices, codes, k, start, window=2, passes=3, conditions=conditions)
    theirs, expected = reference_cluster.refine(prices, codes, k, start, window=2, passes=3, conditions=conditions)
    assert losses.tolist() == expected.tolist()
    assert np.array_equal(ours, theirs)
    used = np.unique(ours, return_inverse=True)[1].reshape(-1).astype(np.int32)
    assert judge.holds_by_class(conditions, used, int(used.max()) + 1).all()
    assert (np.diff(losses) <= 0).all()


@compiled_only
@pytest.mark.parametrize("relaxed", [False, True])
@pytest.mark.parametrize("seed", range(60))
def test_mondrian_under_conditions(seed: int, relaxed: bool) -> None:
    rng = np.random.default_rng(seed)
    _, codes, k = random_problem(rng)
    n = len(codes[0])
    conditions = random_conditions(rng, n, k)
    if not hold(conditions, np.arange(n)):
        return
    axes = axes_of(rng, codes)
    ours = kernels.mondrian(codes, None, axes, k, cuts=0, relaxed=relaxed, conditions=conditions)
    theirs = reference.mondrian(codes, None, axes, k, cuts=0, relaxed=relaxed, conditions=conditions)
    assert np.array_equal(ours[0], theirs[0])
    assert judge.holds_by_class(conditions, ours[0], len(ours[1])).all()
