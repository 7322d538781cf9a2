"""Files of other formats: in, out, and verified from what was written."""

from __future__ import annotations

import datetime as dt
import gzip
import json
import os
import sqlite3
import zipfile
from collections.abc import Iterator
from contextlib import closing, contextmanager
from pathlib import Path
from typing import Any

import pyarrow as pa
import pytest

import amongst as am
from amongst.engines.data_file import writable, write_data
from amongst.errors import BadInput, BadOption
from amongst.job.draft import draft
from amongst.job.job import Input, Job, as_found
from amongst.published.other_files import READERS
from amongst.read import read
from amongst.read.formats import formats
from amongst.read.formats.codes import Codes
from amongst.schema.suggest import suggest

REAL = Path(__file__).parents[3] / "shared" / "real"
PEOPLE = pa.table(
    {
        "age": [20.0 + i % 30 for i in range(60)],
        "sex": [9.0 if i == 7 else 1.0 + i % 2 for i in range(60)],
        "town": ["Köln", "Bonn", "=1+1"] * 20,
        "seen": [dt.date(2020, 1, 1 + i % 20) for i in range(60)],
        "name": [f"p{i}" for i in range(60)],
    }
)
ROLES = {"age": "quasi", "sex": "sensitive", "town": "keep", "seen": "quasi", "name": "identifier"}
LABELS = {1.0: "male", 2.0: "female", 9.0: "refused"}
OTHERS = [name for name in writable() if name not in ("parquet", "csv")]


def written(folder: Path, name: str) -> Path:
    codes = {"sex": Codes(name, LABELS, ((9.0, 9.0),), "sex of the person")}
    write_data(PEOPLE, folder, name, "in", codes=codes)
    return folder / f"in.{name}"


@pytest.mark.parametrize("name", OTHERS)
def test_a_release_goes_back_into_the_format_it_came_from(tmp_path: Path, name: str) -> None:
    path = written(tmp_path, name)
    release = am.anonymize(path, ROLES, [am.KAnonymity(5), am.LDiversity(1.5)], reads="found", method="mondrian")
    assert release.schema["seen"].kind == "date"
    release.write(tmp_path / "out", format=name)
    verdict = am.verify(tmp_path / "out", release.schema, release.models)
    assert verdict.ok, verdict.words()
    assert verdict.smallest == release.verdict.smallest
    back = read(tmp_path / "out" / f"release.{name}")
    assert back.table.column_names == ["age", "sex", "town", "seen"]
    assert sorted(back.table["town"].to_pylist()) == sorted(PEOPLE["town"].to_pylist())
    assert back.table.num_rows == 60


@pytest.mark.parametrize("name", [name for name in OTHERS if name != "duckdb"])
def test_equal_releases_are_equal_files(tmp_path: Path, name: str) -> None:
    release = am.anonymize(written(tmp_path, name), ROLES, [am.KAnonymity(5)], method="mondrian")
    release.write(tmp_path / "a", format=name)
    release.write(tmp_path / "b", format=name)
    assert (tmp_path / "a" / f"release.{name}").read_bytes() == (tmp_path / "b" / f"release.{name}").read_bytes()


@pytest.mark.parametrize("name", ["sav", "dta", "xlsx"])
def test_a_drafted_job_runs_without_an_edit(tmp_path: Path, name: str) -> None:
    path = written(tmp_path, name)
    source = read(path, reads="found")
    job = tmp_path / "job.toml"
    job.write_text(draft(as_found(Input(path), source, {}), suggest(source.table), tmp_path, source.found))
    assert Job.from_file(job).run().verdict.ok
    assert (tmp_path / "in-release" / f"release.{name}").is_file()


def test_every_format_that_is_written_can_be_verified() -> None:
    assert {f".{name}" for name in OTHERS} == set(READERS)
    assert all(one.write is not None or one.writes in writable() for one in formats().values())


@pytest.mark.parametrize("name", OTHERS)
def test_a_changed_release_does_not_pass(tmp_path: Path, name: str) -> None:
    table = pa.table({"age": ["[20-29]"] * 9 + ["30"], "town": ["x"] * 10})
    write_data(table, tmp_path, name)
    assert not am.verify(tmp_path / f"release.{name}", ["age"], [am.KAnonymity(5)]).ok


def test_labels_and_missing_codes_of_spss(tmp_path: Path) -> None:
    path = written(tmp_path, "sav")
    source = read(path)
    assert source.table["sex"].null_count == 1  # 9 means missing
    assert set(source.table["sex"].drop_null().to_pylist()) == {"male", "female"}
    am.anonymize(path, ROLES, [am.KAnonymity(5)], method="mondrian").write(tmp_path / "out", format="sav")
    back = read(tmp_path / "out" / "release.sav")
    assert back.reads["sex"] == Codes("sav", LABELS, ((9.0, 9.0),), "sex of the person")
    assert back.raw["sex"].dictionary_decode().to_pylist().count(9.0) == 1
    am.anonymize(path, ROLES, [am.KAnonymity(5)], method="mondrian").write(
        tmp_path / "csv", format="csv"
    )  # elsewhere labels
    assert '"female"' in (tmp_path / "csv" / "release.csv").read_text(encoding="utf-8")


@pytest.mark.parametrize("memory", [None, "4GB"])
def test_letters_for_what_is_missing_come_back(tmp_path: Path, memory: str | None) -> None:
    polars, pyreadstat = pytest.importorskip("polars"), pytest.importorskip("pyreadstat")
    income = ["a" if i % 7 == 0 else "b" if i % 11 == 0 else None if i % 13 == 0 else float(i % 5) for i in range(60)]
    frame = polars.DataFrame(
        {"income": polars.Series(income, dtype=polars.Object), "age": [float(20 + i % 6) for i in range(60)]}
    )
    labels = {"income": {0: "none", "a": "refused"}}
    told = {"missing_user_values": {"income": ["a", "b"]}, "variable_value_labels": labels}
    pyreadstat.write_dta(frame, str(tmp_path / "in.dta"), **told)
    assert read(tmp_path / "in.dta").table["income"].null_count == sum(not isinstance(one, float) for one in income)
    release = am.anonymize(tmp_path / "in.dta", {"income": "keep", "age": "quasi"}, k=5, memory=memory)
    release.write(tmp_path / "out", format="dta")
    back, meta = pyreadstat.read_dta(str(tmp_path / "out" / "release.dta"), user_missing=True, output_format="dict")
    assert sorted(map(str, back["income"])) == sorted(map(str, income))
    assert meta.variable_value_labels == labels
    assert meta.missing_user_values == {"income": ["a", "b"]}
    release.write(tmp_path / "csv", format="csv")  # elsewhere they are missing
    assert "e+307" not in (tmp_path / "csv" / "release.csv").read_text(encoding="utf-8")


@pytest.mark.parametrize("memory", [None, "4GB"])
@pytest.mark.parametrize(("first", "then"), [("sav", "sav"), ("dta", "dta"), ("xpt", "xpt"), ("sav", "dta")])
def test_what_published_columns_are_about_comes_back(tmp_path: Path, first: str, then: str, memory: str | None) -> None:
    told = {"age": "years since birth", "town": "where they live", "name": "who it is", "sex": "sexes" * 20}
    told |= {"sex": "sex"} if first == "dta" else {}
    write_data(PEOPLE, tmp_path, first, "in", codes={name: Codes(first, label=one) for name, one in told.items()})
    release = am.anonymize(
        tmp_path / f"in.{first}", ROLES, [am.KAnonymity(5)], "mondrian", form="bounds", memory=memory
    )
    release.write(tmp_path / "out", format=then)
    labels = read(tmp_path / "out" / f"release.{then}").labels
    assert labels.pop("sex") == (told["sex"][:80] if then == "dta" else told["sex"])
    ends = {name: told["age"] for name in release.arrow.column_names if name.startswith("age")}
    assert len(ends) == 2
    assert labels == {**ends, "town": told["town"]}
    assert b"who it is" not in (tmp_path / "out" / f"release.{then}").read_bytes()


def test_a_label_that_suppressed_rows_alone_have_is_not_told(tmp_path: Path) -> None:
    codes = {"sex": Codes("dta", {1.0: "male", 2.0: "female"})}
    write_data(pa.table({"age": [30.0] * 9 + [99.0], "sex": [1.0] * 9 + [2.0]}), tmp_path, "dta", "in", codes=codes)
    roles = {"age": "quasi", "sex": "keep"}
    release = am.anonymize(tmp_path / "in.dta", roles, [am.KAnonymity(5)], "incognito", suppression=1)
    release.write(tmp_path / "out", format="dta")
    assert b"female" not in (tmp_path / "out" / "release.dta").read_bytes()


def test_a_job_names_the_table_of_a_database(tmp_path: Path) -> None:
    with closing(sqlite3.connect(tmp_path / "in.sqlite")) as database:
        database.execute("CREATE TABLE people (age INTEGER, mixed)")
        database.executemany("INSERT INTO people VALUES (?, ?)", [(i % 5, i if i % 2 else "x") for i in range(20)])
        database.execute("CREATE TABLE other (a)")
        database.commit()
    with pytest.raises(BadInput, match="does not hold one table") as caught:
        read(tmp_path / "in.sqlite")
    assert caught.value.facts["tables"] == ["people", "other"]
    with pytest.raises(BadInput, match="no table 'persons'"):
        read(tmp_path / "in.sqlite", table="persons")
    (tmp_path / "job.toml").write_text(
        '[input]\npath = "in.sqlite"\ntable = "people"\n[columns.age]\nrole = "quasi"\n[columns.mixed]\nrole = "keep"\n'
        '[[privacy]]\nmodel = "k-anonymity"\nk = 2\n[output]\nfolder = "out"\nformat = "sqlite"\n'
    )
    assert Job.from_file(tmp_path / "job.toml").run().verdict.ok


def test_sheets_of_a_workbook(tmp_path: Path) -> None:
    openpyxl = pytest.importorskip("openpyxl")
    book = openpyxl.Workbook()
    book.active.append(["born", "hb", None, "hb", "n"])
    for i in range(12):
        book.active.append([dt.datetime(1980, 1, 1 + i), "n.b." if i == 3 else 14.5, i, 1, i + 0.0])
    book.save(tmp_path / "in.xlsx")
    source = read(tmp_path / "in.xlsx", reads="found")
    assert source.table.column_names == ["born", "hb", "column_3", "hb_2", "n"]
    assert [str(kind) for kind in source.table.schema.types[2:]] == ["int64"] * 3
    assert source.found["hb"].words == "11 of 12 are numbers; 1 say n.b."
    assert source.table["hb"].null_count == 1
    book.create_sheet("second")
    book.save(tmp_path / "in.xlsx")
    with pytest.raises(BadInput, match="does not hold one sheet"):
        read(tmp_path / "in.xlsx")
    assert read(tmp_path / "in.xlsx", table="Sheet").table.num_rows == 12


def test_json_by_lines_or_as_a_list(tmp_path: Path) -> None:
    rows = [{"age": i, "town": "ä"} for i in range(3)]
    (tmp_path / "a.json").write_text(json.dumps(rows), encoding="utf-8")
    (tmp_path / "b.jsonl").write_text("\n".join(map(json.dumps, rows)), encoding="utf-8")
    (tmp_path / "c.jsonl.gz").write_bytes(gzip.compress((tmp_path / "b.jsonl").read_bytes()))
    for name in ("a.json", "b.jsonl", "c.jsonl.gz"):
        assert read(tmp_path / name).table.to_pylist() == rows
    (tmp_path / "d.jsonl").write_text('{"a": [1, 2]}')
    with pytest.raises(BadInput, match="lists or objects"):
        read(tmp_path / "d.jsonl")


def test_a_text_file_in_an_archive(tmp_path: Path) -> None:
    with zipfile.ZipFile(tmp_path / "in.zip", "w") as packed:
        packed.writestr("people.csv", "a;b\n1,5;x\n2,5;y\n")
    assert read(tmp_path / "in.zip", reads="found").table["a"].to_pylist() == [1.5, 2.5]
    with zipfile.ZipFile(tmp_path / "in.zip", "a") as packed:
        packed.writestr("second.csv", "a\n1\n")
    with pytest.raises(BadInput, match="does not hold one table"):
        read(tmp_path / "in.zip")
    (tmp_path / "bad.zip").write_bytes(b"PK nothing")
    with pytest.raises(BadInput, match="cannot be read"):
        read(tmp_path / "bad.zip")


@pytest.mark.parametrize("ending", [one.endings[0] for one in formats().values()])
def test_a_file_that_is_none_of_its_kind(tmp_path: Path, ending: str) -> None:
    path = tmp_path / f"in{ending}"
    path.write_bytes(b"secret nonsense" * 100)
    with pytest.raises(BadInput, match="cannot be read as") as caught:
        read(path)
    assert "secret" not in str(caught.value)


@pytest.mark.parametrize("format", ["xlsx", "sav", "dta", "jsonl", "sqlite"])
def test_missing_cells_at_the_end_of_a_row_are_read_back(format: str, tmp_path: Path) -> None:
    """Workbooks do not store them: the last column of some rows was not there for the verifier."""
    ages = pa.array([20 + i % 5 for i in range(30)])
    table = pa.table({"age": ages, "x": [None, 1.5, 2.5] * 10, "last": [None, "a", None] * 10})
    release = am.anonymize(table, {"age": "quasi", "x": "keep", "last": "keep"}, k=3, method="mondrian")
    assert release.write(tmp_path / "out", format=format).ok


def test_a_missing_package_is_named(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    import importlib.util

    path = written(tmp_path, "xlsx")
    find = importlib.util.find_spec
    monkeypatch.setattr(importlib.util, "find_spec", lambda name: None if name == "openpyxl" else find(name))
    for call in (lambda: read(path), lambda: am.verify(path, ["age"], [am.KAnonymity(2)])):
        with pytest.raises(BadOption, match="package is missing") as caught:
            call()
        assert "amongst[xlsx]" in caught.value.fix


def test_what_a_format_does_not_take_is_refused(tmp_path: Path) -> None:
    path = written(tmp_path, "jsonl")
    release = am.anonymize(path, ROLES, [am.KAnonymity(5)], method="mondrian")
    for format, why in (("sas7bdat", "use xpt"), ("doc", "use one of")):
        with pytest.raises(BadOption, match="cannot be written") as caught:
            release.write(tmp_path / "out", format=format)
        assert why in caught.value.fix
    with pytest.raises(BadOption, match="text file"):
        am.anonymize(path, ROLES, [am.KAnonymity(5)], memory="4GB", separator=";")
    with pytest.raises(BadOption, match="text file"):
        read(path, separator=";")
    with pytest.raises(BadOption, match="cannot be written"):
        write_data(pa.table({"not a name!": [1.0]}), tmp_path, "sav")


@pytest.mark.parametrize("driver", ["adbc_driver_sqlite", "adbc_driver_postgresql", "duckdb"])
@pytest.mark.parametrize("lists", [False, True], ids=["roles", "lists"])
def test_a_cursor_of_adbc_is_a_table(driver: str, lists: bool, tmp_path: Path, request: pytest.FixtureRequest) -> None:
    """Through the real drivers of three databases, with roles or the lists of the one call."""
    table = pa.table({"age": list(range(20, 80)), "town": ["Ulm", "Bonn", None] * 20})
    roles: dict[str, Any] = (
        {"quasi": ["age"], "keep": "town"} if lists else {"schema": {"age": "quasi", "town": "keep"}}
    )
    with cursor_of(driver, tmp_path, request) as cursor:
        cursor.adbc_ingest("people", table, mode="create", **({} if driver != "adbc_driver_postgresql" else TEMPORARY))
        cursor.execute("SELECT age, town FROM people")
        release = am.anonymize(cursor, **roles, models=[am.KAnonymity(5)], method="mondrian")
    expected = am.anonymize(table, {"age": "quasi", "town": "keep"}, [am.KAnonymity(5)], method="mondrian")
    assert release.table.to_pylist() == expected.table.to_pylist()


TEMPORARY = {"temporary": True}


@contextmanager
def cursor_of(driver: str, folder: Path, request: pytest.FixtureRequest) -> Iterator[Any]:
    """A cursor of ADBC, of a driver of its own or that which DuckDB brings along."""
    if driver == "duckdb":
        manager = pytest.importorskip("adbc_driver_manager.dbapi")
        named = {"driver": duckdb_driver(), "entrypoint": "duckdb_adbc_init", "db_kwargs": {"path": ":memory:"}}
        opened = manager.connect(**named)
    else:
        dbapi = pytest.importorskip(f"{driver}.dbapi")
        at = str(folder / "t.sqlite") if driver == "adbc_driver_sqlite" else request.getfixturevalue("postgresql")
        opened = dbapi.connect(at)
    with opened as connection, connection.cursor() as cursor:
        yield cursor


def duckdb_driver() -> str:
    """The library that DuckDB's package says is its driver."""
    import adbc_driver_duckdb

    return adbc_driver_duckdb.driver_path()


SAS = Path("/usr/lib/R/site-library/haven/examples/iris.sas7bdat")
"""A file that SAS wrote, as the Debian package r-cran-haven brings it; another may be named."""


def test_a_file_of_sas_with_content_is_read_as_pandas_reads_it(tmp_path: Path) -> None:
    path = Path(os.environ.get("AMONGST_SAS_FILE", SAS))
    if not path.is_file():
        pytest.skip("no file of SAS here: install r-cran-haven, or name one in AMONGST_SAS_FILE")
    pd = pytest.importorskip("pandas")
    known = pd.read_sas(path, encoding="latin-1")
    table = read(path).table
    assert table.num_rows == len(known)
    for name, other in zip(table.column_names, known.columns, strict=True):
        assert [str(cell) for cell in table[name].to_pylist()] == [str(cell) for cell in known[other]]
    for memory in ({}, {"memory": "1GB"}):
        release = am.anonymize(path, quasi=table.column_names[:4], rest="keep", k=5, method="mondrian", **memory)
        assert release.write(tmp_path / "out", format="xpt", force=True).ok
        assert read(tmp_path / "out" / "release.xpt").table.num_rows == table.num_rows


def test_texts_of_statistics_packages_are_read_in_the_encoding_that_they_are_in(tmp_path: Path) -> None:
    """Transport files tell no encoding; old ones have the texts of Windows."""
    pyreadstat = pytest.importorskip("pyreadstat")
    pd = pytest.importorskip("pandas")
    frame = pd.DataFrame({"city": ["KXln", "MXnchen", "Ulm"], "age": [1.0, 2.0, 3.0]})
    for ending, write in (("xpt", "write_xport"), ("sav", "write_sav"), ("dta", "write_dta")):
        path = tmp_path / f"a.{ending}"
        getattr(pyreadstat, write)(frame, str(path))
        path.write_bytes(path.read_bytes().replace(b"KX", b"K\xf6").replace(b"MX", b"M\xfc"))
        source = read(path)
        assert source.table["city"].to_pylist() == ["Köln", "München", "Ulm"]
        assert any("Windows-1252" in note for note in source.notes)
    broken = tmp_path / "a.xpt"
    broken.write_bytes(broken.read_bytes()[:-100] + b"\x81" * 100)
    with pytest.raises(BadInput, match="cannot be read"):
        read(broken)


def test_utf8_that_a_file_calls_latin1_is_read_as_utf8() -> None:
    from amongst.read.formats.statistics_package import _is_utf8_read_as_latin1

    texts = ["高雄市", "Иркутск", "Köln", "Ulm"]
    assert _is_utf8_read_as_latin1({"x": [one.encode().decode("latin-1") for one in texts], "n": [1.0, None]})
    for right in (texts, ["Ulm"], ["Köln", "Zürich"], [texts[0].encode().decode("latin-1"), "Köln"]):
        assert not _is_utf8_read_as_latin1({"x": right})


@pytest.mark.parametrize("shown", ["MONNAME3", "YYQ6", "WEEKDATE17", "MINGUO10", "DTMONYY7", "DTDATE9"])
def test_dates_of_sas_are_dates_however_sas_shows_them(shown: str, tmp_path: Path) -> None:
    pyreadstat = pytest.importorskip("pyreadstat")
    pd = pytest.importorskip("pandas")
    seconds = 86_400 if shown.startswith("DT") else 1
    frame = pd.DataFrame({"seen": [12054.0 * seconds, 12085.0 * seconds], "n": [12054.0, 1.0], "at": [3600.5, 60.0]})
    shows = {"seen": shown, "at": "TIME11.2", "n": "BEST12"}
    pyreadstat.write_xport(frame, str(tmp_path / "a.xpt"), variable_format=shows)
    table = read(tmp_path / "a.xpt").table
    assert table["at"].to_pylist() == [dt.time(1, 0, 0, 500_000), dt.time(0, 1)]
    assert [str(cell)[:10] for cell in table["seen"].to_pylist()] == ["1993-01-01", "1993-02-01"]
    assert table["n"].to_pylist() == [12054.0, 1.0]


def test_a_real_database() -> None:
    if not (REAL / "chinook.sqlite").is_file():
        pytest.skip("not here")
    assert read(REAL / "chinook.sqlite", table="Customer").table.num_rows == 59


ODD = [
    "",
    " a",
    "007",
    "1.10",
    "NULL",
    "nan",
    "=1+1",
    '"',
    "{a,b}",
    "\\",
    "a\tb",
    "two\nlines",
    "\x01",
    "\x0b",
    "_x0041_",
    "a\r\nb",
]
ODD += ["é", "e\u0301", "\u202eabc", "𝔘", "x" * 300, "y" * 40_000, "-0", "true", "2020-01-01", "\u2028", "\x85"]


@pytest.mark.parametrize("name", OTHERS)
@pytest.mark.parametrize("odd", [ODD, *([one] for one in ODD)], ids=["all", *map(str, range(len(ODD)))])
def test_a_text_is_read_back_or_refused(tmp_path: Path, name: str, odd: list[str]) -> None:
    """What a file would change is refused before there is one; databases and JSON hold everything."""
    table = pa.table({"a": ["[1-2]"] * len(odd) * 2, "b": odd * 2})
    refusals = []
    try:
        write_data(table, tmp_path, name)
    except BadOption as error:
        refusals = error.found
    if refusals:
        assert "'b'" in refusals[0]
        assert name not in ("sqlite", "duckdb", "jsonl")
        assert not list(tmp_path.iterdir())
        return
    assert [str(cell or "") for cell in read(tmp_path / f"release.{name}").table["b"].to_pylist()] == odd * 2


def test_numbers_of_json_that_are_too_large_are_their_digits(tmp_path: Path) -> None:
    (tmp_path / "in.jsonl").write_text('{"a": 18446744073709551615, "b": 0.10}\n{"a": 7, "b": 2}\n{"b": 3e0}\n')
    (tmp_path / "in.json").write_text('[{"a": 18446744073709551617, "b": 1}, {"a": 7, "b": 2}]')
    assert read(tmp_path / "in.jsonl").table["a"].to_pylist() == ["18446744073709551615", "7", None]
    assert read(tmp_path / "in.jsonl").table["b"].to_pylist() == [0.1, 2, 3]
    assert read(tmp_path / "in.json").table["a"].to_pylist() == ["18446744073709551617", "7"]


@pytest.mark.parametrize("memory", [None, "2GB"])
@pytest.mark.parametrize("name", ["parquet", *OTHERS])
def test_kept_texts_of_a_file_with_types_stay_as_they_were(tmp_path: Path, name: str, memory: str | None) -> None:
    """Forms are for the search: what is kept is the text, in every format; who is left out changes no type of it."""
    texts = {
        "day": [f"{1 + i % 9:02}.12.1980" for i in range(40)],
        "iso": [f"2020-01-{1 + i % 9:02}" for i in range(40)],
        "time": [f"2020-01-{1 + i % 9:02}T10:00" for i in range(40)],
        "cost": [f"{1 + i % 3}.{100 + i % 9},50" for i in range(40)],
        "number": [f"1.{100 + i % 7}" for i in range(40)],
        "code": [f"00{i % 5}" for i in range(40)],
        "blank": [f" x{i % 4}" for i in range(40)],
    }
    write_data(pa.table({"age": [i % 3 for i in range(40)], **texts}), tmp_path, name, "in")
    roles = {"age": am.Column(role="quasi"), **dict.fromkeys(texts, am.Column(role="keep"))}
    path = tmp_path / f"in.{name}"
    release = am.anonymize(path, roles, k=3, method="mondrian", reads="found", memory=memory)
    release.write(tmp_path / "out", format=name)
    back = read(tmp_path / "out" / f"release.{name}").table
    for column, cells in texts.items():
        assert sorted(map(str, back[column].to_pylist())) == sorted(cells), column
        if name == "parquet":
            assert all(isinstance(cell, str) for cell in back[column].to_pylist())
