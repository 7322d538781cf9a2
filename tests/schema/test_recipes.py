"""Recipes by example: the labels they give, and the settings and values they refuse."""

from __future__ import annotations

import datetime as dt
from decimal import Decimal
from typing import Any

import pytest

from amongst.errors import BadHierarchy
from amongst.schema.export import to_rows
from amongst.schema.hierarchy import Hierarchy


def path(hierarchy: Hierarchy, values: list[Any], leaf: Any, kind: str | None = None) -> list[str]:
    tree = hierarchy.tree(values, kind)
    return [tree.label(level, tree.code_of_leaf[leaf]) for level in range(tree.n_levels)]


def refused(make: Any) -> BadHierarchy:
    with pytest.raises(BadHierarchy) as caught:
        make()
    assert caught.value.fix
    return caught.value


def test_intervals() -> None:
    assert path(Hierarchy.intervals([5, 10, 20]), [23, 1], 23) == ["23", "[20-24]", "[20-29]", "[20-39]", "*"]
    assert path(Hierarchy.intervals([5, 10], origin=1), [0, 5], 0) == ["0", "[-4-0]", "[-9-0]", "*"]
    assert path(Hierarchy.intervals([5, 10]), [-3], -3) == ["-3", "[-5--1]", "[-10--1]", "*"]
    assert path(Hierarchy.intervals([5]), [22.5], 22.5) == ["22.5", "[20.0-25.0[", "*"]
    assert path(Hierarchy.intervals([0.1, 0.2]), [0.3], 0.3) == ["0.3", "[0.3-0.4[", "[0.2-0.4[", "*"]
    assert path(Hierarchy.intervals([2.5]), [5, 6], 5) == ["5", "[5.0-7.5[", "*"]
    assert path(Hierarchy.intervals([0.5]), [Decimal("0.7")], Decimal("0.7")) == ["0.7", "[0.5-1.0[", "*"]
    assert Hierarchy.intervals([5.0, 10]) == Hierarchy.intervals([5, 10])


def test_intervals_that_do_not_merge_are_all_named() -> None:
    error = refused(lambda: Hierarchy.intervals([5, 7, 8]))
    assert len(error.found) == 2
    assert "levels 1 and 2 do not merge" in error.found[0]
    assert "levels 2 and 3 do not merge" in error.found[1]
    refused(lambda: Hierarchy.intervals([5, 5]))


@pytest.mark.parametrize("widths", [[], [0], [-5], ["5"], [float("nan")], [True]])
def test_widths_that_are_none(widths: list[Any]) -> None:
    with pytest.raises(BadHierarchy):
        Hierarchy.intervals(widths)


def test_numbers_only() -> None:
    error = refused(lambda: Hierarchy.intervals([5]).tree(["a", "b"]))
    assert error.found == ["2 values of the column are not numbers"]
    error = refused(lambda: Hierarchy.intervals([5]).tree([1.0, float("inf"), float("nan")]))
    assert error.found == ["2 values of the column are not finite"]


def test_edges() -> None:
    ages = Hierarchy.edges([[0, 18, 65, 120], [0, 65, 120]])
    assert path(ages, [17, 18, 120], 17) == ["17", "[0-17]", "[0-64]", "*"]
    assert path(ages, [17, 18, 120], 18) == ["18", "[18-64]", "[0-64]", "*"]
    assert path(ages, [17, 18, 120], 120) == ["120", "[65-120]", "[65-120]", "*"]
    assert path(ages, [64.5, 120.0], 64.5) == ["64.5", "[18.0-65.0[", "[0.0-65.0[", "*"]
    assert path(ages, [64.5, 120.0], 120.0) == ["120.0", "[65.0-120.0]", "[65.0-120.0]", "*"]
    endless = Hierarchy.edges([[float("-inf"), 18, 65, float("inf")]])
    assert [path(endless, [1, 20, 99], age)[1] for age in (1, 20, 99)] == ["<18", "[18-64]", ">=65"]


def test_edges_that_are_none() -> None:
    assert "do not merge" in refused(lambda: Hierarchy.edges([[0, 10, 20], [0, 15, 20]])).found[0]
    assert "does not reach" in refused(lambda: Hierarchy.edges([[0, 10, 20], [0, 10]])).found[0]
    assert len(refused(lambda: Hierarchy.edges([[5, 1], [3]])).found) == 2
    error = refused(lambda: Hierarchy.edges([[0, 10]]).tree([-1, 5, 10, 11]))
    assert error.found == ["2 values of the column are not covered by the edges"]


def test_digits() -> None:
    assert path(Hierarchy.digits(5), ["53711"], "53711") == ["53711", "5371*", "537**", "53***", "5****", "*"]
    assert path(Hierarchy.digits(3), [7, 123], 7) == ["7", "00*", "0**", "*"]
    assert path(Hierarchy.digits(1), ["7"], "7") == ["7", "*"]


def test_digits_reports_all_that_do_not_fit() -> None:
    error = refused(lambda: Hierarchy.digits(5).tree(["1234", "12a45", "123456", "12345", "x"]))
    assert [one["count"] for one in error.facts["problems"]] == [2, 2, 1]
    assert "1 value of the column is longer than 5 digits" in str(error)
    assert "12a45" not in str(error)
    assert refused(lambda: Hierarchy.digits(3).tree([-5])).found
    with pytest.raises(BadHierarchy):
        Hierarchy.digits(0)


def test_prefix() -> None:
    assert path(Hierarchy.prefix([3, 1]), ["53711", "53799"], "53711") == ["53711", "537**", "5****", "*"]
    varied = ["A00", "A001", "A01", "B"]
    assert path(Hierarchy.prefix([3, 1]), varied, "A001") == ["A001", "A00*", "A*", "*"]
    assert path(Hierarchy.prefix([3, 1]), varied, "A01") == ["A01", "A01", "A*", "*"]
    assert path(Hierarchy.prefix([3, 1]), varied, "B") == ["B", "B", "B", "*"]
    for keeps in ([], [1, 3], [2, 2], [0]):
        with pytest.raises(BadHierarchy):
            Hierarchy.prefix(keeps)


def test_prefixes_of_numbers_contradict_their_order_unless_they_are_categories() -> None:
    error = refused(lambda: Hierarchy.prefix([1]).tree([1, 2, 10]))
    assert error.found == ["level 1: the values of 1 label are not next to each other in order"]
    assert Hierarchy.prefix([1]).tree([1, 2, 10], "categorical").leaves == [1, 10, 2]


def test_dates() -> None:
    day = dt.date(2020, 2, 10)
    levels = Hierarchy.dates("month", "quarter", "year", "decade")
    assert path(levels, [day], day) == ["2020-02-10", "2020-02", "2020-Q1", "2020", "2020s", "*"]
    assert path(Hierarchy.dates("day", "week"), [day], day) == ["2020-02-10", "2020-W07", "*"]
    noon = dt.datetime(2020, 2, 10, 12)
    assert path(Hierarchy.dates("day", "year"), [noon], noon) == [
        "2020-02-10 12:00:00",
        "2020-02-10",
        "2020",
        "*",
    ]
    new_year = dt.date(2021, 1, 1)  # its ISO week belongs to 2020
    assert path(Hierarchy.dates("week"), [new_year], new_year)[1] == "2020-W53"


def test_dates_that_do_not_merge() -> None:
    error = refused(lambda: Hierarchy.dates("year", "week", "month"))
    assert len(error.found) == 2
    assert "do not merge" in error.found[1]
    assert "from fine to coarse" in error.found[0]
    assert "hour" in refused(lambda: Hierarchy.dates("hour")).found[0]
    assert refused(lambda: Hierarchy.dates("year").tree(["2020"])).found == ["1 value of the column is not a date"]


def test_fanout_and_flat() -> None:
    tree = Hierarchy.fanout(2).tree([5, 1, 3, 2, 4])
    assert to_rows(tree)[0] == ["1", "[1-2]", "[1-4]", "*"]
    assert to_rows(tree)[4] == ["5", "5", "5", "*"]
    given = Hierarchy.fanout(2, order=["low", "middle", "high"])
    assert given.tree(["high"]).leaves == ["low", "middle", "high"]
    assert path(given, ["high"], "low") == ["low", "[low-middle]", "*"]
    days = [dt.date(2020, 1, 1), dt.date(2020, 3, 31), dt.date(2020, 5, 1)]
    assert path(Hierarchy.fanout(2), days, days[0])[1] == "[2020-01-01 - 2020-03-31]"
    assert to_rows(Hierarchy.flat().tree(["b", "a"])) == [["a", "*"], ["b", "*"]]
    assert Hierarchy.flat().tree(["b", "a"], "ordered").leaves == ["b", "a"]


def test_fanout_that_is_none() -> None:
    assert len(refused(lambda: Hierarchy.fanout(1, order=["a", "a"])).found) == 2
    error = refused(lambda: Hierarchy.fanout(2, order=["a"]).tree(["b", "c"]))
    assert error.found == ["2 values of the column are not in the order"]
    assert "order" in refused(lambda: Hierarchy.fanout(2, order=[2, 1]).tree([1, 2])).found[0]


def test_no_leaf_for_nulls() -> None:
    with pytest.raises(BadHierarchy):
        Hierarchy.flat().tree(["a", None])


ALL = [
    Hierarchy.intervals([5, 10], origin=1),
    Hierarchy.edges([[0, 18, 65], [0, 65]]),
    Hierarchy.digits(5),
    Hierarchy.prefix([3, 1]),
    Hierarchy.dates("month", "year"),
    Hierarchy.nested({"Europe": ["Italy"], "America": {"North": ["US"]}}),
    Hierarchy.fanout(3),
    Hierarchy.fanout(3, order=["a", "b"]),
    Hierarchy.flat(),
    Hierarchy.from_rows([["a", "*"], ["b", "*"]]),
]


@pytest.mark.parametrize("hierarchy", ALL, ids=lambda hierarchy: hierarchy.describe())
def test_fields_make_the_same_hierarchy_again(hierarchy: Hierarchy) -> None:
    again = Hierarchy.from_dict(hierarchy.to_dict())
    assert again == hierarchy
    assert hash(again) == hash(hierarchy)


@pytest.mark.parametrize("hierarchy", ALL, ids=lambda hierarchy: hierarchy.describe())
def test_what_a_manifest_says_holds_no_values(hierarchy: Hierarchy) -> None:
    import json

    text = json.dumps(hierarchy.public_dict()) + hierarchy.describe()
    assert not any(value in text for value in ("Italy", "Europe", "North", '"a"', '"b"'))


def test_size_is_told_with_a_tree() -> None:
    hierarchy = Hierarchy.digits(2)
    tree = hierarchy.tree(["12", "34"])
    assert hierarchy.public_dict(tree) == {"digits": 2, "n_leaves": 2, "height": 2}


@pytest.mark.parametrize(
    "fields",
    [
        {},
        {"digits": 5, "flat": True},
        {"digits": "5"},
        {"digit": 5},
        {"intervals": [5], "order": [1]},
        {"intervals": 5},
        {"flat": False},
        {"nested": ["a"]},
        {"rows": ["a"]},
        {"dates": "month"},
        {"csv": 3},
    ],
)
def test_fields_that_cannot_be_understood(fields: dict[str, Any]) -> None:
    with pytest.raises(BadHierarchy):
        Hierarchy.from_dict(fields)


def test_a_misspelt_field_gets_a_hint() -> None:
    assert "did you mean 'origin'?" in str(refused(lambda: Hierarchy.from_dict({"intervals": [5], "orign": 1})))
