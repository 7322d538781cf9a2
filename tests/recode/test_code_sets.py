"""Columns recoded by sets: the labels, and what they lose."""

from __future__ import annotations

from typing import Any

import numpy as np
import pyarrow as pa
import pytest

import amongst as am
from amongst.encode import CodedColumn, encode
from amongst.measure.ncp_of_set import ncp_of_code_sets
from amongst.recode.code_sets import code_set_labels
from amongst.schema.check import check

REGIONS = {"North": ["oslo", "york"], "South": {"Hot": ["rome", "nice"], "Mild": ["bern"]}}


def coded(values: list[Any], **rule: Any) -> CodedColumn:
    table = pa.table({"x": values})
    return encode(table, check(am.Schema({"x": am.Column(role="quasi", **rule)}), table)).columns[0]


def shown(column: CodedColumn, sets: list[int]) -> list[str | None]:
    """The label of every code."""
    set_of_code = np.array(sets)
    labels, label_of_set = code_set_labels(column, set_of_code)
    return [None if own < 0 else labels[int(label_of_set[own])].as_py() for own in sets]


def lost(column: CodedColumn, sets: list[int]) -> list[float]:
    return ncp_of_code_sets(column, np.array(sets), np.arange(len(sets))).tolist()


def test_sets_of_any_values() -> None:
    column = coded(list("abcd"), kind="categorical")
    assert shown(column, [7, 2, 7, 5]) == ["{a,c}", "b", "{a,c}", "d"]
    assert lost(column, [7, 2, 7, 5]) == [0.5, 0.0, 0.5, 0.0]


def test_labels_come_in_the_order_of_their_first_codes() -> None:
    column = coded(list("abcd"), kind="categorical")
    labels, _ = code_set_labels(column, np.array([9, 4, 0, 4]))
    assert labels.to_pylist() == ["a", "{b,d}", "c"]


def test_everything_together_says_nothing() -> None:
    column = coded([3, 1, 2], kind="numeric")
    assert shown(column, [0, 0, 0]) == ["*"] * 3
    assert lost(column, [0, 0, 0]) == [1.0] * 3
    assert shown(coded([5, 5]), [0]) == ["5"]
    assert lost(coded([5, 5]), [0]) == [0.0]


def test_a_set_of_just_the_leaves_of_a_node_has_its_name() -> None:
    column = coded(["oslo", "york", "rome", "nice", "bern"], hierarchy=am.Hierarchy.nested(REGIONS))
    order = column.values.to_pylist()
    assert order == ["oslo", "york", "rome", "nice", "bern"]
    assert shown(column, [0, 0, 1, 1, 1]) == ["North", "North", "South", "South", "South"]
    assert shown(column, [0, 1, 1, 1, 2]) == [
        "oslo",
        "{york,rome,nice}",
        "{york,rome,nice}",
        "{york,rome,nice}",
        "bern",
    ]
    assert shown(column, [0, 1, 0, 2, 2])[0] == "{oslo,rome}"
    assert lost(column, [0, 0, 1, 1, 1]) == [0.4, 0.4, 0.6, 0.6, 0.6]


def test_a_node_with_leaves_that_do_not_occur_is_not_named() -> None:
    column = coded(["oslo", "york", "rome", "bern"], hierarchy=am.Hierarchy.nested(REGIONS))
    nice = column.values.to_pylist().index("nice")
    sets = [0, 0, 1, 1, 1]
    sets[nice] = -1
    assert shown(column, sets)[-1] == "{rome,bern}"
    assert lost(column, sets)[-1] == pytest.approx(2 / 5)


@pytest.mark.parametrize("tree", [None, am.Hierarchy.nested(REGIONS)])
def test_nulls_that_are_values(tree: am.Hierarchy | None) -> None:
    column = coded(
        ["oslo", "york", "rome", "nice", "bern", None], kind="categorical", nulls="own value", hierarchy=tree
    )
    assert shown(column, [0, 0, 0, 1, 2, 2])[3:] in (["york", "*", "*"], ["nice", "*", "*"], ["rome", "*", "*"])
    assert lost(column, [0, 0, 0, 1, 2, 2])[3:] == [0.0, 1.0, 1.0]
    alone = shown(column, [0, 0, 0, 0, 0, 1])
    assert alone[-1] is None
    assert alone[0] != "*"  # the root would not tell values from nulls
    assert lost(column, [0, 0, 0, 0, 0, 1])[-1] == 0.0


def test_nulls_that_match_anything_are_in_no_set() -> None:
    column = coded(["a", "b", "c", None], kind="categorical", nulls="match anything")
    assert shown(column, [0, 1, 1, 1]) == ["a", "{b,c}", "{b,c}", "{b,c}"]
    assert lost(column, [0, 1, 1, 1])[:3] == pytest.approx([0.0, 2 / 3, 2 / 3])
    assert shown(column, [0, 0, 0, 1]) == ["*", "*", "*", None]
    assert lost(column, [0, 0, 0, 1]) == [1.0, 1.0, 1.0, 0.0]


def test_nothing_but_nulls() -> None:
    column = coded([None, None], kind="categorical", nulls="match anything")
    assert shown(column, [0]) == [None]
    assert lost(column, [0]) == [0.0]


def test_members_are_quoted_like_those_of_other_sets() -> None:
    column = coded(["a,b", "c", 'say "x"'], kind="categorical")
    assert shown(column, [0, 1, 0])[0] == '{"a,b","say \\"x\\""}'
