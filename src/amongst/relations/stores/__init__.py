"""Where the tables of a database live: a folder of files, a DuckDB or SQLite file, PostgreSQL, frames."""

from __future__ import annotations

import os
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from amongst.errors import BadInput
from amongst.relations.stored import Stored

DUCKDB = (".duckdb", ".ddb")
SQLITE = (".sqlite", ".sqlite3", ".db")
POSTGRESQL = ("postgresql://", "postgres://")
FORMATS = ("parquet", "csv", "duckdb", "sqlite", "fhir")
"""What many tables are written as: one file a table, one database file, or FHIR resources, one a line."""

__all__ = ["kind_of_store", "read_database"]


def kind_of_store(data: Any) -> str:
    """Which kind of database this is: frames, folder, fhir, duckdb, sqlite or postgresql."""
    if isinstance(data, Mapping):
        return "frames"
    text = str(data)
    if text.startswith(POSTGRESQL):
        return "postgresql"
    path = Path(text)
    if os.path.isdir(path):
        return "fhir" if any(path.glob("*.ndjson*")) else "folder"
    if not os.path.exists(path):
        raise BadInput("The database is not there.", found=f"no file or folder {path}", fix="check the path")
    if path.suffix.lower() in DUCKDB + SQLITE:
        with path.open("rb") as stream:
            head = stream.read(16)
        return "sqlite" if head.startswith(b"SQLite format 3") else "duckdb"
    raise BadInput(
        f"amongst does not know what kind of database {path.name} is.",
        found=f"the ending {path.suffix or 'is missing'}",
        fix="give a folder of CSV, Parquet or FHIR NDJSON files, a .duckdb or .sqlite file, or a postgresql:// address",
    )


def _inside(data: Any) -> Any:
    """The database file of a release folder that has one, else the same."""
    if not isinstance(data, (str, os.PathLike)) or not os.path.isdir(data):
        return data
    files = [path for path in (Path(data) / f"release{ending}" for ending in (".duckdb", ".sqlite")) if path.is_file()]
    return files[0] if len(files) == 1 else data


def read_database(
    data: Any,
    *,
    tables: Sequence[str] | None = None,
    namespace: str | None = None,
    nulls: Sequence[str] = (),
) -> Stored:
    """The tables of a database, with the keys that its catalogue states.

    Parameters
    ----------
    data : path, address or mapping
        A folder of CSV or Parquet files, or of FHIR resources (NDJSON), a .duckdb or .sqlite file, a postgresql://
        address, or frames (and paths) by the names of their tables.
    tables : sequence of str, optional
        Read no others.
    namespace : str, optional
        The schema inside a DuckDB or PostgreSQL database; "main" and "public" if left out.
    nulls : sequence of str
        Cell texts of CSV files that mean missing, besides the empty cell.
    """
    data = _inside(data)
    kind = kind_of_store(data)
    if kind == "frames":
        from amongst.relations.stores.frames import read_frames

        return read_frames(data, tables, nulls)
    if kind == "postgresql":
        from amongst.relations.stores.postgresql import read_postgresql

        return read_postgresql(str(data), tables, namespace or "public")
    path = Path(os.fspath(data))
    if kind == "fhir":
        from amongst.relations.fhir.read_resources import read_resources

        return read_resources(path, tables)
    if kind == "folder":
        from amongst.relations.stores.folder import read_folder

        return read_folder(path, tables, nulls)
    if kind == "sqlite":
        from amongst.relations.stores.sqlite_file import read_sqlite

        return read_sqlite(path, tables)
    from amongst.relations.stores.duckdb_file import read_duckdb

    return read_duckdb(path, tables, namespace or "main")
