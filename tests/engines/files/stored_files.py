"""A table as a file, anonymized where it is and in memory."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path
from typing import Any

import pyarrow as pa
import pyarrow.parquet as pq

import amongst as am
from amongst.anonymize import release_of
from amongst.engines.duckdb.open_store import open_store
from amongst.errors import Infeasible
from amongst.request import Request


def silent(step: str, done: int, total: int) -> None:
    pass


def written(table: pa.Table, folder: Path, name: str = "people.parquet") -> Path:
    path = folder / name
    pq.write_table(table, path, row_group_size=17)
    return path


def stored_release(path: Path, work: Path, request: Request, *, whole: bool) -> Any:
    """A release of a file, from counts or by joining the rows; None where there cannot be one."""
    work.mkdir(exist_ok=True)
    store = replace(open_store(path, work, 400_000_000), whole=whole)
    try:
        return release_of(store, request, silent)
    except Infeasible:
        return None


def memory_release(path: Path, request: Request) -> am.Release | None:
    try:
        return am.anonymize(
            path,
            request.schema,
            request.models,
            request.method,
            form=request.form,
            bound=False,
            target=request.target,
            **request.options,
        )
    except Infeasible:
        return None
