"""Where rows live: in memory, or in an engine that counts them where they are."""

from __future__ import annotations

import inspect
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from importlib import import_module
from typing import TYPE_CHECKING, Any, Literal

from amongst.errors import BadOption, refuse_unknown_word

if TYPE_CHECKING:
    from amongst.engines.store import Say, Store
    from amongst.request import Request


@dataclass(frozen=True)
class Engine:
    """What an engine says of itself before any of it is loaded.

    Attributes
    ----------
    opens : str
        Module and function that open a table: ``(data, request, say, **settings) -> Store``.
    addresses : tuple of str
        How an address begins that is its own.
    frames : str
        The package whose frames are its own.
    tables : {"none", "may", "must"}
        Whether the tables to read and to write are named.
    forms : bool
        Whether columns of text may be read by forms.
    plans : str
        Module and function that say what a job would take: ``(job) -> Plan``; empty where that is not known before.
    """

    opens: str
    addresses: tuple[str, ...] = ()
    frames: str = ""
    tables: Literal["none", "may", "must"] = "none"
    forms: bool = True
    plans: str = ""

    def owns(self, data: Any) -> bool:
        """Whether it follows from the data that it is asked for."""
        if isinstance(data, str):
            return bool(self.addresses) and data.startswith(self.addresses)
        return bool(self.frames) and type(data).__module__.startswith(f"{self.frames}.")


ENGINES = {
    "memory": Engine("amongst.engines.in_memory:open_memory", plans="amongst.engines.plan:plan_in_memory"),
    "duckdb": Engine("amongst.engines.duckdb.open:open_files", plans="amongst.engines.plan:plan_files"),
    "postgresql": Engine(
        "amongst.engines.postgresql.open:open_table",
        addresses=("postgresql://", "postgres://"),
        tables="must",
        forms=False,
        plans="amongst.engines.postgresql.plan:plan_table",
    ),
    "spark": Engine(
        "amongst.engines.spark.open:open_spark", frames="pyspark", tables="may", plans="amongst.engines.plan:plan_spark"
    ),
}
"""What there is."""


def choose_engine(data: Any, engine: str | None, memory: str | int | None = None) -> str:
    """The engine that is asked for, or that follows from the data: an address of a database, a frame of Spark, a
    limit of memory; else memory."""
    if engine is not None:
        refuse_unknown_word(f"There is no engine {engine!r}.", "engine", engine, ENGINES)
        if engine == "memory" and memory is not None:
            raise BadOption(
                "A table in memory takes what it takes.",
                found=f"engine = 'memory' with memory = {memory!r}",
                fix="leave the engine out, and what does not fit goes to disk; or leave the limit out",
            )
        return engine
    owner = next((name for name, one in ENGINES.items() if one.owns(data)), None)
    return owner or ("memory" if memory is None else "duckdb")


def open_store(
    engine: str, data: Any, request: Request, say: Say, *, reading: Mapping[str, Any], **settings: Any
) -> Store:
    """Open a table where its rows live; settings that are None are left out. ``reading`` is of a text file."""
    if engine != "memory":
        _refuse_forms(engine, reading)
    given = {
        key: value
        for key, value in {**reading, **({} if engine == "memory" else settings)}.items()
        if value not in (None, (), {}) and (value is not False or key == "header")
    }
    opens = found(ENGINES[engine].opens)
    _refuse_settings(engine, opens, given)
    opened: Store = opens(data, request, say, **given)
    return opened


def found(place: str) -> Callable[..., Any]:
    """What is declared as "module:function"."""
    home, name = place.split(":")
    function: Callable[..., Any] = getattr(import_module(home), name)
    return function


def _refuse_settings(engine: str, opens: Callable[..., Any], given: Mapping[str, Any]) -> None:
    """Raise for settings that an engine does not take; one that takes any sees to it itself."""
    known = inspect.signature(opens).parameters
    unknown = sorted(set(given) - set(known))
    if unknown and not any(one.kind is one.VAR_KEYWORD for one in known.values()):
        raise BadOption(
            f"The engine {engine!r} does not take every setting given.",
            found="not known: " + ", ".join(unknown),
            fix="leave them out, or use another engine",
        )


def _refuse_forms(engine: str, reading: Mapping[str, Any]) -> None:
    """Raise for forms of columns where the table is that of a database, whose columns have types."""
    if reading.get("reads") and not ENGINES[engine].forms:
        raise BadOption(
            "Forms of columns are for text files and columns of text, not for tables of a database.",
            found=f"engine = {engine!r}",
            fix="give the columns their types in a view, and anonymize that",
        )
