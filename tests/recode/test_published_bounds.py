"""Bounds of a range: the data's own, or those of a public grid. They hold the data whatever the type."""

from __future__ import annotations

import datetime as dt
from decimal import Decimal
from typing import Any

import numpy as np
import pyarrow as pa
import pytest
from hypothesis import assume, given
from hypothesis import strategies as st

from amongst.encode import encode
from amongst.recode.bounds import bounds
from amongst.schema import Column, Schema
from amongst.schema.check import check


def ranges(values: list[Any], kind: pa.DataType | None, grid: float | None) -> tuple[list[Any], list[Any], list[Any]]:
    """The distinct values in order, and the bounds of each alone."""
    table = pa.table({"x": pa.array(values, kind)})
    (column,) = encode(table, check(Schema({"x": Column(role="quasi")}), table)).columns
    codes = np.arange(column.n_values)
    lower, upper = bounds(column, codes, codes, grid)
    assert kind is None or pa.types.is_decimal(kind) or lower.type == upper.type == kind
    return column.values.to_pylist(), lower.to_pylist(), upper.to_pylist()


@pytest.mark.parametrize("kind", [pa.int8(), pa.uint8(), pa.int16(), pa.int32(), pa.int64(), pa.uint64()], ids=str)
@given(data=st.data())
def test_whole_numbers_lie_in_cells_of_the_grid(kind: pa.DataType, data: st.DataObject) -> None:
    limits = np.iinfo(kind.to_pandas_dtype())
    values = data.draw(st.lists(st.integers(limits.min, limits.max), min_size=1, max_size=8))
    grid = data.draw(st.integers(1, 1000))
    for value, low, high in zip(*ranges(values, kind, float(grid)), strict=True):
        assert low <= value <= high
        assert low == max(value // grid * grid, limits.min)
        assert high == min(value // grid * grid + grid - 1, limits.max)


@given(st.lists(st.integers(-10_000, 10_000), min_size=1), st.floats(0.01, 100))
def test_whole_numbers_on_a_grid_of_fractions(values: list[int], grid: float) -> None:
    for value, low, high in zip(*ranges(values, pa.int64(), grid), strict=True):
        assert low <= value <= high
        assert high - low <= grid + 1


@given(st.lists(st.floats(-1e300, 1e300), min_size=1), st.floats(1e-12, 1e6))
def test_floats_lie_in_cells_of_the_grid(values: list[float], grid: float) -> None:
    for value, low, high in zip(*ranges(values, pa.float64(), grid), strict=True):
        assert low <= value <= high
        assert np.isfinite([low, high]).all()
        if abs(value) < 1e6 * grid:
            assert high - low == pytest.approx(grid, rel=1e-6)
            assert low / grid == pytest.approx(round(low / grid), abs=1e-6)


@given(st.lists(st.floats(-(2.0**90), 2.0**90, width=32), min_size=1), st.floats(1e-3, 1e6))
def test_short_floats_stay_inside_their_bounds(values: list[float], grid: float) -> None:
    for value, low, high in zip(*ranges(values, pa.float32(), grid), strict=True):
        assert low <= value <= high


def test_floats_at_the_edge_of_a_cell() -> None:
    """Quotients that are rounded up or down must not move a value out of its cell."""
    rng = np.random.default_rng(1)
    grids = rng.choice([0.1, 0.2, 0.3, 0.7, 1.1, 3.3, 1e-3], 3000)
    edges = rng.integers(1, 2000, 3000) * grids
    for grid in np.unique(grids):
        at = edges[grids == grid]
        values = np.unique(np.concatenate([at, np.nextafter(at, 0), np.nextafter(at, np.inf)])).tolist()
        for value, low, high in zip(*ranges(values, pa.float64(), float(grid)), strict=True):
            assert low <= value <= high
            assert high - low < 1.5 * grid


@given(st.lists(st.dates(dt.date(1900, 1, 1), dt.date(2100, 1, 1)), min_size=1), st.integers(1, 400))
def test_dates_lie_in_cells_of_days(values: list[dt.date], grid: int) -> None:
    epoch = dt.date(1970, 1, 1)
    for value, low, high in zip(*ranges(values, pa.date32(), float(grid)), strict=True):
        assert low <= value <= high
        assert (low - epoch).days % grid == 0
        assert (high - low).days == grid - 1


@pytest.mark.parametrize("unit", ["s", "ms", "us", "ns"])
@pytest.mark.parametrize("grid", [1.0, 0.5, 1 / 24, 7.0, 1e-12])
def test_times_lie_in_cells_of_days(unit: str, grid: float) -> None:
    times = [
        dt.datetime(2020, 5, 1, 13, 7, 9),
        dt.datetime(1969, 12, 31, 23, 59, 59),
        dt.datetime(1970, 1, 1),
    ]
    kind = pa.timestamp(unit)
    values, lower, upper = ([pa.scalar(value, kind).value for value in column] for column in ranges(times, kind, grid))
    a_day = {"s": 86_400, "ms": 86_400_000, "us": 86_400_000_000, "ns": 86_400_000_000_000}[unit]
    step = max(1, round(grid * a_day))
    for value, low, high in zip(values, lower, upper, strict=True):
        assert low <= value <= high
        assert low % step == 0
        assert high == low + step - 1


def test_decimals_on_a_grid() -> None:
    values = [Decimal("1.10"), Decimal("9.99"), Decimal("-0.01")]
    found = ranges(values, pa.decimal128(3, 2), 0.5)
    assert list(zip(*found, strict=True)) == [
        (Decimal("-0.01"), Decimal("-0.50"), Decimal("0.00")),
        (Decimal("1.10"), Decimal("1.00"), Decimal("1.50")),
        (Decimal("9.99"), Decimal("9.50"), Decimal("10.00")),  # a digit more than the column has
    ]


@given(st.lists(st.integers(-50, 50), min_size=2, unique=True))
def test_without_a_grid_the_bounds_are_the_data(values: list[int]) -> None:
    found, lower, upper = ranges(values, pa.int64(), None)
    assert found == lower == upper == sorted(values)


def test_codes_beyond_the_values_have_no_bounds() -> None:
    table = pa.table({"x": [1, 2, None]})
    (column,) = encode(table, check(Schema({"x": Column(role="quasi", nulls="own value")}), table)).columns
    lower, upper = bounds(column, np.array([0, 0, 2]), np.array([1, 2, 2]), None)
    assert (lower.to_pylist(), upper.to_pylist()) == ([1, None, None], [2, None, None])


@given(st.integers(0, 2**32 - 1))
def test_wider_ranges_have_wider_bounds(seed: int) -> None:
    rng = np.random.default_rng(seed)
    values = sorted({int(v) for v in rng.integers(-1000, 1000, 20)})
    assume(len(values) > 2)
    table = pa.table({"x": values})
    (column,) = encode(table, check(Schema({"x": Column(role="quasi")}), table)).columns
    lo, hi = np.sort(rng.integers(0, len(values), (2, 10)), axis=0)
    for grid in (None, 7.0, 2.5):
        lower, upper = bounds(column, lo, hi, grid)
        assert all(
            low <= values[a] and values[b] <= high
            for low, high, a, b in zip(lower.to_pylist(), upper.to_pylist(), lo, hi, strict=True)
        )
