"""What docs/measures.md says of one column, worked out by hand on tables of a few rows."""

from __future__ import annotations

from typing import Any

import pyarrow as pa
import pytest

import amongst as am

COUNTRIES = am.Hierarchy.nested({"North": ["a", "b"], "South": ["c", "d", "e"]})
TENS = am.Hierarchy.intervals([10, 20])
AGES = [31, 32, 33, 34, 51, 52, 53, 54]


def utility(values: list[Any], k: int, method: str = "mondrian", **column: Any) -> Any:
    schema = am.Schema({"x": am.Column(role="quasi", **column)})
    return am.anonymize(pa.table({"x": values}), schema, [am.KAnonymity(k)], method).utility


def test_numbers_by_the_range_of_the_group_also_where_a_node_is_published() -> None:
    for told in ({"method": "incognito"}, {"method": "mondrian"}, {"publish": "ancestor"}):
        found = utility(AGES, 4, hierarchy=TENS, **told)
        assert found.ncp["x"] == pytest.approx(3 / 23)
        assert found.lm == pytest.approx(3 / 23)


def test_ordered_values_by_places_among_those_that_occur() -> None:
    order = ["none", "low", "mid", "high", "top"]
    found = utility(["low", "low", "mid", "mid", "high", "high"], 4, kind="ordered", order=order)
    assert found.ncp["x"] == 1
    found = utility(["low", "mid", "mid", "high", "high"], 2, kind="ordered", order=order)
    assert found.ncp["x"] == pytest.approx((3 * 1 / 2 + 2 * 0) / 5)


def test_categories_by_leaves_also_those_that_no_row_has() -> None:
    found = utility(["a", "b", "c", "d"], 2, hierarchy=COUNTRIES)
    assert found.ncp["x"] == pytest.approx((2 * 2 / 5 + 2 * 3 / 5) / 4)
    assert found.lm == pytest.approx((2 * 1 / 4 + 2 * 2 / 4) / 4)
    assert utility(["a", "a", "c", "c"], 2, hierarchy=COUNTRIES).ncp["x"] == 0


def test_sets_by_their_members() -> None:
    found = utility(["a", "a", "b", "b", "c", "d"], 2)
    assert found.ncp["x"] == pytest.approx(2 * 2 / 4 / 6)
    assert found.lm == pytest.approx(2 * 1 / 3 / 6)


def test_a_suppressed_row_counts_1_and_the_size_of_the_table() -> None:
    found = utility([1, 1, 2, 2, None, None, None], 2, nulls="suppress")
    assert (found.n_published, found.n_suppressed, found.uniques_before) == (4, 3, 0)
    assert found.ncp["x"] == found.lm == pytest.approx(3 / 7)
    assert found.c_dm == 2**2 + 2**2 + 3 * 7
    assert found.c_avg == pytest.approx(4 / 2 / 2)


def test_missing_values_as_their_rule_says() -> None:
    assert utility([1, 1, 2, 2, None, None], 2, nulls="own value").ncp["x"] == 0
    assert utility([1, 2, 3, None], 4, nulls="own value").ncp["x"] == 1
    assert utility(["a", "b", "c", None], 4, nulls="own value").ncp["x"] == 1
    assert utility([1, 2, 3, None], 4, nulls="match anything").ncp["x"] == pytest.approx(3 / 4)
