"""What a job of one table does: what is refused before the table is read, and its release."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING, Any

from amongst.anonymize import anonymize
from amongst.engines import ENGINES, choose_engine
from amongst.engines.data_file import refuse_unknown_format, refuse_unknown_shape
from amongst.errors import BadOption
from amongst.job.run import steps_of
from amongst.partition import find_method
from amongst.read import Source, read
from amongst.read.formats import format_of

if TYPE_CHECKING:
    from amongst.job.job import Job
    from amongst.job.run import OnLoss, OnProgress
    from amongst.query.workload import Workload
    from amongst.release import Release


def refuse_early(job: Job, data: Any, *, force: bool) -> None:
    """Raise what can be refused before the table of a job is read."""
    refuse_unknown_format(job.output.format or "parquet", job.output.form)
    refuse_unknown_shape(job.output.shape)
    method, options = job.method_of(data)
    find_method(method).check_options(options)
    engine = engine_of(job, data)
    _refuse_tables(job, engine)
    if engine == "postgresql":
        _refuse_taken(job, force)


def anonymized(job: Job, data: Any, *, bound: bool | None, on_progress: OnProgress, on_loss: OnLoss) -> Release:
    """The release that a job asks for, of its input or of ``data``; nothing is written."""
    engine = engine_of(job, data)
    workload: Any = job.workload
    if engine == "memory":
        steps_of(on_progress)("read")
        data = data if isinstance(data, Source) else read(job.input.path if data is None else data, **job.input.reading)
        workload = _workload(job, data)
    elif data is None:
        data = job.input.path if job.input.database is None else job.input.database
    release = anonymize(
        data,
        job.schema,
        job.models,
        job.method,
        form=job.output.form,
        seed=job.seed,
        unit=job.input.unit,
        target=job.target,
        workload=workload,
        progress=on_progress,
        report_loss=on_loss,
        bound=bound,
        engine=engine,
        memory=job.engine.memory,
        work=job.engine.work,
        resume=job.engine.resume,
        harden=job.harden,
        formulas=job.formulas,
        **{**job.input.reading, "table": job.input.table},
        **job.options,
    )
    return release if job.review is None else replace(release, review=job.review)


def engine_of(job: Job, data: Any = None) -> str:
    """The engine that a job runs on."""
    engine = choose_engine(job.input.place if data is None else data, job.engine.name, job.engine.memory)
    if isinstance(data, Source) and engine != "memory":
        raise BadOption(
            f"The data set {data.name!r} is in memory.",
            found=f"engine = {engine!r}",
            fix="leave engine and memory out, or write it to a file first",
        )
    return engine


def _workload(job: Job, source: Source) -> Workload | None:
    if job.workload is None:
        return None
    from amongst.query.workload import Workload

    there = set(source.table.column_names)
    return Workload.from_file(job.workload, [name for name in job.schema.published if name in there])


def _refuse_tables(job: Job, engine: str) -> None:
    """Tables are named where there is a database, and there they must be."""
    named = {"table": job.input.table, "out-table": job.output.table}
    tables = ENGINES[engine].tables
    if tables == "none" and job.input.database is None and format_of(job.input.path) is not None:
        del named["table"]  # the sheet of a workbook, or the table of a database file
    if tables == "must":
        wrong = [f"no --{name}" for name, given in named.items() if given is None]
        fix = "name the table to read, and the table to write"
    else:
        wrong = [f"--{name} {given}" for name, given in named.items() if given is not None and tables == "none"]
        fix = "leave it out, or give the address of a database: postgresql://..."
    if wrong:
        raise BadOption("Tables are read and written in a database.", found=wrong, fix=fix)


def _refuse_taken(job: Job, force: bool) -> None:
    """What is wrong with the table to write is said before anything is counted."""
    from amongst.engines.postgresql.open import open_store

    with open_store(job.input.place, str(job.input.table), job.engine.memory) as store:
        store.refuse_target(str(job.output.table), force=force)
