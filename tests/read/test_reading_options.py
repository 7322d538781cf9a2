"""Separator, encoding and header: what is told works in every engine, what is not told is found out or asked for."""

from __future__ import annotations

import gzip
from pathlib import Path
from typing import Any

import pyarrow as pa
import pyarrow.parquet as pq
import pytest

import amongst as am
from amongst.errors import AmongstError, BadInput, BadOption, BadSchema
from amongst.job.job import Input, Job
from amongst.read import read
from amongst.read.cells import LONGEST_CELL
from amongst.read.file import OTHERS
from amongst.read.header import LONGEST_HEADER, ROWS_LOOKED_AT
from amongst.read.names import looks_like_data

ENGINES: list[dict[str, Any]] = [{}, {"memory": "8GB"}]
PEOPLE = [("Größe", "Straße"), *((str(150 + i % 7), ["Müllerstraße", "Rue d’Été", "–"][i % 3]) for i in range(30))]


def lines(separator: str, rows: list[tuple[str, ...]] = PEOPLE) -> str:
    return "".join(separator.join(row) + "\n" for row in rows)


def published(path: Path, schema: dict[str, str], **options: Any) -> pa.Table:
    out = path.parent / "out"
    am.anonymize(path, schema, [am.KAnonymity(2)], **options).write(out, force=True)
    return pq.read_table(out / "release.parquet")


@pytest.mark.parametrize("engine", ENGINES, ids=["memory", "files"])
@pytest.mark.parametrize(
    ("encoding", "separator", "packed"),
    [
        ("windows-1252", ";", False),
        ("utf-16", "tab", False),
        ("utf-16-le", "blank", True),
        ("utf-32", ":", False),
        ("utf-8", "\\t", True),
    ],
)
def test_what_is_told_is_read(
    tmp_path: Path, engine: dict[str, Any], encoding: str, separator: str, packed: bool
) -> None:
    mark = {"tab": "\t", "\\t": "\t", "blank": " "}.get(separator, separator)
    content = "\n".join(mark.join(cell.replace(" ", "_") for cell in row) for row in PEOPLE).encode(encoding)
    path = tmp_path / ("people.csv.gz" if packed else "people.dat")
    path.write_bytes(gzip.compress(content) if packed else content)
    table = published(path, {"Größe": "quasi", "Straße": "keep"}, separator=separator, encoding=encoding, **engine)
    assert table.num_rows == 30
    assert set(table["Straße"].to_pylist()) == {"Müllerstraße", "Rue_d’Été", "–"}


@pytest.mark.parametrize(
    ("content", "say"),
    [
        (b"a,b\n1,\xff\0\xfe\n", "encoding"),
        (b"a:b:c\n1:2:3\n4:5:6\n", "separator"),
        (b"a,b\n1,2\n1,2,3\n", "separator"),
    ],
)
@pytest.mark.parametrize("engine", ENGINES, ids=["memory", "files"])
def test_an_error_names_the_option_that_may_mend_it(
    tmp_path: Path, content: bytes, say: str, engine: dict[str, Any]
) -> None:
    path = tmp_path / "people.csv"
    path.write_bytes(content)
    with pytest.raises(BadInput) as caught:
        am.anonymize(path, {"a": "quasi"}, [am.KAnonymity(2)], **engine)
    assert say in caught.value.facts["say"]
    assert say in caught.value.fix or say == "separator"


@pytest.mark.parametrize("engine", ENGINES, ids=["memory", "files"])
@pytest.mark.parametrize(
    ("encoding", "found"),
    [
        ("windows-1252", "windows-1252"),
        ("utf-16", "utf-16"),
        ("utf-16-be", "utf-16-be"),
        ("utf-32", "utf-32"),
        ("utf-8", None),
        ("utf-8-sig", None),
    ],
)
def test_the_encoding_is_found_and_told(
    tmp_path: Path, encoding: str, found: str | None, engine: dict[str, Any]
) -> None:
    path = tmp_path / "people.csv"
    path.write_bytes(lines(";").encode(encoding))
    release = am.anonymize(path, {"Größe": "quasi", "Straße": "keep"}, [am.KAnonymity(2)], **engine)
    assert [f"read as {found}" in note for note in release.source.notes] == ([True] if found else [])
    release.write(tmp_path / "out")
    table = pq.read_table(tmp_path / "out" / "release.parquet")
    assert set(table["Straße"].to_pylist()) == {"Müllerstraße", "Rue d’Été", "–"}


def test_an_encoding_that_is_told_and_wrong_is_refused(tmp_path: Path) -> None:
    path = tmp_path / "people.csv"
    path.write_bytes(lines(";").encode("utf-16"))
    with pytest.raises(BadInput, match="utf-16"):
        read(path, encoding="utf-8")


def test_lines_that_blanks_part_are_found(tmp_path: Path) -> None:
    path = tmp_path / "people.data"
    path.write_text("a b c\n1 2 3\n4 5 6\n")
    source = read(path)
    assert source.table.to_pydict() == {"a": [1, 4], "b": [2, 5], "c": [3, 6]}
    assert source.layout is not None
    assert source.layout.told["separator"] == " "
    assert "single blanks" in source.notes[0]


def test_a_first_line_of_data_is_read_as_a_row(tmp_path: Path) -> None:
    path = tmp_path / "people.csv"
    path.write_text("1,x,2\n2,y,3\n1,x,4\n")
    source = read(path)
    assert source.table.to_pydict() == {"column_1": [1, 2, 1], "column_2": ["x", "y", "x"], "column_3": [2, 3, 4]}
    assert "looks like data" in source.notes[0]


@pytest.mark.parametrize("engine", ENGINES, ids=["memory", "files"])
def test_without_a_header_no_row_is_lost_and_none_becomes_a_name(tmp_path: Path, engine: dict[str, Any]) -> None:
    path = tmp_path / "people.data"
    path.write_text("".join(f"{20 + i % 4} A{i % 3} b{i % 2}\n" for i in range(24)))
    roles = {"column_1": "quasi", "column_2": "keep", "column_3": "sensitive"}
    table = published(path, roles, separator=" ", header=False, **engine)
    assert table.num_rows == 24
    assert table.column_names == ["column_1", "column_2", "column_3"]
    assert sorted(table["column_2"].to_pylist()) == sorted(f"A{i % 3}" for i in range(24))


def test_a_first_line_that_looks_like_data_is_not_shown(tmp_path: Path) -> None:
    path = tmp_path / "people.csv"
    path.write_text("secretname,53,m\nother,51,f\nthird,50,m\n")
    source = read(path)
    assert "secretname" not in str(source.notes) + str(source.table.column_names) + repr(source)
    assert read(path, header=True).table.column_names == ["secretname", "53", "m"]
    assert read(path, header=False).table.num_rows == 3


@pytest.mark.parametrize(
    ("names", "rows", "data"),
    [
        (["age", "sex"], [["1", "m"]], False),
        (["age", "sex"], [["age", "sex"]], True),
        (["1", "sex"], [["2", "f"]], True),
        (["1", "sex", "job"], [["2", "f", "x"]], False),
        (["2019", "2020", "2021", "id"], [["1", "2", "3", "x"]], False),
        (["0", "1"], [["1", "2"]], False),
        (["5", "5"], [["1", "2"]], True),
        (["2020-01-02", "x"], [["2020-01-03", "y"]], True),
        (["31.12.1980", "3,5"], [["x", "y"]], True),
        (["1", "2"], [], False),
        (["", "age"], [["", "1"]], False),
    ],
)
def test_what_looks_like_data(names: list[str], rows: list[list[str]], data: bool) -> None:
    assert looks_like_data(names, rows) is data


@pytest.mark.parametrize(("n", "seen"), [(ROWS_LOOKED_AT, True), (ROWS_LOOKED_AT + 1, False)])
def test_only_so_many_rows_are_compared_with_the_names(tmp_path: Path, n: int, seen: bool) -> None:
    path = tmp_path / "people.csv"
    path.write_text("x,y\n" + "a,b\n" * (n - 1) + "x,y\n" + "a,b\n" * 200)
    assert read(path).table.num_rows == n + 200 + seen


@pytest.mark.parametrize("engine", ENGINES, ids=["memory", "files"])
def test_columns_with_the_same_name_or_none_are_told_apart_and_noted(tmp_path: Path, engine: dict[str, Any]) -> None:
    path = tmp_path / "people.csv"
    path.write_text('"",age,"two\nlines",age,age_2\n' + "".join(f"{i},{i % 3},t{i},{i % 2},x\n" for i in range(12)))
    roles = {"column_1": "identifier", "age": "quasi", "two\nlines": "keep", "age_3": "keep", "age_2": "keep"}
    release = am.anonymize(path, roles, [am.KAnonymity(2)], **engine)
    release.write(tmp_path / "out")
    table = pq.read_table(tmp_path / "out" / "release.parquet")
    assert sorted(table["two\nlines"].to_pylist()) == sorted(f"t{i}" for i in range(12))
    assert sorted(table["age_3"].to_pylist()) == [0] * 6 + [1] * 6
    notes = " ".join(release.source.notes)
    assert "column_1" in notes
    assert "age_3" in notes


def test_one_column_is_read_where_it_is_one(tmp_path: Path) -> None:
    path = tmp_path / "people.csv"
    path.write_text("full name\nAda Lovelace\nAlan Turing\n")
    assert read(path).table.num_rows == 2
    path.write_text("a;b\n1;2\n3;4\n")
    told = read(path, separator=",")
    assert told.table.column_names == ["a;b"]
    assert "semicolon" in told.notes[0]


@pytest.mark.parametrize("ending", sorted(OTHERS))
def test_kinds_of_files_that_are_not_read_are_called_by_their_name(tmp_path: Path, ending: str) -> None:
    path = tmp_path / f"people{ending}"
    path.write_bytes(b"PK\x03\x04")
    for options in ENGINES:
        with pytest.raises(BadInput) as caught:
            am.anonymize(path, {"a": "quasi"}, [am.KAnonymity(2)], **options)
        assert OTHERS[ending] in caught.value.found[0]
        assert ".csv" in caught.value.fix


def test_the_options_are_part_of_a_job(tmp_path: Path) -> None:
    told = Input(tmp_path / "x.dat", ("NA",), " ", "latin-1", header=False)
    job = Job(told, am.Schema({"column_1": "quasi"}), (am.KAnonymity(2),), method="mondrian")
    (tmp_path / "job.toml").write_text(job.to_toml())
    assert Job.from_file(tmp_path / "job.toml").input == told
    assert set(told.reading) == {"nulls", "separator", "encoding", "header", "reads"}


CELLS = [(LONGEST_CELL, True), (LONGEST_CELL + 1, False), (10_000_000, False)]


@pytest.mark.parametrize("engine", ENGINES, ids=["memory", "files"])
@pytest.mark.parametrize(("size", "ok"), CELLS)
@pytest.mark.parametrize("role", ["keep", "quasi"])
def test_a_long_cell_of_parquet(tmp_path: Path, engine: dict[str, Any], size: int, ok: bool, role: str) -> None:
    path = tmp_path / "long.parquet"
    pq.write_table(pa.table({"age": [1, 1, 2, 2], "dx": ["x" * size, "a", "b", "a"]}), path)
    said = _said(path, role, engine)
    assert ("too long" not in said) is ok, said
    assert ok or f"{size:,} bytes" in said


@pytest.mark.parametrize("engine", ENGINES, ids=["memory", "files"])
@pytest.mark.parametrize("size", [LONGEST_CELL // 3, LONGEST_CELL + 1, 10_000_000])
def test_a_long_cell_of_csv(tmp_path: Path, engine: dict[str, Any], size: int) -> None:
    path = tmp_path / "long.csv"
    path.write_text("age,dx\n1,a\n1," + "x" * size + "\n2,b\n2,a\n")
    assert ("too long" in _said(path, "keep", engine)) is (size > LONGEST_CELL)


@pytest.mark.parametrize(("size", "ok"), [(LONGEST_HEADER - 10, True), (LONGEST_HEADER, False)])
def test_a_long_first_line(tmp_path: Path, size: int, ok: bool) -> None:
    path = tmp_path / "long.csv"
    names = ",".join(f"c{i}".ljust(100_000, "x") for i in range(10))
    path.write_text(names.ljust(size, "y") + "\n" + "v,w,x,y,z,v,w,x,y,z\n")
    try:
        read(path)
        said = ""
    except BadInput as error:
        said = error.what
    assert ("first line" in said) is not ok, said


def _said(path: Path, role: str, engine: dict[str, Any]) -> str:
    try:
        am.anonymize(path, {"age": "quasi", "dx": role}, [am.KAnonymity(2)], **engine).write(path.parent / "out")
    except BadInput as error:
        return str(error)
    return ""


def test_a_role_may_stand_for_a_column() -> None:
    table = pa.table({"age": [1, 1, 2, 2], "dx": ["a", "b", "a", "b"]})
    assert (
        am.anonymize(
            table, {"age": "quasi", "dx": am.Column(role="keep")}, [am.KAnonymity(2)], method="mondrian"
        ).arrow.num_rows
        == 4
    )
    assert am.lower_bound(table, {"age": "quasi", "dx": "keep"}, 2) is not None


@pytest.mark.parametrize("wrong", [None, 3, ["age"], {"age": 3}, {"age": "qausi"}, "age"])
def test_what_is_no_schema_is_refused_in_words(wrong: Any) -> None:
    table = pa.table({"age": [1, 1, 2, 2]})
    for call in (am.anonymize, am.generalizations, am.compare):
        with pytest.raises(BadSchema):
            call(table, wrong, [am.KAnonymity(2)])
    with pytest.raises(BadSchema):
        am.lower_bound(table, wrong, 2)


@pytest.mark.parametrize("wrong", [{"progress": "yes"}, {"report_loss": 1}])
def test_what_cannot_be_called_is_refused_in_words(wrong: dict[str, Any]) -> None:
    with pytest.raises(BadOption, match="called"):
        am.anonymize(pa.table({"age": [1, 1]}), {"age": "quasi"}, [am.KAnonymity(2)], **wrong)


@pytest.mark.parametrize("option", [{"separator": ";"}, {"encoding": "latin-1"}, {"header": False}, {"nulls": ["NA"]}])
def test_options_of_text_are_refused_for_a_frame(option: dict[str, Any]) -> None:
    with pytest.raises(AmongstError, match="text file"):
        am.anonymize(pa.table({"age": [1, 1]}), {"age": "quasi"}, [am.KAnonymity(2)], **option)
