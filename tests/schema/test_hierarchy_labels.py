"""A label must not be taken for a leaf that it does not hold: refused with the line, in every recipe made of rows."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import amongst as am
from amongst.errors import BadHierarchy

ZIPS = ["53711", "53712", "53703", "10115"]
LEAF = [["53711", "53703", "*"], ["53712", "53703", "*"], ["53703", "X", "*"], ["10115", "X", "*"]]
CYCLE = [["a", "b", "*"], ["b", "a", "*"]]
HEADER = [["zip", "region", "country"], *([code, code[0], "*"] for code in ZIPS)]
SOUND = [["a", "a", "*"], ["b", "a", "*"], ["c", "c", "*"]]


def problems(hierarchy: Any, values: list[str]) -> list[dict[str, Any]]:
    try:
        hierarchy.tree(values, "categorical")
    except BadHierarchy as error:
        shown = [value for value in values if len(value) > 1 and value in str(error)]
        return [*error.facts["problems"], *({"problem": "a cell is shown"} for _ in shown)]
    return []


def hierarchies(rows: list[list[str]], folder: Path) -> list[Any]:
    path = folder / "levels.csv"
    path.write_text("\n".join(";".join(row) for row in rows) + "\n")
    return [am.Hierarchy.from_csv(path), am.Hierarchy.from_rows(rows)]


@pytest.mark.parametrize(
    ("rows", "values", "problem", "where"),
    [
        (LEAF, ZIPS, "label is a leaf", [1, 2]),
        (CYCLE, ["a", "b"], "label is a leaf", [1, 2]),
        (HEADER, ZIPS, "header", [1]),
    ],
)
def test_refused_with_the_line(
    tmp_path: Path, rows: list[list[str]], values: list[str], problem: str, where: list[int]
) -> None:
    for hierarchy in hierarchies(rows, tmp_path):
        found = [one for one in problems(hierarchy, values) if one["problem"] == problem]
        assert [one["rows"] for one in found] == [where]
        assert all(one["problem"] != "a cell is shown" for one in problems(hierarchy, values))


def test_a_label_may_be_a_leaf_that_is_below_it(tmp_path: Path) -> None:
    for hierarchy in hierarchies(SOUND, tmp_path):
        assert problems(hierarchy, ["a", "b", "c"]) == []


def test_a_nested_group_named_as_a_leaf_elsewhere() -> None:
    hierarchy = am.Hierarchy.nested({"b": ["a", "c"], "d": ["b", "e"]})
    assert any(one["problem"] == "label is a leaf" for one in problems(hierarchy, ["a", "b", "c", "e"]))


@pytest.mark.parametrize(
    ("hierarchy", "values"),
    [
        (am.Hierarchy.prefix([1]), ["10", "11", "2*"]),
        (am.Hierarchy.prefix([2]), ["100", "101", "20*", "200"]),
        (am.Hierarchy.fanout(2), ["a", "b", "c", "[a-b]"]),
        (am.Hierarchy.nested({"x": ["a", "b"], "y": ["x", "c"]}), ["a", "b", "x", "c"]),
    ],
)
def test_every_recipe_is_either_refused_or_clear(hierarchy: Any, values: list[str]) -> None:
    found = problems(hierarchy, values)
    assert "a cell is shown" not in {one["problem"] for one in found}
    if not found:
        _refuse_unclear(hierarchy.tree(values, "categorical"))


@settings(deadline=None)
@given(st.sets(st.text("12*", min_size=1, max_size=3), min_size=2), st.integers(1, 2))
def test_masks_are_never_another_value(values: set[str], keep: int) -> None:
    hierarchy, own = am.Hierarchy.prefix([keep]), sorted(values)
    if not problems(hierarchy, own):
        _refuse_unclear(hierarchy.tree(own, "categorical"))


def test_a_range_that_is_another_value_is_refused() -> None:
    [found] = problems(am.Hierarchy.fanout(2), ["[b-c]", "a", "b", "c"])
    assert (found["problem"], found["level"], found["count"]) == ("label of a value", 1, 1)
    assert not problems(am.Hierarchy.fanout(2), ["[b-d]", "a", "b", "c"])


def _refuse_unclear(tree: Any) -> None:
    for level in range(1, tree.n_levels - 1):
        for leaf in range(tree.n_leaves):
            below = {
                str(tree.leaves[i]) for i in range(tree.n_leaves) if tree.start[level, i] == tree.start[level, leaf]
            }
            assert tree.label(level, leaf) not in {str(one) for one in tree.leaves} - below
