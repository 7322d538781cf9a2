"""The kernel that reads plain lines reads what Arrow reads, and leaves everything else to it."""

from __future__ import annotations

import csv
import io
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from amongst.errors import AmongstError
from amongst.kernels.loader import compiled
from amongst.read import plain_lines, text

pytestmark = pytest.mark.skipif(compiled("_text") is None, reason="no compiled kernels here")

CELLS = st.one_of(
    st.sampled_from(["", "a", "007", "NA", "12345678", "123456789", "ß" * 9, "a long text of more than sixteen bytes"]),
    st.text(st.characters(codec="utf-8", exclude_characters='\n\r"'), max_size=20),
    st.sampled_from(['b"c', '"', '""', "x,y", "two\nlines", "\r"]),
)
ROWS = st.integers(2, 4).flatmap(lambda n: st.lists(st.tuples(*[st.tuples(CELLS, st.booleans())] * n), min_size=1))


def written(rows: list[Any], end: str) -> str:
    """A cell is in quotes where it must be, and where it was drawn so."""
    lines = [",".join(f"c{i}" for i in range(len(rows[0])))]
    for row in rows:
        quoted = [quotes or any(sign in cell for sign in ',"\n\r') for cell, quotes in row]
        cells = [
            '"' + cell.replace('"', '""') + '"' if in_quotes else cell
            for (cell, _), in_quotes in zip(row, quoted, strict=True)
        ]
        lines.append(",".join(cells))
    return end.join(lines) + end


def found(path: Path, nulls: list[str]) -> Any:
    try:
        columns, _ = text.read_text(path, nulls=nulls)
    except AmongstError as error:
        return str(error)
    return {name: (column.to_pylist(), column.dictionary.to_pylist()) for name, column in columns.items()}


@settings(max_examples=150)
@given(rows=ROWS, end=st.sampled_from(["\n", "\r\n"]), mark=st.booleans(), nulls=st.sampled_from([[], ["NA", "007"]]))
def test_it_reads_what_arrow_reads(
    tmp_path_factory: Any, rows: list[Any], end: str, mark: bool, nulls: list[str]
) -> None:
    path = tmp_path_factory.mktemp("lines") / "a.csv"
    path.write_bytes((b"\xef\xbb\xbf" if mark else b"") + written(rows, end).encode())
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(plain_lines, "BLOCK", 64)  # many blocks, lines and signs parted by them
        by_kernel = found(path, nulls)
        patch.setattr(text, "_plain_cells", lambda *given: None)
        assert by_kernel == found(path, nulls)


@settings(max_examples=60)
@given(rows=ROWS)
def test_of_plain_lines_it_reads_the_cells_that_were_written(rows: list[Any]) -> None:
    plain = [[(cell, quotes) for cell, quotes in row] for row in rows]
    content = written(plain, "\n")
    read = columns_of(content.encode())
    if any("\n" in cell or "\r" in cell for row in rows for cell, _ in row):
        assert read is None
        return
    wanted = list(zip(*csv.reader(io.StringIO(content)), strict=True))
    missing = list(zip(*[[cell == "" and not quotes for cell, quotes in row] for row in plain], strict=True))
    assert read is not None
    for column, (_, *cells), none in zip(read, wanted, missing, strict=True):
        assert column == [None if gone else cell for cell, gone in zip(cells, none, strict=True)]


@pytest.mark.parametrize(
    "odd",
    [
        b"a,b\n1,2,3\n",
        b"a,b\n1\n",
        b'a,b\n1,"2\n3,4\n',
        b'a,b\n1,"two\nlines"\n',
        b'a,b\n1,"2"3\n',
        b'a,b\n1,2"3\n',
        b"a,b\n1,2\r3,4\n",
        b"a,b\n1,2\r",
        b"a,b\n1,\xff\n",
        b'"a\nb",c\n1,2\n',
    ],
)
def test_what_is_not_plain_is_left_to_arrow(odd: bytes) -> None:
    assert columns_of(odd) is None


def test_a_line_longer_than_any_is_left_to_arrow(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(plain_lines, "BLOCK", 8)
    monkeypatch.setattr(plain_lines, "LONGEST_LINE", 32)
    assert columns_of(b"a,b\n" + b"1" * 100 + b",2\n") is None


def test_an_empty_last_cell_without_a_line_end_is_missing() -> None:
    assert columns_of(b'a,b\n"1",') == [["1"], [None]]


def test_thousands_of_different_cells_keep_their_numbers() -> None:
    lines = b"".join(b"%d,%d\n" % (i, i % 7) for i in range(70_000))
    assert columns_of(b"a,b\n" + lines) == [[str(i) for i in range(70_000)], [str(i % 7) for i in range(70_000)]]


def test_odd_arguments_are_refused() -> None:
    kernel = compiled("_text")
    cells = kernel.begin(2, ord(","), ())
    for wrong in (lambda: kernel.begin(0, 44, ()), lambda: kernel.begin(2, 34, ()), lambda: kernel.column(cells, 2)):
        with pytest.raises(ValueError):
            wrong()
    for wrong in (
        lambda: kernel.feed(cells, "text"),
        lambda: kernel.begin(2, 44, ["x"]),
        lambda: kernel.begin(2, 44, ("x",)),
    ):
        with pytest.raises(TypeError):
            wrong()
    with pytest.raises(ValueError):
        kernel.feed(object(), b"")


def columns_of(content: bytes) -> list[list[Any]] | None:
    n_columns = content.split(b"\n")[0].count(b",") + 1
    columns = plain_lines.cells_of_plain_lines(io.BytesIO(content), n_columns, ",", [], header=True)
    return None if columns is None else [column.to_pylist() for column in columns]
