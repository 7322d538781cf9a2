"""A connection to a PostgreSQL server, and how its address may be told."""

from __future__ import annotations

import contextlib
from collections.abc import Iterator
from typing import Any
from urllib.parse import urlsplit

from amongst.errors import BadInput, BadOption


def shown(address: str) -> str:
    """The address without user and password, as it may appear in a report.

    Examples
    --------
    >>> from amongst.engines.postgresql.server import shown
    >>> shown("postgresql://me:secret@example.org:5433/clinic")
    'postgresql://example.org:5433/clinic'
    """
    try:
        parts = urlsplit(address)
        port = f":{parts.port}" if parts.port else ""
    except ValueError:  # such as a slash in the password: then nobody can say where it ends
        return "postgresql://..."
    if "@" in parts.path or "@" in parts.query or parts.fragment:
        return "postgresql://..."
    return f"postgresql://{parts.hostname or ''}{port}{parts.path}"


@contextlib.contextmanager
def connected(address: str) -> Iterator[Any]:
    """A connection whose work is undone unless it is committed."""
    try:
        from adbc_driver_postgresql import dbapi
    except ImportError:
        raise BadOption(
            "Reading PostgreSQL needs a driver.",
            found="adbc-driver-postgresql is not installed",
            fix="pip install amongst[postgresql]",
        ) from None
    try:
        connection = dbapi.connect(address)
    except dbapi.Error:
        raise BadInput(
            "The PostgreSQL database cannot be reached.",
            found=f"no connection to {shown(address)}",
            fix="check host, port, name of the database, user and password",
        ) from None
    try:
        yield connection
    finally:
        with contextlib.suppress(dbapi.Error):
            connection.rollback()
        connection.close()
