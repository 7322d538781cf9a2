"""A file that may be larger than memory, anonymized within a limit of memory."""

from __future__ import annotations

import os
from dataclasses import replace
from typing import Any

from amongst.engines.checkpoint import Checkpoint, remove_kept
from amongst.engines.counted import Request, anonymize_stored
from amongst.engines.duckdb.prepare import prepared
from amongst.engines.store import Say
from amongst.release.stored import StoredRelease


def anonymize_file(
    data: Any,
    request: Request,
    say: Say,
    *,
    memory: str | int | None = None,
    work: str | os.PathLike[str] | None = None,
    resume: bool = False,
    **reading: Any,
) -> StoredRelease:
    """Decide what is published of a file. Its rows are read by DuckDB, and never all of them are in memory.

    ``reading`` says how a text file is read: nulls, separator, encoding.
    """
    if not resume:
        remove_kept(work)
    say("read", 0, 0)
    store, path, (allowed, place) = prepared(data, request, memory=memory, work=work, **reading)
    kept = (
        Checkpoint(work, repr(store.origin or store.paths), store.state(), repr(sorted(reading.items())))
        if resume
        else None
    )
    if path.name == "parts":
        from amongst.engines.parts import anonymize_parts

        return anonymize_parts(store, request, say, budget=allowed, work=place, checkpoint=kept)
    if path.name == "levels":
        from amongst.engines.duckdb.levels import anonymize_levels

        return anonymize_levels(store, request, say, place)
    release = anonymize_stored(store, request, say, whole=path.name == "counts", checkpoint=kept)
    return replace(release, work=place)
