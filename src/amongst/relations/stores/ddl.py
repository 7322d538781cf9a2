"""The SQL that makes a table with its keys."""

from __future__ import annotations

from typing import TYPE_CHECKING

from amongst.engines.sql_type import sql_type
from amongst.errors import BadOutput

if TYPE_CHECKING:
    import pyarrow as pa

    from amongst.relations.relation import DatabaseSchema


def quoted(name: str) -> str:
    """A name as SQL writes it.

    Examples
    --------
    >>> from amongst.relations.stores.ddl import quoted
    >>> print(quoted('my table'))
    "my table"
    """
    return '"' + name.replace('"', '""') + '"'


def refused(database: str, error: Exception) -> BadOutput:
    """What is said when a database does not take the tables; its own words may hold values."""
    return BadOutput(
        f"{database} does not take the tables; nothing of them is left.",
        found=type(error).__name__,
        fix="names that differ in capitals only are one name there; another format may do",
    )


def create_table(name: str, table: pa.Table, schema: DatabaseSchema, dialect: str, namespace: str = "") -> str:
    """CREATE TABLE with the primary key and the foreign key of the schema."""
    relation = schema[name]
    lines = [f"{quoted(field.name)} {sql_type(field.type, dialect)}" for field in table.schema]
    if relation.key is not None:
        lines.append(f"PRIMARY KEY ({quoted(relation.key)})")
    if relation.parent is not None:
        key = schema[relation.parent].key
        assert key is not None
        assert relation.foreign_key is not None
        target = f"{_place(relation.parent, namespace)} ({quoted(key)})"
        lines.append(f"FOREIGN KEY ({quoted(relation.foreign_key)}) REFERENCES {target}")
    return f"CREATE TABLE {_place(name, namespace)} ({', '.join(lines)})"


def _place(name: str, namespace: str) -> str:
    return f"{quoted(namespace)}.{quoted(name)}" if namespace else quoted(name)
