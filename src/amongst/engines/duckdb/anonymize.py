"""A file that may be larger than memory, anonymized within a limit of memory."""

from __future__ import annotations

import os
from collections.abc import Sequence
from dataclasses import replace
from typing import Any

from amongst.engines.checkpoint import Checkpoint, remove_kept
from amongst.engines.counted import Request, anonymize_stored, check_roles, refuse_elsewhere, refuse_unusable_names
from amongst.engines.duckdb.choose_path import choose_path
from amongst.engines.duckdb.open_store import open_store
from amongst.engines.memory import budget
from amongst.engines.store import Say
from amongst.engines.work import Work
from amongst.release.stored import StoredRelease


def anonymize_file(
    data: Any,
    request: Request,
    say: Say,
    *,
    memory: str | int | None = None,
    work: str | os.PathLike[str] | None = None,
    nulls: Sequence[str] = (),
    separator: str | None = None,
    encoding: str | None = None,
    resume: bool = False,
) -> StoredRelease:
    """Decide what is published of a file. Its rows are read by DuckDB, and never all of them are in memory."""
    refuse_elsewhere(request)
    allowed = budget(memory)
    place = Work(work)
    if not resume:
        remove_kept(work)
    say("read", 0, 0)
    store = open_store(data, place.folder, allowed.for_queries, nulls=nulls, separator=separator, encoding=encoding)
    refuse_unusable_names(store.schema(), store.name)
    check_roles(request.schema, store.schema())
    path = choose_path(store, request, allowed)
    if path.name == "parts":
        from amongst.engines.parts import anonymize_parts

        return anonymize_parts(store, request, say, budget=allowed, work=place)
    kept = Checkpoint(work, store.state(), repr((nulls, separator, encoding))) if resume else None
    release = anonymize_stored(store, request, say, whole=path.name == "counts", checkpoint=kept)
    return replace(release, work=place)
