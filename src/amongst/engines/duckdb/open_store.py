"""From what the user names to a store of files."""

from __future__ import annotations

import os
from pathlib import Path
from typing import Any

from amongst.engines.duckdb.csv_columns import csv_columns
from amongst.engines.duckdb.file_store import FileStore
from amongst.engines.duckdb.formed import by_forms
from amongst.engines.parts.rows import open_rows
from amongst.errors import BadInput, BadOption
from amongst.read.cells import refuse_long_cells
from amongst.read.file import TEXT, kind_of_file, refuse_missing, refuse_told
from amongst.read.folder import PARQUET, folder_of_parquet, of_other_types
from amongst.read.formats import Format, format_of
from amongst.read.plain import plain
from amongst.read.source import refuse_unusable


def open_store(
    data: Any,
    folder: Path,
    memory: int,
    reads: Any = None,
    table: str | None = None,
    **reading: Any,
) -> FileStore:
    """A Parquet file, a folder of Parquet files, or a CSV file, of which nothing is read into memory; or a file of
    another format, which its package reads.

    ``reads`` has the forms of columns, ``table`` names one where a file has several, ``reading`` says how a text file
    is read: nulls, separator, encoding, header.
    """
    if not isinstance(data, (str, os.PathLike)):
        raise BadOption(
            "The DuckDB engine takes a file.",
            found=f"a {type(data).__name__}",
            fix='give a path, or use engine="memory"',
        )
    path = Path(data)
    if path.is_dir():
        return by_forms(_of_folder(path, folder, memory), reads, {})
    refuse_missing(path)
    format = format_of(path)
    if format is not None:
        return _of_format(format, path, folder, memory, reads, table, **reading)
    ending = kind_of_file(path)
    if table is not None:
        raise BadOption("Such a file has one table.", found=f"table = {table!r}", fix="leave it out")
    if ending in PARQUET:
        return by_forms(FileStore(path.name, [path.resolve()], folder, memory), reads, {})
    if ending in TEXT:
        cells, layout = csv_columns(path, folder, **reading)
        named: dict[str, Any] = {"origin": (path.resolve(),), "notes": layout.notes, "layout": layout}
        return by_forms(FileStore(path.name, [cells], folder, memory, text=True, **named), reads, {})
    raise BadInput(
        f"The DuckDB engine does not read {path.name}.",
        found=f"the ending {path.suffix or 'is missing'}",
        fix="use .parquet, .csv, .tsv, or a folder of Parquet files",
    )


def _of_format(
    format: Format, path: Path, folder: Path, memory: int, reads: Any, table: str | None, **told: Any
) -> FileStore:
    """A file of another format as Parquet of our own; it is read by its package, most of them in one go."""
    import pyarrow.parquet as pq

    refuse_told(told)
    content = format.content(path, table)
    target = folder / "content.parquet"
    found = plain(content.table)
    for name in found.column_names:
        refuse_long_cells(path.name, name, found.column(name))
    refuse_unusable(found, path.name)
    pq.write_table(found, target, compression="lz4", write_statistics=False)
    kinds = {one.name: one.type for one in found.schema}
    found_in: dict[str, Any] = {"origin": (path.resolve(),), "notes": content.notes, "labels": content.labels}
    store = FileStore(path.name, [target], folder, memory, kinds=kinds, **found_in)
    return by_forms(store, reads, content.codes)


def _of_folder(path: Path, folder: Path, memory: int) -> FileStore:
    """The Parquet files of a folder; where they differ, or names of folders tell columns, one file of our own."""
    import pyarrow as pa
    import pyarrow.parquet as pq

    found = folder_of_parquet(path)
    if found.alike:
        return FileStore(path.name, found.paths, folder, memory)
    target = folder / "one.parquet"
    schema = pa.schema([*found.schema, *found.told.schema])
    try:
        with pq.ParquetWriter(target, schema, compression="lz4", write_statistics=False) as writer:
            for number, one in enumerate(found.paths):
                for block in open_rows(path.name, [one]).blocks(found.schema.names):
                    writer.write_table(found.whole(block, number).cast(schema))
    except pa.ArrowInvalid:
        raise of_other_types(path.name) from None
    return FileStore(path.name, [target], folder, memory, origin=tuple(found.paths))
