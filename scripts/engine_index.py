"""Write the tables of ``docs/engines.md`` from what the stores and the methods say of themselves."""

from __future__ import annotations

from pathlib import Path

from amongst.engines.duckdb.file_store import FileStore
from amongst.engines.gaps import FEATURES
from amongst.engines.in_memory import MemoryStore
from amongst.engines.postgresql.store import PostgresqlStore
from amongst.engines.spark.store import SparkStore
from amongst.engines.store import Store
from amongst.partition.methods import METHODS

PAGE = Path(__file__).parents[1] / "docs" / "engines.md"
BEGIN, END = "<!-- the tables: written by `make methods` -->", "<!-- end of the tables -->"
STORES: dict[str, type[Store]] = {
    "memory": MemoryStore,
    "files": FileStore,
    "PostgreSQL": PostgresqlStore,
    "Spark": SparkStore,
}
LARGER = "files, PostgreSQL, Spark"
"""Where a method works part by part."""


def features() -> str:
    """What can be asked where."""
    lines = [f"| | {' | '.join(STORES)} | why not |", f"|{'---|' * (len(STORES) + 2)}"]
    for name, words in FEATURES.items():
        gaps = {engine: store.gaps[name] for engine, store in STORES.items() if name in store.gaps}
        cells = [gaps[engine].sort if engine in gaps else "yes" for engine in STORES]
        why = {gap.why: [one for one, other in gaps.items() if other.why == gap.why] for gap in gaps.values()}
        told = "; ".join(reason if len(why) == 1 else f"{', '.join(of)}: {reason}" for reason, of in why.items())
        lines.append(f"| {words} | {' | '.join(cells)} | {told} |")
    return "\n".join(lines)


def methods() -> str:
    """Which methods run where, and which of them where not even the distinct rows fit into memory."""
    lines = ["| method | where | distinct rows that do not fit |", "|---|---|---|"]
    for one in METHODS.values():
        where = "memory" if one.publishes == "two tables" else "everywhere"
        larger = "files" if one.search is not None else LARGER if one.by_parts else "no"
        lines.append(f"| [`{one.name}`](methods/{one.name}.md) | {where} | {larger} |")
    return "\n".join(lines)


def written(page: str) -> str:
    """The page with the tables as they are now."""
    before, rest = page.split(BEGIN)
    return f"{before}{BEGIN}\n{features()}\n\n{methods()}\n{END}{rest.split(END)[1]}"


if __name__ == "__main__":
    PAGE.write_text(written(PAGE.read_text(encoding="utf-8")), encoding="utf-8")
