"""The rows of a month from wherever they live: an engine counts them, and what is needed of them comes to memory."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

from amongst.engines import ENGINES, choose_engine, open_store
from amongst.engines.counted import COUNT
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
    here with their counts, in an order of their own. Where a limit of ``memory`` has no room for them it is said so.
    """
    if isinstance(data, Source):
        return data
    chosen = choose_engine(data, engine, memory)
    settings = {name: how.pop(name, None) for name in ("work", "session")}
    if chosen == "memory":
        return read(data, **how)
    people = person if ENGINES[chosen].people else None  # then the limit of memory is held against their number
    request = Request(schema=schema, models=models, unit=people)
    settings["table"] = how.pop("table", None)
    store = open_store(chosen, data, request, _silent, reading=how, memory=memory, **settings)
    others = [name for name in schema.published if schema[name].role != "quasi"]
    try:
        counted = store.count([person, *schema.published], _silent, others)
        spelled = store.spelled(others)
    finally:
        store.close()
    times = counted.column(COUNT).to_numpy()
    rows = counted.drop_columns([COUNT])
    if (times > 1).any():
        rows = rows.take(np.repeat(np.arange(len(times)), times))
    return Source(rows, "pyarrow", store.name, None, tuple(store.notes), spelled)


def _silent(step: str, done: int, total: int) -> None:
    """Nobody is told."""
