"""What a job would take, said before it is run: which engine, how many passes, how much memory and time, and why."""

from __future__ import annotations

import os
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

from amongst.engines import ENGINES, choose_engine, found
from amongst.engines.memory import free_memory, resident, words
from amongst.errors import BadInput, BadOption
from amongst.partition.methods import find_method

if TYPE_CHECKING:
    from amongst.job.job import Job

A_ROW, A_CELL = 90, 34
"""Bytes of a row in memory on its whole way, for itself and for each column; measured on ten million rows."""


@dataclass(frozen=True)
class Plan:
    """What a job would take.

    Attributes
    ----------
    engine : {"memory", "duckdb", "postgresql", "spark"}
    steps : tuple of str
        What happens, one after the other.
    passes : int
        How often the rows are read.
    n_rows, n_distinct : int or None
        Of the table, and about how many of them are distinct in what is counted; None where that is not known yet.
    memory : int
        About how many bytes of memory the process takes at its peak.
    seconds : float or None
        About how long it takes; None where nobody can say yet.
    why : tuple of str
    """

    engine: str
    steps: tuple[str, ...]
    passes: int
    n_rows: int | None
    n_distinct: int | None
    memory: int
    seconds: float | None
    why: tuple[str, ...]

    def to_dict(self) -> dict[str, Any]:
        return asdict(self)


def plan(job: Job) -> Plan:
    """Say what a job would take, without carrying it out. A file is looked at once, and nothing is written.

    Examples
    --------
    >>> import amongst as am
    >>> from amongst.engines.plan import plan
    >>> from amongst.job.job import Input, Job
    >>> import pyarrow.parquet as pq, tempfile, pathlib
    >>> patients = am.datasets.load("patients")
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     path = pathlib.Path(folder) / "patients.parquet"
    ...     pq.write_table(patients.table, path)
    ...     plan(Job(Input(path), patients.schema, (am.KAnonymity(2),))).engine
    'memory'
    """
    engine = choose_engine(job.input.place, job.engine.name, job.engine.memory)
    plans = ENGINES[engine].plans
    if not plans:
        raise BadOption(
            f"What a run on the engine {engine!r} would take is not known before.",
            found=f"engine = {engine!r}",
            fix="run it on a part of the table first",
        )
    told: Plan = found(plans)(job)
    return told


def plan_in_memory(job: Job) -> Plan:
    """A job whose rows are read into memory."""
    n_rows, n_columns, exact = rows_and_columns(job.input.path)
    memory = resident() + n_rows * (A_ROW + A_CELL * n_columns)
    seconds = 1.0 + n_rows / 1e6 * find_method(job.method_of()[0]).seconds * max(n_columns, 3) / 9
    told = f"{'' if exact else 'about '}{n_rows:,} rows and {n_columns} columns"
    return whole_in_memory(
        ("read the file into memory", "encode, group and recode there", "write, read back and verify", "report"),
        n_rows=n_rows if exact else None,
        memory=memory,
        seconds=seconds,
        why=[f"the file has {told}: with {words(memory)} they are read into memory"],
        else_do="with --memory what does not fit goes to disk",
    )


def whole_in_memory(
    steps: tuple[str, ...], *, n_rows: int | None, memory: int, seconds: float, why: list[str], else_do: str
) -> Plan:
    """A job that reads everything into memory; what else can be done is told where less is free."""
    free = free_memory()
    if free is not None and memory > free:
        why = [*why, f"this machine has {words(free)} free: {else_do}"]
    return Plan(
        engine="memory",
        steps=steps,
        passes=1,
        n_rows=n_rows,
        n_distinct=None,
        memory=memory,
        seconds=seconds,
        why=tuple(why),
    )


def plan_files(job: Job) -> Plan:
    from amongst.engines.duckdb.choose_path import STEPS
    from amongst.engines.duckdb.prepare import prepared
    from amongst.request import Request

    request = Request.of_job(job)
    _, path, (allowed, _) = prepared(
        job.input.path,
        request,
        memory=job.engine.memory,
        work=job.engine.work,
        **{name: one for name, one in job.input.reading.items() if one not in (None, (), {})},
    )
    return Plan(
        engine="duckdb",
        steps=STEPS[path.name],
        passes=path.passes,
        n_rows=path.n_rows,
        n_distinct=path.n_distinct,
        memory=min(resident() + path.memory, allowed.limit),
        seconds=path.seconds,
        why=(path.why,),
    )


def plan_spark(job: Job) -> Plan:
    """A job on a cluster: Spark is not started, so what only Spark knows is not told."""
    path = job.input.path
    n_rows, why = None, [f"'{path}' is read by the executors, and its rows stay there"]
    if path.is_file():
        n_rows, n_columns, exact = rows_and_columns(path)
        why.append(f"the file has {'' if exact else 'about '}{n_rows:,} rows and {n_columns} columns")
    a_tuple = A_ROW + A_CELL * len(job.schema.quasi)
    why.append(
        f"the driver takes about {a_tuple} bytes for every distinct combination of quasi-identifiers; "
        "where they do not fit, Mondrian is cut by counting first and grouped by the executors"
    )
    steps = (
        "count the rows that are equal in the quasi-identifiers (executors), and fetch the counts",
        "group on these counts (driver)",
        "join every row with what its kind publishes, sort and write (executors)",
        "count what was written, and verify it; measure, and report",
    )
    least = n_rows if n_rows is not None else 10**6
    return Plan(
        engine="spark",
        steps=steps,
        passes=3,
        n_rows=n_rows,
        n_distinct=None,
        memory=resident() + least * a_tuple,
        seconds=None,
        why=tuple(why),
    )


def rows_and_columns(path: Path) -> tuple[int, int, bool]:
    """How large a file is: by what a Parquet file says of itself, else guessed from the first lines."""
    from amongst.read.file import refuse_missing
    from amongst.read.folder import PARQUET, folder_of_parquet

    if os.path.isdir(path):
        folder = folder_of_parquet(path)
        n_rows = sum(rows_and_columns(one)[0] for one in folder.paths)
        return n_rows, len(folder.schema) + folder.told.num_columns, True
    refuse_missing(path)
    if path.suffix.lower() in PARQUET:
        import pyarrow as pa
        import pyarrow.parquet as pq

        try:
            facts = pq.read_metadata(path)
        except (pa.ArrowException, OSError):
            raise BadInput(
                f"{path.name} cannot be read as Parquet.", found="damaged or of another kind", fix="write it anew"
            ) from None
        return facts.num_rows, facts.num_columns, True
    with path.open("rb") as stream:
        head = stream.read(1 << 16)
    lines = max(head.count(b"\n"), 1)
    size = path.stat().st_size * (4 if path.suffix.lower() == ".gz" else 1)
    separators = max(head.split(b"\n", 1)[0].count(mark) for mark in (b",", b";", b"\t", b"|"))
    return max(int(size / len(head) * lines) - 1, 1), separators + 1, False
