"""A folder of files, one a table: CSV or Parquet in, the same out."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING

from amongst.engines.data_file import write_stream
from amongst.errors import BadInput, BadOutput
from amongst.read import Source, read
from amongst.read.file import file_digest
from amongst.relations.stored import Stored

if TYPE_CHECKING:
    import pyarrow as pa

ENDINGS = {".csv": "csv", ".tsv": "csv", ".csv.gz": "csv", ".parquet": "parquet", ".pq": "parquet"}


def read_folder(folder: Path, tables: Sequence[str] | None, nulls: Sequence[str]) -> Stored:
    """Every CSV and Parquet file of the folder; its name without the ending names the table."""
    paths: dict[str, Path] = {}
    kinds = set()
    for path in sorted(folder.iterdir()):
        ending = _ending(path.name)
        name = path.name[: -len(ending)] if ending else ""
        if not name or path.name.startswith(".") or not path.is_file() or (tables is not None and name not in tables):
            continue
        if name in paths:
            found = f"{paths[name].name} and {path.name}"
            raise BadInput(f"Two files hold the table '{name}'.", found=found, fix="leave one of them")
        paths[name] = path
        kinds.add(ENDINGS[ending])
    if not paths:
        fix = "put one CSV or Parquet file a table into it"
        raise BadInput("The folder holds no tables.", found=f"no .csv or .parquet file in {folder}", fix=fix)
    sources = {name: _read(path, nulls) for name, path in paths.items()}
    read_tables = {name: source.table for name, source in sources.items()}
    spelled = {name: source.spelled for name, source in sources.items()}
    digests = {path.name: file_digest(path) for path in paths.values()}
    return Stored(
        tables=read_tables,
        keys={},
        kind="csv" if kinds == {"csv"} else "parquet",
        name=folder.name,
        native={},
        digests=digests,
        spelled=spelled,
        text=frozenset(name for name, source in sources.items() if source.layout is not None),
    )


def _read(path: Path, nulls: Sequence[str]) -> Source:
    """A table, which may have no rows: persons need not have children."""
    import pyarrow.parquet as pq
    from pyarrow import csv

    try:
        return read(path, nulls=nulls)
    except BadInput as error:
        if not any(found.endswith("columns, 0 rows") for found in error.found):
            raise
    table = csv.read_csv(path) if ENDINGS[_ending(path.name)] == "csv" else pq.read_table(path)
    return Source(table, "pyarrow", path.name)


def _ending(name: str) -> str:
    return next((e for e in sorted(ENDINGS, key=len, reverse=True) if name.lower().endswith(e)), "")


def write_folder(tables: Mapping[str, pa.Table], folder: Path, kind: str) -> dict[str, Path]:
    """One file a table. They carry no index, no schema of the sender, no statistics of cells."""
    odd = [name for name in tables if set(name) & set("/\\:\0\n") or name.startswith(".") or not name.strip()]
    if odd:
        raise BadOutput(
            "Some tables have names that no file should have.",
            found=f"{len(odd)} of {len(tables)}",
            fix="write them into a database: format = duckdb or sqlite",
        )
    return {name: write_stream([table], folder, kind, name) for name, table in tables.items()}
