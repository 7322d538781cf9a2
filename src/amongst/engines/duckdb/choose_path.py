"""Which way through a file fits into the memory there is."""

from __future__ import annotations

import time
from dataclasses import dataclass

from amongst.engines.duckdb.file_store import FileStore
from amongst.engines.memory import Budget, words
from amongst.errors import Infeasible
from amongst.models import beyond_rows
from amongst.partition import METHODS
from amongst.request import Request

A_TUPLE, A_CELL = 150, 30
"""Bytes that a distinct row takes on its way, for itself and for each of its columns: Arrow's codes, ours, the
records of the search twice."""


PROVE = "read the written file back and verify it; measure, and report"
STEPS = {
    "counts": (
        "look at the rows once to see how many are distinct",
        "count the rows that are equal in all that is published (DuckDB)",
        "group on these counts",
        "write the release from the counts",
        PROVE,
    ),
    "join": (
        "look at the rows once to see how many are distinct",
        "count the rows that are equal in the quasi-identifiers (DuckDB)",
        "group on these counts",
        "read the rows again: join each with what its kind publishes, sort on disk (DuckDB), and write",
        PROVE,
    ),
    "levels": (
        "look at the rows once to see how many are distinct",
        "count the rows that are equal in the quasi-identifiers, and keep the counts on disk (DuckDB)",
        "search the lattice with frequency sets in SQL",
        "read the rows again: join each value with its node, sort on disk (DuckDB), and write",
        PROVE,
    ),
    "parts": (
        "look at the rows once to see how many are distinct",
        "write the codes of the rows to disk",
        "cut the codes by counting until the parts fit into memory, and group part by part",
        "read the rows again, sort them on disk by what they publish, and write",
        PROVE,
    ),
}
"""What happens on each way."""


MOSTLY = 0.6
"""The share of distinct rows from which on it does not pay to count them."""


@dataclass(frozen=True)
class Way:
    """A way through a file, and what it takes.

    Attributes
    ----------
    name : {"counts", "join", "parts", "levels"}
        The release is written from the counts of distinct rows; or the rows are joined with what their tuples
        publish; or codes are written to disk and partitioned part by part; or the counts stay in DuckDB, and the
        lattice is searched in SQL.
    passes : int
        How often the rows are read.
    n_rows, n_distinct : int
        The rows, and about how many are distinct in what is counted.
    memory : int
        Bytes at the peak, beside the program itself.
    seconds : float
        About how long, by how long one look at the rows took.
    why : str
    """

    name: str
    passes: int
    n_rows: int
    n_distinct: int
    memory: int
    seconds: float
    why: str


def choose_path(store: FileStore, request: Request, budget: Budget) -> Way:
    """The way that reads the rows least often within the budget."""
    chosen = request.chosen
    counted = request.counted
    everything = [*dict.fromkeys([*counted, *request.others])]
    began = time.perf_counter()
    n_rows, (n_counted, n_all) = store.distinct_estimate([counted, everything])
    look = time.perf_counter() - began
    for_tuples, for_all = _bytes(n_counted, len(counted)), _bytes(n_all, len(everything))
    if not request.on_tuples:
        for_tuples += n_rows * (len(counted) * 2 + 24)
    told = f"the file has {n_rows:,} rows, of which about {n_counted:,} are distinct in what is counted"
    room = words(budget.for_tuples)
    only_k = not beyond_rows(request.models)
    if chosen.by_parts and only_k and request.target is None and not request.row_by_row and n_counted > MOSTLY * n_rows:
        why = f"{told}: counting equal rows would save nothing, so the codes of the rows are cut into parts on disk"
        return Way(
            name="parts",
            passes=4,
            n_rows=n_rows,
            n_distinct=n_counted,
            memory=_for_parts(n_rows, budget),
            seconds=look * 16,
            why=why,
        )
    together = request.schema.household is not None
    counts = []
    if request.on_tuples:
        counts.append((for_all, f"all that is published of them fits into {room} when equal rows are counted"))
    if together:
        counts.append((for_tuples, f"these fit into {room}, where members of households are looked at side by side"))
    for needed, why in counts:
        if needed <= budget.for_tuples:
            return Way(
                name="counts",
                passes=2,
                n_rows=n_rows,
                n_distinct=n_all,
                memory=needed + budget.for_queries,
                seconds=look * 14,
                why=f"{told}; {why}",
            )
    if for_tuples <= budget.for_tuples:
        why = f"{told}; these fit into {room}, so rows are joined with what their kind publishes, and sorted on disk"
        return Way(
            name="join",
            passes=3,
            n_rows=n_rows,
            n_distinct=n_counted,
            memory=for_tuples + budget.for_queries,
            seconds=look * 40,
            why=why,
        )
    if request.row_by_row:
        least = budget.limit - budget.free + int(for_tuples / 0.75)
        what, name = "leave rows out", "suppression"
        if together or request.unit is not None:
            what, name = ("group households", "the role household") if together else ("count people", "unit")
        raise Infeasible(
            f"The memory limit is too small to {what} here.",
            found=f"{told}: {words(for_tuples)} are needed for them, and {room} are there",
            fix=f"allow at least {words(least)}, or leave {name} out",
            least=least,
        )
    if chosen.search is not None:
        why = f"{told}; these would take {words(for_tuples)} of {room}, so the lattice is searched in DuckDB"
        return Way(
            name="levels",
            passes=4,
            n_rows=n_rows,
            n_distinct=n_counted,
            memory=budget.for_queries,
            seconds=look * 100,
            why=why,
        )
    if not chosen.by_parts:
        able = METHODS.names(lambda one: one.by_parts)
        least = budget.limit - budget.free + int(for_tuples / 0.75)
        raise Infeasible(
            f"The memory limit is too small for {request.method} on this table.",
            found=f"{told}: {words(for_tuples)} are needed for them, and {room} are there",
            fix=f"allow at least {words(least)}, or use one of: {', '.join(able)}, which can work part by part",
            least=least,
        )
    why = f"{told}; these would take {words(for_tuples)} of {room}, so the rows are cut into parts on disk first"
    return Way(
        name="parts",
        passes=4,
        n_rows=n_rows,
        n_distinct=n_counted,
        memory=_for_parts(n_rows, budget),
        seconds=look * 60,
        why=why,
    )


def _for_parts(n_rows: int, budget: Budget) -> int:
    """What the way by parts takes: a row group of the output, and of the codes what fits."""
    return min(budget.free, 150_000_000 + 120 * n_rows)


def _bytes(n_tuples: int, n_columns: int) -> int:
    return n_tuples * (A_TUPLE + A_CELL * n_columns)
