"""``amongst run``: a job file carried out."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from amongst.cli import options as o
from amongst.cli.answers import MANY_TABLES, ONE_TABLE

ANSWER = (ONE_TABLE, MANY_TABLES)


def run(
    job: o.Job,
    out: Annotated[
        Path | None,
        typer.Option("--out", "-o", help="The folder to make, instead of the job's.", rich_help_panel=o.OUTPUT),
    ] = None,
    input: Annotated[
        Path | None, typer.Option("--input", "-i", metavar="FILE", help="The table, instead of the job's.")
    ] = None,
    save_recoding: Annotated[
        Path | None,
        typer.Option(
            "--save-recoding",
            metavar="FILE",
            help="Save what was found for `amongst apply`.",
            rich_help_panel=o.OUTPUT,
        ),
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
    from amongst.job.job import Job

    asked = Job.from_file(job).but(input=input, folder=out, engine=engine, memory=memory, work=work, resume=resume)
    carry_out(asked, force=force, bound=bound, inside=inside, save_recoding=save_recoding)
