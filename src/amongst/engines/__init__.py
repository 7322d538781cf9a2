"""Where rows live: in memory, or in an engine that counts them where they are."""

from __future__ import annotations

from importlib import import_module
from typing import Any

from amongst.errors import BadOption

ENGINES = {
    "memory": "",
    "duckdb": "amongst.engines.duckdb.anonymize:anonymize_file",
    "postgresql": "amongst.engines.postgresql.anonymize:anonymize_table",
    "spark": "amongst.engines.spark.anonymize:anonymize_spark",
}
"""What there is, and the function that decides what is published: ``(data, request, say, **settings)``."""


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


def anonymize_elsewhere(engine: str, data: Any, request: Any, say: Any, **settings: Any) -> Any:
    """Decide what is published of rows that stay where they are; settings that are None are left out."""
    home, name = ENGINES[engine].split(":")
    given = {
        key: value
        for key, value in settings.items()
        if value not in (None, ()) and (value is not False or key == "header")
    }
    return getattr(import_module(home), name)(data, request, say, **given)
