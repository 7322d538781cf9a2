"""Lines and rows that are none of a person: titles, second headers, totals, blank rows; told, and never passed over."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pyarrow.parquet as pq
import pytest

import amongst as am
from amongst.errors import BadInput
from amongst.read import read
from amongst.read.reads import FOUND

ROWS = [f"{20 + i},{'mf'[i % 2]},{100.5 + i}" for i in range(12)]
HEAD = "age,sex,pay"


def _file(folder: Path, *lines: str, name: str = "t.csv") -> Path:
    (folder / name).write_text("\n".join(lines) + "\n", encoding="utf-8")
    return folder / name


@pytest.mark.parametrize(
    "before",
    [["Export of January"], ["# made by X", "# 2024"], ["Patients, January", ""], ["sep=,"], ["a title", "", "", "b"]],
)
@pytest.mark.parametrize("memory", [None, "2GB"])
def test_what_stands_before_the_names_is_passed_over_and_told(
    before: list[str], memory: str | None, tmp_path: Path
) -> None:
    path = _file(tmp_path, *before, HEAD, *ROWS)
    source = read(path)
    assert source.table.equals(read(_file(tmp_path, HEAD, *ROWS, name="plain.csv")).table)
    assert any(note.startswith(f"{len(before)} line") and "left out" in note for note in source.notes)
    more: dict[str, Any] = {} if memory is None else {"memory": memory, "work": tmp_path}
    release = am.anonymize(path, quasi=["age", "sex"], keep=["pay"], k=3, method="mondrian", **more)
    assert release.write(tmp_path / "out", format="csv", shape="input").ok
    assert (tmp_path / "out" / "release.csv").read_text(encoding="utf-8").splitlines()[0] == HEAD


def test_a_title_is_seen_whatever_parts_the_cells(tmp_path: Path) -> None:
    path = _file(tmp_path, "Patienten, Januar", HEAD.replace(",", ";"), *(one.replace(",", ";") for one in ROWS))
    assert read(path).table.column_names == HEAD.split(",")


@pytest.mark.parametrize("title", ['"Patients, January"', '"two\nlines"'])
def test_a_title_in_quotes_or_of_wide_letters_is_refused_with_words(title: str, tmp_path: Path) -> None:
    with pytest.raises(BadInput, match="does not begin with the names") as refused:
        read(_file(tmp_path, title, HEAD, *ROWS))
    assert "line" in str(refused.value.found)
    wide = tmp_path / "wide.csv"
    wide.write_text("\n".join(["Patients", HEAD, *ROWS]) + "\n", encoding="utf-16")
    with pytest.raises(BadInput, match="does not begin with the names"):
        read(wide)


def test_names_of_which_most_are_missing_are_no_title_and_the_first_person_is_no_name(tmp_path: Path) -> None:
    """Her cells would be the names of the columns, which are published."""
    people = ["Anna Miller,HIV", "Bert Smith,flu", "Cara Jones,gout", "Dora Hill,cold", "Eva Moss,acne"]
    for head, mark in (("diagnosis", ","), ("main diagnosis", ","), ("main diagnosis", ";")):
        with pytest.raises(BadInput, match="does not begin with the names"):
            read(_file(tmp_path, head, *(one.replace(",", mark) for one in people)))
    assert read(_file(tmp_path, "sep=,", "name,ill", *people)).table.column_names == ["name", "ill"]
    source = read(_file(tmp_path, "id,,", *(f"{one},none" for one in people)))
    assert (source.table.column_names, source.table.num_rows) == (["id", "column_2", "column_3"], 5)


PADDED = [["Patients 2024", "", ""], ["", "", ""], ["as of January", "", ""]]


@pytest.mark.parametrize("ending", ["csv", "xlsx"])
def test_a_title_with_the_cells_of_a_spreadsheet_is_passed_over_too(ending: str, tmp_path: Path) -> None:
    lines = [*PADDED, HEAD.split(","), *(row.split(",") for row in ROWS)]
    path = tmp_path / f"t.{ending}"
    if ending == "csv":
        _file(tmp_path, *map(",".join, lines))
    else:
        openpyxl = pytest.importorskip("openpyxl")
        book = openpyxl.Workbook()
        for line in lines:
            book.active.append([cell or None for cell in line])
        book.active.merge_cells("A1:C1")
        book.save(path)
    source = read(path)
    assert (source.table.column_names, source.table.num_rows) == (HEAD.split(","), len(ROWS))
    assert any(note.startswith("3 lines stand before the names") for note in source.notes)


@pytest.mark.parametrize(
    "lines",
    [
        ["town,,", *(f"{one},m,f" for one in ("Bonn", "Kiel", "Bonn", "Ulm"))],  # two columns without a name
        ["a,,", "1,,", ",2,", ",,3", "4,5,6", "7,8,9", "7,8,8"],
        ["a,b,c", ",,", "x,y,z", "x,y,y", "x,z,z"],
    ],
)
def test_names_that_are_few_are_names(lines: list[str], tmp_path: Path) -> None:
    assert read(_file(tmp_path, *lines)).table.column_names[0] in ("town", "a")


@pytest.mark.parametrize(
    "lines",
    [
        ["age;sex;pay", *(f"{20 + i};m;{i},5" for i in range(9))],  # commas in every cell but the names
        [HEAD, *ROWS, "", ""],
        ["x,y", *(f"{i},{i % 3}" for i in range(9))],
    ],
)
def test_files_that_begin_with_their_names_are_read(lines: list[str], tmp_path: Path) -> None:
    assert read(_file(tmp_path, *lines)).table.num_rows >= 9


def test_names_without_the_mark_that_every_line_has_are_no_title(tmp_path: Path) -> None:
    with pytest.raises(BadInput, match="too few or too many cells"):
        read(_file(tmp_path, "name", *(f"Smith, {i}" for i in range(9))))


@pytest.mark.parametrize(
    ("lines", "where", "names"),
    [
        ([HEAD, "years,code,EUR", *ROWS], "first", ["age", "pay"]),
        ([HEAD, *ROWS, "Total,,1272"], "last", ["age"]),
        ([HEAD, *ROWS[:5], "x,m,1", *ROWS[5:]], "", ["age"]),
        ([HEAD, *ROWS, "n.b.,m,1"], "", []),
    ],
)
def test_a_second_line_of_names_and_a_total_are_told(lines, where, names, tmp_path: Path) -> None:
    found = read(_file(tmp_path, *lines), reads=FOUND).found
    assert [name for name, one in found.items() if one.form is None] == names
    assert {found[name].at for name in names} <= {where}
    assert all(("would count as a person" in found[name].words) == bool(where) for name in names)


@pytest.mark.parametrize(
    ("last", "told"),
    [
        ("Total,,1272", "is called a total and is the sum"),
        ("Summe,,", "is called a total"),
        (",,1272", "is the sum of all others in 'pay'"),
        ("x,m,1272", None),  # somebody's, by chance
        ("x,m,100", None),
    ],
)
def test_a_row_that_adds_the_others_up_is_told(last: str, told: str | None, tmp_path: Path) -> None:
    rows = [f"p{i},{'mf'[i % 2]},{100.5 + i}" for i in range(12)]
    notes = [note for note in read(_file(tmp_path, "who,sex,pay", *rows, last)).notes if "as a person" in note]
    assert len(notes) == (told is not None)
    assert told is None or told in notes[0]


def test_rows_without_any_value_are_told(tmp_path: Path) -> None:
    assert not read(_file(tmp_path, HEAD, *ROWS)).notes
    notes = read(_file(tmp_path, HEAD, *ROWS, ",,", ",,", ",m,")).notes
    assert [note for note in notes if note.startswith("2 rows have no value at all")]


def test_thousands_parted_by_the_narrow_blank_of_french_are_numbers(tmp_path: Path) -> None:
    path = _file(tmp_path, "id;cost", *(f"a{i};1\u202f{200 + i},50" for i in range(9)))
    assert read(path, reads=FOUND).table["cost"].to_pylist() == [1200.5 + i for i in range(9)]


@pytest.mark.parametrize(
    ("lines", "told"),
    [
        (['{"a": 1}', '{"a": "x"}'], "'a' is a number in line 1, and a text in line 2"),
        (['{"a": 1}', "{"], "line 2 is no JSON"),
        (['{"a": 1}', "[1]"], "line 2 is no object"),
    ],
)
def test_the_line_of_json_that_does_not_fit_is_named(lines: list[str], told: str, tmp_path: Path) -> None:
    with pytest.raises(BadInput) as refused:
        read(_file(tmp_path, *lines, name="t.jsonl"))
    assert told in str(refused.value)


@pytest.mark.parametrize("content", [b"PK\x03\x04\x14\x00\xff\xfe", b"PAR1\x15\x00\xff", b"%PDF-1.4\n\xff\xfe"])
def test_what_only_has_the_ending_of_text_is_told(content: bytes, tmp_path: Path) -> None:
    (tmp_path / "t.csv").write_bytes(content * 9)
    with pytest.raises(BadInput, match="is no text"):
        read(tmp_path / "t.csv")


@pytest.mark.parametrize("memory", [None, "2GB"])
@pytest.mark.parametrize(
    ("cell", "read_as"),
    [
        (r'"he said \"no\" twice"', None),  # a backslash before quotes
        ('"closed"too early', None),
        ('"said ""no"" twice"', 'said "no" twice'),
        ('5" pipe', '5" pipe'),
        ('"C:\\"', "C:\\"),
    ],
)
def test_quotes_that_would_change_cells_are_refused(
    cell: str, read_as: str | None, memory: str | None, tmp_path: Path
) -> None:
    path = _file(tmp_path, "age,note", *(f"{20 + i},{cell if i == 7 else 'x'}" for i in range(12)))

    def published() -> list[str]:
        more: dict[str, Any] = {} if memory is None else {"memory": memory, "work": tmp_path}
        release = am.anonymize(path, quasi=["age"], keep=["note"], k=3, method="mondrian", **more)
        release.write(tmp_path / "out", format="parquet")
        return pq.read_table(tmp_path / "out" / "release.parquet")["note"].to_pylist()

    if read_as is None:
        with pytest.raises(BadInput, match="quote") as refused:
            published()
        assert "row 9" in str(refused.value.found)
    else:
        assert sorted(published()) == sorted(["x"] * 11 + [read_as])
