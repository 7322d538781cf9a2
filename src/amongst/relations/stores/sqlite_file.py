"""A SQLite file: tables and keys in, the same out with its constraints."""

from __future__ import annotations

import sqlite3
from collections.abc import Mapping, Sequence
from contextlib import closing
from pathlib import Path
from typing import TYPE_CHECKING, Any

from amongst.errors import BadInput, BadOutput
from amongst.read.file import file_digest
from amongst.relations.stored import Keys, Reference, Stored
from amongst.relations.stores.ddl import as_made, create_table, refused
from amongst.sql_text import quoted

if TYPE_CHECKING:
    import pyarrow as pa

    from amongst.relations.relation import DatabaseSchema

BATCH = 1 << 16
TABLES = "SELECT name FROM sqlite_master WHERE type = 'table' AND name NOT LIKE 'sqlite\\_%' ESCAPE '\\' ORDER BY rowid"


def read_sqlite(path: Path, tables: Sequence[str] | None) -> Stored:
    """The tables of the file, read without changing it."""
    try:
        with closing(sqlite3.connect(f"{path.absolute().as_uri()}?mode=ro", uri=True)) as database:
            names = [name for (name,) in database.execute(TABLES) if tables is None or name in tables]
            read = {name: _table(database, name) for name in names}
            keys = {name: _keys(database, name) for name in names}
    except sqlite3.Error as error:
        raise BadInput(
            f"{path.name} cannot be read as a SQLite database.",
            found=type(error).__name__,
            fix="close other programs that have it open, or write it anew",
        ) from None
    if not read:
        raise BadInput(f"{path.name} holds no tables.", found="0 tables", fix="give a database with tables")
    return Stored(read, keys, "sqlite", path.name, {}, {path.name: file_digest(path)})


def _table(database: sqlite3.Connection, name: str) -> pa.Table:
    """A table column by column. SQLite lets cells of one column differ in type; such a column is refused."""
    import pyarrow as pa

    cursor = database.execute(f"SELECT * FROM {quoted(name)}")
    columns = [one[0] for one in cursor.description]
    batches: list[list[pa.Array]] = []
    mixed: set[str] = set()
    while rows := cursor.fetchmany(BATCH):
        batches.append(
            [_array(column, cells, mixed) for column, cells in zip(columns, zip(*rows, strict=True), strict=True)]
        )
    if mixed:
        found = f"table '{name}', columns: {', '.join(sorted(mixed))}"
        raise BadInput("Some columns hold values of several types.", found=found, fix="give every column one type")
    arrays = []
    for i, column in enumerate(columns):
        parts = [batch[i] for batch in batches]
        kinds = {part.type for part in parts if not pa.types.is_null(part.type)}
        kind = kinds.pop() if len(kinds) == 1 else pa.float64() if kinds == {pa.int64(), pa.float64()} else None
        if kind is None and kinds:
            found = f"table '{name}', column {column}"
            raise BadInput("A column holds values of several types.", found=found, fix="give every column one type")
        kind = kind or _declared(database, name, column)
        arrays.append(pa.chunked_array([part.cast(kind) for part in parts], kind))
    return pa.Table.from_arrays(arrays, names=columns)


def _array(column: str, cells: tuple[Any, ...], mixed: set[str]) -> pa.Array:
    import pyarrow as pa

    try:
        return pa.array(cells)
    except (pa.ArrowInvalid, pa.ArrowTypeError, OverflowError):
        mixed.add(column)
        return pa.nulls(len(cells))


def _declared(database: sqlite3.Connection, name: str, column: str) -> pa.DataType:
    """The type of a column without a value."""
    import pyarrow as pa

    rows = database.execute(f"PRAGMA table_info({quoted(name)})").fetchall()
    declared = next((kind for _, own, kind, *_ in rows if own == column), "").upper()
    return pa.int64() if "INT" in declared else pa.string()


def _keys(database: sqlite3.Connection, name: str) -> Keys:
    info = database.execute(f"PRAGMA table_info({quoted(name)})").fetchall()
    primary = tuple(column for _, column, _, _, _, place in sorted(info, key=lambda row: row[5]) if place)
    references: dict[int, tuple[str, list[str], list[str]]] = {}
    for number, _, table, own, other, *_ in database.execute(f"PRAGMA foreign_key_list({quoted(name)})"):
        _, columns, others = references.setdefault(number, (table, [], []))
        columns.append(own)
        others.append(other or "")
    found = (Reference(tuple(columns), table, tuple(others)) for table, columns, others in references.values())
    return Keys(primary, tuple(found))


def write_sqlite(tables: Mapping[str, pa.Table], schema: DatabaseSchema, path: Path) -> None:
    """A new file with primary and foreign keys."""
    try:
        with closing(sqlite3.connect(path)) as database, database:
            database.execute("PRAGMA foreign_keys = OFF")  # a row may refer to one that comes after it
            for name in as_made(tables, schema):
                _write_table(database, name, tables[name], create_table(name, tables[name], schema, "sqlite"))
            if database.execute("PRAGMA foreign_key_check").fetchone() is not None:
                raise sqlite3.IntegrityError("a reference leads nowhere")
    except OverflowError:
        raise BadOutput(
            "SQLite does not take the tables; nothing of them is left.",
            found="a whole number of 2^63 or more, which SQLite cannot hold",
            fix="write another format, such as parquet or duckdb",
        ) from None
    except sqlite3.Error as error:
        raise refused("SQLite", error) from None


def _write_table(database: sqlite3.Connection, name: str, table: pa.Table, create: str) -> None:
    database.execute(create)
    marks = ", ".join("?" * table.num_columns)
    for batch in table.to_batches(max_chunksize=BATCH):
        cells = [_cells(column) for column in batch.columns]
        database.executemany(f"INSERT INTO {quoted(name)} VALUES ({marks})", zip(*cells, strict=True))


def _cells(column: pa.Array) -> list[Any]:
    """Values that SQLite knows: dates and decimals as text."""
    import pyarrow as pa

    kind = column.type.value_type if pa.types.is_dictionary(column.type) else column.type
    plain = column.cast(kind)
    known = (
        pa.types.is_integer(kind) or pa.types.is_floating(kind) or pa.types.is_string(kind) or pa.types.is_boolean(kind)
    )
    return list((plain if known else plain.cast(pa.string())).to_pylist())
