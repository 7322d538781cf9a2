"""Frames in, the same kind out: pandas, polars, pyarrow. The user's frame stays as it was."""

# ruff: noqa: E501 (tables of examples, one a line)

from __future__ import annotations

import datetime as dt
from typing import Any

import numpy as np
import pandas as pd
import polars as pl
import pyarrow as pa
import pytest

import amongst as am
from amongst.errors import BadInput
from amongst.read import read

SCHEMA = am.Schema(
    {
        "age": am.Column(role="quasi"),
        "job": am.Column(role="quasi"),
        "disease": am.Column(role="sensitive"),
        "name": am.Column(role="identifier"),
    }
)
ROWS: dict[str, list[Any]] = {
    "age": [31, 42, 33, 45],
    "job": ["cook", "nurse", "cook", "nurse"],
    "disease": ["flu", "cold", "flu", "flu"],
    "name": ["Ada", "Bo", "Cy", "Di"],
}
WANTED = {
    "age": ["[31-33]", "[31-33]", "[42-45]", "[42-45]"],
    "job": ["cook", "cook", "nurse", "nurse"],
    "disease": ["flu", "flu", "cold", "flu"],
}
FRAMES = {"pandas": pd.DataFrame, "polars": pl.DataFrame, "pyarrow": pa.table}


def released(data: Any, schema: am.Schema = SCHEMA, k: int = 2) -> Any:
    return am.anonymize(data, schema, [am.KAnonymity(k)], method="mondrian").table


@pytest.mark.parametrize("kind", FRAMES)
def test_the_same_kind_comes_out(kind: str) -> None:
    frame = FRAMES[kind](ROWS)
    out = released(frame)
    assert type(out) is type(frame)
    as_lists = (
        out.to_dict("list")
        if kind == "pandas"
        else out.to_dict(as_series=False)
        if kind == "polars"
        else out.to_pydict()
    )
    assert as_lists == WANTED
    assert read(frame).frame == kind


def test_a_record_batch_is_a_table() -> None:
    assert released(pa.record_batch(ROWS)).to_pydict() == WANTED


@pytest.mark.parametrize("kind", FRAMES)
def test_the_frame_is_not_changed(kind: str) -> None:
    frame, same = FRAMES[kind](ROWS), FRAMES[kind](ROWS)
    released(frame)
    assert frame.equals(same)


def test_the_index_is_not_read_and_not_written() -> None:
    frame = pd.DataFrame(ROWS, index=["Ada", "Ada", "Cy", "Di"])
    frame.index.name = "secret"
    frame.attrs["note"] = "secret"
    out = released(frame)
    assert out.to_dict("list") == WANTED
    assert out.index.tolist() == [0, 1, 2, 3]
    assert (out.index.name, out.attrs) == (None, {})
    assert released(frame.set_index([[1, 1, 2, 2], [3, 4, 3, 4]])).to_dict("list") == WANTED


def test_a_slice_with_gaps() -> None:
    frame = pd.DataFrame({name: [v for value in values for v in (value, None)] for name, values in ROWS.items()})
    assert released(frame.iloc[::2].astype({"age": int})).to_dict("list") == WANTED


PANDAS: dict[str, tuple[Any, str, list[Any]]] = {
    "whole numbers": ([1, 2, 3, 4], "int64", [1, 2, 3, 4]),
    "nullable whole numbers": (pd.array([1, None, 2**60 + 1, 4], dtype="Int64"), "int64", [1, None, 2**60 + 1, 4]),
    "unsigned": (pd.array([1, None, 2**64 - 1, 4], dtype="UInt64"), "uint64", [1, None, 2**64 - 1, 4]),
    "floats": ([1.5, np.nan, 2.0, 3.0], "double", [1.5, None, 2.0, 3.0]),
    "truths": (pd.array([True, None, False, True], dtype="boolean"), "bool", [True, None, False, True]),
    "objects": (np.array(["a", None, "b", np.nan], dtype=object), "string", ["a", None, "b", None]),
    "text": (pd.array(["a", None, "b", "c"], dtype="string"), "string", ["a", None, "b", "c"]),
    "arrow text": (pd.array(["a", None, "b", "c"], dtype=pd.ArrowDtype(pa.large_string())), "string", ["a", None, "b", "c"]),
    "days": ([dt.date(2020, 1, 1), None, dt.date(2020, 1, 2), None], "date32[day]", [dt.date(2020, 1, 1), None, dt.date(2020, 1, 2), None]),
    "objects of one type": (np.array([1, None, 3, 4], dtype=object), "int64", [1, None, 3, 4]),
}  # fmt: skip


@pytest.mark.parametrize("what", PANDAS)
def test_types_of_pandas(what: str) -> None:
    column, wanted, values = PANDAS[what]
    table = read(pd.DataFrame({"x": column})).table
    assert str(table["x"].type) == wanted
    assert table["x"].to_pylist() == values


@pytest.mark.parametrize("what", PANDAS)
def test_a_kept_column_of_pandas_comes_back_as_it_was(what: str) -> None:
    column, _, values = PANDAS[what]
    frame = pd.DataFrame({"q": [1, 2, 3, 4], "x": column})
    schema = am.Schema({"q": am.Column(role="quasi"), "x": am.Column(role="keep")})
    out = released(frame, schema, k=1)
    assert [None if pd.isna(value) else value for value in out["x"]] == values


def test_categories_of_pandas_keep_their_order_and_lose_the_unused() -> None:
    grades = pd.Categorical(["low", "top", "mid", "low"], categories=["none", "low", "mid", "top"], ordered=True)
    plain = pd.Categorical(["b", "a", "b", None], categories=["unused", "b", "a"])
    frame = pd.DataFrame({"q": [1, 2, 3, 4], "grade": grades, "plain": plain, "pay": [1.0, 2.0, 3.0, 4.0]})
    for names in (["q", "grade", "plain"], ["q", "grade", "plain", "pay"]):
        roles = {name: am.Column(role="quasi" if name == "q" else "keep") for name in names}
        out = released(frame[names], am.Schema(roles))
        assert out["grade"].cat.ordered
        assert out["grade"].cat.categories.tolist() == ["low", "mid", "top"]
        assert out["grade"].tolist() == ["low", "top", "low", "mid"]
        assert out["plain"].cat.categories.tolist() == ["a", "b"]
        assert sorted("" if pd.isna(value) else value for value in out["plain"]) == ["", "a", "b", "b"]


def test_categories_as_quasi_identifier_with_unused_ones() -> None:
    frame = pd.DataFrame({"q": pd.Categorical(["a", "b", "a", "b"], categories=["c", "b", "a"])})
    release = am.anonymize(frame, am.Schema({"q": am.Column(role="quasi")}), [am.KAnonymity(4)], method="mondrian")
    assert release.table["q"].astype(str).tolist() == ["{a,b}"] * 4
    assert release.utility.gcp == 1  # two of two values: the unused one does not count
    covered = am.Column(role="quasi", hierarchy=am.Hierarchy.nested({"x": ["a", "b"]}))
    assert am.anonymize(frame, am.Schema({"q": covered}), [am.KAnonymity(4)], method="mondrian").verdict.ok


def test_bounds_in_pandas_stay_whole_numbers() -> None:
    frame = pd.DataFrame({"age": pd.array([2**60 + 1, 2**60 + 3, None, None], dtype="Int64")})
    schema = am.Schema({"age": am.Column(role="quasi", nulls="own value")})
    out = am.anonymize(frame, schema, [am.KAnonymity(2)], form="bounds", method="mondrian").table
    assert out["age_lower"].dtype == "Int64"
    assert out["age_lower"].tolist()[:2] == [2**60 + 1] * 2
    assert out["age_lower"].isna().tolist() == [False, False, True, True]


REFUSED: dict[str, tuple[Any, str]] = {
    "mixed types": (pd.DataFrame({"a": [1, "x"], "fine": [1, 2]}), "columns: a"),
    "huge numbers": (pd.DataFrame({"a": [2**70, 1]}), "columns: a"),
    "complex numbers": (pd.DataFrame({"a": [1j, 2]}), "columns: a"),
    "doubled names": (pd.DataFrame([[1, 2]], columns=["a", "a"]), "more than once: a"),
    "names that are numbers": (pd.DataFrame([[1, 2]], columns=[0, "a"]), "1 names that are not text"),
    "names of two levels": (
        pd.DataFrame([[1, 2]], columns=[["a", "a"], ["b", "c"]]),
        "2 names that are not text",
    ),
    "no rows": (pd.DataFrame({"a": []}), "1 columns, 0 rows"),
    "no columns": (pd.DataFrame(index=[1, 2]), "no columns"),
    "no name": (pd.DataFrame({"": [1]}), "1 column without a name"),
    "a series": (pd.Series([1, 2]), "an object of type Series"),
    "a series of polars": (pl.Series([1, 2]), "an object of type Series"),
    "a lazy frame": (pl.DataFrame({"a": [1]}).lazy(), "an object of type LazyFrame"),
    "no rows of polars": (pl.DataFrame({"a": []}), "1 columns, 0 rows"),
    "a dict": ({"a": [1]}, "an object of type dict"),
    "a list": ([1], "an object of type list"),
    "an array": (np.zeros((2, 2)), "an object of type ndarray"),
    "nothing": (None, "an object of type NoneType"),
}


@pytest.mark.parametrize("what", REFUSED)
def test_what_is_no_table(what: str) -> None:
    data, found = REFUSED[what]
    with pytest.raises(BadInput) as caught:
        read(data)
    assert found in str(caught.value)
    assert caught.value.fix
    if what == "mixed types":
        assert "x" not in caught.value.found[0].removeprefix("columns: ")


POLARS = {
    "text": pl.Series(["a", None, "b", "c"]),
    "categories": pl.Series(["a", None, "b", "a"], dtype=pl.Categorical),
    "enum": pl.Series(["low", None, "top", "low"], dtype=pl.Enum(["none", "low", "top"])),
    "numbers": pl.Series([1, None, 2**62 + 1, 3]),
    "short numbers": pl.Series([-128, None, 127, 0], dtype=pl.Int8),
    "days": pl.Series([dt.date(2020, 1, 1), None, dt.date(2020, 1, 2), dt.date(2020, 1, 2)]),
    "moments": pl.Series([dt.datetime(2020, 1, 1), None, dt.datetime(2020, 1, 2), dt.datetime(2020, 1, 2)]),
    "truths": pl.Series([True, None, False, True]),
    "decimals": pl.Series(["1.50", None, "2.00", "2.00"]).cast(pl.Decimal(10, 2)),
    "nothing": pl.Series([None] * 4),
}


@pytest.mark.parametrize("what", POLARS)
@pytest.mark.parametrize("role", ["keep", "quasi"])
def test_types_of_polars(what: str, role: str) -> None:
    frame = pl.DataFrame({"q": [1, 2, 3, 4], "x": POLARS[what]})
    schema = am.Schema(
        {
            "q": am.Column(role="quasi"),
            "x": am.Column(role=role, nulls="own value" if role == "quasi" else None),
        }
    )
    release = am.anonymize(frame, schema, [am.KAnonymity(1)], method="mondrian")
    out = release.table
    assert isinstance(out, pl.DataFrame)
    assert release.verdict.ok
    if role == "keep":
        assert out["x"].to_list() == POLARS[what].to_list()
        if what not in ("enum",):
            assert out["x"].dtype == POLARS[what].dtype
