"""A job over many tables carried out: read, anonymize, write, and tell."""

from __future__ import annotations

import json
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Any

from amongst.cli.page import Facts
from amongst.cli.progress import watched
from amongst.cli.steps import RELEASE
from amongst.cli.voice import VOICE
from amongst.errors import BadOption
from amongst.own_files import inside_beside
from amongst.relations.anonymize import anonymize_database
from amongst.relations.job import DatabaseJob
from amongst.relations.methods import find_database_method
from amongst.relations.public import suppressed_persons_words
from amongst.relations.release import DatabaseRelease
from amongst.relations.stores import POSTGRESQL, read_database
from amongst.staging import refuse_unwritable

if TYPE_CHECKING:
    from amongst.datasets.database_set import DatabaseSet
    from amongst.relations.verify import DatabaseVerdict


def database_set(name: str) -> DatabaseSet | None:
    """The set of tables of this name, unless there is a folder or file of that name."""
    from amongst.datasets.database_set import database_sets

    known = database_sets()
    return known[name]() if name in known and not Path(name).exists() else None


def carry_out_database(
    job: DatabaseJob, known: DatabaseSet | None = None, *, force: bool = False, inside: Path | None = None
) -> None:
    """Make the release that a job asks for, and tell the user."""
    folder = job.folder
    if folder is None:
        raise BadOption("The release needs a folder.", found="no folder", fix="name it with --out, or in the job file")
    inside = inside or inside_beside(folder)
    refuse_unwritable(folder, force=force, inside=inside)
    find_database_method(job.method).check_options(job.options)
    if job.out_namespace is not None and not job.data.startswith(POSTGRESQL):
        found = f"a schema to write, {job.out_namespace}, but no PostgreSQL database was read"
        raise BadOption("There is no database to write a schema into.", found=found, fix="take --out-namespace out")
    with watched(RELEASE) as steps:
        steps.say("read")
        release = anonymize_database(
            job.data if known is None else replace(read_database(known.tables), name=known.name),
            job.schema,
            job.models,
            job.method,
            namespace=job.namespace,
            nulls=job.nulls,
            seed=job.seed,
            progress=steps.say,
            **job.options,
        )
        verdict = release.write(folder, format=job.format, force=force, step=steps.say, inside=inside)
        VOICE.written = folder
        if job.out_namespace is not None:
            release.write_postgresql(job.data, job.out_namespace)
    VOICE.result(lambda: _facts(folder), lambda: [Facts(_words(folder, inside, release, verdict, job))])


def _facts(folder: Path) -> dict[str, Any]:
    manifest = json.loads((folder / "manifest.json").read_text(encoding="utf-8"))
    return {"folder": str(folder), "report": str(folder / "report.html"), **manifest}


def _words(
    folder: Path, inside: Path, release: DatabaseRelease, verdict: DatabaseVerdict, job: DatabaseJob
) -> list[tuple[str, ...]]:
    utility = release.utility
    told: list[tuple[str, ...]] = [("verdict", "verified: it holds what was asked", "good")]
    for i, reached in enumerate(verdict.models):
        told.append(("checked" if i == 0 else "", f"{reached.words} Reached: {reached.reached:,.6g}."))
    told.append(
        ("persons", f"{verdict.n_persons:,} in {verdict.n_groups:,} groups, the smallest of {verdict.smallest:,}")
    )
    if utility.suppressed_persons:
        told.append(("", suppressed_persons_words(release, public=False)))
    few = 0 < utility.suppressed_persons < release.threshold
    told.append(("loss", f"LM {utility.lm:.4f}" + ("" if few else f", DM {utility.dm:,}")))  # DM counts them
    for name, table in utility.tables.items():
        columns = ", ".join(f"{column} {loss:.1%}" for column, loss in table.columns.items())
        rows = table.rows_words(release.threshold)
        told.append(("", f"{name}: {rows}{'; lost: ' + columns if columns else ''}"))
    names = ", ".join(sorted(path.name for path in folder.iterdir() if path.suffix != ".html"))
    told.append(("written", f"{folder}: {names}"))
    if job.out_namespace is not None:
        told.append(("", f"schema {job.out_namespace} of the database"))
    told.append(("inside", f"{inside}: not to be published, figures before and after", "name"))
    return [*told, ("report", str(folder / "report.html"), "name")]
