"""Levels in words: what the recipe says, and no value of the column."""

from __future__ import annotations

import datetime

import pytest

import amongst as am
from amongst.schema.level_words import level_words

H = am.Hierarchy
DAYS = [datetime.date(2020, 1, 1), datetime.date(2020, 2, 1), datetime.date(2021, 5, 1)]


@pytest.mark.parametrize(
    ("hierarchy", "values", "words"),
    [
        (H.intervals([5, 10]), [1, 2, 30], ["ranges of 5", "ranges of 10"]),
        (H.intervals([2.5]), [1.0, 2.0, 30.0], ["ranges of 2.5"]),
        (H.digits(3), ["123", "124", "256"], ["2 of 3 digits", "1 of 3 digits"]),
        (H.prefix([2, 1]), ["abc", "abd", "xyz"], ["first 2 characters", "first character"]),
        (H.dates("day", "month", "year"), DAYS, ["month", "year"]),
        (H.fanout(2), list("abcdefg"), ["up to 2 together", "up to 4 together"]),
        (H.nested({"a": ["b", "c"], "d": ["e"]}), ["b", "c", "e"], ["2 values"]),
        (H.flat(), ["b", "c"], []),
    ],
)
def test_levels_of_a_recipe(hierarchy, values, words):
    tree = hierarchy.tree(values)
    n_nodes = [len(set(tree.start[level].tolist())) for level in range(tree.n_levels)]
    found = level_words(hierarchy, n_nodes)
    assert found == ["as it is", *words, "one value for all"]
    assert not any(str(value) in " ".join(found) for value in values if isinstance(value, str) and len(value) > 1)


def test_a_missing_value_makes_one_level_more():
    found = level_words(H.intervals([5]), [9, 4, 2, 1], null_apart=True)
    assert found == ["as it is", "ranges of 5", "one value for all, missing ones apart", "one value for all"]


def test_a_column_without_a_hierarchy_is_kept_or_not_told():
    assert level_words(None, [7, 1]) == ["as it is", "one value for all"]
    assert level_words(None, [7, 1], null_apart=True) == ["as it is", "one value for all"]


def test_a_column_with_one_level():
    assert level_words(None, [1]) == ["as it is"]
