"""Parquet and Arrow files: every type comes through, nothing of the sender's metadata does."""

# ruff: noqa: E501 (tables of examples, one a line)

from __future__ import annotations

import datetime as dt
from decimal import Decimal
from pathlib import Path
from typing import Any

import numpy as np
import pyarrow as pa
import pyarrow.feather as feather
import pyarrow.parquet as pq
import pytest

import amongst as am
from amongst.errors import AmongstError, BadInput
from amongst.read import read

N = 6
COLUMNS: dict[str, pa.Array] = {
    "int8": pa.array([-128, -1, 0, 1, 127, None], pa.int8()),
    "uint64": pa.array([0, 1, 2**63, 2**64 - 1, 5, 5], pa.uint64()),
    "float32": pa.array([0.1, -0.5, None, 1e30, 2.0, 2.0], pa.float32()),
    "half": pa.array(np.array([0.5, 1, 2, 3, 4, 5], dtype=np.float16)),
    "decimal": pa.array([Decimal("1.10"), Decimal("-2.00"), None, Decimal("3.33"), Decimal("4.00"), Decimal("4.00")], pa.decimal128(6, 2)),
    "wide decimal": pa.array([Decimal(10) ** 50] * N, pa.decimal256(60, 2)),
    "text": pa.array(["a", None, "", "ß", "a", "b"]),
    "large text": pa.array(["a", None, "", "ß", "a", "b"], pa.large_string()),
    "text view": pa.array(["a", None, "", "a text that is not stored inline", "a", "b"], pa.string_view()),
    "categories": pa.array(["a", None, "b", "a", "a", "b"]).dictionary_encode(),
    "categories of numbers": pa.array([7, None, 8, 7, 7, 8]).dictionary_encode(),
    "truth": pa.array([True, None, False, True, True, False]),
    "date": pa.array([dt.date(2020, 1, d) for d in range(1, 7)]),
    "date64": pa.array([dt.date(2020, 1, d) for d in range(1, 7)], pa.date64()),
    "seconds": pa.array([1, 2, None, 4, 5, 6], pa.timestamp("s")),
    "nanoseconds": pa.array([1, 2, 3, 4, 5, 6], pa.timestamp("ns")),
    "zone": pa.array([1, 2, 3, 4, 5, 6], pa.timestamp("us", "Europe/Berlin")),
    "nulls": pa.nulls(N),
    "only null text": pa.nulls(N, pa.string()),
}  # fmt: skip
NOT_QUASI: dict[str, pa.Array] = {
    "bytes": pa.array([b"a", None, b"b", b"a", b"a", b"b"]),
    "time": pa.array([1, 2, None, 4, 5, 6], pa.time32("s")),
    "duration": pa.array([1, 2, None, 4, 5, 6], pa.duration("s")),
}
NESTED: dict[str, pa.Array] = {
    "list": pa.array([[1], None, [2, 3], [], [1], [1]]),
    "struct": pa.array([{"x": 1}, None, {"x": 2}, {"x": 1}, {"x": 1}, {"x": 1}]),
    "map": pa.array([[("k", 1)]] * N, pa.map_(pa.string(), pa.int64())),
}


def stored(folder: Path, table: pa.Table, ending: str) -> Path:
    path = folder / f"people.{ending}"
    if ending == "parquet":
        pq.write_table(table, path)
    else:
        feather.write_feather(table, str(path), compression="uncompressed")
    return path


@pytest.mark.parametrize("name", [*COLUMNS, *NOT_QUASI, *NESTED])
@pytest.mark.parametrize("ending", ["parquet", "arrow", "feather"])
def test_values_come_through(tmp_path: Path, name: str, ending: str) -> None:
    column = {**COLUMNS, **NOT_QUASI, **NESTED}[name]
    source = read(stored(tmp_path, pa.table({"n": list(range(N)), "x": column}), ending))
    assert source.table["x"].to_pylist() == column.to_pylist()
    assert (source.frame, source.name) == ("pyarrow", f"people.{ending}")


@pytest.mark.parametrize("name", COLUMNS)
@pytest.mark.parametrize("nulls", ["own value", "match anything", "suppress"])
@pytest.mark.parametrize("via", ["table", "parquet", "arrow"])
def test_every_type_can_be_a_quasi_identifier(tmp_path: Path, name: str, nulls: str, via: str) -> None:
    table = pa.table({"x": COLUMNS[name], "s": list("uvwxyz")})
    data: Any = table if via == "table" else stored(tmp_path, table, via)
    schema = am.Schema({"x": am.Column(role="quasi", nulls=nulls), "s": am.Column(role="sensitive")})
    if nulls == "suppress" and COLUMNS[name].null_count == N:
        with pytest.raises(am.errors.Infeasible):
            am.anonymize(data, schema, [am.KAnonymity(2)], method="mondrian")
        return
    release = am.anonymize(data, schema, [am.KAnonymity(2)], method="mondrian")
    assert release.verdict.ok, release.verdict.words()
    assert release.utility.n_published == (N - COLUMNS[name].null_count if nulls == "suppress" else N)


@pytest.mark.parametrize("name", [*COLUMNS, *NOT_QUASI])
@pytest.mark.parametrize("via", ["table", "parquet", "arrow"])
@pytest.mark.parametrize("format", ["parquet", "csv"])
def test_every_type_can_be_kept(tmp_path: Path, name: str, via: str, format: str) -> None:
    column = {**COLUMNS, **NOT_QUASI}[name]
    table = pa.table({"x": column, "q": [1, 1, 2, 2, 3, 3]})
    data: Any = table if via == "table" else stored(tmp_path, table, via)
    schema = am.Schema({"q": am.Column(role="quasi"), "x": am.Column(role="keep")})
    release = am.anonymize(data, schema, [am.KAnonymity(2)], method="mondrian")
    kept = {1: column[:2], 2: column[2:4], 3: column[4:]}
    for row in release.table.to_pylist():
        assert row["x"] in kept[int(row["q"])].to_pylist()
    assert sorted(map(str, release.table["x"].to_pylist())) == sorted(map(str, column.to_pylist()))
    release.write(tmp_path / "out", format=format)


@pytest.mark.parametrize("name", NESTED)
@pytest.mark.parametrize("role", ["quasi", "sensitive", "keep"])
def test_nested_values_are_refused_unless_dropped(name: str, role: str) -> None:
    table = pa.table({"q": [1, 1, 2, 2, 3, 3], "x": NESTED[name]})
    schema = am.Schema({"q": am.Column(role="quasi"), "x": am.Column(role=role)})
    with pytest.raises(AmongstError):
        am.anonymize(table, schema, [am.KAnonymity(2)], method="mondrian")
    dropped = am.Schema({"q": am.Column(role="quasi"), "x": am.Column(role="identifier")})
    assert am.anonymize(table, dropped, [am.KAnonymity(2)], method="mondrian").table.column_names == ["q"]


def test_values_without_an_order_are_refused() -> None:
    moons = pa.array([(1, 2, 3)] * 2, pa.month_day_nano_interval())
    schema = am.Schema({"q": am.Column(role="quasi"), "x": am.Column(role="keep")})
    with pytest.raises(AmongstError, match="month_day_nano"):
        am.anonymize(pa.table({"q": [1, 1], "x": moons}), schema, [am.KAnonymity(2)], method="mondrian")


def test_runs_are_read_as_their_values() -> None:
    runs = pa.RunEndEncodedArray.from_arrays(pa.array([2, 4], pa.int32()), pa.array(["x", None]))
    assert read(pa.table({"a": runs})).table["a"].to_pylist() == ["x", "x", None, None]


def test_metadata_of_the_sender_is_left_behind(tmp_path: Path) -> None:
    field = pa.field("a", pa.int64(), metadata={"note": "secret"})
    table = pa.table([pa.array([1, 2])], schema=pa.schema([field], metadata={"pandas": "{}", "author": "secret"}))
    for data in (table, stored(tmp_path, table, "parquet"), stored(tmp_path, table, "arrow")):
        schema = read(data).table.schema
        assert schema.metadata is None
        assert schema.field("a").metadata is None


@pytest.mark.parametrize("ending", ["parquet", "arrow", "feather"])
def test_files_that_are_something_else(tmp_path: Path, ending: str) -> None:
    path = tmp_path / f"x.{ending}"
    path.write_bytes(b"a,b\n1,2\n")
    with pytest.raises(BadInput, match="cannot be read as"):
        read(path)
    path = stored(tmp_path, pa.table({"a": list(range(1000))}), ending)
    path.write_bytes(path.read_bytes()[:-20])
    with pytest.raises(BadInput, match="cannot be read as"):
        read(path)


@pytest.mark.parametrize("ending", ["parquet", "arrow"])
def test_tables_without_rows_or_with_doubled_names(tmp_path: Path, ending: str) -> None:
    with pytest.raises(BadInput, match="no rows"):
        read(stored(tmp_path, pa.table({"a": pa.array([], pa.int64())}), ending))
    with pytest.raises(BadInput, match="names of their own"):
        read(pa.table([[1], [2]], names=["a", "a"]))
    with pytest.raises(BadInput, match="names of their own"):
        read(pa.table([[1], [2]], names=["a", " "]))
    with pytest.raises(BadInput, match="names of their own"):
        read(pa.table({}))


def test_a_parquet_file_with_doubled_names(tmp_path: Path) -> None:
    path = tmp_path / "x.parquet"
    pq.write_table(pa.table([["u"], ["v"]], names=["a", "a"]), path)
    with pytest.raises(BadInput, match="more than once: a"):
        read(path)
