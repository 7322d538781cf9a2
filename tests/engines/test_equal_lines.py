"""Texts made once for equal rows are the bytes of Arrow's writer; lines parsed once are the rows of its reader."""

from __future__ import annotations

import io
from pathlib import Path

import pyarrow as pa
import pytest
from hypothesis import example, given
from hypothesis import strategies as st
from pyarrow import csv

from amongst.engines import equal_rows
from amongst.engines.equal_rows import text_by_runs
from amongst.errors import BadInput
from amongst.published import csv_file, equal_lines
from amongst.published.csv_file import open_csv

CELLS = st.sampled_from(["", "a", 'b"c', "x,y", "ä", " ", "two\nlines", None])
ROWS = st.lists(st.tuples(CELLS, st.sampled_from([0, -7, 2**40, None]), CELLS), min_size=1, max_size=12)


@given(rows=ROWS, times=st.integers(2, 5))
def test_the_bytes_are_those_of_arrow(rows: list, times: int) -> None:
    rows = [row for row in rows for _ in range(times)]
    first, number, last = zip(*rows, strict=True)
    table = pa.table(
        {"a": pa.array(first).dictionary_encode(), "n": pa.array(number, pa.int64()), "c": pa.array(last, pa.string())}
    )
    table = table.set_column(0, "a", table.column("a").cast(pa.dictionary(pa.int32(), pa.string())))
    out = io.BytesIO()
    csv.write_csv(table, out, csv.WriteOptions(include_header=False))
    made = text_by_runs(table)
    assert made is not None
    assert b"".join(bytes(piece) for piece in made) == out.getvalue()


def test_rows_that_are_different_are_left_to_arrow() -> None:
    assert text_by_runs(pa.table({"a": list(range(100))})) is None
    assert text_by_runs(pa.table({"a": [1.5] * 100})) is None  # floats are printed by Arrow's writer alone
    assert equal_rows.MOST_RUNS < 1


@example(rows=[("a", 0, "b"), ("a", 0, None)], times=3, line_end="\n", block=1 << 24)  # the last cell is missing
@given(
    rows=ROWS,
    times=st.integers(1, 5),
    line_end=st.sampled_from(["\n", "\r\n", "\r", "\n\n"]),
    block=st.sampled_from([1, 20, 60, 1 << 24]),
)
def test_the_rows_are_those_of_arrow(
    tmp_path_factory: pytest.TempPathFactory, rows: list, times: int, line_end: str, block: int
) -> None:
    def cell(value: object) -> str:
        return "" if value is None else '"' + str(value).replace('"', '""') + '"'

    path = tmp_path_factory.mktemp("x") / "release.csv"
    lines = [",".join(map(cell, row)) for row in rows for _ in range(times)]
    path.write_bytes((line_end.join(['"a","n","c"', *lines]) + line_end).encode())
    source = open_csv(path)
    for names in (["a", "n", "c"], ["c"], ["n", "a"]):
        with pytest.MonkeyPatch.context() as patch:
            patch.setattr(equal_lines, "BLOCK", block)
            found = pa.Table.from_batches(list(source.batches(names))).to_pydict()
        plain = list(csv_file._reader(path, names, ",", 3, None))
        expected = pa.Table.from_batches(plain).to_pydict() if plain else {name: [] for name in names}
        assert found == expected


def test_a_cell_of_two_lines_beyond_the_first_block(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    path = tmp_path / "release.csv"
    path.write_text("a,b\n" + "x,1\n" * 20_000 + '"two\nlines",2\n' + "y,3\n" * 5)
    monkeypatch.setattr(equal_lines, "BLOCK", 1 << 14)
    monkeypatch.setattr(csv_file, "_BLOCK", 1 << 14)
    cells = [cell for batch in open_csv(path).batches(["a"]) for cell in batch.column(0).to_pylist()]
    assert cells == ["x"] * 20_000 + ["two\nlines"] + ["y"] * 5


def test_a_row_that_is_too_long_is_told_as_before(tmp_path: Path) -> None:
    path = tmp_path / "release.csv"
    path.write_text("a,b\n" + "x,1\n" * 50 + "secret,1,2\n" + "x,1\n" * 50)
    with pytest.raises(BadInput, match="a row with 3 cells") as caught:
        list(open_csv(path).batches(["a"]))
    assert "secret" not in str(caught.value)
