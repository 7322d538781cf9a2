"""``amongst run``: a job file carried out."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path
from typing import Annotated

import typer

from amongst.cli import options as o


def run(
    job: o.Job,
    out: Annotated[
        Path | None,
        typer.Option("--out", "-o", help="The folder to make, instead of the job's.", rich_help_panel=o.OUTPUT),
    ] = None,
    engine: o.Engine = None,
    memory: o.Memory = None,
    work: o.Work = None,
    resume: o.Resume = False,
    bound: o.Bound = None,
    inside: o.Inside = None,
    force: o.Force = False,
    json: o.Json = False,
    quiet: o.Quiet = False,
) -> None:
    """Carry out a job file, of one table or of many, and write its release folder."""
    from amongst.cli.carry_out import carry_out
    from amongst.schema.job import Job, read_toml

    if "tables" in read_toml(job):
        _run_database(job, out, force, inside)
        return
    asked = Job.from_file(job)
    if out is not None:
        asked = replace(asked, output=replace(asked.output, folder=out))
    asked = replace(asked, engine=asked.engine.but(engine, memory, work, resume))
    carry_out(asked, force=force, bound=bound, inside=inside)


def _run_database(job: Path, out: Path | None, force: bool, inside: Path | None) -> None:
    from amongst.cli.carry_out_database import carry_out_database
    from amongst.relations.job import DatabaseJob

    asked = DatabaseJob.from_file(job)
    carry_out_database(asked if out is None else replace(asked, folder=out), force=force, inside=inside)
