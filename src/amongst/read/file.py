"""Files in: text, Parquet, Arrow, and the formats that are declared in ``formats``."""

from __future__ import annotations

import hashlib
import os
import re
from collections.abc import Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

from amongst.errors import BadInput, BadOption
from amongst.read.cells import refuse_long_cells
from amongst.read.folder import PARQUET, digest_of_files, folder_of_parquet, of_other_types
from amongst.read.formats import format_of, formats
from amongst.read.from_cells import from_cells, from_content, read_text_columns
from amongst.read.header import only_member
from amongst.read.plain import plain
from amongst.read.source import Source, refuse_unusable
from amongst.read.text import read_text
from amongst.read.totals import row_of_totals

TEXT = (".csv", ".tsv", ".txt", ".data", ".dat", ".tab", ".asc")
ARROW = (".arrow", ".feather", ".ipc")
OTHERS = {
    ".rds": "a file of R",
    ".rda": "a file of R",
    ".xml": "XML",
    ".7z": "an archive",
    ".tar": "an archive",
    ".bz2": "packed in another way than .gz",
    ".xz": "packed in another way than .gz",
    ".zst": "packed in another way than .gz",
    ".mdb": "a database",
}
"""Kinds of files that people have and that are not read, by their endings."""


def read_file(
    path: str | os.PathLike[str],
    *,
    nulls: Sequence[str] = (),
    separator: str | None = None,
    encoding: str | None = None,
    header: bool | None = None,
    reads: Any = None,
    table: str | None = None,
) -> Source:
    """A file as a Source."""
    path = Path(path)
    told = {"nulls": nulls or None, "separator": separator, "encoding": encoding, "header": header}
    if os.path.isdir(path):
        refuse_told({**told, "table": table})
        return _read_folder(path, reads)
    refuse_missing(path)
    format = format_of(path)
    if format is not None:
        refuse_told(told)
        source = from_content(format.content(path, table), reads, path.name)
        return replace(source, sha256=file_digest(path), notes=source.notes + rows_of_nobody(source.table))
    if table is not None:
        raise BadOption("Such a file has one table.", found=f"table = {table!r}", fix="leave it out")
    ending = kind_of_file(path)
    if ending in TEXT:
        cells, layout = read_text(path, nulls=nulls, separator=separator, encoding=encoding, header=header)
        source = from_cells(cells, reads, Source(None, "pyarrow", path.name, notes=layout.notes, layout=layout))
    else:
        source = _of_types(plain(_read_parquet(path) if ending in PARQUET else _read_arrow(path)), path.name, reads)
    refuse_unusable(source.table, path.name)
    return replace(source, sha256=file_digest(path), notes=source.notes + rows_of_nobody(source.table))


def _read_folder(path: Path, reads: Any) -> Source:
    """The Parquet files of a folder as one table."""
    import pyarrow as pa

    folder = folder_of_parquet(path)
    try:
        tables = [folder.whole(plain(_read_parquet(one)), place) for place, one in enumerate(folder.paths)]
    except pa.ArrowInvalid:
        raise of_other_types(path.name) from None
    source = _of_types(pa.concat_tables(tables, promote_options="permissive"), path.name, reads)
    refuse_unusable(source.table, path.name)
    digest = digest_of_files([file_digest(one) for one in folder.paths])
    return replace(source, sha256=digest, notes=source.notes + rows_of_nobody(source.table))


def _of_types(table: Any, name: str, reads: Any) -> Source:
    """A table whose columns have types, as a Source."""
    for column, cells in zip(table.column_names, table.columns, strict=True):
        refuse_long_cells(name, column, cells)
    source = Source(table, "pyarrow", name)
    return read_text_columns(source, reads) if reads else source


def rows_of_nobody(table: Any) -> tuple[str, ...]:
    """Notes where rows are likely to be no people's."""
    return (*_rows_without_values(table), *row_of_totals(table))


def _rows_without_values(table: Any) -> tuple[str, ...]:
    """A note where whole rows are empty, as below the last row of a sheet: they would count as people."""
    import pyarrow.compute as pc

    if table.num_columns < 2 or any(column.null_count == 0 for column in table.columns):
        return ()
    empty = table.column(0).is_null()
    for column in table.columns[1:]:
        empty = pc.and_(empty, column.is_null())
    n = int(pc.sum(empty).as_py() or 0)
    rows = "1 row has" if n == 1 else f"{n:,} rows have"
    return (f"{rows} no value at all, and would count as people: take them out if they are none",) if n else ()


def file_digest(path: Path) -> str:
    """The SHA-256 of a file's bytes."""
    with path.open("rb") as stream:
        return hashlib.file_digest(stream, "sha256").hexdigest()


def refuse_missing(path: Path) -> None:
    """Raise for a path that is not a file with something in it."""
    if re.match(r"[a-z]{2,}:/", str(path)):  # an address may hold a password: it is not repeated
        raise BadInput(
            "This takes a file, not a database.",
            found="an address of a database",
            fix="use `amongst anonymize` or a job file for a table of PostgreSQL, or export the table to a file",
        )
    try:
        there = path.exists()
    except OSError:  # a name that is too long, a folder that may not be looked into
        there = False
    if not there:
        raise BadInput("The file is not there.", found=f"no file {path}", fix="check the path")
    if not path.is_file():
        raise BadInput(
            "The input is not a file.",
            found=f"{path} is a folder",
            fix="give one file",
        )
    if not os.access(path, os.R_OK):
        raise BadInput("The file may not be read.", found=f"no right to read {path}", fix="change its permissions")
    if path.stat().st_size == 0:
        raise BadInput(f"{path.name} is empty.", found="0 bytes", fix="give a file with a header and rows")


def refuse_told(told: Mapping[str, Any]) -> None:
    """Raise where something is told that is of text files alone."""
    if any(one is not None for one in told.values()):
        raise BadOption(
            "This is said of a text file, and the table is none.",
            found=", ".join(name for name, one in told.items() if one is not None),
            fix="leave it out, or give the path of a text file",
        )


def kind_of_file(path: Path) -> str:
    """The ending that says how the file is read; that before .gz, or that of the only file in a .zip."""
    packed = path.suffix.lower() == ".zip"
    suffixes = [suffix.lower() for suffix in (Path(only_member(path)) if packed else path).suffixes]
    ending = suffixes[-2] if suffixes[-1:] == [".gz"] and len(suffixes) > 1 else (suffixes or [""])[-1]
    if ending in TEXT or (ending in (*PARQUET, *ARROW) and not packed):
        return ending
    known = OTHERS.get(ending)
    more = ", ".join(one.endings[0] for one in formats().values())
    raise BadInput(
        f"amongst does not read {path.name}." if known else f"amongst does not know what kind of file {path.name} is.",
        found=f"the ending {ending or 'is missing'}" + (f": {known}" if known else ""),
        fix=f"write the table to a file that ends in .csv, .tsv, .txt (also in .gz or .zip), .parquet, .arrow, {more}",
    )


def _read_parquet(path: Path) -> Any:
    import pyarrow as pa
    import pyarrow.parquet as pq

    try:
        schema = pq.read_schema(path)
        text = [
            field.name for field in schema if pa.types.is_string(field.type) or pa.types.is_large_string(field.type)
        ]
        doubled = len(set(schema.names)) < len(schema.names)
        return _sound(pq.ParquetFile(path, read_dictionary=None if doubled else text, memory_map=True).read())
    except (pa.ArrowException, OSError, ValueError):  # ValueError: names that are no UTF-8
        raise BadInput(
            f"{path.name} cannot be read as Parquet.",
            found="the file is damaged, of another kind, or larger than the memory",
            fix="write it anew",
        ) from None


def _sound(table: Any) -> Any:
    """The table, once its offsets and texts are looked at: a damaged file may point beyond its own bytes."""
    import pyarrow as pa

    try:
        assert table.column_names is not None  # raises where a name is no UTF-8
        table.validate(full=True)
    except pa.ArrowInvalid as error:
        if "UTF8" not in str(error):
            raise
        raise BadInput(
            "The file has text that is not UTF-8.", found="bytes that are no text", fix="write it anew as UTF-8"
        ) from None
    return table


def _read_arrow(path: Path) -> Any:
    import pyarrow as pa
    import pyarrow.feather as feather

    try:
        return _sound(feather.read_table(path))
    except (pa.ArrowException, OSError, ValueError):  # ValueError: names that are no UTF-8
        raise BadInput(
            f"{path.name} cannot be read as Arrow.",
            found="the file is damaged, of another kind, or larger than the memory",
            fix="write it anew",
        ) from None
