"""Files without a separator: blanks, and columns at the same places."""

from __future__ import annotations

from pathlib import Path

import pytest

from amongst.errors import BadInput, BadOption
from amongst.read import read

ROWS = [("1", "Ann Li", "31"), ("22", "Bo", "4"), ("333", "Cy", "57")]


def fixed(rows: list[tuple[str, ...]]) -> str:
    return "".join(f"{one:<5}{name:<8}{age:>3}\n" for one, name, age in [("id", "name", "age"), *rows])


def test_places_are_found_and_told(tmp_path: Path) -> None:
    path = tmp_path / "x.txt"
    path.write_text(fixed(ROWS))
    source = read(path)
    assert source.table.to_pydict() == {"id": [1, 22, 333], "name": ["Ann Li", "Bo", "Cy"], "age": [31, 4, 57]}
    assert source.layout is not None
    again = read(path, separator=source.layout.told["separator"])
    assert again.table.equals(source.table)
    assert "same places" in source.notes[0]


def test_packed_columns_are_told(tmp_path: Path) -> None:
    path = tmp_path / "x.dat"
    path.write_text("M1980A\nF1975B\n")
    table = read(path, separator="1,4,1", header=False).table
    assert table.to_pydict() == {"column_1": ["M", "F"], "column_2": [1980, 1975], "column_3": ["A", "B"]}


def test_a_later_line_that_reaches_over_a_place_is_refused(tmp_path: Path) -> None:
    path = tmp_path / "x.txt"
    path.write_text(fixed(ROWS * 50) + "4    a very long name 4\n")
    with pytest.raises(BadInput, match="1 lines have no blank"):
        read(path)


@pytest.mark.parametrize("text", ["a  b   c\n1 2    3\n4   5 6\n", "  a b c\n 1  2 3  \n4 5 6\n"])
def test_runs_of_blanks(tmp_path: Path, text: str) -> None:
    path = tmp_path / "x.txt"
    path.write_text(text)
    assert read(path, separator="blanks").table.to_pydict() == {"a": [1, 4], "b": [2, 5], "c": [3, 6]}
    assert read(path).table.to_pydict() == {"a": [1, 4], "b": [2, 5], "c": [3, 6]}


def test_quotes_keep_blanks_together(tmp_path: Path) -> None:
    path = tmp_path / "x.txt"
    path.write_text('id   name  n\n1  "Ann Li"   3\n2 "Bo"  4\n')
    assert read(path, separator="blanks").table["name"].to_pylist() == ["Ann Li", "Bo"]


@pytest.mark.parametrize("separator", [";;", "5,", "0,3", "several"])
def test_what_is_no_separator_is_refused(tmp_path: Path, separator: str) -> None:
    path = tmp_path / "x.txt"
    path.write_text("a,b\n1,2\n")
    with pytest.raises(BadOption, match="A separator is"):
        read(path, separator=separator)
