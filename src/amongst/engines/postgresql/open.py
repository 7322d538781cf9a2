"""A table of PostgreSQL, opened to be anonymized where it is."""

from __future__ import annotations

from typing import Any

from amongst.engines import ENGINES
from amongst.engines.counted import check_asked, refuse_elsewhere, refuse_unusable_names
from amongst.engines.memory import size_of
from amongst.engines.postgresql.in_parts import refuse_beyond_memory
from amongst.engines.postgresql.store import PostgresqlStore
from amongst.engines.store import Say
from amongst.errors import BadOption
from amongst.request import Request

ADDRESS = ENGINES["postgresql"].addresses
MEMORY = 256 * 2**20
"""For every sort and every table of counts in the server, unless told otherwise."""


def open_table(
    data: str,
    request: Request,
    say: Say,
    *,
    table: str | None = None,
    memory: str | int | None = None,
    work: Any = None,
    **settings: Any,
) -> PostgresqlStore:
    """Open a table. It is counted in the server, and its rows stay there.

    A transaction is held open until the release is written or closed.

    Parameters
    ----------
    data : str
        The address, ``postgresql://user@host/database``.
    request : Request
    say : callable
        Told (step, done, total).
    table : str
        ``schema.table``; a view does as well.
    memory : str or int, optional
        For every statement in the server (``work_mem``); more goes to its temporary files.
    work : path, optional
        The folder for temporary files here: counts that memory cannot hold go there.
    """
    refuse_elsewhere(request, PostgresqlStore.gaps)
    _refuse_settings(data, table, request, settings)
    store = open_store(data, str(table), memory, work)
    say("read", 0, 0)
    try:
        prepare(store, request)
    except BaseException:
        store.close()
        raise
    return store


def open_store(address: str, table: str, memory: str | int | None = None, work: Any = None) -> PostgresqlStore:
    """A table, looked at but not read yet."""
    n_bytes = MEMORY if memory is None else size_of(memory)
    return PostgresqlStore(address, table, memory=f"{min(max(n_bytes // 1024, 64), 2**31 - 1)}kB", work=work)


def prepare(store: PostgresqlStore, request: Request) -> bool:
    """Refuse what cannot be; whether all published columns are counted, so that the rows are read once."""
    stored = store.schema()
    refuse_unusable_names(stored, store.name)
    request = request.of_columns(stored.names)
    check_asked(request, stored.names)
    store.refuse_types([*request.counted, *request.others])
    together = request.schema.household is not None
    whole = together or (request.on_tuples and store.few([*request.counted, *request.others]))
    if together:
        refuse_beyond_memory(store, request, "Households are grouped", "Households are published", request.counted)
    elif request.unit is not None:
        refuse_beyond_memory(store, request, "People are counted", "People are told apart", [request.unit])
    store.whole, store.keep_counts, store.in_order = whole, not whole, not request.on_tuples
    return whole


def _refuse_settings(data: Any, table: str | None, request: Request, settings: dict[str, Any]) -> None:
    if not isinstance(data, str) or not data.startswith(ADDRESS):
        raise BadOption(
            "PostgreSQL is named by its address.",
            found=f"a {type(data).__name__}" if not isinstance(data, str) else "no address",
            fix="give postgresql://user@host/database",
        )
    if not table:
        raise BadOption("The table needs a name.", found="no table", fix="name it: --table schema.name (table=)")
    if settings:
        fix = "leave it out: rows are counted in one transaction, and nothing of them is kept here"
        raise BadOption("This means nothing for a table of PostgreSQL.", found=", ".join(settings), fix=fix)
    if request.form == "structs":
        fix = "use form = labels or form = bounds"
        raise BadOption("A table of PostgreSQL cannot hold structs.", found="form = structs", fix=fix)
