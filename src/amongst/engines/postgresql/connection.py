"""One connection, and in it one transaction: the whole run sees the table as it was when it began."""

from __future__ import annotations

import contextlib
from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING, Any

from amongst.engines.postgresql.failures import told
from amongst.engines.postgresql.names import TableName, literal
from amongst.engines.postgresql.server import connected
from amongst.engines.postgresql.types import COLUMNS, StoredColumn, columns_of
from amongst.errors import BadInput
from amongst.sql_text import quoted

if TYPE_CHECKING:
    import pyarrow as pa

SNAPSHOT = "SET TRANSACTION ISOLATION LEVEL REPEATABLE READ"
SETTINGS = {
    "jit": "off",  # compiling takes longer than these statements gain by it
    "datestyle": "ISO, YMD",
    "timezone": "UTC",
    "extra_float_digits": "1",
    "search_path": "pg_catalog, pg_temp",  # nobody's functions but the server's own
    "enable_mergejoin": "off",  # a sort of all rows by all columns
    "idle_in_transaction_session_timeout": "0",
}
OLDEST = 14
READABLE = "rpvmf"
"""Kinds of relations with rows: tables, partitioned tables, views, materialized views, foreign tables."""


class Connection:
    """A connection whose work is undone unless it is committed."""

    def __init__(self, address: str, memory: str) -> None:
        self.stack = contextlib.ExitStack()
        self.driver = self.stack.enter_context(connected(address))
        self.cursor = self.stack.enter_context(self.driver.cursor())
        self.memory = memory
        try:
            with told("read", "the database"):
                self.execute(SNAPSHOT)
                self._refuse_old_servers()
        except BaseException:
            self.close()
            raise

    def _refuse_old_servers(self) -> None:
        [(version,)] = self.rows("SELECT current_setting('server_version_num')")
        if int(version) < OLDEST * 10_000:
            found = f"PostgreSQL {int(version) // 10_000}"
            raise BadInput("The server is too old.", found=found, fix=f"use PostgreSQL {OLDEST} or newer")

    def settle(self) -> None:
        """Settings of this transaction; the names that the user gave are looked up before."""
        for name, setting in {**SETTINGS, "work_mem": self.memory}.items():
            value = setting if name == "search_path" else literal(setting)
            self.execute(f"SET LOCAL {name} = {value}")

    def share_work(self) -> None:
        """Let parallel workers count from here on: of sorted rows each of them sees other classes."""
        for name in ("parallel_setup_cost", "parallel_tuple_cost"):
            self.execute(f"SET LOCAL {name} = 0")

    def execute(self, statement: str) -> int:
        """Run a statement; how many rows it made or changed."""
        self.cursor.execute(statement)
        return int(self.cursor.rowcount)

    def fetch(self, query: str) -> pa.Table:
        self.cursor.execute(query)
        return self.cursor.fetch_arrow_table()

    def batches(self, query: str) -> Iterator[pa.RecordBatch]:
        """What a query finds, batch by batch as the server sends it."""
        self.cursor.execute(query)
        yield from self.cursor.fetch_record_batch()

    def rows(self, query: str, *values: Any) -> list[tuple[Any, ...]]:
        """Facts of the catalogue."""
        self.cursor.execute(query, list(values) or None)
        return list(self.cursor.fetchall())

    def ingest(self, name: str, table: pa.Table | pa.RecordBatchReader) -> None:
        """A table as a new temporary table; its batches may be made while they are sent."""
        self.execute(f"DROP TABLE IF EXISTS {quoted(name)}")
        self.cursor.adbc_ingest(name, table, mode="create", temporary=True)

    def commit(self) -> None:
        self.driver.commit()

    def close(self) -> None:
        self.stack.close()

    def find(self, table: TableName) -> tuple[int, TableName, str] | None:
        """The number of a relation, its full name and its kind; None where there is none."""
        found = self.rows(
            "SELECT c.oid::int8, n.nspname::text, c.relname::text, c.relkind::text FROM pg_class c "
            "JOIN pg_namespace n ON n.oid = c.relnamespace WHERE c.oid = to_regclass($1)",
            table.sql,
        )
        return (found[0][0], TableName(found[0][1], found[0][2]), found[0][3]) if found else None

    def look_up(self, table: TableName) -> tuple[int, TableName]:
        """A relation that can be read."""
        with told("read", str(table)):
            found = self.find(table)
        if found is None:
            raise BadInput(
                "The table is not there.",
                found=f"no table {table}" + self._meant(table),
                fix="check schema and name: capitals count, and a dot in a name needs quotes",
            )
        number, full, kind = found
        if kind not in READABLE:
            raise BadInput("This is not a table.", found=f"{full} is of another kind", fix="name a table or a view")
        return number, full

    def _meant(self, table: TableName) -> str:
        folded = TableName(table.namespace and table.namespace.lower(), table.name.lower())
        return f", but there is {folded}" if folded != table and self.find(folded) is not None else ""

    def columns(self, number: int) -> list[StoredColumn]:
        return columns_of(self.rows(COLUMNS, number))


def plain_columns(table: pa.Table, columns: Sequence[StoredColumn]) -> list[Any]:
    """What the driver fetched for ``column.read()``, as the types that memory has; text dictionary-encoded."""
    import pyarrow as pa

    fetched = []
    for column, cells in zip(columns, table.columns, strict=True):
        cells = cells if cells.type == column.arrow() else cells.cast(column.arrow())
        fetched.append(cells.dictionary_encode() if pa.types.is_string(cells.type) else cells)
    return fetched
