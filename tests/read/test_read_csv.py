"""CSV files as people have them: what becomes a number, what stays text, and what is refused with reasons."""

# ruff: noqa: E501 (tables of examples, one a line)

from __future__ import annotations

import csv
import datetime as dt
import gzip
import io
from pathlib import Path
from typing import Any

import pyarrow as pa
import pytest
from hypothesis import given
from hypothesis import strategies as st

from amongst.errors import BadInput, BadOption
from amongst.read import read


@pytest.fixture
def table_of(tmp_path: Path) -> Any:
    def read_it(content: str | bytes, name: str = "people.csv", **options: Any) -> pa.Table:
        return read(written(tmp_path, content, name), **options).table

    return read_it


@pytest.fixture
def refused(tmp_path: Path) -> Any:
    def read_it(content: str | bytes, name: str = "people.csv", **options: Any) -> BadInput:
        with pytest.raises(BadInput) as caught:
            read(written(tmp_path, content, name), **options)
        return caught.value

    return read_it


def written(folder: Path, content: str | bytes, name: str) -> Path:
    data = content.encode() if isinstance(content, str) else content
    path = folder / name
    path.write_bytes(gzip.compress(data) if name.endswith(".gz") else data)
    return path


def kind(column: pa.ChunkedArray) -> str:
    return str(column.type.value_type if pa.types.is_dictionary(column.type) else column.type)


KINDS: list[tuple[list[str], str, list[Any]]] = [
    (["1", "-2", "0"], "int64", [1, -2, 0]),
    (["999999999999999999", "1"], "int64", [999999999999999999, 1]),
    (["1.5", "2", "-0.25"], "double", [1.5, 2.0, -0.25]),
    (["1e3", "2.5E-2"], "double", [1000.0, 0.025]),
    (["3.50", "2.25"], "double", [3.5, 2.25]),
    (["2020-02-29", "1969-07-20"], "date32[day]", [dt.date(2020, 2, 29), dt.date(1969, 7, 20)]),
    (["2020-01-01 10:00", "2020-01-01T10:00:05"], "timestamp[s]", [dt.datetime(2020, 1, 1, 10), dt.datetime(2020, 1, 1, 10, 0, 5)]),
]  # fmt: skip


@pytest.mark.parametrize(("cells", "wanted", "values"), KINDS)
def test_columns_that_become_more_than_text(table_of: Any, cells: list[str], wanted: str, values: list[Any]) -> None:
    column = table_of("x,y\n" + "".join(f"{cell},-\n" for cell in cells))["x"]
    assert (kind(column), column.to_pylist()) == (wanted, values)


TEXTS: dict[str, list[str]] = {
    "leading zeros": ["01234", "99999"],
    "a plus sign": ["+1", "2"],
    "minus zero and a leading zero": ["-01", "2"],
    "huge integers": ["12345678901234567890", "1"],
    "integers that a double would round": ["1234567890123456", "1.5"],
    "infinity": ["inf", "1"],
    "too large for a double": ["1e999", "1"],
    "not a number": ["nan", "1.5"],
    "a day that is none": ["2021-02-29", "2021-03-01"],
    "a month that is none": ["2021-13-01", "2021-03-01"],
    "another way to write dates": ["01/02/2021", "03/04/2021"],
    "an hour that is none": ["2020-01-01 25:00", "2020-01-01 10:00"],
    "fractions of seconds": ["2020-01-01 10:00:00.5", "2020-01-01 10:00:01.25"],
    "numbers and words": ["1", "two"],
    "numbers and dates": ["1", "2020-01-01"],
    "a space": [" 1", "2"],
    "thousands": ["1.234.567", "1"],
    "codes that are the same number": ["250.1", "250.10"],
    "whole and not": ["1", "1.0"],
    "times that are the same time": ["2020-01-01T10:00", "2020-01-01 10:00:00"],
    "hexadecimal": ["0x10", "1"],
    "other digits": ["١", "٢"],
    "truths": ["true", "false"],
}


@pytest.mark.parametrize("what", TEXTS)
def test_columns_that_stay_text_since_something_would_be_lost(table_of: Any, what: str) -> None:
    column = table_of("x,y\n" + "".join(f"{cell},-\n" for cell in TEXTS[what]))["x"]
    assert kind(column) == "string"
    assert column.to_pylist() == TEXTS[what]


def test_a_null_does_not_make_text_of_numbers(table_of: Any) -> None:
    table = table_of("a,b,c\n1,,2020-01-01\n,x,\n3,,2020-01-03\n")
    assert table["a"].to_pylist() == [1, None, 3]
    assert table["b"].to_pylist() == [None, "x", None]
    assert table["c"].to_pylist() == [dt.date(2020, 1, 1), None, dt.date(2020, 1, 3)]


def test_only_nulls(table_of: Any) -> None:
    table = table_of("a,b\n,1\n,2\n")
    assert table["a"].to_pylist() == [None, None]


def test_an_empty_cell_is_missing_and_a_quoted_empty_text_is_a_text(table_of: Any) -> None:
    assert table_of('a,b\n"",1\n,2\nx,3\n')["a"].to_pylist() == ["", None, "x"]


def test_texts_that_mean_missing(table_of: Any) -> None:
    table = table_of("a,b\nNA,?\n1,x\n?,NA\n", nulls=["NA", "?"])
    assert table["a"].to_pylist() == [None, 1, None]
    assert table["b"].to_pylist() == [None, "x", None]
    assert table_of("a,b\nNA,?\nN,x\n", nulls="NA")["a"].to_pylist() == [None, "N"]
    assert table_of("a,b\nNA,?\n1,x\n")["a"].to_pylist() == ["NA", "1"]


@pytest.mark.parametrize("separator", [",", ";", "\t", "|"])
@pytest.mark.parametrize("newline", ["\n", "\r\n", "\r"])
@pytest.mark.parametrize("bom", [b"", b"\xef\xbb\xbf"], ids=["", "bom"])
def test_separators_line_ends_and_byte_order_marks(table_of: Any, separator: str, newline: str, bom: bytes) -> None:
    lines = [["age", "job"], ["31", "x y"], ["42", ""]]
    content = bom + newline.join(separator.join(line) for line in lines).encode() + newline.encode()
    assert table_of(content).to_pydict() == {"age": [31, 42], "job": ["x y", None]}


def test_separators_inside_quotes_do_not_count(table_of: Any) -> None:
    table = table_of('"last, first, middle";age\n"Doe, John, J";3\n')
    assert table.to_pydict() == {"last, first, middle": ["Doe, John, J"], "age": [3]}


def test_a_separator_that_is_told(table_of: Any, tmp_path: Path) -> None:
    assert table_of("a:b\n1:2\n", separator=":").to_pydict() == {"a": [1], "b": [2]}
    with pytest.raises(BadOption):
        read(written(tmp_path, "a,b\n1,2\n", "x.csv"), separator="::")


def test_quotes_commas_and_newlines_in_cells(table_of: Any) -> None:
    table = table_of('a,b\n"x,y","say ""hi"""\n"two\nlines",3\n')
    assert table.to_pydict() == {"a": ["x,y", "two\nlines"], "b": ['say "hi"', "3"]}


def test_a_newline_in_the_header(table_of: Any) -> None:
    assert table_of('"two\nlines",b\n1,2\n').to_pydict() == {"two\nlines": [1], "b": [2]}


@pytest.mark.parametrize("name", ["x.csv", "x.CSV", "x.tsv", "x.txt", "x.v2.csv", "x.csv.gz", "x.tsv.GZ".lower()])
def test_endings(table_of: Any, name: str) -> None:
    assert table_of("a;b\n1;2\n", name).to_pydict() == {"a": [1], "b": [2]}


def test_one_column_and_no_newline_at_the_end(table_of: Any) -> None:
    assert table_of("a\n1\n2").to_pydict() == {"a": [1, 2]}


def test_names_in_any_script(table_of: Any) -> None:
    assert table_of("年齢,Größe 🙂\n1,x\n").column_names == ["年齢", "Größe 🙂"]


def test_other_encodings(table_of: Any, refused: Any) -> None:
    latin = "näme,b\né,1\n".encode("latin-1")
    assert table_of(latin, encoding="latin-1").to_pydict() == {"näme": ["é"], "b": [1]}
    assert table_of("a,b\né,1\n".encode("utf-16"), encoding="utf-16").to_pydict() == {"a": ["é"], "b": [1]}
    assert table_of("a,b\né,1\n".encode("cp1252"), encoding="cp1252")["a"].to_pylist() == ["é"]
    for content in (latin, b"a,b\n" + b"x,1\n" * 100_000 + b"\xe9,1\n"):  # found, also beyond the first lines
        assert table_of(content).column(0)[-1].as_py() == "é"
    assert "not utf-8" in refused(b"a,b\n\xe9\0\xff\xfe,1\n").what
    for unknown in ("foo-8", "base64", "a b"):  # not told as a file that does not fit it
        with pytest.raises(BadOption, match=f"no such encoding[^\0]*{unknown}"):
            table_of("a,b\n1,2\n", encoding=unknown)


def test_ragged_rows_are_named_by_number(refused: Any) -> None:
    error = refused("a,b\n1,2\nsecret\n3,4\nsecret,2,3\n")
    assert error.what.startswith("2 rows of people.csv")
    assert error.found == ["row 3: 1 cells where 2 were expected", "row 5: 3 cells where 2 were expected"]
    assert "secret" not in str(error)
    many = refused("a,b\n" + "1,2\n" * 60_000 + "3\n" + "1,2\n" * 60_000 + "4,5,6\n")
    assert [line.split(":")[0] for line in many.found] == ["row 60002", "row 120003"]
    assert len(refused("a,b\n" + "1\n" * 100).found) == 5


@pytest.mark.parametrize(
    ("content", "what", "found"),
    [
        ("", "is empty", "0 bytes"),
        ("a,b\n", "has no rows", "2 columns, 0 rows"),
        ("a,b", "has no rows", "one line"),
        ("\n1,2\n", "has no header", "an empty first line"),
        (bytes(range(256)), "not utf-8", "bytes that do not fit this encoding, zeros among them"),
    ],
)
def test_what_cannot_be_read(refused: Any, content: str | bytes, what: str, found: str) -> None:
    error = refused(content)
    assert what in error.what
    assert found in error.found
    assert error.fix


@pytest.mark.parametrize("name", ["people.csv", "people.csv.gz"])
def test_a_quote_that_is_not_closed_hides_no_rows_in_a_cell(refused: Any, name: str) -> None:
    """Otherwise the rows after it would be published as they are, as part of a sensitive value."""
    long = "".join(f"{i},secret\n" for i in range(40_000))
    for rows in ('1,"cold\n2,secret\n3,secret\n', '1,"cold\n2,"secret"\n', f'1,"cold\n{long}', '1,"a\nb"c\n2,x\n'):
        error = refused(f"age,d\n0,flu\n{rows}", name)
        assert "quote" in error.what
        assert error.found[0].startswith("row 3,")
        assert "secret" not in str(error)


def test_quotes_that_are_no_quotation_stay(table_of: Any) -> None:
    assert table_of('a,b\n1,5" disk\n2,"x\ny"\n')["b"].to_pylist() == ['5" disk', "x\ny"]


def test_damaged_archives(tmp_path: Path) -> None:
    whole = gzip.compress(("a,b\n" + "".join(f"{i},{i * i}\n" for i in range(50_000))).encode())
    flipped = bytearray(whole)
    flipped[len(whole) // 2] ^= 0xFF
    for name, damaged in {
        "cut": whole[: len(whole) // 2],
        "cut at the end": whole[:-4],
        "flipped": flipped,
        "text": b"a,b\n",
    }.items():
        path = tmp_path / f"{name}.csv.gz"
        path.write_bytes(bytes(damaged))
        with pytest.raises(BadInput, match="cannot be read"):
            read(path)


def test_paths(tmp_path: Path) -> None:
    written(tmp_path, "a,b\n1,2\n", "data.rds")
    written(tmp_path, "a,b\n1,2\n", "data")
    for name, what in {
        "none.csv": "not there",
        "": "no Parquet file",
        "data.rds": "does not read data.rds",
        "data": "kind of file",
    }.items():
        with pytest.raises(BadInput, match=what):
            read(tmp_path / name)


def test_what_is_told_about_the_source(tmp_path: Path) -> None:
    import hashlib

    path = written(tmp_path, "a,b\n1,2\n", "people.csv")
    source = read(str(path))
    assert (source.name, source.frame) == ("people.csv", "pyarrow")
    assert source.sha256 == hashlib.sha256(path.read_bytes()).hexdigest()
    assert source.table.schema.metadata is None


CELLS = st.one_of(
    st.text(st.characters(exclude_categories=["Cs"], exclude_characters="\x00\r\ufeff"), max_size=6),
    st.integers(-(10**20), 10**20).map(str),
    st.floats(allow_nan=True).map(repr),
    st.dates().map(str),
)


@given(st.lists(st.tuples(CELLS, CELLS), min_size=1, max_size=8))
def test_whatever_python_writes_comes_back(rows: list[tuple[str, str]]) -> None:
    """Every cell quoted: nothing is missing, and turning the values back into text gives the cells."""
    import tempfile

    text = io.StringIO()
    writer = csv.writer(text, quoting=csv.QUOTE_ALL, lineterminator="\n")
    writer.writerows([("a", "b"), *rows])
    with tempfile.TemporaryDirectory() as folder:
        table = read(written(Path(folder), text.getvalue(), "x.csv"), separator=",", header=True).table
    for name, cells in zip("ab", zip(*rows, strict=True), strict=True):
        values = table[name].to_pylist()
        assert len(values) == len(cells)
        for value, cell in zip(values, cells, strict=True):
            assert (
                value == cell
                if isinstance(value, str)
                else type(value)(cell) == value
                if isinstance(value, (int, float))
                else str(value) == cell
            )
