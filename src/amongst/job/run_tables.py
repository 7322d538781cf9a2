"""A job over many tables carried out: read, anonymize, write."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Any

from amongst.errors import BadOption
from amongst.job.run import Finished, OnProgress, OnWritten, places, steps_of
from amongst.relations.anonymize import anonymize_database
from amongst.relations.methods import find_database_method
from amongst.relations.stores import POSTGRESQL

if TYPE_CHECKING:
    from amongst.job.tables import DatabaseJob
    from amongst.relations.release import DatabaseRelease


def run_tables(
    job: DatabaseJob,
    *,
    force: bool,
    inside: str | Path | None,
    on_progress: OnProgress,
    on_written: OnWritten,
    data: Any,
) -> Finished:
    """Read, anonymize and write many tables; what can be refused before they are read is."""
    folder, hidden = places(job.folder, inside, force=force)
    find_database_method(job.method).check_options(job.options)
    if job.out_namespace is not None and not job.data.startswith(POSTGRESQL):
        found = f"a schema to write, {job.out_namespace}, but no PostgreSQL database was read"
        raise BadOption("There is no database to write a schema into.", found=found, fix="take --out-namespace out")
    release = anonymize_tables(job, data, on_progress=on_progress)
    verdict = release.write(folder, format=job.format, force=force, step=steps_of(on_progress), inside=hidden)
    if on_written is not None:
        on_written(folder)
    if job.out_namespace is not None:
        release.write_postgresql(job.data, job.out_namespace)
    return Finished(release=release, verdict=verdict, folder=folder, inside=hidden)


def anonymize_tables(job: DatabaseJob, data: Any, *, on_progress: OnProgress) -> DatabaseRelease:
    """The release that a job asks for, of its input or of ``data``; nothing is written."""
    return anonymize_database(
        job.data if data is None else data,
        job.schema,
        job.models,
        job.method,
        namespace=job.namespace,
        nulls=job.nulls,
        seed=job.seed,
        progress=on_progress,
        **job.options,
    )
