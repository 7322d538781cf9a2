"""A PostgreSQL database: tables and keys of one schema in, a new schema out, in one transaction."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import TYPE_CHECKING, Any

from amongst.engines.postgresql.server import connected, shown
from amongst.errors import BadInput, BadOutput
from amongst.read.plain import plain
from amongst.relations.stored import Keys, Reference, Stored
from amongst.relations.stores.ddl import as_made, create_table, refused
from amongst.sql_text import quoted

if TYPE_CHECKING:
    import pyarrow as pa

    from amongst.relations.relation import DatabaseSchema

TABLES = """
SELECT c.relname FROM pg_class c JOIN pg_namespace n ON n.oid = c.relnamespace
WHERE n.nspname = $1 AND c.relkind IN ('r', 'p') AND NOT c.relispartition ORDER BY c.oid
"""
CONSTRAINTS = """
SELECT t.relname::text AS own, k.contype::text AS kind, f.relname::text AS other,
       (SELECT string_agg(a.attname, chr(31) ORDER BY p.place) FROM unnest(k.conkey) WITH ORDINALITY p(number, place)
        JOIN pg_attribute a ON a.attrelid = k.conrelid AND a.attnum = p.number) AS columns,
       (SELECT string_agg(a.attname, chr(31) ORDER BY p.place) FROM unnest(k.confkey) WITH ORDINALITY p(number, place)
        JOIN pg_attribute a ON a.attrelid = k.confrelid AND a.attnum = p.number) AS others
FROM pg_constraint k JOIN pg_class t ON t.oid = k.conrelid JOIN pg_namespace n ON n.oid = t.relnamespace
LEFT JOIN pg_class f ON f.oid = k.confrelid
WHERE n.nspname = $1 AND k.contype IN ('p', 'f') ORDER BY k.oid
"""


def read_postgresql(address: str, tables: Sequence[str] | None, namespace: str) -> Stored:
    """The tables of one schema, all as of the same moment."""
    with connected(address) as connection, connection.cursor() as cursor:
        cursor.execute("SET TRANSACTION ISOLATION LEVEL REPEATABLE READ READ ONLY")
        names = [name for (name,) in _rows(cursor, TABLES, namespace) if tables is None or name in tables]
        read = {name: read_table(cursor, namespace, name) for name in names}
        constraints = _rows(cursor, CONSTRAINTS, namespace)
    if not read:
        fix = "name the schema that holds the tables"
        raise BadInput("The PostgreSQL schema holds no tables.", found=f"schema {namespace}", fix=fix)
    return Stored(read, _keys(constraints, names), "postgresql", f"{shown(address)}, schema {namespace}")


def read_table(cursor: Any, namespace: str, name: str) -> pa.Table:
    """One table; numbers of any precision come as text from the driver, and are made numbers again."""
    import pyarrow as pa

    cursor.execute(f"SELECT * FROM {quoted(namespace)}.{quoted(name)}")
    table = plain(cursor.fetch_arrow_table())
    columns = []
    for field, column in zip(table.schema, table.columns, strict=True):
        if isinstance(column.type, pa.BaseExtensionType):  # numeric, and others that Arrow has no type for
            column = column.cast(column.type.storage_type)
        kind = (field.metadata or {}).get(b"ADBC:postgresql:typname", b"")
        columns.append(column.cast(pa.float64()) if kind == b"numeric" else column)
    return pa.Table.from_arrays(columns, names=table.column_names)


def _rows(cursor: Any, query: str, *values: str) -> list[tuple[Any, ...]]:
    cursor.execute(query, list(values))
    return list(cursor.fetchall())


def _keys(constraints: list[tuple[Any, ...]], names: Sequence[str]) -> dict[str, Keys]:
    keys = {}
    for name in names:
        own = [one for one in constraints if one[0] == name]
        primary = next((tuple(columns.split("\x1f")) for _, kind, _, columns, _ in own if kind == "p"), ())
        references = [
            Reference(tuple(columns.split("\x1f")), other, tuple(others.split("\x1f")))
            for _, kind, other, columns, others in own
            if kind == "f"
        ]
        keys[name] = Keys(primary, tuple(references))
    return keys


def write_postgresql(
    tables: Mapping[str, pa.Table],
    schema: DatabaseSchema,
    address: str,
    namespace: str,
    proved: Callable[[Mapping[str, pa.Table]], None],
) -> None:
    """A new schema with the tables and their keys. ``proved`` sees what was written, and may raise.

    All of it is one transaction: whatever goes wrong, nothing is left.
    """
    from adbc_driver_postgresql import dbapi

    with connected(address) as connection:
        try:
            _write(connection, tables, schema, namespace, proved)
            connection.commit()
        except dbapi.Error as error:
            raise refused("PostgreSQL", error) from None


def _write(
    connection: Any,
    tables: Mapping[str, pa.Table],
    schema: DatabaseSchema,
    namespace: str,
    proved: Callable[[Mapping[str, pa.Table]], None],
) -> None:
    with connection.cursor() as cursor:
        if _rows(cursor, "SELECT 1 FROM pg_namespace WHERE nspname = $1", namespace):
            raise BadOutput(
                "There is such a schema in the database already.",
                found=f"schema {namespace}",
                fix="choose another name, or drop it yourself",
            )
        cursor.execute(f"CREATE SCHEMA {quoted(namespace)}")
        for name in as_made(tables, schema):
            cursor.execute(create_table(name, tables[name], schema, "postgresql", namespace))
            if tables[name].num_rows:
                cursor.adbc_ingest(name, _text_plain(tables[name]), mode="append", db_schema_name=namespace)
        proved({name: read_table(cursor, namespace, name) for name in tables})


def _text_plain(table: pa.Table) -> pa.Table:
    import pyarrow as pa

    kinds = [field.type.value_type if pa.types.is_dictionary(field.type) else field.type for field in table.schema]
    kinds = [pa.int64() if pa.types.is_integer(kind) and not pa.types.is_uint64(kind) else kind for kind in kinds]
    kinds = [pa.float32() if pa.types.is_float16(kind) else kind for kind in kinds]
    return table.cast(pa.schema(list(zip(table.column_names, kinds, strict=True))))
