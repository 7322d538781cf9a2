"""The 1-D l-diversity heuristic: compiled and in Python the same, groups that hold, and odd arguments."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from test_intervals import random_price

from amongst.kernels import diverse as kernels
from amongst.kernels import reference_diverse as reference
from amongst.kernels.diverse import DiverseLine
from amongst.kernels.price import Prices

needs_compiled = pytest.mark.skipif(kernels._diverse is None, reason="no compiled kernels here")
both = pytest.mark.parametrize("run", [kernels.diverse_runs, reference.diverse_runs], ids=["chosen", "python"])
seeds = st.integers(0, 2**32 - 1)


def by_value(value_at: np.ndarray, n_values: int) -> tuple[np.ndarray, np.ndarray]:
    first = np.concatenate([[0], np.cumsum(np.bincount(value_at, minlength=n_values))])
    return np.argsort(value_at, kind="stable").astype(np.uint32), first.astype(np.int64)


def random_values(rng: np.random.Generator, n: int) -> np.ndarray:
    """Values at places: even or skewed, mixed or in stretches."""
    m = int(rng.integers(1, 12))
    values = rng.choice(m, n, p=rng.dirichlet(np.full(m, rng.choice([0.3, 1.0, 50.0]))))
    return np.sort(values) if rng.random() < 0.3 else values


def random_line(rng: np.random.Generator, n: int) -> tuple[DiverseLine, np.ndarray]:
    sizes = (1, 2, 5, 20) if rng.random() < 0.7 else (3, 300, 2000)
    prices = [random_price(rng, int(rng.choice(sizes))) for _ in range(int(rng.choice([1, 3, 9, 17])))]
    n_tuples = int(rng.integers(1, n + 1))
    codes = [rng.integers(0, price.n, n_tuples).astype(np.uint32) for price in prices]
    tuple_at = np.sort(rng.integers(0, n_tuples, n)).astype(np.uint32)
    position = np.sort(rng.integers(0, 4 * n, n_tuples)).astype(np.int64) if rng.random() < 0.5 else None
    value_at = random_values(rng, n)
    place, first = by_value(value_at, int(value_at.max()) + 1 + int(rng.integers(0, 3)))
    return DiverseLine(codes, tuple_at, place, first, Prices(prices, np.empty((0, 3), np.int32)), position), value_at


def largest_l(value_at: np.ndarray) -> int:
    return int(len(value_at) // np.bincount(value_at).max())


@needs_compiled
@given(seed=seeds, n=st.integers(1, 120), k=st.integers(1, 12))
def test_compiled_and_python_give_the_same_groups(seed: int, n: int, k: int) -> None:
    rng = np.random.default_rng(seed)
    line, value_at = random_line(rng, n)
    for l in {1, int(rng.integers(1, largest_l(value_at) + 1)), largest_l(value_at)}:  # noqa: E741
        for one, other in zip(kernels.diverse_runs(line, l, k), reference.diverse_runs(line, l, k), strict=True):
            np.testing.assert_array_equal(one, other)
            assert one.dtype == other.dtype


@both
@given(seed=seeds, n=st.integers(1, 80), k=st.integers(1, 12))
def test_every_eligible_line_is_divided_into_diverse_groups(run: Any, seed: int, n: int, k: int) -> None:
    rng = np.random.default_rng(seed)
    line, value_at = random_line(rng, n)
    rows = np.stack(line.codes, axis=1)[line.tuple_at]
    for l in range(1, largest_l(value_at) + 1):  # noqa: E741
        group_at, lo, hi = run(line, l, k if k <= n else 1)
        sizes = np.bincount(group_at, minlength=len(lo))
        assert sizes.min() >= (k if k <= n else 1)
        for g in range(len(lo)):
            counts = np.bincount(value_at[group_at == g])
            assert counts.max() * l <= sizes[g]
            if k <= l:
                assert counts.max() == 1
            np.testing.assert_array_equal(lo[g], rows[group_at == g].min(axis=0))
            np.testing.assert_array_equal(hi[g], rows[group_at == g].max(axis=0))
