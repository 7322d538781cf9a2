"""Workbooks of spreadsheets: one sheet, whose first row has the names."""

from __future__ import annotations

import datetime as dt
import re
import zipfile
from collections.abc import Mapping
from pathlib import Path
from typing import TYPE_CHECKING, Any

from amongst.errors import BadInput, BadOption
from amongst.read.formats.fitting import Holds
from amongst.read.formats.format import TABLE, Content, Format, one_of

if TYPE_CHECKING:
    import pyarrow as pa

MOST_ROWS = 1_048_575
"""Rows of a sheet beside its names."""
MOST_COLUMNS = 16_384
LOOKED_AT = 100
"""Rows in which a title above the names is looked for."""
SIGNS = "[\\x00-\\x08\\x0b\\x0c\\x0e-\\x1f\\x{fffe}\\x{ffff}]"
"""Those that its XML does not have."""
_TIME = re.compile(rb"[0-9]{4}-[0-9]{2}-[0-9]{2}T[0-9:]{8}Z")
LONG_AGO = b"2000-01-01T00:00:00Z"
"""The time that all workbooks say they were made, so that equal releases are equal files."""


def read_workbook(path: Path, table: str | None) -> Content:
    """A sheet as a table; a column of several types is text."""
    import pyarrow as pa
    from python_calamine import CalamineWorkbook

    from amongst.read.names import left_out, lines_before_names, told_apart

    with path.open("rb") as stream:
        book = CalamineWorkbook.from_filelike(stream)
        sheet = one_of(list(book.sheet_names), table, path, "sheet")
        rows = book.get_sheet_by_name(sheet).to_python(skip_empty_area=True)
    if len(rows) < 2:
        raise BadInput(
            f"{path.name} has no rows.", found=f"{len(rows)} rows in the sheet", fix="give a sheet with rows"
        )
    above = [["" if cell is None else str(cell) for cell in row] for row in rows[:LOOKED_AT]]
    n_before = lines_before_names(above)
    rows, cells = rows[n_before:], above[n_before]
    names = told_apart([cell if cell.strip() else f"column_{i}" for i, cell in enumerate(cells, start=1)])
    columns = [_column(column) for column in zip(*rows[1:], strict=True)]
    renamed = sum(cell != name for cell, name in zip(cells, names, strict=True))
    notes: tuple[str, ...] = (left_out(n_before),) if n_before else ()
    notes += (f"{renamed} columns without a name of their own were given one",) if renamed else ()
    return Content(pa.table(dict(zip(names, columns, strict=True))), notes=notes)


def _column(cells: tuple[Any, ...]) -> pa.Array:
    import pyarrow as pa
    import pyarrow.compute as pc

    kinds = {type(cell) for cell in cells if cell != ""} - {type(None)}
    if kinds <= {int, float}:
        numbers = pa.array([None if cell == "" else cell for cell in cells], pa.float64())
        exact = pc.all(pc.equal(numbers, pc.floor(numbers)), min_count=0).as_py()
        small = pc.all(pc.less(pc.abs(numbers), 2.0**53), min_count=0).as_py()
        return numbers.cast(pa.int64()) if exact and small and kinds else numbers
    if kinds in ({bool}, {dt.date}, {dt.datetime}):
        return pa.array([None if cell == "" else cell for cell in cells])
    if kinds == {dt.date, dt.datetime}:
        return pa.array([_moment(cell) for cell in cells], pa.timestamp("us"))
    return pa.array([None if cell in ("", None) else _text(cell) for cell in cells], pa.string())


def _moment(cell: Any) -> dt.datetime | None:
    if cell in ("", None):
        return None
    return cell if isinstance(cell, dt.datetime) else dt.datetime(cell.year, cell.month, cell.day)


def _text(cell: Any) -> str:
    return str(int(cell)) if isinstance(cell, float) and cell.is_integer() and abs(cell) < 2**53 else str(cell)


def write_workbook(table: pa.Table, path: Path, codes: Mapping[str, Any]) -> None:
    """One sheet. Texts are written as texts, so that none is taken for a formula."""
    from openpyxl import Workbook  # type: ignore[import-untyped, unused-ignore]
    from openpyxl.cell import WriteOnlyCell  # type: ignore[import-untyped, unused-ignore]

    if table.num_rows > MOST_ROWS or table.num_columns > MOST_COLUMNS:
        raise BadOption(
            "The release does not fit on a sheet.",
            found=f"{table.num_rows:,} rows, {table.num_columns:,} columns",
            fix="write it as csv or parquet",
        )
    _refuse_signs(table)
    book = Workbook(write_only=True)
    sheet = book.create_sheet(TABLE)

    def plain(cell: Any) -> Any:
        if isinstance(cell, float):
            if float(f"{cell:.16g}") == cell:  # so many digits openpyxl writes
                return cell
            made = WriteOnlyCell(sheet, repr(cell))
            made.data_type = "n"
            return made
        if not isinstance(cell, str) or cell[:1] != "=":
            return cell
        made = WriteOnlyCell(sheet, cell)
        made.data_type = "s"
        return made

    sheet.append([plain(name) for name in table.column_names])
    for batch in table.to_batches(max_chunksize=1 << 14):
        for row in zip(*(column.to_pylist() for column in batch.columns), strict=True):
            sheet.append([plain(cell) for cell in row])
    made = path.with_name(path.name + ".made")
    book.save(made)
    with zipfile.ZipFile(made) as packed, zipfile.ZipFile(path, "w", zipfile.ZIP_DEFLATED) as out:
        for name in packed.namelist():  # the times of writing are left out
            content = packed.read(name)
            content = _TIME.sub(LONG_AGO, content) if name == "docProps/core.xml" else content
            out.writestr(zipfile.ZipInfo(name, (1980, 1, 1, 0, 0, 0)), content, zipfile.ZIP_DEFLATED)
    made.unlink()


def _refuse_signs(table: pa.Table) -> None:
    """Raise where texts have signs that a workbook cannot have."""
    import pyarrow as pa
    import pyarrow.compute as pc

    def has(column: pa.ChunkedArray) -> bool:
        kind = column.type.value_type if pa.types.is_dictionary(column.type) else column.type
        texts = column.unique().cast(pa.string()) if pa.types.is_string(kind) else None
        return texts is not None and bool(pc.any(pc.match_substring_regex(texts, SIGNS)).as_py())

    wrong = [f"'{name}'" for name, column in zip(table.column_names, table.columns, strict=True) if has(column)]
    if wrong:
        raise BadOption(
            "A workbook cannot hold all signs of the release.",
            found="control characters in " + ", ".join(wrong),
            fix="write it as csv or parquet, or take them out of these columns",
        )


FORMATS = (
    Format(
        name="xlsx",
        words="a workbook",
        endings=(".xlsx", ".xlsm"),
        needs=("openpyxl", "python_calamine"),
        extra="xlsx",
        holds=Holds(doubles=True),
        read=read_workbook,
        write=write_workbook,
    ),
    Format(
        name="xls",
        words="a workbook",
        endings=(".xls", ".xlsb", ".ods"),
        needs=("python_calamine",),
        extra="xlsx",
        read=read_workbook,
        writes="xlsx",
    ),
)
