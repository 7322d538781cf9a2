"""The schema against the table: what is filled in, and every problem that is found."""

from __future__ import annotations

import datetime as dt
from decimal import Decimal
from typing import Any

import pyarrow as pa
import pytest

from amongst.errors import BadSchema
from amongst.schema import Column, Hierarchy, Schema
from amongst.schema.check import check

AGES = {"age": [31, 42, 42, 17]}


def quasi(**settings: Any) -> Column:
    return Column(role="quasi", **settings)


def refused(columns: dict[str, Column], table: dict[str, Any] | pa.Table, **options: Any) -> BadSchema:
    table = table if isinstance(table, pa.Table) else pa.table(table)
    with pytest.raises(BadSchema) as caught:
        check(Schema(columns), table, **options)
    return caught.value


def texts(error: BadSchema) -> list[str]:
    return [problem["text"] for problem in error.facts["problems"]]


@pytest.mark.parametrize(
    ("values", "kind", "publish"),
    [
        ([1, 2], "numeric", "range"),
        ([1.5, 2.5], "numeric", "range"),
        ([Decimal("1.5")], "numeric", "range"),
        ([dt.date(2020, 1, 1)], "date", "range"),
        ([dt.datetime(2020, 1, 1)], "date", "range"),
        (["a", "b"], "categorical", "set"),
        ([True, False], "categorical", "set"),
        (pa.array(["a", "b"]).dictionary_encode(), "categorical", "set"),
        (pa.array([1, 2]).dictionary_encode(), "numeric", "range"),
        (pa.array(["a"], pa.large_string()), "categorical", "set"),
    ],
)
def test_kind_and_publish_follow_from_the_type(values: Any, kind: str, publish: str) -> None:
    column = check(Schema({"x": quasi()}), pa.table({"x": values}))["x"]
    assert (column.kind, column.publish) == (kind, publish)


def test_what_is_said_stays() -> None:
    schema = Schema(
        {
            "zip": quasi(kind="categorical", hierarchy=Hierarchy.digits(5), weight=2.0),
            "size": quasi(order=("S", "M", "L")),
            "level": quasi(kind="ordered", order=("3", "2", "1")),
            "age": quasi(publish="set"),
            "job": Column(role="sensitive"),
            "id": Column(role="identifier"),
            "note": Column(role="keep"),
        }
    )
    table = pa.table(
        {"id": [[1]], "zip": [53711], "size": ["M"], "level": [2], "age": [3], "job": ["x"], "note": ["y"]}
    )
    checked = check(schema, table)
    assert list(checked) == list(schema)
    assert checked["zip"] == quasi(kind="categorical", hierarchy=Hierarchy.digits(5), weight=2.0, publish="ancestor")
    assert (checked["size"].kind, checked["size"].publish) == ("ordered", "range")
    assert checked["level"].order == (3, 2, 1)  # read as the column's type
    assert checked["age"].publish == "set"
    assert checked["job"].kind == "categorical"
    assert checked["id"] == schema["id"]


def test_columns_that_are_missing_undecided_or_doubled() -> None:
    table = pa.table([[1], [2], [3], [4], [5]], names=["age", "zip", "job", "zip", "sex"])
    columns = {"aeg": quasi(), "zip": Column(role="keep"), "planet": Column(role="keep"), "sex": Column()}
    error = refused(columns, table)
    assert texts(error) == [
        "'aeg' is in the schema but not in the table",
        "'planet' is in the schema but not in the table",
        "names used more than once: zip",
        "no role for 3 columns: 'age', 'job', 'sex'",
    ]
    assert error.facts["problems"][0]["fix"] == "did you mean 'age'?"
    assert len(error.found) == 4
    assert "no column is a quasi-identifier" in texts(refused({"a": Column(role="keep")}, {"a": [1]}))


def test_nulls_need_a_rule() -> None:
    values = {
        "a": [1, None, None],
        "b": pa.array(["x", None, "x"]).dictionary_encode(),
        "c": ["x", None, "y"],
    }
    columns = {"a": quasi(), "b": quasi(), "c": Column(role="sensitive")}
    error = refused(columns, values)
    assert texts(error) == [
        "'a': 2 missing values and no rule for them",
        "'b': 1 missing value and no rule for them",
    ]
    assert [problem["count"] for problem in error.facts["problems"]] == [2, 1]
    assert "match anything" in error.fix
    columns = {"a": quasi(nulls="suppress"), "b": quasi(nulls="own value"), "c": Column(role="sensitive")}
    assert check(Schema(columns), pa.table(values))


def test_a_null_hidden_in_a_dictionary_is_found() -> None:
    hidden = pa.DictionaryArray.from_arrays(pa.array([0, 1, 1, 0]), pa.array(["x", None]))
    assert texts(refused({"a": quasi()}, {"a": hidden})) == ["'a': 2 missing values and no rule for them"]


def test_text_is_not_numbers() -> None:
    error = refused({"a": quasi(kind="numeric")}, {"a": ["1", "2.5", "secret", "1e5", None, "secret"]})
    assert error.facts["problems"][0]["count"] == 2
    assert "secret" not in str(error)
    assert 'kind is "date"' in texts(refused({"a": quasi(kind="date")}, {"a": [1]}))[0]
    assert refused({"a": quasi(kind="numeric")}, {"a": [True]})


def test_nan_and_infinity() -> None:
    error = refused({"a": quasi(nulls="suppress")}, {"a": [1.0, float("nan"), float("inf"), None]})
    assert texts(error) == ["'a': 2 cells are NaN or infinite"]
    assert check(Schema({"a": Column(role="sensitive"), "b": quasi()}), pa.table({"a": [float("nan")], "b": [1]}))


def test_orders() -> None:
    assert "no order" in texts(refused({"a": quasi(kind="ordered")}, {"a": ["x"]}))[0]
    assert check(Schema({"a": quasi(kind="ordered")}), pa.table({"a": [3, 1]}))["a"].order is None
    error = refused({"a": quasi(order=("x", "x"))}, {"a": ["x", "y", "z"]})
    assert texts(error) == [
        "'a': 2 values of the column are not in the order",
        "'a': the order repeats 1 value",
    ]
    assert refused({"a": quasi(kind="numeric", order=(1, 2))}, {"a": [1]})
    assert "not of the column's type" in texts(refused({"a": quasi(order=("one", "1"))}, {"a": [1]}))[0]


def test_hierarchies_are_tried_on_the_values() -> None:
    columns = {
        "zip": quasi(hierarchy=Hierarchy.digits(5)),
        "job": quasi(hierarchy=Hierarchy.nested({"a": ["x"], "b": ["y"]})),
        "age": quasi(hierarchy=Hierarchy.edges([[0, 40]])),
        "disease": Column(role="sensitive", hierarchy=Hierarchy.from_rows([["flu", "*"]])),
    }
    table = {"zip": ["1234", "12345"], "job": ["x", "z"], "age": [31, 42], "disease": ["flu", "cold"]}
    error = refused(columns, table)
    assert [problem["column"] for problem in error.facts["problems"]] == ["zip", "job", "age", "disease"]
    assert texts(error)[1] == "'job': hierarchy: 1 value of the column is not covered"
    assert "cold" not in str(error)


def test_values_that_a_dictionary_has_but_no_row_need_no_place() -> None:
    column = pa.DictionaryArray.from_arrays(pa.array([0, 0]), pa.array(["x", "gone"]))
    hierarchy = Hierarchy.from_rows([["x", "*"]])
    assert check(Schema({"a": quasi(hierarchy=hierarchy)}), pa.table({"a": column}))


def test_an_ordered_column_and_its_hierarchy() -> None:
    sizes = Hierarchy.from_rows([["L", "big"], ["S", "small"], ["M", "small"]])
    table = pa.table({"a": ["L", "M", "S"]})
    assert check(Schema({"a": quasi(order=("S", "M", "L"), hierarchy=sizes)}), table)
    error = refused({"a": quasi(order=("S", "L", "M"), hierarchy=sizes)}, table)
    assert "not next to each other" in texts(error)[0]


@pytest.mark.parametrize(
    ("column", "values"),
    [
        (quasi(publish="ancestor"), ["x"]),
        (quasi(publish="range"), ["x"]),
        (quasi(statistic="mean"), ["x"]),
        (quasi(grid=5), ["x"]),
        (quasi(grid=5, publish="set"), [1]),
        (quasi(), [[1, 2]]),
        (quasi(), [{"a": 1}]),
        (quasi(), [b"x"]),
        (quasi(), [dt.time(12)]),
        (Column(role="keep"), [[1]]),
        (Column(role="sensitive"), [[1]]),
        (Column(role="sensitive", statistic="mean"), [1]),
    ],
)
def test_settings_that_do_not_fit_the_data(column: Column, values: list[Any]) -> None:
    error = refused({"x": column, "age": quasi()}, {"x": values, "age": [1]})
    assert len(error.found) == 1
    assert error.fix
    assert error.facts["problems"][0]["column"] == "x"


def test_names_that_a_release_adds() -> None:
    columns = {
        "age": quasi(statistic="mean"),
        "age_mean": Column(role="keep"),
        "age_lower": Column(role="keep"),
        "age_upper": Column(role="identifier"),
    }
    table = {name: [1] for name in columns}
    assert texts(refused(columns, table)) == ["'age': the release would add age_mean, which the table has already"]
    found = texts(refused(columns, table, form="bounds"))
    assert found == ["'age': the release would add age_mean, age_lower, which the table has already"]


def test_everything_at_once() -> None:
    columns = {"a": quasi(), "b": quasi(kind="numeric"), "gone": Column(role="keep")}
    error = refused(columns, {"a": [None, 1], "b": ["x", "y"], "new": [1, 2]})
    assert len(error.found) == len(error.facts["problems"]) == 4
    assert error.code == "bad-schema"
    assert "4 points" in error.fix


def test_the_schema_given_is_not_changed() -> None:
    schema = Schema({"age": quasi()})
    check(schema, pa.table(AGES))
    assert schema["age"].kind is None
