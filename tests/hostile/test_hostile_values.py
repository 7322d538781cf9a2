"""Formulas, scripts, SQL, control characters and the like pass through unharmed, and harm nobody."""

from __future__ import annotations

import json
import os
import re
import shutil
import subprocess
import sys
from collections import Counter
from pathlib import Path

import pyarrow as pa
import pyarrow.csv
import pyarrow.parquet as pq
import pytest
from hostile_values import CELLS, NAMES, NUL, hostile_names, hostile_table

import amongst as am
from amongst.errors import AmongstError
from amongst.read.file import read_file
from amongst.release.formulas import formula_columns

CHROMIUM = shutil.which("chromium") or shutil.which("chromium-browser") or shutil.which("google-chrome")
ALL = [*CELLS, NUL]


def read_back(path: Path) -> list[dict[str, object]]:
    if path.suffix == ".csv":
        options = pa.csv.ConvertOptions(
            column_types={"word": pa.string()}, strings_can_be_null=True, quoted_strings_can_be_null=False
        )
        parse = pa.csv.ParseOptions(newlines_in_values=True)
        return pa.csv.read_csv(path, convert_options=options, parse_options=parse).to_pylist()
    return pq.read_table(path).to_pylist()


@pytest.mark.parametrize("format", ["parquet", "csv"])
@pytest.mark.parametrize("role", ["sensitive", "keep"])
def test_kept_cells_come_out_as_they_went_in(role: str, format: str, tmp_path: Path) -> None:
    table, schema = hostile_table(ALL, role)
    release = am.anonymize(table, schema, [am.KAnonymity(3)], method="mondrian")
    assert release.write(tmp_path / "out", format=format).ok
    rows = read_back(tmp_path / "out" / f"release.{format}")
    assert Counter(row["word"] for row in rows) == Counter(table["word"].to_pylist())
    assert {row["pay"]: row["word"] for row in rows} == dict(
        zip(table["pay"].to_pylist(), table["word"].to_pylist(), strict=True)
    )


@pytest.mark.parametrize("method", ["mondrian", "hilbert", "incognito", "best"])
@pytest.mark.parametrize("publish", [None, "set"])
def test_as_quasi_identifiers(method: str, publish: str | None, tmp_path: Path) -> None:
    table, schema = hostile_table(ALL, "quasi")
    if publish:
        schema = schema.with_columns(word=am.Column(role="quasi", kind="categorical", publish="set"))
    release = am.anonymize(table, schema, [am.KAnonymity(2)], method=method)
    assert release.write(tmp_path / "out", format="csv").ok
    assert am.verify(tmp_path / "out", schema, [am.KAnonymity(2)]).ok


def test_a_csv_file_of_hostile_cells_is_read_as_it_is(tmp_path: Path) -> None:
    table, _ = hostile_table(ALL, "keep")
    pa.csv.write_csv(table, tmp_path / "in.csv")
    assert read_file(tmp_path / "in.csv").table["word"].to_pylist() == table["word"].to_pylist()


def test_anatomy(tmp_path: Path) -> None:
    table, schema = hostile_table(ALL, "sensitive")
    schema = schema.with_columns(pay=am.Column(role="keep"))
    release = am.anonymize(table, schema, [am.LDiversity(3)], method="anatomy")
    assert release.write(tmp_path / "out", format="csv").ok
    words: Counter[object] = Counter()
    for row in read_back(tmp_path / "out" / "sensitive.csv"):
        words[row["word"]] += row["count"]  # type: ignore[operator]
    assert words == Counter(table["word"].to_pylist())


@pytest.mark.parametrize("format", ["parquet", "csv"])
def test_names_of_columns(format: str, tmp_path: Path) -> None:
    table, schema = hostile_names()
    release = am.anonymize(table, schema, [am.KAnonymity(2)], method="mondrian")
    assert release.write(tmp_path / "out", format=format).ok
    published = [name for name in NAMES if schema[name].role != "identifier"]
    rows = read_back(tmp_path / "out" / f"release.{format}")
    assert list(rows[0]) == published
    told = json.loads((tmp_path / "out" / "manifest.json").read_text(encoding="utf-8"))
    assert list(told["schema"]) == NAMES
    job = am.Schema.from_file(_job(tmp_path, schema))
    assert list(job) == NAMES


def _job(folder: Path, schema: am.Schema) -> Path:
    from amongst.job.job import Input, Job

    path = folder / "job.toml"
    path.write_text(
        Job(Input("in.csv"), schema, (am.KAnonymity(2),), method="mondrian").to_toml(), encoding="utf-8", newline=""
    )
    return path


@pytest.mark.parametrize("kind", ["duckdb", "sqlite", "csv", "parquet"])
def test_many_tables(kind: str, tmp_path: Path) -> None:
    cells = ALL * 2
    n = len(cells)
    tables = {
        "p'eople\"; --": pa.table({"key": list(range(n)), "<b>land": ["x", "y"] * (n // 2) + ["x"] * (n % 2)}),
        "visits": pa.table({"person": list(range(n)), "word": cells}),
    }
    if kind in ("csv", "parquet"):
        tables["people"] = tables.pop("p'eople\"; --")
    parent = next(name for name in tables if name != "visits")
    schema = am.DatabaseSchema(
        {
            parent: am.Relation({"<b>land": am.Column(role="quasi")}, key="key"),
            "visits": am.Relation({"word": am.Column(role="sensitive")}, parent=parent, foreign_key="person"),
        }
    )
    release = am.anonymize_database(tables, schema, [am.KAnonymity(2)])
    assert release.write(tmp_path / "out", format=kind).ok
    from amongst.relations.stores import read_database

    place = tmp_path / "out" / f"release.{kind}" if kind in ("duckdb", "sqlite") else tmp_path / "out"
    words = read_database(place).tables["visits"]["word"].to_pylist()
    assert Counter(words) == Counter(cells)


def test_what_begins_as_a_formula_is_told_and_not_changed(tmp_path: Path) -> None:
    table, schema = hostile_table(CELLS, "sensitive")
    release = am.anonymize(table, schema, [am.KAnonymity(3)], method="mondrian")
    for format, told in (("csv", True), ("parquet", False)):
        release.write(tmp_path / format, format=format)
        assert ("begin as a formula does" in (tmp_path / format / "report.html").read_text("utf-8")) is told
    plain = pa.table({"a": ["-5", "+3", "-5-3", "[-5--2]", "2020-01-01", "-1e5", None, "a=b", "x@y"], "b": [1.0] * 9})
    assert formula_columns(plain) == []
    for cell in CELLS[:6]:
        assert formula_columns(pa.table({"a": [cell]})) == ["a"], cell
    assert formula_columns(pa.table({"=1": [1, 2], "a": pa.array(["x", "=2"]).dictionary_encode()})) == ["=1", "a"]


def test_the_terminal_gets_no_control_characters(tmp_path: Path) -> None:
    table, schema = hostile_names()
    pa.csv.write_csv(table, tmp_path / "in.csv")
    _job(tmp_path, schema)
    environment = {**os.environ, "NO_COLOR": "1", "COLUMNS": "200"}
    for arguments in (
        ["run", "job.toml", "--out", "out"],
        ["inspect", "in.csv"],
        ["anonymize", "in.csv", "--out", "other", "--k", "2"],
        ["verify", "out"],
        ["verify", "in.csv", "--k", "13"],
        ["query", "out", 'SELECT COUNT(*) WHERE "\x1b[31mred" = 1'],
    ):
        ran = subprocess.run(
            [sys.executable, "-m", "amongst", *arguments], cwd=tmp_path, env=environment, capture_output=True
        )
        assert ran.returncode in (0, 1, 2), ran.stderr
        shown = (ran.stdout + ran.stderr).decode()
        assert not re.search("[\x00-\x08\x0b\x0c\x0e-\x1f\x7f\u202a-\u202e\u2066-\u2069]", shown), (arguments, shown)


@pytest.mark.skipif(CHROMIUM is None, reason="no chromium to open the page with")
@pytest.mark.parametrize("what", ["cells", "names", "anatomy"])
def test_no_script_runs_in_the_report(what: str, tmp_path: Path) -> None:
    """Looked at in a real document: nothing ran, and nothing that could is in it."""
    if what == "names":
        table, schema = hostile_names()
        release = am.anonymize(table, schema, [am.KAnonymity(2)], method="mondrian")
    elif what == "cells":
        table, schema = hostile_table(CELLS, "quasi")
        release = am.anonymize(table, schema, [am.KAnonymity(2)], method="mondrian")
    else:
        table, schema = hostile_table(CELLS, "sensitive")
        schema = schema.with_columns(pay=am.Column(role="keep"))
        release = am.anonymize(table, schema, [am.LDiversity(2)], method="anatomy")
    release.write(tmp_path / "out")
    command = [str(CHROMIUM), "--headless", "--no-sandbox", "--disable-gpu", "--virtual-time-budget=2000", "--dump-dom"]
    ran = subprocess.run(
        [*command, f"--user-data-dir={tmp_path / 'profile'}", (tmp_path / "out" / "report.html").as_uri()],
        capture_output=True,
        text=True,
        timeout=60,
    )
    page = ran.stdout
    assert "</html>" in page
    assert "<title>ran</title>" not in page
    assert not re.search(r"<(script|img|iframe|object|embed|link|base|form)\b", page, re.I)
    assert not re.search(r"<[^>]*\son[a-z]+\s*=", re.sub(r'"[^"]*"', '""', page), re.I)
    assert not re.search(r"""(?:href|src|action)\s*=\s*["']?\s*javascript:""", page, re.I)
    if what == "names":
        assert "&lt;script&gt;" in page


def test_bytes_that_are_no_text_are_refused_without_showing_them(tmp_path: Path) -> None:
    no_text = pa.Array.from_buffers(pa.string(), 2, pa.array([b"Zq7Secret\xff", b"ok"]).buffers())
    (tmp_path / "in.csv").write_bytes(b"a,b\nZq7Secret\xff\0,1\n")
    pq.write_table(pa.table({"a": no_text}), tmp_path / "in.parquet")
    with (
        pa.OSFile(str(tmp_path / "in.arrow"), "wb") as sink,
        pa.ipc.new_file(sink, pa.schema([("a", pa.string())])) as w,
    ):
        w.write_batch(pa.record_batch({"a": no_text}))
    for name in ("in.csv", "in.parquet", "in.arrow"):
        for call in (read_file, lambda path: am.verify(path, None, am.KAnonymity(1))):
            with pytest.raises(AmongstError) as caught:
                call(tmp_path / name)
            assert "Secret" not in str(caught.value)
