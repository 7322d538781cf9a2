"""The best runs of sorted rows, against a look at every division there is; and block by block as at once."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import pairwise
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from kernel_inputs import random_tree, with_one_more_leaf

from amongst.kernels import one_dimensional as kernels
from amongst.kernels.numpy import intervals as reference
from amongst.kernels.price import FULL, Price, Prices
from thorough import some

needs_compiled = pytest.mark.skipif(kernels._one_dimensional is None, reason="no compiled kernels here")
both = pytest.mark.parametrize("make", [kernels.Intervals, reference.Intervals], ids=["chosen", "numpy"])
seeds = st.integers(0, 2**32 - 1)


def random_price(rng: np.random.Generator, n: int) -> Price:
    full = int(rng.integers(1, FULL + 1))
    own_null = rng.random() < 0.3
    if n > 1000 or rng.random() < 0.5:
        position = np.sort(rng.integers(0, full + 1, n)).astype(np.int32)
        return Price(n, full, position=position, own_null=n - 1 if own_null else -1)
    start, end = random_tree(rng, n)
    if own_null:
        start, end = with_one_more_leaf(start, end)
    return Price(start.shape[1], full, tree_start=start, tree_end=end)


def random_line(
    rng: np.random.Generator, most_tuples: int, most_columns: int = 4
) -> tuple[Prices, list[np.ndarray], np.ndarray]:
    sizes = (1, 2, 5, 20) if rng.random() < 0.7 else (3, 300, 2000)
    columns = [random_price(rng, int(rng.choice(sizes))) for _ in range(int(rng.integers(1, most_columns + 1)))]
    n = int(rng.integers(1, most_tuples + 1))
    codes = [rng.integers(0, price.n, n).astype(np.uint32) for price in columns]
    count = rng.integers(1, int(rng.choice([2, 3, 9])), n).astype(np.uint32)
    return Prices(columns, np.empty((0, 3), dtype=np.int32)), codes, count


def divisions(n: int, k: int) -> Iterator[list[int]]:
    """All ways to divide n rows into runs of at least k, as the begins of the runs."""
    if n >= k:
        yield [0]
    for begin in range(k, n - k + 1):
        for before in divisions(begin, k):
            yield [*before, begin]


def loss_of(begins: list[int], rows: list[Any], price: Any) -> int:
    ends = [*begins[1:], len(rows)]
    return sum((end - begin) * price(rows[begin:end]) for begin, end in zip(begins, ends, strict=True))


def box_price(prices: Prices) -> Any:
    def price(rows: list[tuple[int, ...]]) -> int:
        columns = zip(prices.columns, zip(*rows, strict=True), strict=True)
        return sum(int(own.of(np.array([min(codes)]), np.array([max(codes)]))[0]) for own, codes in columns)

    return price


def run(make: Any, what: Any, count: np.ndarray, k: int, prices: Prices | None) -> tuple[list[int], int]:
    program = make(k, prices)
    length = program.feed(what, count)
    if program.loss >= reference.NONE:
        return [], program.loss
    return kernels.begins_of_runs([length]).tolist(), int(program.loss)


@both
def test_no_division_is_better_by_boxes(make: Any) -> None:
    rng = np.random.default_rng(1)
    for _ in range(some(150)):
        prices, codes, count = random_line(rng, 7)
        count = count[: max(1, int(np.searchsorted(np.cumsum(count), 13)))]
        codes, k = [own[: len(count)] for own in codes], int(rng.integers(1, 6))
        rows = list(zip(*(np.repeat(own, count).tolist() for own in codes), strict=True))
        check_best(*run(make, codes, count, k, prices), rows, k, box_price(prices))


@both
def test_no_division_is_better_by_extent(make: Any) -> None:
    rng = np.random.default_rng(2)
    for _ in range(some(150)):
        n, k = int(rng.integers(1, 14)), int(rng.integers(1, 6))
        position = np.sort(rng.integers(0, int(rng.choice([3, 50, 1 << 50])), n))
        found = run(make, position, np.ones(n, dtype=np.uint32), k, None)
        check_best(*found, position.tolist(), k, lambda rows: rows[-1] - rows[0])


def check_best(begins: list[int], loss: int, rows: list[Any], k: int, price: Any) -> None:
    if len(rows) < k:
        assert begins == []
        return
    sizes = np.diff([*begins, len(rows)])
    assert begins[0] == 0
    assert sizes.min() >= k
    assert sizes.max() <= 2 * k - 1
    assert loss == loss_of(begins, rows, price) == min(loss_of(other, rows, price) for other in divisions(len(rows), k))


def test_of_equally_good_divisions_the_last_run_is_the_shortest() -> None:
    begins, _ = run(kernels.Intervals, np.zeros(8, dtype=np.int64), np.ones(8, dtype=np.uint32), 3, None)
    assert begins == [0, 5]


@needs_compiled
@given(seeds)
def test_compiled_and_numpy_give_the_same_lengths(seed: int) -> None:
    rng = np.random.default_rng(seed)
    prices, codes, count = random_line(rng, 80, most_columns=int(rng.choice([3, 9, 17, 64, 66])))
    k = int(rng.choice([1, 2, 3, 7, 20, 200]))
    ours, theirs = kernels.Intervals(k, prices), reference.Intervals(k, prices)
    np.testing.assert_array_equal(ours.feed(codes, count), theirs.feed(codes, count))
    assert ours.loss == theirs.loss
    position = np.sort(rng.integers(0, 1 << 40, len(count)))
    np.testing.assert_array_equal(
        kernels.Intervals(k).feed(position, count), reference.Intervals(k, None).feed(position, count)
    )


@both
@given(seed=seeds)
def test_block_by_block_is_as_at_once(make: Any, seed: int) -> None:
    rng = np.random.default_rng(seed)
    prices, codes, count = random_line(rng, 60)
    k = int(rng.choice([1, 2, 3, 7, 20]))
    position = np.sort(rng.integers(0, 1000, len(count)))
    cuts = [0, *np.sort(rng.integers(0, len(count) + 1, int(rng.integers(0, 9)))).tolist(), len(count)]
    cases = (
        (codes, lambda a, b: [x[a:b] for x in codes], prices),
        (position, lambda a, b: position[a:b], None),
    )
    for whole, of, own in cases:
        at_once, parts = make(k, own), make(k, own)
        lengths = [parts.feed(of(a, b), count[a:b]) for a, b in pairwise(cuts)]
        length = at_once.feed(whole, count)
        np.testing.assert_array_equal(np.concatenate(lengths), length)
        assert parts.loss == at_once.loss
        if len(length) >= k:
            assert kernels.begins_of_runs(lengths).tolist() == kernels.begins_of_runs([length]).tolist()


def test_a_tuple_may_come_in_parts() -> None:
    rng = np.random.default_rng(3)
    prices, codes, count = random_line(rng, 40)
    length = kernels.Intervals(4, prices).feed(codes, count)
    one_by_one = kernels.Intervals(4, prices).feed([np.repeat(own, count) for own in codes], np.ones(int(count.sum())))
    np.testing.assert_array_equal(length, one_by_one)


@pytest.mark.parametrize(("k", "dtype"), [(2, np.uint8), (128, np.uint8), (129, np.uint16), (40_000, np.uint32)])
def test_lengths_take_no_more_room_than_they_need(k: int, dtype: type) -> None:
    n = min(3 * k, 500)
    assert kernels.Intervals(k).feed(np.arange(n), np.ones(n)).dtype == dtype


def test_rows_of_a_tuple_take_its_places_in_order() -> None:
    tuple_of_row = np.array([1, 0, 1, 1, 0], dtype=np.uint32)
    group_at = np.array([0, 0, 1, 1, 2], dtype=np.int32)
    for deal in (kernels.deal, reference.deal):
        assert deal(tuple_of_row, np.array([3, 0], dtype=np.uint32), group_at).tolist() == [0, 1, 0, 1, 2]


@both
def test_wrong_blocks_are_errors(make: Any) -> None:
    prices = Prices([Price(3, 10, position=np.array([0, 5, 10], dtype=np.int32))], np.empty((0, 3), dtype=np.int32))
    one = np.ones(2, dtype=np.uint32)
    with pytest.raises(ValueError, match="count"):
        make(2, prices).feed([np.array([0, 1])], np.array([1, 0]))
    with pytest.raises(IndexError):
        make(2, prices).feed([np.array([0, 3])], one)
    with pytest.raises(ValueError, match="ascend"):
        make(2, None).feed(np.array([5, 4]), one)
    later = make(2, None)
    later.feed(np.array([5, 7]), one)
    with pytest.raises(ValueError, match="ascend"):
        later.feed(np.array([6, 7]), one)
    with pytest.raises(ValueError, match="large"):
        make(2, None).feed(np.array([0, 1 << 60]), one)
    with pytest.raises(ValueError, match="k must be"):
        make(0, None)


def test_lengths_that_no_program_gave_are_errors() -> None:
    for length in ([0, 0], [1, 3]):
        with pytest.raises(ValueError, match="no run"):
            kernels.begins_of_runs([np.array(length, dtype=np.uint8)])
        with pytest.raises(ValueError, match="no run"):
            reference.walk_back(np.array(length, dtype=np.uint8), 0, 2)


@needs_compiled
def test_the_compiled_kernels_check_sizes() -> None:
    own = kernels._one_dimensional
    u4 = np.zeros(3, dtype=np.uint32)
    with pytest.raises(ValueError, match="places"):
        own.deal(u4, np.array([1], dtype=np.uint32), np.zeros(3, np.int32), np.zeros(3, np.int32))
    with pytest.raises(IndexError):
        own.deal(u4 + np.uint32(1), u4[:1].copy(), np.zeros(3, np.int32), np.zeros(3, np.int32))
    program = own.intervals(2)
    with pytest.raises(ValueError, match="length"):
        own.feed(program, np.arange(3), u4 + np.uint32(1), u4[:2].copy())
    prices = Prices([Price(3, 10, position=np.array([0, 5, 10], dtype=np.int32))], np.empty((0, 3), dtype=np.int32))
    table, position, start, end, numbers, _ = prices.arrays
    with pytest.raises(ValueError, match="another size"):
        own.intervals(2, (table[0][:2].copy(),), position, start, end, numbers)
    with pytest.raises(ValueError, match="table, positions, or a tree"):
        own.intervals(2, (None,), (None,), start, end, numbers)
