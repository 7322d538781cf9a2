"""The SQL that makes a table with its keys."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from typing import TYPE_CHECKING

from amongst.engines.sql_type import sql_type
from amongst.errors import BadOutput
from amongst.relations.relation import Relation, columns_of
from amongst.sql_text import quoted

if TYPE_CHECKING:
    import pyarrow as pa

    from amongst.relations.relation import DatabaseSchema


def refused(database: str, error: Exception) -> BadOutput:
    """What is said when a database does not take the tables; its own words may hold values."""
    return BadOutput(
        f"{database} does not take the tables; nothing of them is left.",
        found=type(error).__name__,
        fix="names that differ in capitals only are one name there; another format may do",
    )


def as_made(tables: Mapping[str, pa.Table], schema: DatabaseSchema) -> list[str]:
    """The tables in the order in which they can be made: what has no keys first, then parents before children."""
    return [*(name for name in tables if name not in schema), *schema.in_order()]


def create_table(
    name: str,
    table: pa.Table,
    schema: DatabaseSchema,
    dialect: str,
    namespace: str = "",
    *,
    unstated: Collection[str] = (),
) -> str:
    """CREATE TABLE with the primary key and the foreign keys of the schema, but for those to ``unstated`` tables."""
    lines = [f"{quoted(field.name)} {sql_type(field.type, dialect)}" for field in table.schema]
    relation = schema.get(name, Relation())  # a table beside the schema's has no keys of ours
    if relation.key is not None:
        lines.append(f"PRIMARY KEY ({_listed(columns_of(relation.key))})")
    targets = [] if relation.parent is None else [(columns_of(relation.foreign_key), relation.parent)]
    before = schema.in_order()[: schema.in_order().index(name) + 1] if name in schema else []
    able = set(schema if dialect == "sqlite" else before) - set(unstated)  # others refer to what is there alone
    targets += [(link.columns, link.table) for link in relation.links if link.table in able]
    for columns, other in targets:
        target = f"{_place(other, namespace)} ({_listed(columns_of(schema[other].key))})"
        lines.append(f"FOREIGN KEY ({_listed(columns)}) REFERENCES {target}")
    return f"CREATE TABLE {_place(name, namespace)} ({', '.join(lines)})"


def _listed(columns: Sequence[str]) -> str:
    return ", ".join(map(quoted, columns))


def _place(name: str, namespace: str) -> str:
    return f"{quoted(namespace)}.{quoted(name)}" if namespace else quoted(name)
