"""A table of a database that is a file: SQLite, DuckDB."""

from __future__ import annotations

import sqlite3
from collections.abc import Iterable, Mapping
from contextlib import closing
from itertools import chain
from pathlib import Path
from typing import TYPE_CHECKING, Any

from amongst.read.formats.fitting import Holds
from amongst.read.formats.format import TABLE, Content, Format, one_of
from amongst.sql_text import quoted

if TYPE_CHECKING:
    import pyarrow as pa

_TABLES = (
    "SELECT name FROM sqlite_master WHERE type IN ('table', 'view') AND name NOT LIKE 'sqlite\\_%' ESCAPE '\\' "
    "ORDER BY rowid"
)
BATCH = 1 << 16
LARGEST = 2**63 - 1
"""Of whole numbers in SQLite."""


def read_sqlite(path: Path, table: str | None) -> Content:
    """A table or view; SQLite lets the cells of a column differ in type, and such a column is text."""
    import pyarrow as pa

    with closing(sqlite3.connect(f"{path.absolute().as_uri()}?mode=ro", uri=True)) as database:
        names = [name for (name,) in database.execute(_TABLES)]
        chosen = one_of(names, table, path, "table")
        cursor = database.execute(f"SELECT * FROM {quoted(chosen)}")
        columns = [one[0] for one in cursor.description]
        rows = cursor.fetchall()
    cells = zip(*rows, strict=True) if rows else [() for _ in columns]
    return Content(pa.table({name: _array(column) for name, column in zip(columns, cells, strict=True)}))


def _array(cells: tuple[Any, ...]) -> pa.Array:
    import pyarrow as pa

    kinds = {type(cell) for cell in cells} - {type(None)}
    if kinds == {int, float}:
        return pa.array(cells, pa.float64())
    if len(kinds) > 1:
        return pa.array([None if cell is None else str(cell) for cell in cells], pa.string())
    return pa.array(cells) if kinds else pa.nulls(len(cells), pa.string())


def write_sqlite(tables: Iterable[pa.Table], path: Path, codes: Mapping[str, Any]) -> None:
    """One table, ``release``; dates and times, and numbers beyond 63 bits, as text."""
    import pyarrow as pa
    import pyarrow.compute as pc

    def plain(column: Any) -> Any:
        kind = column.type.value_type if pa.types.is_dictionary(column.type) else column.type
        column = column.cast(kind)
        beyond = pa.types.is_uint64(kind) and (pc.max(column).as_py() or 0) > LARGEST
        if pa.types.is_temporal(kind) or pa.types.is_decimal(kind) or beyond:
            return column.cast(pa.string())
        return column.cast(pa.int8()) if pa.types.is_boolean(kind) else column

    def declared(kind: pa.DataType) -> str:
        if pa.types.is_uint64(kind):
            return ""  # SQLite would round the texts among them
        whole = pa.types.is_integer(kind) or pa.types.is_boolean(kind)
        return "INTEGER" if whole else "REAL" if pa.types.is_floating(kind) else "TEXT"

    with closing(sqlite3.connect(path)) as database:
        for i, piece in enumerate(tables):
            table = pa.table({name: plain(piece.column(name)) for name in piece.column_names})
            if i == 0:
                kinds = {field.name: getattr(field.type, "value_type", field.type) for field in piece.schema}
                listed = ", ".join(f"{quoted(name)} {declared(kind)}" for name, kind in kinds.items())
                database.execute(f"CREATE TABLE {TABLE} ({listed})")
            places = ", ".join("?" * table.num_columns)
            for batch in table.to_batches(max_chunksize=BATCH):
                rows = zip(*(column.to_pylist() for column in batch.columns), strict=True)
                database.executemany(f"INSERT INTO {TABLE} VALUES ({places})", rows)
        database.commit()


def batches(tables: Iterable[pa.Table]) -> pa.RecordBatchReader:
    """Tables as one stream that DuckDB reads; texts without a dictionary, which may differ from piece to piece."""
    import pyarrow as pa

    def plain(kind: pa.DataType) -> pa.DataType:
        return kind.value_type if pa.types.is_dictionary(kind) else kind

    pieces = iter(tables)
    first = next(pieces)
    schema = pa.schema([pa.field(one.name, plain(one.type)) for one in first.schema])
    found = (batch for piece in chain([first], pieces) for batch in piece.cast(schema).to_batches())
    return pa.RecordBatchReader.from_batches(schema, found)


def read_duckdb(path: Path, table: str | None) -> Content:
    """A table or view of the schema ``main``, or of another as ``schema.name``."""
    import duckdb

    with duckdb.connect(str(path), read_only=True) as connection:
        found = connection.execute(
            "SELECT table_schema, table_name FROM information_schema.tables ORDER BY table_schema, table_name"
        ).fetchall()
        names = {(name if schema == "main" else f"{schema}.{name}"): (schema, name) for schema, name in found}
        schema, name = names[one_of(list(names), table, path, "table")]
        return Content(connection.sql(f"SELECT * FROM {quoted(schema)}.{quoted(name)}").to_arrow_table())


def write_duckdb(tables: Iterable[pa.Table], path: Path, codes: Mapping[str, Any]) -> None:
    """One table, ``release``."""
    import duckdb

    with duckdb.connect(str(path)) as connection:
        connection.register("published", batches(tables))
        connection.execute(f"CREATE TABLE {TABLE} AS SELECT * FROM published")


FORMATS = (
    Format(
        name="sqlite",
        words="a SQLite database",
        endings=(".sqlite", ".sqlite3", ".db"),
        holds=Holds(binary=True, infinite=True, cases=False),
        read=read_sqlite,
        write=write_sqlite,
        streams=True,
    ),
    Format(
        name="duckdb",
        words="a DuckDB database",
        endings=(".duckdb", ".ddb"),
        holds=Holds(zones=True, binary=True, infinite=True, cases=False),
        read=read_duckdb,
        write=write_duckdb,
        streams=True,
    ),
)
