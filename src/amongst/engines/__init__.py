"""Where rows live: in memory, or in an engine that counts them where they are."""

from __future__ import annotations

from collections.abc import Mapping
from importlib import import_module
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
        _refuse_forms(engine, reading)
    home, name = ENGINES[engine].split(":")
    given = {
        key: value
        for key, value in {**reading, **({} if engine == "memory" else settings)}.items()
        if value not in (None, (), {}) and (value is not False or key == "header")
    }
    opened: Store = getattr(import_module(home), name)(data, request, say, **given)
    return opened


def _refuse_forms(engine: str, reading: Mapping[str, Any]) -> None:
    """Raise for forms of columns where the table is that of a database, whose columns have types."""
    if reading.get("reads") and engine == "postgresql":
        raise BadOption(
            "Forms of columns are for text files and columns of text, not for tables of PostgreSQL.",
            found=f"engine = {engine!r}",
            fix="give the columns their types in a view, and anonymize that",
        )
