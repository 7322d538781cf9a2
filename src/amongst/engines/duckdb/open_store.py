"""From what the user names to a store of files."""

from __future__ import annotations

import os
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from amongst.engines.duckdb.csv_columns import csv_columns
from amongst.engines.duckdb.file_store import FileStore
from amongst.errors import BadInput, BadOption
from amongst.read.file import TEXT, refuse_missing

PARQUET = (".parquet", ".pq")


def open_store(
    data: Any,
    folder: Path,
    memory: int,
    *,
    nulls: Sequence[str] = (),
    separator: str | None = None,
    encoding: str | None = None,
) -> FileStore:
    """A Parquet file, a folder of Parquet files, or a CSV file; nothing of it is read into memory."""
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
    endings = [suffix.lower() for suffix in path.suffixes]
    if endings[-1:] and endings[-1] in PARQUET:
        return FileStore(path.name, [path.resolve()], folder, memory)
    if any(ending in TEXT for ending in endings[-2:]) and (endings[-1] in TEXT or endings[-1] == ".gz"):
        cells = csv_columns(path, folder, nulls=nulls, separator=separator, encoding=encoding)
        return FileStore(path.name, [cells], folder, memory, text=True, origin=(path.resolve(),))
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
    return found
