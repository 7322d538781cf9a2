"""What a job on a table of PostgreSQL would take."""

from __future__ import annotations

from typing import TYPE_CHECKING

from amongst.engines.memory import resident, words
from amongst.engines.parts.group_rows import beyond_parts
from amongst.engines.plan import Plan
from amongst.engines.postgresql.in_parts import A_CELL, A_TUPLE
from amongst.engines.postgresql.open import open_store, prepare
from amongst.errors import BadOption
from amongst.request import Request

if TYPE_CHECKING:
    from amongst.job.job import Job

SECONDS_A_MILLION = 5.0
"""From counting to the commit, of a million rows of nine columns on one core."""
FROM_COUNTS = (
    "count the rows by all published columns in the server, and fetch the counts",
    "encode and group the counts here",
    "write the table in the server from the counts",
    "count what was written, verify it, commit; report",
)
FROM_ROWS = (
    "count the rows in the server, and fetch the counts",
    "encode and group the counts here",
    "join every row in the server with what its kind publishes, and sort",
    "count what was written, verify it, commit; report",
)

FROM_PARTS = (
    "count the rows in the server, and fetch the counts to disk",
    "encode them, and group them part by part, on disk here",
    "send back what every kind publishes; join every row in the server with it, and sort",
    "count what was written, verify it, commit; report",
)


def plan_table(job: Job) -> Plan:
    """Look at the catalogue and at the server's statistics; no row is read."""
    if job.input.table is None or job.input.database is None:
        raise BadOption("The table needs a name.", found="no table", fix="name it in the job file: [input] table = ...")
    request = Request.of_job(job, unit=job.input.unit)
    with open_store(job.input.database, job.input.table, job.engine.memory) as store:
        whole = prepare(store, request)
        n_rows, room = store.about_rows(), store.room
    told = "no statistics of the table yet" if n_rows is None else f"the table has about {n_rows:,} rows"
    repeats = "rows are likely to repeat in what is published, so their counts are enough to write the release"
    many = "rows hardly repeat in what is published, or the method divides them, so every row is looked up again"
    columns = len(request.counted)
    memory = resident() + (n_rows or 0) * (A_TUPLE + A_CELL * columns)
    seconds = None if n_rows is None else 1.0 + n_rows / 1e6 * SECONDS_A_MILLION * (1 if whole else 2)
    steps = FROM_COUNTS if whole else FROM_ROWS
    if not whole and memory - resident() > room and not beyond_parts(request):
        steps, memory = FROM_PARTS, resident() + room
        many = f"their counts may take more than the {words(room)} that are free, so they go through files here"
    return Plan(
        engine="postgresql",
        steps=steps,
        passes=1 if whole else 2,
        n_rows=n_rows,
        n_distinct=None,
        memory=memory,
        seconds=seconds,
        why=(told, repeats if whole else many),
    )
