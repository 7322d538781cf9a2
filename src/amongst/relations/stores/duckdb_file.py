"""A DuckDB file: tables and keys in, the same out with its constraints."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

from amongst.errors import BadInput
from amongst.read.file import file_digest
from amongst.read.plain import plain
from amongst.relations.stored import Keys, Reference, Stored
from amongst.relations.stores.ddl import as_made, create_table, quoted, refused

if TYPE_CHECKING:
    import pyarrow as pa

    from amongst.relations.relation import DatabaseSchema

CONSTRAINTS = """
SELECT table_name, constraint_type, constraint_column_names, referenced_table, referenced_column_names
FROM duckdb_constraints() WHERE schema_name = ? AND constraint_type IN ('PRIMARY KEY', 'FOREIGN KEY')
ORDER BY constraint_index
"""
TABLES = "SELECT table_name FROM duckdb_tables() WHERE schema_name = ? AND NOT internal ORDER BY table_oid"


def read_duckdb(path: Path, tables: Sequence[str] | None, namespace: str) -> Stored:
    """The tables of one schema of the file, read without changing it."""
    import duckdb

    try:
        with duckdb.connect(str(path), read_only=True) as database:
            names = [name for (name,) in database.execute(TABLES, [namespace]).fetchall()]
            names = [name for name in names if tables is None or name in tables]
            read = {n: _table(database.sql(f"SELECT * FROM {quoted(namespace)}.{quoted(n)}")) for n in names}
            constraints = database.execute(CONSTRAINTS, [namespace]).fetchall()
    except duckdb.Error as error:
        raise BadInput(
            f"{path.name} cannot be read as a DuckDB database.",
            found=type(error).__name__,
            fix="close other programs that have it open, or write it anew",
        ) from None
    if not read:
        raise BadInput(f"{path.name} holds no tables.", found=f"schema {namespace}", fix="name the right schema")
    return Stored(read, _keys(constraints, names), "duckdb", path.name, {}, {path.name: file_digest(path)})


def _table(relation: Any) -> pa.Table:
    return plain(relation.to_arrow_table())


def _keys(constraints: list[tuple[Any, ...]], names: Sequence[str]) -> dict[str, Keys]:
    keys = {}
    for name in names:
        own = [one for one in constraints if one[0] == name]
        primary = next((tuple(columns) for _, kind, columns, _, _ in own if kind == "PRIMARY KEY"), ())
        references = [
            Reference(tuple(columns), other, tuple(others))
            for _, kind, columns, other, others in own
            if kind == "FOREIGN KEY"
        ]
        keys[name] = Keys(primary, tuple(references))
    return keys


def write_duckdb(tables: Mapping[str, pa.Table], schema: DatabaseSchema, path: Path) -> None:
    """A new file with primary and foreign keys."""
    import duckdb

    try:
        with duckdb.connect(str(path)) as database:
            for name in as_made(tables, schema):
                database.execute(create_table(name, tables[name], schema, "duckdb"))
                database.register("incoming", tables[name])
                database.execute(f"INSERT INTO {quoted(name)} SELECT * FROM incoming")
                database.unregister("incoming")
    except duckdb.Error as error:
        raise refused("DuckDB", error) from None
