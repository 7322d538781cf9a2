"""What comes before anything is counted: the memory there is, the files, and the way through them."""

from __future__ import annotations

import os
from typing import Any

from amongst.engines.counted import check_asked, refuse_elsewhere, refuse_unusable_names
from amongst.engines.duckdb.choose_path import Way, choose_path
from amongst.engines.duckdb.file_store import FileStore
from amongst.engines.duckdb.open_store import open_store
from amongst.engines.memory import Budget, budget
from amongst.engines.work import Work
from amongst.request import Request


def prepared(
    data: Any,
    request: Request,
    *,
    memory: str | int | None = None,
    work: str | os.PathLike[str] | None = None,
    **reading: Any,
) -> tuple[FileStore, Way, tuple[Budget, Work]]:
    """The files as a store, the way to take, and the memory and place that there are for it."""
    refuse_elsewhere(request, FileStore.gaps)
    allowed = budget(memory)
    place = Work(work)
    store = open_store(data, place.folder, allowed.for_queries, **reading)
    refuse_unusable_names(store.schema(), store.name)
    request = request.of_columns(store.schema().names)
    check_asked(request, store.schema().names)
    return store, choose_path(store, request, allowed), (allowed, place)
