"""``amongst apply``: a saved recoding, for the rows of another file."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path
from typing import Annotated

import typer

from amongst.cli import options as o
from amongst.cli.answers import ONE_TABLE

ANSWER = ONE_TABLE


def apply(
    recoding: Annotated[Path, typer.Argument(metavar="RECODING.json", help="What run --save-recoding wrote.")],
    job: Annotated[Path, typer.Argument(metavar="JOB.toml", help="The job file, with columns and privacy.")],
    input: Annotated[
        Path | None, typer.Option("--input", "-i", metavar="FILE", help="The table, instead of the job's.")
    ] = None,
    out: Annotated[
        Path | None,
        typer.Option("--out", "-o", help="The folder to make, instead of the job's.", rich_help_panel=o.OUTPUT),
    ] = None,
    engine: o.Engine = None,
    memory: o.Memory = None,
    work: o.Work = None,
    inside: o.Inside = None,
    force: o.Force = False,
    json: o.Json = False,
    quiet: o.Quiet = False,
) -> None:
    """Publish a table by a recoding that was saved: the same labels, widened where rows need it, proved again."""
    from amongst.cli.carry_out import carry_out
    from amongst.job.job import Job
    from amongst.recoding import Recoding

    saved = Recoding.load(recoding)
    asked = Job.of_one_table(job).but(input=input, folder=out, engine=engine, memory=memory, work=work)
    carry_out(replace(asked, method="recoding", options={"recoding": saved}), force=force, inside=inside)
