"""What a job of many tables does: what is refused before the tables are read, and their release."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from amongst.errors import BadOption
from amongst.relations.anonymize import anonymize_database
from amongst.relations.methods import find_database_method

if TYPE_CHECKING:
    from amongst.job.job import Job
    from amongst.job.run import OnLoss, OnProgress
    from amongst.release import Release


def engine_of(job: Job, data: Any = None) -> str:
    """Many tables are read into memory, so no engine counts."""
    return "memory"


def refuse_early(job: Job, data: Any, *, force: bool) -> None:
    """Raise what can be refused before the tables of a job are read."""
    method, options = job.method_of()
    find_database_method(method).check_options(options)
    if job.output.namespace is not None and job.input.database is None:
        found = f"a schema to write, {job.output.namespace}, but no PostgreSQL database was read"
        raise BadOption("There is no database to write a schema into.", found=found, fix="take --out-namespace out")


def anonymized(job: Job, data: Any, *, bound: bool | None, on_progress: OnProgress, on_loss: OnLoss) -> Release:
    """The release that a job asks for, of its tables or of ``data``; ``bound`` and ``on_loss`` mean nothing here."""
    method, options = job.method_of()
    return anonymize_database(
        job.input.place if data is None else data,
        job.schema,
        job.models,
        method,
        namespace=job.input.namespace,
        nulls=job.input.nulls,
        seed=job.seed,
        progress=on_progress,
        **options,
    )
