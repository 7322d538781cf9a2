"""The 1-D l-diversity heuristic: compiled and in Python the same, groups that hold, and odd arguments."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from test_intervals import random_price

from amongst.kernels import diverse as kernels
from amongst.kernels.diverse import DiverseLine
from amongst.kernels.numpy import diverse as reference
from amongst.kernels.price import Price, Prices

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
@given(seed=seeds, n=st.integers(1, 120))
def test_compiled_and_python_give_the_same_groups(seed: int, n: int) -> None:
    rng = np.random.default_rng(seed)
    line, value_at = random_line(rng, n)
    for l in {1, int(rng.integers(1, largest_l(value_at) + 1)), largest_l(value_at)}:  # noqa: E741
        for one, other in zip(kernels.diverse_runs(line, l), reference.diverse_runs(line, l), strict=True):
            np.testing.assert_array_equal(one, other)
            assert one.dtype == other.dtype


@both
@given(seed=seeds, n=st.integers(1, 80))
def test_every_eligible_line_is_divided_into_groups_of_different_values(run: Any, seed: int, n: int) -> None:
    line, value_at = random_line(np.random.default_rng(seed), n)
    rows = np.stack(line.codes, axis=1)[line.tuple_at]
    for l in range(1, largest_l(value_at) + 1):  # noqa: E741
        group_at, lo, hi = run(line, l)
        assert np.bincount(group_at).min() >= l
        assert sorted(set(group_at.tolist())) == list(range(len(lo)))
        for g in range(len(lo)):
            assert np.bincount(value_at[group_at == g]).max() == 1
            np.testing.assert_array_equal(lo[g], rows[group_at == g].min(axis=0))
            np.testing.assert_array_equal(hi[g], rows[group_at == g].max(axis=0))


@both
@pytest.mark.parametrize("l", [2, 3, 4, 7])
@given(seed=seeds, rounds=st.integers(1, 12), more=st.integers(0, 6))
def test_tight_lines_have_a_solution(run: Any, seed: int, rounds: int, more: int, l: int) -> None:  # noqa: E741
    """As many values as can be have just as many rows as are allowed, wherever on the line they lie."""
    rng = np.random.default_rng(seed)
    value_at = np.concatenate([np.repeat(np.arange(l), rounds), l + np.arange(more % l) // rounds])
    value_at = value_at if rng.random() < 0.5 else rng.permutation(value_at)
    assert np.bincount(value_at).max() == rounds == len(value_at) // l
    group_at, _, _ = run(on_a_line(value_at, np.arange(len(value_at))), l)
    for g in range(group_at.max() + 1):
        own = value_at[group_at == g]
        assert len(set(own.tolist())) == len(own) >= l


def on_a_line(value_at: Any, position: Any, *, boxes: bool = False) -> DiverseLine:
    """One column whose codes are the positions; compared by extents, or by boxes."""
    position = np.asarray(position, dtype=np.int64)
    n = int(position.max()) + 1
    prices = Prices([Price(n, n, position=np.arange(n, dtype=np.int32))], np.empty((0, 3), np.int32))
    value_at = np.asarray(value_at)
    place, first = by_value(value_at, int(value_at.max()) + 1)
    tuple_at = np.arange(len(position), dtype=np.uint32)
    return DiverseLine(
        [position.astype(np.uint32)], tuple_at, place, first, prices, None if boxes else np.sort(position)
    )


def groups_of(run: Any, value_at: list[int], position: list[int], l: int, **how: bool) -> list[list[int]]:  # noqa: E741
    """The rows of every group, counted from 1 as in the paper's figures."""
    group_at, _, _ = run(on_a_line(value_at, position, **how), l)
    return [(np.flatnonzero(group_at == g) + 1).tolist() for g in range(group_at.max() + 1)]


@pytest.mark.known_answer(
    "fast",
    "figure 9",
    what="the optimization of the heuristic for l = 3",
    answer="rows 1, 2, 3, 4 make a group when 4 is near, 1, 2, 3 when it is far",
)
@both
@pytest.mark.parametrize("boxes", [False, True])
def test_figure_9_the_fourth_row_joins_the_first_three(run: Any, boxes: bool) -> None:
    value_at = [1, 3, 4, 2, 1, 3, 4]
    assert groups_of(run, value_at, [0, 1, 2, 3, 20, 21, 22], 3, boxes=boxes) == [[1, 2, 3, 4], [5, 6, 7]]
    far = [0, 1, 2, 17, 20, 21, 22]
    assert groups_of(run, value_at, far, 3, boxes=boxes) == [[1, 2, 3], [4, 5, 6, 7]]


@both
def test_figure_9_not_where_the_group_has_the_value(run: Any) -> None:
    position = [0, 1, 2, 3, 20, 21]
    assert groups_of(run, [1, 3, 4, 3, 1, 4], position, 3) == [[1, 2, 3], [4, 5, 6]]


@both
def test_figure_9_not_where_too_few_other_values_would_be_left(run: Any) -> None:
    value_at = [1, 3, 4, 2, 1, 3]
    assert groups_of(run, value_at, [0, 1, 2, 3, 20, 21], 3) == [[1, 2, 3], [4, 5, 6]]


@pytest.mark.known_answer(
    "fast",
    "figures 5 to 7",
    what="groups of the heuristic for l = 3 on the three examples",
    answer="{1, 2, 4}, {3, 5, 6}; {1, 2, 3}, {4, 5, 6}; {1, 2, 3}, {4, 5, 6}",
)
@both
def test_figures_5_to_7_the_groups_of_the_paper(run: Any) -> None:
    line = [0, 1, 2, 3, 4, 5]
    assert groups_of(run, [3, 2, 2, 1, 1, 3], line, 3) == [[1, 2, 4], [3, 5, 6]]
    assert groups_of(run, [1, 2, 4, 1, 2, 3], line, 3) == [[1, 2, 3], [4, 5, 6]]
    assert groups_of(run, [1, 3, 2, 4, 1, 2], line, 3) == [[1, 2, 3], [4, 5, 6]]


@both
def test_like_figure_1_groups_overlap_where_values_lie_in_stretches(run: Any) -> None:
    """Section 1: {30, 35, 56} is a group beside {33, 40, 42}, for the values between them repeat."""
    position = [22, 24, 30, 31, 33, 35, 40, 42, 55, 56, 61, 63]
    value_at = [0, 1, 0, 2, 0, 1, 1, 2, 0, 2, 1, 2]
    assert groups_of(run, value_at, position, 3) == [[1, 2, 4], [3, 6, 8], [5, 7, 10], [9, 11, 12]]


@both
def test_the_greedy_step_takes_more_than_l_rows_where_that_leaves_what_is_eligible(run: Any) -> None:
    assert groups_of(run, [0, 1, 2, 0, 2], [0, 1, 2, 3, 4], 2) == [[1, 2, 3], [4, 5]]


@both
def test_the_fall_back_step_takes_the_value_that_must_be_there(run: Any) -> None:
    """Value 2 has half of the rows, all of them at the end: every group must have one."""
    assert groups_of(run, [0, 1, 0, 2, 2, 2], [0, 1, 2, 3, 4, 5], 2) == [[1, 4], [2, 5], [3, 6]]


def all_joinings(n: int) -> list[list[int]]:
    return [[0, *(i for i in range(1, n) if which >> (i - 1) & 1)] for which in range(1 << (n - 1))]


@pytest.mark.parametrize("join", [kernels.join_runs, reference.join_runs], ids=["chosen", "python"])
@given(seed=seeds, n=st.integers(1, 9), k=st.integers(1, 14))
def test_no_way_to_join_groups_loses_less(join: Any, seed: int, n: int, k: int) -> None:
    rng = np.random.default_rng(seed)
    line, _ = random_line(rng, n)
    rows = np.stack(line.codes, axis=1)[rng.integers(0, len(line.codes[0]), (2, n))]
    lo, hi, size = rows.min(axis=0), rows.max(axis=0), rng.integers(1, 6, n).astype(np.uint32)
    k = min(k, int(size.sum()))

    def loss(begins: Any) -> float:
        many = np.add.reduceat(size.astype(np.int64), begins)
        price = line.prices.of_boxes(np.minimum.reduceat(lo, begins), np.maximum.reduceat(hi, begins))
        return float((many * price).sum()) if many.min() >= k else np.inf

    begins = np.flatnonzero(np.diff(join(lo, hi, size, line.prices, k), prepend=-1))
    assert loss(begins) == min(loss(one) for one in all_joinings(n))


@needs_compiled
@given(seed=seeds, n=st.integers(0, 60), k=st.integers(1, 14))
def test_compiled_and_python_join_the_same_groups(seed: int, n: int, k: int) -> None:
    rng = np.random.default_rng(seed)
    line, _ = random_line(rng, n + 1)
    rows = np.stack(line.codes, axis=1)[rng.integers(0, len(line.codes[0]), (2, n))]
    size = rng.integers(1, 6, n).astype(np.uint32)
    arguments = (rows.min(axis=0), rows.max(axis=0), size, line.prices, max(1, min(k, int(size.sum()))))
    one, other = kernels.join_runs(*arguments), reference.join_runs(*arguments)
    np.testing.assert_array_equal(one, other)
    assert one.dtype == other.dtype


@both
def test_what_cannot_be_is_refused(run: Any) -> None:
    line = on_a_line([0, 0, 1], [0, 1, 2])
    with pytest.raises(ValueError, match="more than 1/l"):
        run(line, 2)
    with pytest.raises(ValueError, match="1 or more"):
        run(line, 0)
    with pytest.raises(ValueError, match="more than 1/l"):
        run(line, 10**9)
    with pytest.raises(ValueError, match="every place"):
        run(replace(line, place=np.array([0, 0, 2], dtype=np.uint32)), 1)
    with pytest.raises(ValueError, match="every place"):
        run(replace(line, first=np.array([0, 1, 2], dtype=np.int64)), 1)


@needs_compiled
def test_the_compiled_kernel_stays_within_its_arrays() -> None:
    line = on_a_line([0, 1, 2], [0, 1, 2])
    for wrong in (
        {"tuple_at": np.array([0, 1, 3], dtype=np.uint32)},
        {"place": np.array([0, 1, 3], dtype=np.uint32)},
        {"codes": [np.array([0, 1, 3], dtype=np.uint32)]},
        {"position": np.array([0, 1], dtype=np.int64)},
        {"position": np.array([0, 1, -1], dtype=np.int64)},
        {"first": np.array([], dtype=np.int64)},
        {"first": np.array([0, 4, 2, 3], dtype=np.int64)},
    ):
        with pytest.raises((ValueError, IndexError)):
            kernels.diverse_runs(replace(line, **wrong), 1)
    box, size = np.zeros((2, 1), dtype=np.uint32), np.ones(2, dtype=np.uint32)
    for lo, hi, own, k in (
        (box, box + 3, size, 1),
        (box + 1, box, size, 1),
        (box, box[:1], size, 1),
        (box, box, size, 3),
    ):
        with pytest.raises(ValueError):
            kernels.join_runs(lo, hi, own, line.prices, k)


@both
def test_the_tick_is_told_and_may_stop(run: Any) -> None:
    told: list[tuple[int, int]] = []
    line = on_a_line([0, 1, 2, 0], [0, 1, 2, 3])
    run(line, 2, lambda done, total: told.append((done, total)))
    assert told[-1] == (4, 4)

    def stop(done: int, total: int) -> None:
        raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        run(line, 2, stop)


@both
def test_nothing_in_nothing_out(run: Any) -> None:
    line = on_a_line([0], [0])
    none = replace(line, tuple_at=line.tuple_at[:0], place=line.place[:0], first=np.zeros(2, dtype=np.int64))
    group_at, lo, hi = run(none, 2)
    assert (len(group_at), lo.shape, hi.shape) == (0, (0, 1), (0, 1))
