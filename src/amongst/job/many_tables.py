"""What a job of many tables does: what is refused before the tables are read, and their release."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from amongst.engines.memory import resident
from amongst.errors import BadOption
from amongst.relations.anonymize import anonymize_database
from amongst.relations.check_tables import check_tables
from amongst.relations.diversity import database_models
from amongst.relations.methods import find_database_method
from amongst.relations.other_persons import as_released
from amongst.relations.store import DatabaseRequest
from amongst.relations.stores import read_database

if TYPE_CHECKING:
    from amongst.engines.plan import Plan
    from amongst.job.job import Job
    from amongst.job.run import OnLoss, OnProgress
    from amongst.relations.relation import DatabaseSchema
    from amongst.relations.stored import Stored
    from amongst.release import Release

A_CODE, A_PAIRED_ROW = 12e-6, 10e-6
"""Seconds of a row that is not paired, and of one that is, from reading to proof; measured on OMOP and on students."""
SEARCH, FULL_SEARCH = 8.0, 5000
"""Seconds that the search for groups takes at most, and from how many persons on."""


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
        harden=job.harden,
        **options,
    )


def plan_of(job: Job) -> Plan:
    """What a job of many tables would take: they are read once, and nothing is written."""
    from amongst.engines.plan import A_CELL, A_ROW, whole_in_memory

    stored, schema = original_of(job)
    rows = {name: stored.tables[name].num_rows for name in schema}
    cells = sum(rows[name] * len(schema[name].schema.published) for name in schema)
    memory = resident() + A_ROW * sum(rows.values()) + A_CELL * cells
    coded = sum(n for name, n in rows.items() if not schema[name].in_trees)
    paired = sum(rows.values()) - coded
    method = DatabaseRequest(schema=schema, models=job.models, method=job.method_of()[0]).method
    seconds = 1.0 + A_CODE * coded + A_PAIRED_ROW * paired + SEARCH * min(rows[schema.person] / FULL_SEARCH, 1.0)
    told = ", ".join(f"{n:,} {name}" for name, n in rows.items())
    return whole_in_memory(
        ("read the tables into memory", "group persons, pair or share their rows", "deal keys, write", "verify"),
        n_rows=sum(rows.values()),
        memory=memory,
        seconds=seconds,
        why=[f"many tables are read into memory: {told}", f"the method is {method}"],
        else_do="take part of the persons, or leave tables out",
    )


def original_of(job: Job) -> tuple[Stored, DatabaseSchema]:
    """The tables of a job as a release sees them, with times as the persons see them, and their complete schema."""
    told = job.input
    stored = read_database(told.place, namespace=told.namespace, nulls=told.nulls)
    stored = as_released(stored, job.schema, database_models(job.models)[0], job.seed)
    return stored, check_tables(job.schema, stored)
