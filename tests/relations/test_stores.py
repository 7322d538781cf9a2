"""The same kind of database out as came in, with its keys; nothing half-written."""

from __future__ import annotations

import datetime as dt
import json
import sqlite3
from pathlib import Path
from typing import Any

import duckdb
import pandas as pd
import polars as pl
import pyarrow as pa
import pyarrow.parquet as pq
import pytest
from pyarrow import csv

import amongst as am
from amongst.relations.store import plain_tables
from amongst.relations.stores import read_database
from amongst.relations.stores.duckdb_file import write_duckdb
from amongst.relations.stores.sqlite_file import write_sqlite

MADE = am.datasets.load_database("hospital", n_persons=60)
MODELS = [am.KAnonymity(3)]
KINDS = ("csv", "parquet", "duckdb", "sqlite")


def without_keys() -> am.DatabaseSchema:
    return am.DatabaseSchema({name: am.Relation(one.schema) for name, one in MADE.schema.items()})


def stored_as(kind: str, folder: Path) -> Path:
    """The hospital as this kind of database."""
    tables = plain_tables(MADE.tables)
    if kind in ("csv", "parquet"):
        place = folder / "hospital"
        place.mkdir()
        for name, table in tables.items():
            if kind == "csv":
                csv.write_csv(table, place / f"{name}.csv")
            else:
                pq.write_table(table, place / f"{name}.parquet")
        return place
    path = folder / f"hospital.{kind}"
    (write_duckdb if kind == "duckdb" else write_sqlite)(tables, MADE.schema, path)
    return path


@pytest.mark.parametrize("kind", KINDS)
def test_in_and_out_in_the_same_kind(kind: str, tmp_path: Path) -> None:
    place = stored_as(kind, tmp_path)
    before = {path: path.read_bytes() for path in sorted(tmp_path.rglob("*")) if path.is_file()}
    schema = without_keys() if kind in ("duckdb", "sqlite") else MADE.schema
    if kind == "sqlite":  # it has no dates: they come as text
        day = am.Column(role="quasi", kind="categorical")
        visits = am.Relation({**schema["visits"].schema, "day": day})
        schema = schema.with_relations(visits=visits)
    release = am.anonymize_database(place, schema, MODELS, "miracle-x")
    assert release.source.kind == kind
    verdict = release.write(tmp_path / "out")
    assert verdict.ok
    names = {path.name for path in (tmp_path / "out").iterdir()}
    tables = {f"release.{kind}"} if kind in ("duckdb", "sqlite") else {f"{name}.{kind}" for name in MADE.tables}
    assert names == tables | {"manifest.json", "report.html"}
    written = tmp_path / "out" / f"release.{kind}" if kind in ("duckdb", "sqlite") else tmp_path / "out"
    assert am.verify_database(written, release.schema, MODELS).ok
    assert before == {path: path.read_bytes() for path in before}
    if kind in ("duckdb", "sqlite"):
        keys = read_database(written).keys
        assert keys["visits"].primary == ("visit",)
        assert [(one.columns, one.table) for one in keys["diagnoses"].references] == [(("visit",), "visits")]


def test_keys_of_a_written_sqlite_file_are_enforced(tmp_path: Path) -> None:
    release = am.anonymize_database(MADE.tables, MADE.schema, MODELS)
    release.write(tmp_path / "out", format="sqlite")
    with sqlite3.connect(tmp_path / "out" / "release.sqlite") as database:
        assert database.execute("PRAGMA foreign_key_check").fetchall() == []
        database.execute("PRAGMA foreign_keys = ON")
        with pytest.raises(sqlite3.IntegrityError):
            database.execute("INSERT INTO diagnoses (visit) VALUES (999999)")


@pytest.mark.parametrize("library", ["pandas", "polars"])
def test_frames_come_back_in_their_kind(library: str) -> None:
    tables = plain_tables(MADE.tables)
    frames = {n: t.to_pandas() if library == "pandas" else pl.from_arrow(t) for n, t in tables.items()}
    release = am.anonymize_database(frames, MADE.schema, MODELS)
    kind = pd.DataFrame if library == "pandas" else pl.DataFrame
    assert all(isinstance(table, kind) for table in release.tables.values())
    again = am.anonymize_database(tables, MADE.schema, MODELS)
    assert release.utility == again.utility


def test_the_same_seed_gives_the_same_bytes_and_another_one_other_keys(tmp_path: Path) -> None:
    for name, seed in (("one", 1), ("two", 1), ("other", 2)):
        am.anonymize_database(MADE.tables, MADE.schema, MODELS, seed=seed).write(tmp_path / name)
    one, two, other = ((tmp_path / n / "visits.parquet").read_bytes() for n in ("one", "two", "other"))
    assert one == two != other
    assert (tmp_path / "one" / "report.html").read_bytes() == (tmp_path / "two" / "report.html").read_bytes()


def test_the_manifest_names_no_values_and_no_small_counts(tmp_path: Path) -> None:
    am.anonymize_database(MADE.tables, MADE.schema, [am.KAnonymity(7)]).write(tmp_path / "out")
    told = json.loads((tmp_path / "out" / "manifest.json").read_text())
    text = json.dumps(told)
    assert not [value for value in ("Cardiology", "Asthma", "Opioid") if value in text]
    assert told["tables"]["visits"]["parent"] == "patients"
    assert told["proved"]["compared_with_the_input"]
    page = (tmp_path / "out" / "report.html").read_text()
    assert not [value for value in ("Cardiology", "Asthma", "Opioid") if value in page]


def test_a_release_that_fails_is_not_left(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    release = am.anonymize_database(MADE.tables, MADE.schema, MODELS)
    assert release.verdict.ok
    monkeypatch.setattr(type(release), "threshold", property(lambda self: 1 / 0))
    with pytest.raises(ZeroDivisionError):
        release.write(tmp_path / "out")
    assert list(tmp_path.iterdir()) == []


def test_what_is_not_there_or_no_database(tmp_path: Path) -> None:
    with pytest.raises(am.errors.BadInput, match="not there"):
        read_database(tmp_path / "none.duckdb")
    with pytest.raises(am.errors.BadInput, match="no tables"):
        read_database(tmp_path)
    (tmp_path / "broken.duckdb").write_bytes(b"nothing of the kind, at some length")
    with pytest.raises(am.errors.BadInput, match="DuckDB"):
        read_database(tmp_path / "broken.duckdb")
    (tmp_path / "broken.sqlite").write_bytes(b"SQLite format 3\0" + b"x" * 200)
    with pytest.raises(am.errors.BadInput, match="SQLite"):
        read_database(tmp_path / "broken.sqlite")
    (tmp_path / "file.xlsx").write_bytes(b"x")
    with pytest.raises(am.errors.BadInput, match="kind of database"):
        read_database(tmp_path / "file.xlsx")


def test_two_files_for_one_table(tmp_path: Path) -> None:
    (tmp_path / "a.csv").write_text("x\n1\n")
    pq.write_table(pa.table({"x": [1]}), tmp_path / "a.parquet")
    with pytest.raises(am.errors.BadInput, match="Two files"):
        read_database(tmp_path)


def test_a_sqlite_column_of_several_types(tmp_path: Path) -> None:
    with sqlite3.connect(tmp_path / "m.sqlite") as database:
        database.execute("CREATE TABLE t (x)")
        database.executemany("INSERT INTO t VALUES (?)", [(1,), ("secret",)])
    with pytest.raises(am.errors.BadInput, match="several types") as caught:
        read_database(tmp_path / "m.sqlite")
    assert "secret" not in str(caught.value)


def test_a_database_is_read_while_others_have_it_open_for_reading(tmp_path: Path) -> None:
    place = stored_as("duckdb", tmp_path)
    with duckdb.connect(str(place), read_only=True):
        assert read_database(place).tables["patients"].num_rows == 60


def test_names_that_sql_could_trip_over(tmp_path: Path) -> None:
    quasi: Any = am.Column(role="quasi")
    tables = {
        'the "people"; --': pa.table({"my key": [1, 2], "select": ["a", "b"]}),
        "order": pa.table({"from": [1, 2], "it's": ["x", "x"]}),
    }
    schema = am.DatabaseSchema(
        {
            'the "people"; --': am.Relation({"select": quasi}, key="my key"),
            "order": am.Relation({"it's": quasi}, parent='the "people"; --', foreign_key="from"),
        }
    )
    release = am.anonymize_database(tables, schema, [am.KAnonymity(2)])
    for kind in ("duckdb", "sqlite"):
        assert release.write(tmp_path / kind, format=kind).ok


def test_names_that_differ_in_capitals_only(tmp_path: Path) -> None:
    """Files can have them, and so can the verifier; a database that cannot says so and leaves nothing."""
    quasi: Any = am.Column(role="quasi")
    tables = {"a": pa.table({"key": [1, 2], "Age": [3, 4], "age": [5, 6]})}
    schema = am.DatabaseSchema({"a": am.Relation({"Age": quasi, "age": quasi}, key="key")})
    release = am.anonymize_database(tables, schema, [am.KAnonymity(2)])
    assert release.write(tmp_path / "files").ok
    for kind in ("duckdb", "sqlite"):
        with pytest.raises(am.errors.BadOutput):
            release.write(tmp_path / kind, format=kind)
    assert sorted(path.name for path in tmp_path.iterdir()) == ["files", "files.inside"]


def test_a_table_that_would_be_written_elsewhere(tmp_path: Path) -> None:
    tables = {"../a": pa.table({"key": [1, 2], "q": [3, 4]})}
    schema = am.DatabaseSchema({"../a": am.Relation({"q": am.Column(role="quasi")}, key="key")})
    release = am.anonymize_database(tables, schema, [am.KAnonymity(2)])
    with pytest.raises(am.errors.BadOutput, match="names"):
        release.write(tmp_path / "out")
    assert list(tmp_path.iterdir()) == []
    assert release.write(tmp_path / "out", format="duckdb").ok
    assert am.verify_database(tmp_path / "out", schema, [am.KAnonymity(2)]).ok


@pytest.mark.parametrize("kind", ["parquet", "csv"])
def test_keys_that_are_text(kind: str, tmp_path: Path) -> None:
    """Parquet gives text as a dictionary."""
    made = am.datasets.load_database("transcripts")
    (tmp_path / "in").mkdir()
    for name, table in made.tables.items():
        if kind == "csv":
            csv.write_csv(table, tmp_path / "in" / f"{name}.csv")
        else:
            pq.write_table(table, tmp_path / "in" / f"{name}.parquet")
    release = am.anonymize_database(tmp_path / "in", made.schema, [am.KAnonymity(2)])
    assert release.write(tmp_path / "out").ok
    keys = set(release.tables["students"]["Sid"].to_pylist())
    assert keys == {"1", "2", "3", "4"}
    assert set(release.tables["courses"]["Sid"].to_pylist()) == keys


@pytest.mark.parametrize("kind", KINDS)
def test_many_types_of_values(kind: str, tmp_path: Path) -> None:
    n = 6
    days = pa.array(range(n), pa.int32()).cast(pa.date32())
    columns = {
        "truth": pa.array([True, False] * 3),
        "day": days,
        "moment": days.cast(pa.timestamp("ns")),
        "exact": pa.array([1, 2, 3, 4, 5, 6]).cast(pa.decimal128(21, 2)),
        "half": pa.array([1.0] * n).cast(pa.float16()),
        "long": pa.array(list("abcabc"), pa.large_string()),
        "large": pa.array([2**62] * n, pa.uint64()),
        "nothing": pa.nulls(n),
    }
    tables = {"p": pa.table({"k": range(n), "q": [1] * n}), "c": pa.table({"k": range(n), **columns})}
    for role in ("quasi", "sensitive"):
        rule = am.Column(role=role, nulls="own value" if role == "quasi" else None)
        child = am.Relation(dict.fromkeys(columns, rule), parent="p", foreign_key="k")
        schema = am.DatabaseSchema({"p": am.Relation({"q": am.Column(role="quasi")}, key="k"), "c": child})
        release = am.anonymize_database(tables, schema, [am.KAnonymity(3)])
        assert release.write(tmp_path / role, format=kind).ok


@pytest.mark.parametrize("format", ["csv", "parquet"])
def test_what_is_published_as_it_is_has_the_texts_of_its_file(tmp_path: Path, format: str) -> None:
    """``2.100`` stays ``2.100`` and ``1.0`` stays ``1.0``, of persons and of what hangs on them."""
    folder = tmp_path / "in"
    folder.mkdir()
    doses = ["2.100", "0.500", "1.250", "10.000"]
    marks = ["1.0", "2.50", "3", "1.0"]  # not equally many decimals: text
    (folder / "people.csv").write_text(
        "person,age,dose\n" + "".join(f"p{i},{20 + i % 2},{doses[i % 4]}\n" for i in range(8))
    )
    (folder / "visits.csv").write_text(
        "person,ward,mark\n" + "".join(f"p{i},{'a' if i % 2 else 'b'},{marks[i % 4]}\n" for i in range(8))
    )
    schema = am.DatabaseSchema(
        {
            "people": am.Relation({"age": "quasi", "dose": "keep"}, key="person"),
            "visits": am.Relation({"ward": "quasi", "mark": "sensitive"}, parent="people", foreign_key="person"),
        }
    )
    release = am.anonymize_database(folder, schema, [am.KAnonymity(2)])
    release.write(tmp_path / "out", format=format)
    for table, column, texts in (("people", "dose", doses), ("visits", "mark", marks)):
        if format == "csv":
            lines = (tmp_path / "out" / f"{table}.csv").read_text().splitlines()
            at = lines[0].replace('"', "").split(",").index(column)
            found = [line.replace('"', "").split(",")[at] for line in lines[1:]]
        else:
            found = [
                str(cell) for cell in pq.read_table(tmp_path / "out" / f"{table}.parquet").column(column).to_pylist()
            ]
        assert sorted(found) == sorted(2 * texts), table
        assert sorted(map(str, release.tables[table].column(column).to_pylist())) == sorted(2 * texts)


@pytest.mark.parametrize("format", ["parquet", "csv"])
def test_spans_zones_and_bytes_of_a_folder_stay_or_are_text(tmp_path: Path, format: str) -> None:
    hours = [dt.timedelta(hours=i % 3) for i in range(12)]
    table = pa.table(
        {
            "id": range(12),
            "age": [i % 2 for i in range(12)],
            "stay": pa.array(hours, pa.duration("ms")),
            "at": pa.array([dt.datetime(2001, 2, 3)] * 12, pa.timestamp("us", "Europe/Berlin")),
            "mark": pa.array([b"\xff\x01"] * 12),
        }
    )
    kept = dict.fromkeys(("stay", "at", "mark"), am.Column(role="keep"))
    schema = am.DatabaseSchema({"person": am.Relation({"age": am.Column(role="quasi"), **kept}, key="id")})
    am.anonymize_database({"person": table}, schema, [am.KAnonymity(3)]).write(tmp_path / "out", format=format)
    if format == "parquet":
        back = pq.read_table(tmp_path / "out" / "person.parquet")
        assert back.schema.types[2:] == table.schema.types[2:]
        assert sorted(back["stay"].to_pylist()) == sorted(hours)
    else:
        text = (tmp_path / "out" / "person.csv").read_text()
        assert all(cell in text for cell in ('"0 days 02:00:00"', "2001-02-03 01:00:00.000000+0100", '"ff01"'))
