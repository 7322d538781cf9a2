"""Workbooks, files of statistics packages, JSON by lines and database files, as releases are written in them.

Each is read as a whole by a reader of its own, which shares nothing with the one that reads originals. Codes become
what their labels say, and codes that mean missing become missing.
"""

from __future__ import annotations

import importlib.util
import json
import sqlite3
from collections.abc import Callable
from contextlib import closing
from dataclasses import replace
from pathlib import Path
from typing import Any

import pyarrow as pa

from amongst.errors import BadInput, BadOption
from amongst.published.frames import open_frame
from amongst.published.source import Source

PACKAGES = {".xlsx": ("openpyxl", "xlsx"), ".sav": ("pyreadstat", "stats"), ".dta": ("pyreadstat", "stats")}
PACKAGES[".xpt"] = PACKAGES[".sav"]


def open_whole(path: Path) -> Source:
    """Open such a file, read as a whole."""
    package, extra = PACKAGES.get(path.suffix.lower(), ("json", ""))
    if importlib.util.find_spec(package) is None:
        raise BadOption(
            f"To read {path.name} a package is missing.",
            found=f"not installed: {package}",
            fix=f'pip install "amongst[{extra}]"',
        )
    try:
        table = READERS[path.suffix.lower()](path)
    except BadInput:
        raise
    except FileNotFoundError:
        raise BadInput(f"There is no file {path.name}.", found="nothing at this path", fix="check the path") from None
    except Exception as error:  # packages raise what they like
        raise BadInput(
            f"{path.name} cannot be read.",
            found=f"{type(error).__name__} while reading",
            fix="check that it is a whole file and that its name ends as its content asks",
        ) from None
    return replace(open_frame(table), name=path.name, path=path, parts=(path,))


def _workbook(path: Path) -> pa.Table:
    from openpyxl import load_workbook  # type: ignore[import-untyped, unused-ignore]

    with path.open("rb") as stream:
        book = load_workbook(stream, read_only=True)
        _refuse_more(book.sheetnames, "sheets")
        rows = list(book.worksheets[0].values)
    names = [str(name) for name in rows[0]]
    whole = [(*row, *[None] * (len(names) - len(row))) for row in rows[1:]]  # empty cells at the end are not stored
    return pa.table({name: _cells(list(column)) for name, column in zip(names, zip(*whole, strict=True), strict=True)})


def _cells(cells: list[Any]) -> pa.Array:
    try:
        return pa.array(cells)
    except (pa.ArrowInvalid, pa.ArrowTypeError, OverflowError):
        kinds = {type(cell) for cell in cells if cell is not None}
        if kinds == {int, float}:
            return pa.array([None if cell is None else float(cell) for cell in cells], pa.float64())
        return pa.array([None if cell is None else str(cell) for cell in cells], pa.string())


def _statistics(read: str) -> Callable[[Path], pa.Table]:
    def table(path: Path) -> pa.Table:
        import pyreadstat

        more = {} if read == "read_xport" else {"user_missing": True}
        columns, meta = getattr(pyreadstat, read)(str(path), output_format="dict", **more)
        labels = getattr(meta, "variable_value_labels", None) or {}
        missing = getattr(meta, "missing_ranges", None) or {}
        return pa.table(
            {name: _decoded(cells, labels.get(name, {}), missing.get(name, [])) for name, cells in columns.items()}
        )

    return table


def _decoded(cells: list[Any], labels: dict[Any, str], missing: list[Any]) -> pa.Array:
    """Labels for codes, where all codes that do not mean missing have one of their own."""

    def gone(cell: Any) -> bool:
        if cell is None or cell == "" or cell != cell:
            return True
        return not isinstance(cell, str) and any(_within(cell, one) for one in missing)

    distinct = {cell for cell in cells if not gone(cell)}
    told = {code: str(text) for code, text in labels.items()}
    if told and distinct <= set(told) and len(set(told.values())) == len(told):
        return pa.array([None if gone(cell) else told[cell] for cell in cells], pa.string())
    return _cells([None if gone(cell) else cell for cell in cells])


def _within(cell: Any, one: Any) -> bool:
    return isinstance(cell, (int, float)) and isinstance(one["lo"], (int, float)) and one["lo"] <= cell <= one["hi"]


def _json_lines(path: Path) -> pa.Table:
    with path.open(encoding="utf-8") as stream:
        rows = [json.loads(line) for line in stream if line.strip()]
    names = list(dict.fromkeys(name for row in rows for name in row))
    return pa.table({name: _cells([row.get(name) for row in rows]) for name in names})


def _sqlite(path: Path) -> pa.Table:
    with closing(sqlite3.connect(f"{path.absolute().as_uri()}?mode=ro", uri=True)) as database:
        names = [name for (name,) in database.execute("SELECT name FROM sqlite_master WHERE type = 'table'")]
        _refuse_more(names, "tables")
        cursor = database.execute('SELECT * FROM "{}"'.format(names[0].replace('"', '""')))
        columns = [one[0] for one in cursor.description]
        rows = cursor.fetchall()
    cells = zip(*rows, strict=True) if rows else [() for _ in columns]
    return pa.table({name: _cells(list(column)) for name, column in zip(columns, cells, strict=True)})


def _duckdb(path: Path) -> pa.Table:
    import duckdb

    with duckdb.connect(str(path), read_only=True) as connection:
        names = [name for (name,) in connection.execute("SELECT table_name FROM duckdb_tables()").fetchall()]
        _refuse_more(names, "tables")
        return connection.sql('SELECT * FROM "{}"'.format(names[0].replace('"', '""'))).to_arrow_table()


def _refuse_more(names: list[str], what: str) -> None:
    if len(names) != 1:
        raise BadInput("The file does not hold one table.", found=f"{len(names)} {what}", fix="leave the others out")


READERS: dict[str, Callable[[Path], pa.Table]] = {
    ".xlsx": _workbook,
    ".sav": _statistics("read_sav"),
    ".dta": _statistics("read_dta"),
    ".xpt": _statistics("read_xport"),
    ".jsonl": _json_lines,
    ".sqlite": _sqlite,
    ".duckdb": _duckdb,
}
