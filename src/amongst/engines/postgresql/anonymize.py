"""A table of PostgreSQL, anonymized where it is."""

from __future__ import annotations

from dataclasses import fields

from amongst.engines.counted import Request, anonymize_stored, check_roles, refuse_elsewhere, refuse_unusable_names
from amongst.engines.postgresql.release import TableRelease
from amongst.engines.postgresql.store import MEMORY, PostgresqlStore
from amongst.engines.store import Say
from amongst.errors import BadOption


def anonymize_table(address: str, table: str, request: Request, say: Say, *, memory: str = MEMORY) -> TableRelease:
    """Decide what is published of a table. It is counted in the server, and its rows stay there.

    Parameters
    ----------
    address : str
        ``postgresql://user@host/database``.
    table : str
        ``schema.table``; a view does as well.
    request : Request
    say : callable
        Told (step, done, total).
    memory : str
        For every statement in the server (``work_mem``).
    """
    refuse_elsewhere(request)
    if request.form == "structs":
        fix = "use form = labels or form = bounds"
        raise BadOption("A table of PostgreSQL cannot hold structs.", found="form = structs", fix=fix)
    say("read", 0, 0)
    store = PostgresqlStore(address, table, memory=memory)
    try:
        stored = store.schema()
        refuse_unusable_names(stored, store.name)
        check_roles(request.schema, stored)
        store.refuse_types([*request.counted, *request.others])
        whole = request.on_tuples and store.few([*request.counted, *request.others])
        store.keep_counts, store.in_order = not whole, not request.on_tuples
        release = anonymize_stored(store, request, say, whole=whole)
    except BaseException:
        store.close()
        raise
    own = {field.name: getattr(release, field.name) for field in fields(release)}
    return TableRelease(**(own | {"from_counts": None}))
