"""A release that is a table of PostgreSQL, opened again: counted in the server, as the verifier has it."""

from __future__ import annotations

import contextlib
from collections.abc import Iterator
from typing import TYPE_CHECKING

from amongst.engines.postgresql.connection import Connection
from amongst.engines.postgresql.failures import told
from amongst.engines.postgresql.names import table_name
from amongst.engines.postgresql.published import WrittenTable
from amongst.errors import BadOption

if TYPE_CHECKING:
    from amongst.published.source import Source

MEMORY = "256MB"


def open_released(address: str | None, table: str) -> Source:
    """What a published table says; the connection lives as long as the source does."""
    return _opened(address, table).source()


@contextlib.contextmanager
def released(address: str | None, table: str) -> Iterator[WrittenTable]:
    """A published table as it stands there now: rows, digest, comment. To be allowed to read it is enough."""
    found = _opened(address, table)
    try:
        yield found
    finally:
        found.connection.close()


def _opened(address: str | None, table: str) -> WrittenTable:
    if address is None:
        raise BadOption(
            "The release is a table of a database.",
            found=f"table {table}, and no address",
            fix="give the address (address=, --database postgresql://...)",
        )
    asked = table_name(table)
    connection = Connection(address, MEMORY)
    try:
        _, full = connection.look_up(asked)
        with told("read", str(full)):
            connection.settle()
        return WrittenTable(connection, full, few=False)
    except BaseException:
        connection.close()
        raise
