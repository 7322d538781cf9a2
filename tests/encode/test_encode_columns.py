"""Values to ordered codes: for every type, in the order that the schema means, in the smallest type."""

from __future__ import annotations

import datetime as dt
from typing import Any

import numpy as np
import pyarrow as pa
import pytest
from hypothesis import given
from hypothesis import strategies as st

from amongst.encode import CodedColumn, encode
from amongst.errors import Infeasible
from amongst.kernels.axis import FIXED_POINT
from amongst.schema import Column, Hierarchy, Schema
from amongst.schema.check import check


def coded(values: Any, kind: pa.DataType | None = None, **settings: Any) -> CodedColumn:
    data = values if isinstance(values, (pa.Array, pa.ChunkedArray)) else pa.array(values, kind)
    table = pa.table({"x": data})
    schema = check(Schema({"x": Column(role="quasi", **settings)}), table)
    return encode(table, schema).columns[0]


def decoded(column: CodedColumn) -> list[Any]:
    values = [*column.values.to_pylist(), None]
    return [values[code] for code in column.codes.tolist()]


LIMITS = {
    kind: [np.iinfo(kind.to_pandas_dtype()).min, 0, np.iinfo(kind.to_pandas_dtype()).max]
    for kind in (
        pa.int8(),
        pa.int16(),
        pa.int32(),
        pa.int64(),
        pa.uint8(),
        pa.uint16(),
        pa.uint32(),
        pa.uint64(),
    )
}


@pytest.mark.parametrize("kind", LIMITS, ids=str)
def test_the_ends_of_every_whole_number_type(kind: pa.DataType) -> None:
    lowest, zero, highest = LIMITS[kind]
    for values in (
        [highest, lowest, zero, highest],
        [highest, highest - 1, highest - 3],
        [lowest + 1, lowest],
    ):
        column = coded(values, kind)
        assert decoded(column) == values
        assert column.values.to_pylist() == sorted(set(values))
        assert column.values.type == kind


@given(st.lists(st.one_of(st.none(), st.integers(-(2**63), 2**63 - 1), st.integers(-300, 300)), min_size=1))
def test_whole_numbers_near_and_far(values: list[int | None]) -> None:
    column = coded(values, pa.int64(), nulls="own value")
    assert decoded(column) == values
    assert column.values.to_pylist() == sorted({value for value in values if value is not None})


@given(st.lists(st.one_of(st.none(), st.floats(allow_nan=False, allow_infinity=False)), min_size=1))
def test_floats_in_order_with_one_zero(values: list[float | None]) -> None:
    column = coded(values, pa.float64(), nulls="own value")
    assert decoded(column) == values
    assert column.values.to_pylist() == sorted({value for value in values if value is not None})
    assert not np.signbit(column.values.to_numpy()[column.values.to_numpy() == 0]).any()


@given(st.lists(st.one_of(st.none(), st.text(max_size=4)), min_size=1), st.booleans())
def test_texts_and_categories(values: list[str | None], as_categories: bool) -> None:
    data = pa.array(values, pa.string())
    column = coded(data.dictionary_encode() if as_categories else data, nulls="own value")
    assert decoded(column) == values
    assert column.values.to_pylist() == sorted({value for value in values if value is not None}, key=str.encode)


def test_a_column_as_wide_as_floats_go() -> None:
    column = coded([-1.7e308, 0.0, 1.7e308])
    (axis,) = encode(
        pa.table({"x": [-1.7e308, 0.0, 1.7e308]}), Schema({"x": Column(role="quasi", kind="numeric")})
    ).axes
    assert np.isfinite(column.span)
    assert axis.position is not None
    assert axis.position.tolist() == [0, FIXED_POINT // 2, FIXED_POINT]


def test_dates_times_truths_and_decimals() -> None:
    days = [dt.date(2020, 1, 3), dt.date(1969, 12, 31), dt.date(2020, 1, 3)]
    assert decoded(coded(days)) == days
    for unit in ("s", "ms", "us", "ns"):
        times = [dt.datetime(2020, 1, 3), dt.datetime(1969, 12, 31)]
        assert [str(value) for value in decoded(coded(times, pa.timestamp(unit)))] == [str(value) for value in times]
    assert coded([True, False, True]).codes.tolist() == [1, 0, 1]
    decimals = pa.array(["1.10", "-2.00", "1.10"]).cast(pa.decimal128(5, 2))
    assert coded(decimals).codes.tolist() == [1, 0, 1]


def test_codes_are_as_narrow_as_may_be() -> None:
    for n_values, null, dtype in [
        (256, False, np.uint8),
        (256, True, np.uint16),
        (65536, False, np.uint16),
        (65536, True, np.uint32),
    ]:
        values = [*range(n_values), *([None] if null else [])]
        column = coded(values, pa.int64(), nulls="own value" if null else None)
        assert column.codes.dtype == dtype
        assert (column.null_code, column.n_codes) == ((n_values, n_values + 1) if null else (None, n_values))


def test_positions_and_spans() -> None:
    column = coded([10, 30, 20])
    assert (column.position.tolist(), column.lowest, column.span) == ([10, 20, 30], 10, 20)  # type: ignore[union-attr]
    ranked = coded(["b", "a"], order=("c", "b", "x", "a"))
    assert ranked.values.to_pylist() == ["c", "b", "x", "a"]
    assert ranked.codes.tolist() == [1, 3]
    assert (ranked.lowest, ranked.span) == (1, 2)  # what occurs, not what could
    tree = coded(["b", "a"], hierarchy=Hierarchy.nested({"x": ["a", "c"], "y": ["b"]}))
    assert tree.position is None
    assert tree.values.to_pylist() == ["a", "c", "b"]
    assert tree.codes.tolist() == [2, 0]


@pytest.mark.parametrize("rule", ["own value", "match anything"])
def test_the_code_of_a_null(rule: str) -> None:
    column = coded([5, None, 7], nulls=rule)
    assert column.codes.tolist() == [0, 2, 1]
    assert (column.own_null, column.wildcard) == ((2, -1) if rule == "own value" else (-1, 2))
    without = coded([5, 7], nulls=rule)
    assert (without.own_null, without.wildcard, without.null_code) == (-1, -1, None)


@pytest.mark.parametrize("rule", ["own value", "match anything"])
@pytest.mark.parametrize("hierarchy", [None, Hierarchy.flat(), Hierarchy.nested({"x": ["a", "b"]})])
def test_a_column_of_nothing_but_nulls(rule: str, hierarchy: Hierarchy | None) -> None:
    column = coded([None, None], pa.string(), nulls=rule, hierarchy=hierarchy)
    assert decoded(column) == [None, None]
    assert column.codes.tolist() == [column.n_values] * 2


@pytest.mark.parametrize("as_categories", [True, False])
def test_nulls_that_a_dictionary_hides_follow_the_rule_too(as_categories: bool) -> None:
    hidden = pa.DictionaryArray.from_arrays(pa.array([0, 1, 0, 2, None]), pa.array(["a", None, "a"]))
    values = hidden if as_categories else hidden.cast(pa.string())
    table = pa.table({"x": values, "y": [1, 2, 3, 4, 5]})
    for rule, kept in {"suppress": [0, 2, 3], "own value": None, "match anything": None}.items():
        schema = check(Schema({"x": Column(role="quasi", nulls=rule), "y": Column(role="quasi")}), table)
        result = encode(table, schema)
        assert (None if result.kept_rows is None else result.kept_rows.tolist()) == kept
        assert decoded(result.columns[0]) == (["a"] * 3 if kept else ["a", None, "a", "a", None])
        assert result.n_rows == (3 if kept else 5)


def test_values_of_rows_that_are_left_out_are_left_out() -> None:
    table = pa.table({"x": ["secret", "a", "b"], "y": [None, 1, 2], "z": pa.array([9.5, 1.0, 2.0])})
    rules = {
        "x": Column(role="quasi"),
        "y": Column(role="quasi", nulls="suppress"),
        "z": Column(role="quasi"),
    }
    result = encode(table, check(Schema(rules), table))
    assert [column.values.to_pylist() for column in result.columns] == [["a", "b"], [1, 2], [1.0, 2.0]]
    assert [column.codes.tolist() for column in result.columns] == [[0, 1]] * 3
    assert result.columns[2].span == 1
    assert (result.n_input, result.n_rows) == (3, 2)


def test_unused_categories_are_left_out() -> None:
    column = coded(pa.DictionaryArray.from_arrays(pa.array([3, 1, 3]), pa.array(["u", "b", "v", "a"])))
    assert column.values.to_pylist() == ["a", "b"]
    assert column.codes.tolist() == [0, 1, 0]
    numbers = coded(pa.DictionaryArray.from_arrays(pa.array([1, 2, 1]), pa.array([1000, 5, 7])))
    assert (numbers.values.to_pylist(), numbers.span) == ([5, 7], 2)


def test_no_row_left_is_an_error() -> None:
    table = pa.table({"x": pa.array([None, None], pa.int64())})
    schema = check(Schema({"x": Column(role="quasi", nulls="suppress")}), table)
    with pytest.raises(Infeasible, match="none complete"):
        encode(table, schema)


def test_chunks_with_dictionaries_of_their_own() -> None:
    chunks = pa.chunked_array(
        [pa.array(["b", "a"]).dictionary_encode(), pa.array(["c", "b", None]).dictionary_encode()]
    )
    assert decoded(coded(chunks, nulls="own value")) == ["b", "a", "c", "b", None]


def test_nanoseconds_under_a_hierarchy_of_dates() -> None:
    times = pa.array([1_600_000_000_000_000_001, 1_600_000_000_000_000_002, 0], pa.timestamp("ns"))
    column = coded(times, hierarchy=Hierarchy.dates("month", "year"))
    assert column.tree is not None
    assert column.codes.tolist() == [1, 1, 0]


def test_axes_for_the_kernels() -> None:
    table = pa.table({"x": [0, 5, None, 10], "y": ["a", "b", None, "c"], "z": [3, 3, 3, 3]})
    rules = {
        "x": Column(role="quasi", weight=1.0, nulls="own value"),
        "y": Column(
            role="quasi",
            weight=0.5,
            nulls="match anything",
            hierarchy=Hierarchy.nested({"n": ["a", "b"], "m": ["c"]}),
        ),
        "z": Column(role="quasi", weight=4.0),
    }
    x, y, z = encode(table, check(Schema(rules), table)).axes
    assert x.position is not None
    assert x.position.tolist() == [0, FIXED_POINT // 2, FIXED_POINT, FIXED_POINT]
    assert (x.own_null, x.wildcard, x.n_codes) == (3, -1, 4)
    assert (y.own_null, y.wildcard, y.n_codes, y.n_levels) == (-1, 3, 3, 3)
    assert z.position is not None
    assert z.position.tolist() == [0]
    assert (x.weight * 4, y.weight * 8, z.weight) == (z.weight,) * 3
    assert x.width(0, 1) * 2 == x.width(0, 2) == x.width(0, 3) == FIXED_POINT * x.weight
    assert y.width(0, 1) == 2 * FIXED_POINT // 3 * y.weight
    assert y.width(1, 2) == FIXED_POINT * y.weight
