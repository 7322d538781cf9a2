"""The compiled kernels against those in numpy, on random inputs: the same arrays, element by element."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from kernel_inputs import Inputs, random_axis, random_codes, random_inputs

from amongst.kernels.numpy import rows as reference
from thorough import some

compiled = pytest.importorskip("amongst.kernels.compiled_rows", reason="no compiled kernels here")

MODES = [(0, False), (1, False), (2, False), (0, True)]
seeds = st.integers(0, 2**32 - 1)


def same(ours: Any, theirs: Any) -> None:
    for a, b in zip(ours, theirs, strict=True):
        assert a.dtype == b.dtype
        np.testing.assert_array_equal(a, b)


def both_mondrians(given_: Inputs, cuts: int, relaxed: bool) -> None:
    if relaxed and given_.weight is not None:
        return
    settings = {"cuts": cuts, "relaxed": relaxed}
    *ours, ours_alone = compiled.mondrian(given_.columns, given_.weight, given_.axes, given_.k, **settings)
    *theirs, theirs_alone = reference.mondrian(given_.columns, given_.weight, given_.axes, given_.k, **settings)
    same(ours, theirs)
    if not relaxed:
        assert ours_alone == theirs_alone


@pytest.mark.parametrize(("cuts", "relaxed"), MODES)
def test_mondrian_on_thousands_of_tables(cuts: int, relaxed: bool) -> None:
    rng = np.random.default_rng(100 + 10 * cuts + relaxed)
    for _ in range(some(800)):
        both_mondrians(random_inputs(rng), cuts, relaxed)


@pytest.mark.parametrize(("cuts", "relaxed"), MODES)
def test_mondrian_with_up_to_twenty_columns(cuts: int, relaxed: bool) -> None:
    rng = np.random.default_rng(200 + 10 * cuts + relaxed)
    for _ in range(some(100)):
        both_mondrians(random_inputs(rng, most_columns=20, most_rows=120), cuts, relaxed)


@given(seeds, st.sampled_from(MODES))
def test_mondrian_on_tables_that_hypothesis_finds(seed: int, mode: tuple[int, bool]) -> None:
    both_mondrians(random_inputs(np.random.default_rng(seed), most_rows=300), *mode)


@pytest.mark.parametrize("n_columns", [33, 64, 65, 130])
def test_mondrian_and_distinct_of_more_columns_than_a_record_holds(n_columns: int) -> None:
    rng = np.random.default_rng(n_columns)
    axes = [random_axis(rng, 3) for _ in range(n_columns)]
    columns = [random_codes(rng, axis, 50) for axis in axes]
    both_mondrians(Inputs(columns, None, axes, 3), 1, False)
    same(compiled.distinct(columns), reference.distinct(columns))


@given(seeds)
def test_groups_of_the_rows_are_groups_of_the_frequency_set(seed: int) -> None:
    rows = random_inputs(np.random.default_rng(seed))
    tuple_of_row, first, count = compiled.distinct(rows.columns)
    tuples = [column[first] for column in rows.columns]
    for cuts in (0, 1, 2):
        by_row = compiled.mondrian(rows.columns, None, rows.axes, rows.k, cuts=cuts, relaxed=False)
        by_tuple = compiled.mondrian(tuples, count, rows.axes, rows.k, cuts=cuts, relaxed=False)
        same(by_row[:3], [by_tuple[0][tuple_of_row], *by_tuple[1:3]])
        assert by_row[3] == by_tuple[3]


def test_distinct_of_random_columns() -> None:
    rng = np.random.default_rng(3)
    for _ in range(some(300)):
        columns = random_inputs(rng, most_columns=12, most_rows=400).columns
        weight = rng.integers(0, 5, len(columns[0])).astype(np.uint32)
        same(compiled.distinct(columns), reference.distinct(columns))
        same(compiled.distinct(columns, weight), reference.distinct(columns, weight))


def test_distinct_counts_as_a_dict_does() -> None:
    rng = np.random.default_rng(4)
    for n in (0, 1, 127, 128, 129, 5000):
        columns = [rng.integers(0, 40, n).astype(np.uint8), rng.integers(0, 300, n).astype(np.uint16)]
        rows = list(zip(*(column.tolist() for column in columns), strict=True))
        number_of_tuple = {row: i for i, row in enumerate(dict.fromkeys(rows))}
        tuple_of_row, first_row, count = compiled.distinct(columns)
        assert tuple_of_row.tolist() == [number_of_tuple[row] for row in rows]
        assert first_row.tolist() == [rows.index(row) for row in number_of_tuple]
        assert count.tolist() == [rows.count(row) for row in number_of_tuple]


@given(seeds)
def test_order_by_class_and_sort_within(seed: int) -> None:
    rng = np.random.default_rng(seed)
    n, n_classes = int(rng.integers(0, 200)), int(rng.integers(1, 8))
    class_of_row = rng.integers(-1, n_classes, n).astype(np.int32)
    ours, theirs = (kernel.order_by_class(class_of_row, n_classes) for kernel in (compiled, reference))
    same(ours, theirs)
    dtypes = rng.choice([np.uint8, np.uint16, np.uint32, np.uint64], int(rng.integers(0, 4)))
    keys = [rng.integers(0, 3, n).astype(dtype) * dtype(np.iinfo(dtype).max // 3) for dtype in dtypes]
    row_at, first = ours
    before = row_at.copy()
    same([compiled.sort_within(row_at, first, keys)], [reference.sort_within(row_at, first, keys)])
    np.testing.assert_array_equal(row_at, before)


@pytest.mark.parametrize(
    "dtype", ["?", "u1", "i1", "u2", "i2", "f2", "u4", "i4", "f4", "u8", "i8", "f8", "M8[s]", "c16"]
)
def test_gather_and_repeat_of_every_type(dtype: str) -> None:
    rng = np.random.default_rng(5)
    values = rng.integers(0, 100, 50).astype(dtype)
    row_at = rng.integers(0, 50, 200).astype(np.uint32)
    times = rng.integers(0, 4, 50)
    same([compiled.gather(values, row_at)], [values[row_at]])
    same([reference.gather(values, row_at)], [values[row_at]])
    same([compiled.repeat(values, times)], [np.repeat(values, times)])


@pytest.mark.parametrize("index", ["u1", "u2", "u4", "i4", "i8", "u8"])
@pytest.mark.parametrize("table", ["u1", "u2", "u4", "i8", "f4", "f8"])
def test_look_up_of_every_type(index: str, table: str) -> None:
    rng = np.random.default_rng(6)
    values, at = rng.integers(0, 200, 30).astype(table), rng.integers(0, 30, 100).astype(index)
    same([compiled.look_up(at, values)], [values[at]])


@pytest.mark.parametrize("key", [np.uint8, np.uint16, np.uint32, np.int64])
def test_count_pairs(key: type) -> None:
    rng = np.random.default_rng(7)
    for _ in range(50):
        n, n_classes, n_keys = rng.integers(0, 100), int(rng.integers(1, 9)), int(rng.integers(1, 200))
        class_of_row = rng.integers(-1, n_classes, n).astype(np.int32)
        key_of_row = rng.integers(0, n_keys, n).astype(key)
        ours = compiled.count_pairs(class_of_row, key_of_row, n_classes, n_keys)
        same([ours], [reference.count_pairs(class_of_row, key_of_row, n_classes, n_keys)])
        pairs = [p for p in zip(class_of_row.tolist(), key_of_row.tolist(), strict=True) if p[0] >= 0]
        assert {(c, int(j)): int(ours[c, j]) for c, j in zip(*np.nonzero(ours), strict=True)} == {
            pair: pairs.count(pair) for pair in pairs
        }
