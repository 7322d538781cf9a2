"""A range of ordered values can be read in one way, whatever signs the values have."""

from __future__ import annotations

import itertools

import numpy as np
import pyarrow as pa
import pytest

import amongst as am
from amongst.published.distinct_labels import parse_all
from amongst.published.labels import parse

ORDERS = [
    ["1", "1-2", "2-2", "2"],
    ["-", "--", "a", "a-"],
    ['"', '"a"', "a", '-"'],
    ["", "-", "b"],
    ["\\", '\\"', "x-y", "[z]"],
]


@pytest.mark.parametrize("order", ORDERS)
def test_every_range_is_read_as_it_was_meant(order: list[str]) -> None:
    column = am.Column(role="quasi", kind="ordered", order=order)
    places = {value: place for place, value in enumerate(order)}
    for first, last in itertools.combinations(range(len(order)), 2):
        table = pa.table({"a": [order[first], order[last]], "s": ["x", "y"]})
        schema = am.Schema({"a": column, "s": am.Column(role="sensitive")})
        release = am.anonymize(table, schema, [am.KAnonymity(2)], method="mondrian")
        assert release.verdict.ok
        label = parse(release.arrow["a"].to_pylist()[0], "ordered", order=places)
        assert (label.kind, label.lo, label.hi) == ("range", first, last)


def test_without_quotes_a_range_is_read_where_there_is_one_reading() -> None:
    places = {"1": 0, "1-2": 1, "2-2": 2, "2": 3, "low": 4, "x-y": 5}
    assert parse("[1-2-2]", "ordered", order=places).kind == "value"  # 1 to 2-2, or 1-2 to 2
    only = parse("[low-x-y]", "ordered", order=places)
    assert (only.kind, only.lo, only.hi) == ("range", 4, 5)


def test_the_empty_text_may_be_a_leaf() -> None:
    for nodes in ({"": 1, "b": 1}, {"b": 1}):
        many = parse_all(pa.array(["", "b", "*"]), "categorical", nodes=nodes)
        one = [parse(text, "categorical", nodes=nodes).kind for text in ("", "b", "*")]
        assert all(many.are(kind)[i] for i, kind in enumerate(one))
    words = np.array(["", "b"] * 4)
    table = pa.table({"a": words, "s": list("wxyzwxyz")})
    for hierarchy in (
        am.Hierarchy.fanout(2, order=["", "b"]),
        am.Hierarchy.flat(),
    ):
        schema = am.Schema({"a": am.Column(role="quasi", hierarchy=hierarchy), "s": am.Column(role="sensitive")})
        for method in ("mondrian", "incognito"):
            assert am.anonymize(table, schema, [am.KAnonymity(2)], method).verdict.ok
