"""From what the user names to a store of files."""

from __future__ import annotations

import os
from pathlib import Path
from typing import Any

from amongst.engines.duckdb.csv_columns import csv_columns
from amongst.engines.duckdb.file_store import FileStore
from amongst.errors import BadInput, BadOption
from amongst.read.file import PARQUET, TEXT, kind_of_file, refuse_missing


def open_store(
    data: Any,
    folder: Path,
    memory: int,
    **reading: Any,
) -> FileStore:
    """A Parquet file, a folder of Parquet files, or a CSV file; nothing of it is read into memory.

    ``reading`` says how a text file is read: nulls, separator, encoding, header.
    """
    if not isinstance(data, (str, os.PathLike)):
        raise BadOption(
            "The DuckDB engine takes a file.",
            found=f"a {type(data).__name__}",
            fix='give a path, or use engine="memory"',
        )
    path = Path(data)
    if path.is_dir():
        return FileStore(path.name, _parts(path), folder, memory)
    refuse_missing(path)
    ending = kind_of_file(path)
    if ending in PARQUET:
        return FileStore(path.name, [path.resolve()], folder, memory)
    if ending in TEXT:
        cells, notes = csv_columns(path, folder, **reading)
        return FileStore(path.name, [cells], folder, memory, text=True, origin=(path.resolve(),), notes=notes)
    raise BadInput(
        f"The DuckDB engine does not read {path.name}.",
        found=f"the ending {path.suffix or 'is missing'}",
        fix="use .parquet, .csv, .tsv, or a folder of Parquet files",
    )


def _parts(folder: Path) -> list[Path]:
    """The Parquet files of a folder; those that hold no rows by their name (_SUCCESS, hidden ones) are left out."""
    found = sorted(
        path.resolve()
        for path in folder.rglob("*")
        if path.suffix.lower() in PARQUET and path.is_file() and not path.name.startswith(("_", "."))
    )
    if not found:
        raise BadInput(
            f"There is no Parquet file in {folder.name}.",
            found="none in the folder",
            fix="name a file, or another folder",
        )
    divided = sorted({part.split("=")[0] for path in found for part in _below(path, folder) if "=" in part})
    if divided:
        raise BadInput(
            f"The files of {folder.name} are divided by columns that only the names of folders tell.",
            found="columns in the names of folders: " + ", ".join(divided),
            fix="write these columns into the files, for instance all rows into one file, and name that",
        )
    return found


def _below(path: Path, folder: Path) -> tuple[str, ...]:
    """The folders between a folder and a file in it."""
    top = folder.resolve()
    return path.relative_to(top).parent.parts if path.is_relative_to(top) else ()
