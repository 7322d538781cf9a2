"""A DuckDB file: tables and keys in, the same out with its constraints."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np

from amongst.errors import BadInput
from amongst.read.file import file_digest
from amongst.read.plain import plain
from amongst.relations.relation import Relation, columns_of
from amongst.relations.stored import Keys, Reference, Stored
from amongst.relations.stores.ddl import as_made, create_table, refused
from amongst.sql_text import quoted

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
                parts = after_their_targets(name, tables[name], schema.get(name, Relation()))
                own = {name} if parts is None else set()
                database.execute(create_table(name, tables[name], schema, "duckdb", unstated=own))
                for part in [tables[name]] if parts is None else parts:
                    database.register("incoming", part)
                    database.execute(f"INSERT INTO {quoted(name)} SELECT * FROM incoming")
                    database.unregister("incoming")
    except duckdb.Error as error:
        raise refused("DuckDB", error) from None


def after_their_targets(name: str, table: pa.Table, relation: Relation) -> list[pa.Table] | None:
    """The rows in parts, each after those that it refers to in its own table; none where references go in a circle.

    DuckDB looks for the target of every reference among the rows of earlier insertions.
    """
    import pyarrow as pa

    own = [link.columns for link in relation.links if link.table == name]
    if not own:
        return [table]
    place = pa.array(np.arange(table.num_rows))
    parts = [str(i) for i in range(len(own[0]))]
    keys = table.select(list(columns_of(relation.key))).rename_columns(parts).append_column("to", place)
    edges = []
    for columns in own:
        led = table.select(list(columns)).rename_columns(parts).append_column("from", place)
        led = led.join(keys, parts, join_type="inner")
        edges.append(np.stack([led["from"].to_numpy(), led["to"].to_numpy()]))
    layer = _layers(np.concatenate(edges, axis=1), table.num_rows)
    if layer is None:
        return None
    rows = np.argsort(layer, kind="stable")
    ends = np.flatnonzero(np.diff(layer[rows])) + 1
    return [table.take(part) for part in np.split(rows, ends)]


def _layers(edges: np.ndarray, n_rows: int) -> np.ndarray | None:
    """How many references lead from every row to one without any, at most; none where some go in a circle."""
    edges = edges[:, np.argsort(edges[1], kind="stable")]
    missing = np.bincount(edges[0], minlength=n_rows)
    layer = np.full(n_rows, -1)
    ready, n_layers = np.flatnonzero(missing == 0), 0
    while len(ready):
        layer[ready] = n_layers
        first, last = (np.searchsorted(edges[1], ready, side) for side in ("left", "right"))
        count = last - first
        led = edges[0][np.repeat(first - np.cumsum(count) + count, count) + np.arange(count.sum())]
        np.subtract.at(missing, led, 1)
        ready, n_layers = np.unique(led[missing[led] == 0]), n_layers + 1
    return None if (layer < 0).any() else layer
