"""What the server refuses, in words of our own: its own words may quote cells, statements or the address."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

from amongst.errors import AmongstError, BadInput, BadOutput

LOST = "The connection to the database was lost; nothing of the release is left."
_LOST_STATES = ("57P01", "57P02", "57P03", "08000", "08003", "08006", "25P03")
_FULL = ("53100", "53400", "58030")


@contextmanager
def told(doing: str, table: str, *, writing: bool = False) -> Iterator[None]:
    """Turn an error of the driver into one that says what, found and fix.

    Parameters
    ----------
    doing : str
        What was being done: "count", "write" ...
    table : str
        The table that is meant, as messages name it.
    """
    from adbc_driver_postgresql import dbapi

    try:
        yield
    except dbapi.Error as error:
        raise refusal(error, doing, table, writing=writing) from None


def refusal(error: Any, doing: str, table: str, *, writing: bool = False) -> AmongstError:
    """The error to raise for an error of the driver, by the code that SQL's standard gives it."""
    state = str(getattr(error, "sqlstate", None) or "")
    kind = BadOutput if writing else BadInput
    told_of_state = {
        "42501": _no_right,
        "25006": _read_only,
        "57014": _stopped,
        "42P01": _missing,
        "3F000": _no_namespace,
        "42P07": _there,
        "2BP01": _needed,
        "55P03": _locked,
        "53200": _no_memory,
        **dict.fromkeys(_FULL, _full),
    }
    if state in told_of_state:
        return told_of_state[state](kind, doing, table)
    if state in _LOST_STATES or (not state and _is_io(error)):
        found = f"while amongst was to {doing} {table}"
        return kind(LOST, found=found, fix="see the server's log for the reason, then run again")
    found = f"{type(error).__name__}{', SQLSTATE ' + state if state else ''}, to {doing} {table}"
    return kind("PostgreSQL refuses a step; nothing of the release is left.", found=found, fix="see the server's log")


def _is_io(error: Any) -> bool:
    from adbc_driver_manager import AdbcStatusCode

    return getattr(error, "status_code", None) == AdbcStatusCode.IO


def _no_right(kind: type[AmongstError], doing: str, table: str) -> AmongstError:
    needed = {
        "read": "SELECT on the table and USAGE on its schema",
        "count": "SELECT on the table, and TEMPORARY on the database",
        "write": "CREATE on the schema, and TEMPORARY on the database",
        "replace": "to own the table that is replaced",
    }
    found = f"the server denies this user to {doing} {table}"
    return kind("The database user lacks a right.", found=found, fix=f"grant {needed.get(doing, 'it')}")


def _read_only(kind: type[AmongstError], doing: str, table: str) -> AmongstError:
    fix = "connect to the primary server, or turn default_transaction_read_only off for this user"
    return kind("The server takes no changes.", found=f"a read-only transaction, to {doing} {table}", fix=fix)


def _stopped(kind: type[AmongstError], doing: str, table: str) -> AmongstError:
    return kind(
        "The server stopped a statement; nothing of the release is left.",
        found=f"a timeout or a cancel request, to {doing} {table}",
        fix="raise statement_timeout for this user, or leave columns out",
    )


def _missing(kind: type[AmongstError], doing: str, table: str) -> AmongstError:
    fix = "check schema and name: capitals count, and a dot in a name needs quotes"
    return kind("The table is not there.", found=f"no table {table}", fix=fix)


def _no_namespace(kind: type[AmongstError], doing: str, table: str) -> AmongstError:
    return kind("The schema is not there.", found=f"no schema for {table}", fix="create it, or name another")


def _there(kind: type[AmongstError], doing: str, table: str) -> AmongstError:
    return kind("There is such a table already.", found=f"{table}", fix="choose another name, or use force")


def _needed(kind: type[AmongstError], doing: str, table: str) -> AmongstError:
    found = f"views or other objects depend on {table}"
    return kind("The former release cannot be replaced.", found=found, fix="drop those first, or choose another name")


def _locked(kind: type[AmongstError], doing: str, table: str) -> AmongstError:
    return kind("The table is locked by others.", found=f"to {doing} {table}", fix="run again, or raise lock_timeout")


def _no_memory(kind: type[AmongstError], doing: str, table: str) -> AmongstError:
    return kind("The server is out of memory.", found=f"to {doing} {table}", fix="give less memory to the run")


def _full(kind: type[AmongstError], doing: str, table: str) -> AmongstError:
    return kind(
        "The server's disk is full, or its limit for temporary files is reached; nothing of the release is left.",
        found=f"to {doing} {table}",
        fix="make room for a copy of the published columns, or raise temp_file_limit",
    )
