"""A table that Spark knows, opened to be anonymized where it is."""

from __future__ import annotations

import os
from collections.abc import Sequence
from typing import Any

from amongst.engines.checkpoint import Checkpoint
from amongst.engines.counted import check_asked, refuse_elsewhere, refuse_unusable_names
from amongst.engines.memory import size_of
from amongst.engines.spark.session import Started
from amongst.engines.spark.source import is_frame
from amongst.engines.spark.store import SparkStore
from amongst.engines.spark.text import TextOptions
from amongst.engines.store import Say
from amongst.request import Request


def open_spark(
    data: Any,
    request: Request,
    say: Say,
    *,
    session: Any = None,
    memory: str | int | None = None,
    table: str | None = None,
    nulls: Sequence[str] = (),
    separator: str | None = None,
    encoding: str | None = None,
    header: bool | None = None,
    reads: Any = None,
    work: str | os.PathLike[str] | None = None,
    resume: bool = False,
) -> SparkStore:
    """Open a table on a cluster. It is counted by the executors, and its rows stay there.

    Parameters
    ----------
    data : DataFrame, str or path
        A frame, the name of a table, or a path to Parquet or CSV files.
    request : Request
    say : callable
        Told (step, done, total).
    session : SparkSession, optional
        Left out, the one of the frame, or the active one, or one that is made and stopped again.
    memory : str or int, optional
        What the driver may take to decide; its heap otherwise. A frequency set that needs more is cut by counting
        first and then grouped by the executors, part by part, where the method allows it.
    table : str, optional
        The name of a table, in the place of ``data``.
    nulls, separator, encoding, header : optional
        Of a CSV file: what stands for a missing cell, what stands between cells, how text is stored, and whether the
        first line has names.
    reads : mapping of column to form, or "found", optional
        How columns of text are read.
    work : path, optional
        Where a session that is made puts what it spills.
    resume : bool
        Keep the counts until the release is written, and go on from there after a crash.
    """
    refuse_elsewhere(request, SparkStore.gaps)
    data = table if table is not None else data
    allowed = None if memory is None else size_of(memory)
    say("read", 0, 0)
    session = data.sparkSession if session is None and is_frame(data) else session
    started = Started(session, allowed, work)
    try:
        text = TextOptions(tuple(nulls), separator, encoding, header, tuple(request.others), reads)
        if request.rest is not None:  # what is kept is known once the names are
            looked = SparkStore(started.session, data, memory=allowed, text=text)
            request = request.of_columns(looked.schema().names)
            text = text._replace(as_read=tuple(request.others))
        store = SparkStore(started.session, data, memory=allowed, text=text)
        stored = store.schema()
        refuse_unusable_names(stored, store.name)
        check_asked(request, stored.names)
        store.checkpoint = (
            Checkpoint(work, store.name, store.state(), repr((nulls, reads) if reads else nulls)) if resume else None
        )
    except BaseException:
        started.close()
        raise
    store.started = started
    return store
