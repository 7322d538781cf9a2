"""The rows of a month from wherever they live."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from amongst.engines import choose_engine, open_store
from amongst.engines.rows_here import rows_here
from amongst.models import Model
from amongst.read import Source, read
from amongst.request import Request
from amongst.schema.schema import Schema


def month_rows(
    data: Any,
    schema: Schema,
    models: Sequence[Model],
    person: str,
    *,
    engine: str | None = None,
    memory: str | int | None = None,
    **how: Any,
) -> Source:
    """The columns of a series, every row once.

    A table that is not in memory stays where it is but for these columns: the distinct rows are counted there, and come
    here with their counts, in an order of their own. Where there is no room for them it is said so.
    """
    if isinstance(data, Source):
        return data
    chosen = choose_engine(data, engine, memory)
    settings = {name: how.pop(name, None) for name in ("work", "session")}
    if chosen == "memory":
        return read(data, **how)
    settings["table"] = how.pop("table", None)
    request = Request(schema=schema, models=models)
    store = open_store(chosen, data, request, _silent, reading=how, memory=memory, **settings)
    try:
        return rows_here(store, schema, [person, *schema.published], what="make the next release")
    finally:
        store.close()


def _silent(step: str, done: int, total: int) -> None:
    """Nobody is told."""
