"""Where rows live: in memory, or in an engine that counts them where they are."""

from __future__ import annotations

import os
from collections.abc import Mapping
from importlib import import_module
from pathlib import Path
from typing import TYPE_CHECKING, Any

from amongst.errors import BadOption

if TYPE_CHECKING:
    from amongst.engines.store import Say, Store
    from amongst.request import Request

ENGINES = {
    "memory": "amongst.engines.in_memory:open_memory",
    "duckdb": "amongst.engines.duckdb.open:open_files",
    "postgresql": "amongst.engines.postgresql.open:open_table",
    "spark": "amongst.engines.spark.open:open_spark",
}
"""What there is, and the function that opens it: ``(data, request, say, **settings) -> Store``."""


def choose_engine(data: Any, engine: str | None, memory: str | int | None = None) -> str:
    """The engine that is asked for, or that follows from the data: an address of a database, a frame of Spark, a
    limit of memory; else memory."""
    if engine is not None:
        if engine not in ENGINES:
            raise BadOption(
                f"There is no engine {engine!r}.", found=f"engine = {engine!r}", fix="use one of: " + ", ".join(ENGINES)
            )
        if engine == "memory" and memory is not None:
            raise BadOption(
                "A table in memory takes what it takes.",
                found=f"engine = 'memory' with memory = {memory!r}",
                fix="leave the engine out, and what does not fit goes to disk; or leave the limit out",
            )
        return engine
    if isinstance(data, str) and data.startswith(("postgresql://", "postgres://")):
        return "postgresql"
    if type(data).__module__.startswith("pyspark."):
        return "spark"
    return "memory" if memory is None else "duckdb"


def open_store(
    engine: str, data: Any, request: Request, say: Say, *, reading: Mapping[str, Any], **settings: Any
) -> Store:
    """Open a table where its rows live; settings that are None are left out. ``reading`` is of a text file."""
    if engine != "memory":
        _refuse_read_in_memory(engine, data, reading)
    home, name = ENGINES[engine].split(":")
    given = {
        key: value
        for key, value in {**reading, **({} if engine == "memory" else settings)}.items()
        if value not in (None, (), {}) and (value is not False or key == "header")
    }
    opened: Store = getattr(import_module(home), name)(data, request, say, **given)
    return opened


def _refuse_read_in_memory(engine: str, data: Any, reading: Mapping[str, Any]) -> None:
    """Raise for files and forms that are read in memory alone."""
    from amongst.read.formats import format_of

    format = format_of(Path(data)) if isinstance(data, (str, os.PathLike)) and engine == "duckdb" else None
    if reading.get("reads") or format is not None:
        raise BadOption(
            "Forms of columns are read in memory."
            if format is None
            else f"{format.words.capitalize()} is read in memory.",
            found=f"engine = {engine!r}",
            fix="leave the engine and the limit of memory out, or write the table to Parquet first, with its types",
        )
