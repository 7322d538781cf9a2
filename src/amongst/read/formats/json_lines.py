"""JSON: an object a line, or a list of objects."""

from __future__ import annotations

import gzip
import json
from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import IO, TYPE_CHECKING, Any, cast

from amongst.errors import BadInput, BadOption
from amongst.read.formats.database_file import batches
from amongst.read.formats.fitting import Holds
from amongst.read.formats.format import Content, Format
from amongst.sql_text import text

if TYPE_CHECKING:
    import pyarrow as pa


KIND_OF = {
    str: "a text",
    int: "a number",
    float: "a number",
    bool: "true or false",
    dict: "an object",
    list: "a list",
}
"""What values of JSON are called; a missing one is none."""


def read_lines(path: Path, table: str | None) -> Content:
    """An object a line; every key is a column."""
    import pyarrow as pa
    from pyarrow import json as arrow_json

    _refuse_table(table)

    def lines(texts: list[str]) -> pa.Table:
        told = arrow_json.ParseOptions(explicit_schema=pa.schema([(name, pa.string()) for name in texts]))
        with pa.input_stream(str(path), compression="detect") as stream:
            return _flat(arrow_json.read_json(stream, parse_options=told), path)

    try:
        found = lines([])
        times = [field.name for field in found.schema if pa.types.is_timestamp(field.type)]
        found = _texts_as_written(lines(times).select(found.column_names), times) if times else found
        beyond = [name for name, column in zip(found.column_names, found.columns, strict=True) if _is_rounded(column)]
        return Content(_as_written(found, beyond, path) if beyond else found)
    except pa.ArrowInvalid:
        raise _wrong_line(path) from None


def _texts_as_written(table: pa.Table, names: list[str]) -> pa.Table:
    """The same table, in which texts that look like times are days or times only where these are written so."""
    import pyarrow as pa
    import pyarrow.compute as pc

    for name in names:
        column = table.column(name)
        for kind in (pa.date32(), pa.timestamp("s")):
            try:
                found = column.cast(kind)
            except pa.ArrowInvalid:
                continue
            if pc.all(pc.equal(found.cast(pa.string()), column), min_count=0).as_py():
                table = table.set_column(table.column_names.index(name), name, found)
                break
    return table


def _is_rounded(column: pa.ChunkedArray) -> bool:
    """Whether whole numbers beyond 63 bits may have become doubles."""
    import pyarrow as pa
    import pyarrow.compute as pc

    large = pc.greater_equal(pc.abs(column), 2.0**63) if pa.types.is_floating(column.type) else None
    return large is not None and bool(pc.any(large).as_py())


def _as_written(table: pa.Table, names: list[str], path: Path) -> pa.Table:
    """The same table, with numbers of columns where some are beyond 63 bits as their digits."""
    with _opened(path) as stream:
        rows = [json.loads(line, parse_int=str, parse_float=str) for line in stream if line.strip()]
    for name in names:
        place = table.column_names.index(name)
        table = table.set_column(place, name, _cells([row.get(name) for row in rows]))
    return table


def _cells(cells: list[Any]) -> pa.ChunkedArray:
    """Cells of any size: whole numbers beyond 64 bits are their digits."""
    import pyarrow as pa

    try:
        return pa.chunked_array([pa.array(cells)])
    except OverflowError:
        return pa.chunked_array([pa.array([None if cell is None else str(cell) for cell in cells], pa.string())])


def _opened(path: Path) -> IO[str]:
    opened = gzip.open if path.suffix == ".gz" else open
    return cast("IO[str]", opened(path, "rt", encoding="utf-8-sig"))


def _wrong_line(path: Path) -> BadInput:
    """What is wrong with the first line that does not fit those before it; no cell of it."""
    kinds: dict[str, tuple[str, int]] = {}
    opened = gzip.open if path.suffix == ".gz" else open
    with opened(path, "rt", encoding="utf-8-sig", errors="replace") as stream:
        for number, line in enumerate(stream, start=1):
            try:
                row = json.loads(line) if line.strip() else {}
            except ValueError:
                return _no_lines(path, f"line {number:,} is no JSON", "mend this line, or take it out")
            if not isinstance(row, dict):
                return _no_lines(path, f"line {number:,} is no object", "give an object a line")
            for name, cell in row.items():
                kind = KIND_OF.get(type(cell))
                before = kinds.setdefault(name, (kind, number)) if kind is not None else None
                if before is not None and before[0] != kind:
                    found = f"'{name}' is {before[0]} in line {before[1]:,}, and {kind} in line {number:,}"
                    return _no_lines(path, found, "write all values of a column in one way, such as all as texts")
    return _no_lines(path, "a line that does not fit those before it", "write it anew")


def _no_lines(path: Path, found: str, fix: str) -> BadInput:
    return BadInput(f"{path.name} cannot be read as JSON by lines.", found=found, fix=fix)


def read_list(path: Path, table: str | None) -> Content:
    """A list of objects, or objects by line."""
    import pyarrow as pa

    _refuse_table(table)
    with _opened(path) as stream:
        if stream.read(4096).lstrip()[:1] != "[":
            return read_lines(path, None)
        stream.seek(0)
        rows = json.load(stream)
    if not all(isinstance(row, dict) for row in rows):
        raise BadInput(f"{path.name} is no table.", found="a list of other things than objects", fix="give objects")
    names = list(dict.fromkeys(name for row in rows for name in row))
    return Content(_flat(pa.table({name: _cells([row.get(name) for row in rows]) for name in names}), path))


def _refuse_table(table: str | None) -> None:
    if table is not None:
        raise BadOption("Such a file has one table.", found=f"table = {table!r}", fix="leave it out")


def _flat(table: pa.Table, path: Path) -> pa.Table:
    import pyarrow as pa

    nested = [field.name for field in table.schema if pa.types.is_nested(field.type)]
    if nested:
        raise BadInput(
            f"Cells of {path.name} hold lists or objects.",
            found="columns: " + ", ".join(f"'{name}'" for name in nested),
            fix="give every value a column of its own, or leave these out",
        )
    return table


def write_lines(tables: Iterable[pa.Table], path: Path, codes: Mapping[str, Any]) -> None:
    """An object a line."""
    import duckdb

    with duckdb.connect() as connection:
        connection.execute("SET preserve_insertion_order = true")
        connection.register("published", batches(tables))
        connection.execute(f"COPY (SELECT * FROM published) TO {text(str(path))} (FORMAT json)")


FORMATS = (
    Format(
        name="jsonl",
        words="JSON by lines",
        endings=(".jsonl", ".ndjson", ".jsonl.gz", ".ndjson.gz"),
        read=read_lines,
        write=write_lines,
        holds=Holds(cases=False),
        streams=True,
    ),
    Format(name="json", words="JSON", endings=(".json", ".json.gz"), read=read_list, writes="jsonl"),
)
