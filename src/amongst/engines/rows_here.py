"""The rows of an engine in memory: for what looks at every row by itself, where there is room for them."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

import numpy as np

from amongst.engines.counted import COUNT
from amongst.engines.memory import words
from amongst.errors import Infeasible
from amongst.read.source import Source

if TYPE_CHECKING:
    from amongst.engines.store import Store
    from amongst.schema.schema import Schema

A_ROW, A_CELL = 150, 30
"""Bytes that a row takes on its way, for itself and for each of its columns."""


def rows_here(store: Store, schema: Schema, columns: Sequence[str], *, what: str) -> Source:
    """Some columns of a table that is elsewhere, every row once, in an order of their own; of identifiers that are not
    among them nothing but the names. The distinct rows are counted where they are.

    ``what`` says in an error for what there is no room.
    """
    import pyarrow as pa

    room = store.room
    each = A_ROW + A_CELL * len(columns)
    if store.n_rows is not None:
        _refuse_too_many(store.n_rows * each, room, what)
    others = [name for name in columns if name in schema and schema[name].role in ("sensitive", "keep")]
    counted = store.count(list(columns), _silent, others)
    spelled = store.spelled(others)
    times = counted.column(COUNT).to_numpy()
    _refuse_too_many(int(times.sum()) * each, room, what)
    rows = counted.drop_columns([COUNT])
    if (times > 1).any():
        rows = rows.take(np.repeat(np.arange(len(times)), times))
    for name in (name for name in schema if schema[name].role == "identifier" and name not in columns):
        rows = rows.append_column(name, pa.nulls(rows.num_rows, pa.string()))
    return Source(rows, "pyarrow", store.name, None, tuple(store.notes), spelled)


def _refuse_too_many(needed: int, room: int, what: str) -> None:
    if needed > room:
        raise Infeasible(
            f"There is no room in memory for the rows, to {what}.",
            found=f"about {words(needed)} are needed, and {words(room)} are there",
            fix="allow more memory, or leave columns out",
            least=needed,
        )


def _silent(step: str, done: int, total: int) -> None:
    """Nobody is told."""
