"""A job carried out: read, anonymize, write, and tell. Imported only when there is one to carry out."""

from __future__ import annotations

import json
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

from amongst.anonymize import release_of
from amongst.cli.page import Facts
from amongst.cli.progress import watched
from amongst.cli.steps import RELEASE, STORED, Steps
from amongst.cli.voice import VOICE
from amongst.engines import choose_engine, open_store
from amongst.errors import BadOption
from amongst.partition import find_method
from amongst.read import Source, read
from amongst.release import Release
from amongst.release.data_file import refuse_unknown_format
from amongst.release.own_files import inside_beside
from amongst.release.staging import refuse_unwritable
from amongst.request import Request
from amongst.schema.doubts import doubts_of_release
from amongst.schema.job import Job

if TYPE_CHECKING:
    from amongst.datasets import Dataset
    from amongst.query.workload import Workload
    from amongst.verify import Verdict


def carry_out(
    job: Job,
    data: Dataset | None = None,
    *,
    force: bool = False,
    bound: bool | None = None,
    closing: Sequence[tuple[str, ...]] = (),
    inside: Path | None = None,
) -> None:
    """Make the release that a job asks for, of its input or of a data set, and tell the user.

    ``bound`` says whether to tell the lower bound of the loss; ``closing`` are facts to tell after the release's.
    """
    folder = _folder(job)
    inside = inside or inside_beside(folder)
    _refuse_early(job, folder, inside, force)
    engine = _engine(job, data)
    _refuse_tables(job, engine)
    with watched(RELEASE if engine == "memory" else STORED) as steps:
        steps.say("read")
        release = _release(engine, job, data, steps, bound, force=force)
        where: dict[str, Any] = {} if job.output.table is None else {"table": job.output.table}
        verdict = release.write(folder, format=job.output.format, force=force, step=steps.say, inside=inside, **where)
        VOICE.written = folder
    VOICE.result(
        lambda: _facts(folder, release), lambda: [Facts([*_words(folder, inside, release, verdict), *closing])]
    )


def _engine(job: Job, data: Dataset | None) -> str:
    engine = choose_engine(job.input.place, job.engine.name, job.engine.memory)
    if data is not None and engine != "memory":
        raise BadOption(
            f"The data set {data.name!r} is in memory.",
            found=f"engine = {engine!r}",
            fix="leave engine and memory out, or write it to a file first",
        )
    return engine


def _refuse_tables(job: Job, engine: str) -> None:
    """Tables are named where there is a database, and there they must be."""
    needed = {"table": job.input.table, "out-table": job.output.table}
    if engine == "postgresql":
        wrong = [f"no --{name}" for name, given in needed.items() if given is None]
        fix = "name the table to read, and the table to write"
    else:
        wrong = [f"--{name} {given}" for name, given in needed.items() if given is not None and engine != "spark"]
        fix = "leave it out, or give the address of a database: postgresql://..."
    if wrong:
        raise BadOption("Tables are read and written in a database.", found=wrong, fix=fix)


def _release(engine: str, job: Job, data: Dataset | None, steps: Steps, bound: bool | None, *, force: bool) -> Release:
    """The release, of rows that are read here or stay where they are."""
    here = engine == "memory"
    source: Any = _source(job, data) if here else job.input.path if job.input.database is None else job.input.database
    workload: Any = _workload(job, source) if here else job.workload
    request = Request.of_job(job, unit=job.input.unit, workload=workload, bound=bound)
    settings = {"memory": job.engine.memory, "work": job.engine.work, "resume": job.engine.resume}
    settings |= {"out_table": job.output.table, "force": force} if engine == "postgresql" else {}
    store = open_store(engine, source, request, steps.say, table=job.input.table, reading=job.input.reading, **settings)
    return release_of(store, request, steps.say, steps.lose)


def _source(job: Job, data: Dataset | None) -> Source:
    if data is not None:
        return Source(data.table, "pyarrow", data.name)
    return read(job.input.path, **job.input.reading)


def _workload(job: Job, source: Source) -> Workload | None:
    if job.workload is None:
        return None
    from amongst.query.workload import Workload

    return Workload.from_file(
        job.workload, [name for name in job.schema.published if name in source.table.column_names]
    )


def _folder(job: Job) -> Path:
    if job.output.folder is None:
        raise BadOption("The release needs a folder.", found="no folder", fix="name it with --out, or in the job file")
    return job.output.folder


def _refuse_early(job: Job, folder: Path, inside: Path, force: bool) -> None:
    """Everything that can be refused before the table is read."""
    refuse_unwritable(folder, force=force, inside=inside)
    refuse_unknown_format(job.output.format, job.output.form)
    find_method(job.method).check_options(job.options)


def _facts(folder: Path, release: Release) -> dict[str, object]:
    manifest = json.loads((folder / "manifest.json").read_text(encoding="utf-8"))
    warned = list(doubts_of_release(release, _data_file(folder)))
    return {"folder": str(folder), "report": str(folder / "report.html"), **manifest, "warnings": warned}


def _data_file(folder: Path) -> Path | None:
    return next(iter(sorted(folder.glob("release.*"))), None)


def _words(folder: Path, inside: Path, release: Release, verdict: Verdict) -> list[tuple[str, ...]]:
    from amongst.report import summary

    lines = summary(release.story(verdict=verdict)).splitlines()
    told: list[tuple[str, ...]] = [(line[:9].strip(), line[10:]) for line in lines]
    told[0] = (*told[0], "warn" if verdict.asked_nothing else "good")
    names = ", ".join(sorted(path.name for path in folder.iterdir() if path.suffix != ".html"))
    told += [("WARNING", words, "bad") for words in doubts_of_release(release, _data_file(folder))]
    told += [("note", words, "warn") for words in getattr(release.source, "notes", ())]
    told += [("note", words, "warn") for words in (_formulas(release) if (folder / "release.csv").exists() else ())]
    spelled = [note for note in verdict.notes if note.code == "spellings"]
    told += [("note", f"{note.what} Found: {note.found}.", "warn") for note in spelled]
    table = getattr(release.store, "target_name", None)
    told += [] if table is None else [("table", str(table), "name")]
    hidden = ("inside", f"{inside}: not to be published, figures before and after", "name")
    return [*told, ("written", f"{folder}: {names}"), hidden, ("report", str(folder / "report.html"), "name")]


def _formulas(release: Release) -> tuple[str, ...]:
    """What to know before the CSV files are opened in a spreadsheet."""
    from amongst.release.formulas import caveats_of_csv

    if not release.store.in_memory:  # the rows were written where they live, and are not here
        return ()
    return caveats_of_csv(release.arrow, *([release.sensitive_arrow] if release.is_pair else []))
