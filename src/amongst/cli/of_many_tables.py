"""Is a release one of many tables? Its manifest says so; and what it was made of."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from collections.abc import Mapping

    import pyarrow as pa

    from amongst.relations.relation import DatabaseSchema


def is_of_many_tables(published: Path) -> bool:
    """Whether a manifest says that it is; without a manifest it is not."""
    from amongst.manifest import UNREADABLE, Manifest

    try:
        return Manifest.read(published).kind == "database"
    except UNREADABLE:
        return False


def original_as_read(name: str) -> tuple[Any, DatabaseSchema]:
    """The tables of a job file or of a bundled set as they are, and the schema as it is told."""
    from amongst.cli.table import database_set
    from amongst.relations.stores import read_database

    known = database_set(name)
    if known is not None:
        return read_database(known.tables), known.schema
    job = _job(name)
    needed = job.schema.needed
    told = job.input
    return read_database(told.place, tables=needed, namespace=told.namespace, nulls=told.nulls), job.schema


def original_tables(name: str) -> tuple[Mapping[str, pa.Table], DatabaseSchema]:
    """The tables of a job file or of a bundled set, and their schema."""
    from amongst.cli.table import database_set
    from amongst.job.many_tables import original_of

    known = database_set(name)
    if known is not None:
        return known.tables, known.schema
    stored, schema = original_of(_job(name))
    return stored.tables, schema


def _job(name: str) -> Any:
    """The job of many tables with this path."""
    from amongst.errors import BadOption
    from amongst.job.job import Job

    if Path(name).suffix.lower() != ".toml":
        fix = "name the JOB.toml that the release was made by"
        raise BadOption("The original is given by its job.", found="neither a job file nor a data set", fix=fix)
    job = Job.from_file(name)
    if not job.many:
        fix = "name the JOB.toml that the release was made by, with [tables]"
        raise BadOption("The job is about one table, and the release of many.", found="[columns]", fix=fix)
    return job


def refuse_given(alone: Mapping[str, object]) -> None:
    """Raise where options were given that mean something for one table alone."""
    from amongst.errors import BadOption

    given = [name for name, value in alone.items() if value]
    if given:
        found = f"{', '.join(given)}, and a release of many tables"
        raise BadOption("This is for releases of one table.", found=found, fix=f"take {', '.join(given)} out")
