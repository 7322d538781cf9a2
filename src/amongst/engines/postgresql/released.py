"""A release that is a table of PostgreSQL, opened again: counted in the server, as the verifier has it."""

from __future__ import annotations

from typing import TYPE_CHECKING

from amongst.engines.postgresql.connection import Connection
from amongst.engines.postgresql.names import table_name
from amongst.engines.postgresql.published import WrittenTable

if TYPE_CHECKING:
    from amongst.published.source import Source

MEMORY = "256MB"


def open_released(address: str, table: str) -> Source:
    """What a published table says; the connection lives as long as the source does."""
    return WrittenTable(Connection(address, MEMORY), table_name(table), few=False).source()
