"""The same request part by part, with parts that are far too small, and in memory."""

from __future__ import annotations

from dataclasses import fields
from pathlib import Path
from typing import Any

import numpy as np
import pyarrow as pa
import pyarrow.parquet as pq

import amongst as am
from amongst.anonymize import release_of
from amongst.engines.duckdb.open_store import open_store
from amongst.engines.memory import Budget
from amongst.engines.parts.plan import Plan
from amongst.engines.parts.store import PartsStore
from amongst.engines.work import Work
from amongst.request import Request
from amongst.schema import Schema

ROOM = Budget(10**9, 7 * 10**8)


def stored(table: pa.Table, folder: Path, row_group_size: int = 7) -> Path:
    """The table in a Parquet file of many row groups."""
    path = folder / "people.parquet"
    pq.write_table(table, path, row_group_size=row_group_size)
    return path


def by_parts(
    path: Path,
    schema: Schema,
    k: int,
    method: str,
    *,
    folder: Path,
    part_rows: int = 4,
    bucket_rows: int = 5,
    most_keys: int = 1,
    budget: Budget = ROOM,
    planned: bool = True,
    form: str = "labels",
    models: list[Any] | None = None,
    **options: Any,
) -> am.Release:
    work = Work(folder)
    store = open_store(path, work.folder, budget.for_queries)
    request = Request(schema=schema, models=models or [am.KAnonymity(k)], method=method, options=options, form=form)
    plan = Plan(part_rows, bucket_rows, most_keys) if planned else None
    own = {field.name: getattr(store, field.name) for field in fields(store)} | {"work": work}
    return release_of(PartsStore(**own, budget=budget, planned=plan), request, lambda *step: None)


def group_of_row(release: am.Release) -> np.ndarray:
    return release.plan.found_by.grouped.group_of_row()
