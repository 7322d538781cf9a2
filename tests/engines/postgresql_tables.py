"""Tables for tests in a PostgreSQL server, and what is in them."""

from __future__ import annotations

from typing import Any

import pyarrow as pa

from amongst.engines.postgresql.server import connected


def run(address: str, *statements: str) -> None:
    """Run statements, and commit."""
    with connected(address) as connection:
        with connection.cursor() as cursor:
            for statement in statements:
                cursor.execute(statement)
        connection.commit()


def rows(address: str, query: str) -> list[tuple[Any, ...]]:
    with connected(address) as connection, connection.cursor() as cursor:
        cursor.execute(query)
        return list(cursor.fetchall())


def fetched(address: str, query: str) -> pa.Table:
    with connected(address) as connection, connection.cursor() as cursor:
        cursor.execute(query)
        table = cursor.fetch_arrow_table()
        return pa.table(dict(zip(table.column_names, table.columns, strict=True)))


def load(address: str, name: str, table: pa.Table, namespace: str = "public") -> None:
    """A new table with these rows, in the order of an input that nobody sorted."""
    with connected(address) as connection:
        with connection.cursor() as cursor:
            cursor.execute(f'DROP TABLE IF EXISTS "{namespace}"."{name}"')
            cursor.adbc_ingest(name, plain(table), mode="create", db_schema_name=namespace)
        connection.commit()


def plain(table: pa.Table) -> pa.Table:
    """Text without dictionaries."""
    kinds = [f.type.value_type if pa.types.is_dictionary(f.type) else f.type for f in table.schema]
    return table.cast(pa.schema(list(zip(table.column_names, kinds, strict=True))))


def nothing(step: str, done: int, total: int) -> None:
    """Progress that nobody watches."""
