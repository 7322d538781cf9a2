"""A file that may be larger than memory, opened for the way through it that fits into a limit of memory."""

from __future__ import annotations

import os
from dataclasses import fields, replace
from typing import Any

from amongst.engines.checkpoint import Checkpoint, remove_kept
from amongst.engines.duckdb.file_store import FileStore
from amongst.engines.duckdb.prepare import prepared
from amongst.engines.store import Say
from amongst.request import Request


def open_files(
    data: Any,
    request: Request,
    say: Say,
    *,
    memory: str | int | None = None,
    work: str | os.PathLike[str] | None = None,
    resume: bool = False,
    **reading: Any,
) -> FileStore:
    """Open a file. Its rows are read by DuckDB, and never all of them are in memory.

    ``reading`` says how a text file is read: nulls, separator, encoding.
    """
    if not resume:
        remove_kept(work)
    say("read", 0, 0)
    store, path, (allowed, place) = prepared(data, request, memory=memory, work=work, **reading)
    request = request.of_columns(store.schema().names)
    kept = (
        Checkpoint(work, repr(store.origin or store.paths), store.state(), repr(sorted(reading.items())))
        if resume
        else None
    )
    # Cells that are published as they were written are joined with the rows, not counted with them.
    whole = path.name == "counts" and not any(name in store.reads for name in request.others)
    store = replace(store, whole=whole, checkpoint=kept, work=place)
    own = {field.name: getattr(store, field.name) for field in fields(store)}
    if path.name == "parts":
        from amongst.engines.parts.store import PartsStore

        return PartsStore(**own, budget=allowed)
    if path.name == "levels":
        from amongst.engines.duckdb.levels import LevelsStore

        return LevelsStore(**own)
    return store
