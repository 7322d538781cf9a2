"""What stands in a published cell, label by label, in all three forms."""

# ruff: noqa: E501 (tables of examples, one a line)

from __future__ import annotations

import datetime as dt
from typing import Any

import pyarrow as pa
import pytest

import amongst as am


def published(values: Any, k: int = 2, form: str = "labels", method: str = "mondrian", **settings: Any) -> pa.Table:
    table = pa.table({"x": values if isinstance(values, pa.Array) else pa.array(values)})
    schema = am.Schema({"x": am.Column(role="quasi", **settings)})
    return am.anonymize(table, schema, [am.KAnonymity(k)], method, form=form).table


NESTED = am.Hierarchy.nested({"Europe": ["Italy", "France"], "America": ["US", "Chile"]})
LABELS: dict[str, tuple[Any, int, dict[str, Any], list[Any]]] = {
    "a number": ([25, 25], 2, {}, ["25", "25"]),
    "a range": ([25, 26], 2, {}, ["[25-26]"] * 2),
    "negative numbers": ([-5, -2], 2, {}, ["[-5--2]"] * 2),
    "across zero": ([-5, 2], 2, {}, ["[-5-2]"] * 2),
    "fractions": ([0.5, 1.25], 2, {}, ["[0.5-1.25]"] * 2),
    "whole fractions": ([1.0, 2.0], 2, {}, ["[1.0-2.0]"] * 2),
    "small and large fractions": ([1e-7, 1e21], 2, {}, ["[1e-07-1e+21]"] * 2),
    "decimals": (pa.array(["1.10", "2.00"]).cast(pa.decimal128(5, 2)), 2, {}, ["[1.10-2.00]"] * 2),
    "dates": ([dt.date(2020, 1, 1), dt.date(2020, 3, 31)], 2, {}, ["[2020-01-01 - 2020-03-31]"] * 2),
    "one date": ([dt.date(2020, 1, 1)] * 2, 2, {}, ["2020-01-01"] * 2),
    "times": ([dt.datetime(2020, 1, 1, 10), dt.datetime(2020, 1, 2)], 2, {}, ["[2020-01-01 10:00:00.000000 - 2020-01-02 00:00:00.000000]"] * 2),
    "on a grid": ([21, 28], 2, {"grid": 5}, ["[20-29]"] * 2),
    "on a grid of fractions": ([0.3, 0.6], 2, {"grid": 0.5}, ["[0.0-1.0]"] * 2),
    "dates on a grid": ([dt.date(1970, 1, 3), dt.date(1970, 1, 9)], 2, {"grid": 7}, ["[1970-01-01 - 1970-01-14]"] * 2),
    "a set": (["b", "a"], 2, {}, ["{a,b}"] * 2),
    "a set of one": (["a", "a"], 2, {}, ["a"] * 2),
    "a set that needs quotes": (["a,b", 'c"d', "e\\f", "{g}", "plain"], 5, {}, ['{"a,b","c\\"d","e\\\\f",plain,"{g}"}'] * 5),
    "a text that looks like a set, alone": (["{a,b}"] * 2, 2, {}, ["{a,b}"] * 2),
    "a set of numbers": ([10, 9], 2, {"publish": "set"}, ["{9,10}"] * 2),
    "a set of dates": ([dt.date(2020, 1, 2), dt.date(2020, 1, 1)], 2, {"publish": "set"}, ["{2020-01-01,2020-01-02}"] * 2),
    "truths": ([True, False], 2, {}, ["{false,true}"] * 2),
    "one truth": ([True, True], 2, {}, ["true"] * 2),
    "an order": (["high", "low"], 2, {"order": ["low", "mid", "high"]}, ["[low-high]"] * 2),
    "one of an order": (["low", "low"], 2, {"order": ["low", "mid", "high"]}, ["low"] * 2),
    "a set of an order": (["high", "low"], 2, {"order": ["low", "mid", "high"], "publish": "set"}, ["{low,high}"] * 2),
    "a node": (["Italy", "France"], 2, {"hierarchy": NESTED}, ["Europe"] * 2),
    "a leaf": (["Italy", "Italy"], 2, {"hierarchy": NESTED}, ["Italy"] * 2),
    "the root": (["Italy", "US"], 2, {"hierarchy": NESTED}, ["*"] * 2),
    "digits": (["53711", "53712"], 2, {"hierarchy": am.Hierarchy.digits(5)}, ["5371*"] * 2),
    "an interval": ([21, 23], 2, {"hierarchy": am.Hierarchy.intervals([5, 10]), "publish": "ancestor"}, ["[20-24]"] * 2),
    "a month": ([dt.date(2020, 1, 1), dt.date(2020, 1, 9)], 2, {"hierarchy": am.Hierarchy.dates("month"), "publish": "ancestor"}, ["2020-01"] * 2),
    "nulls alone": ([None, None, 1, 2], 2, {"nulls": "own value"}, ["[1-2]"] * 2 + [None] * 2),
    "nulls among numbers": ([None, 1], 2, {"nulls": "own value"}, ["*"] * 2),
    "nulls among texts": ([None, "a"], 2, {"nulls": "own value"}, ["*"] * 2),
    "nulls among leaves": ([None, "Italy"], 2, {"nulls": "own value", "hierarchy": NESTED}, ["*"] * 2),
    "nulls alone among leaves": ([None, None, "US", "US"], 2, {"nulls": "own value", "hierarchy": NESTED}, ["US"] * 2 + [None] * 2),
    "nulls that match anything": ([None, 1, 2], 3, {"nulls": "match anything"}, ["[1-2]"] * 2 + [None]),
    "texts and nulls that match anything": ([None, "a", "b"], 3, {"nulls": "match anything"}, ["{a,b}"] * 2 + [None]),
    "leaves and nulls that match anything": ([None, "US", "Chile"], 3, {"nulls": "match anything", "hierarchy": NESTED}, ["America"] * 2 + [None]),
    "only nulls that match anything": (pa.nulls(2, pa.string()), 2, {"nulls": "match anything"}, [None, None]),
    "suppressed nulls": ([None, 1, 2], 2, {"nulls": "suppress"}, ["[1-2]"] * 2),
}  # fmt: skip


@pytest.mark.parametrize("what", LABELS)
def test_labels(what: str) -> None:
    values, k, settings, wanted = LABELS[what]
    assert published(values, k, **settings)["x"].to_pylist() == wanted


def test_bounds_are_two_columns_of_the_original_type() -> None:
    days = pa.array([dt.date(2020, 1, 1), dt.date(2020, 3, 31)])
    table = published(days, form="bounds")
    assert table.schema.names == ["x_lower", "x_upper"]
    assert table.schema.field("x_lower").type == days.type
    assert table.to_pylist() == [{"x_lower": dt.date(2020, 1, 1), "x_upper": dt.date(2020, 3, 31)}] * 2


@pytest.mark.parametrize("form", ["bounds", "structs"])
def test_bounds_of_nulls(form: str) -> None:
    table = published([None, None, 1, 2, None, 3], k=2, form=form, nulls="own value")
    rows = [tuple(row.values()) if form == "bounds" else tuple(row["x"].values()) for row in table.to_pylist()]
    assert sorted(rows, key=str) == [(1, 3)] * 3 + [(None, None)] * 3


def test_structs_are_one_column_with_two_fields() -> None:
    table = published([1, 2], form="structs")
    assert table.schema.field("x").type == pa.struct([("lower", pa.int64()), ("upper", pa.int64())])
    assert table["x"].to_pylist() == [{"lower": 1, "upper": 2}] * 2


@pytest.mark.parametrize("form", ["bounds", "structs"])
def test_sets_and_nodes_stay_labels(form: str) -> None:
    assert published(["b", "a"], form=form)["x"].to_pylist() == ["{a,b}"] * 2
    assert published(["US", "Chile"], form=form, hierarchy=NESTED)["x"].to_pylist() == ["America"] * 2


def test_statistics_are_further_columns() -> None:
    table = published([1, 2, 6, None], k=4, nulls="own value", statistic=("mean", "median"))
    assert table.to_pylist() == [{"x": "*", "x_mean": 3.0, "x_median": 2.0}] * 4
    even = published([1, 2, 6, 8], k=4, statistic="median", form="bounds")
    assert even.to_pylist() == [{"x_lower": 1, "x_upper": 8, "x_median": 4.0}] * 4
    wild = published([1, 2, None], k=3, nulls="match anything", statistic="mean")
    assert wild.to_pylist() == [{"x": "[1-2]", "x_mean": 1.5}] * 2 + [{"x": None, "x_mean": None}]
    empty = published([None, None, 4, 4], nulls="own value", statistic="mean")
    assert empty.to_pylist() == [{"x": "4", "x_mean": 4.0}] * 2 + [{"x": None, "x_mean": None}] * 2


def test_a_mean_is_never_outside_of_its_range() -> None:
    for value in (0.1, 0.7, 1e308, -1e308, 1 / 3):
        table = published([value] * 3, k=3, statistic=("mean", "median"))
        assert table["x_mean"].to_pylist() == table["x_median"].to_pylist() == [value] * 3


def test_groups_that_publish_the_same_are_one_class() -> None:
    table = pa.table({"x": [1, 1, 2, 2]})
    release = am.anonymize(
        table, am.Schema({"x": am.Column(role="quasi", grid=10)}), [am.KAnonymity(2)], method="mondrian"
    )
    assert release.partition.n_groups == 2
    assert release.utility.n_classes == 1
    assert release.table["x"].to_pylist() == ["[0-9]"] * 4
