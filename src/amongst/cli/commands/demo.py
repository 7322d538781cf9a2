"""``amongst demo``: the bundled Adult data, anonymized."""

from __future__ import annotations

import contextlib
from pathlib import Path
from typing import Annotated

import typer

from amongst.cli import options as o
from amongst.cli.answers import ONE_TABLE

NEXT = [("next", "amongst inspect your-table.csv --write job.toml")]

ANSWER = ONE_TABLE


def demo(
    out: Annotated[
        Path, typer.Option("--out", "-o", help="The folder to make; an earlier release in it is replaced.")
    ] = Path("amongst-demo"),
    k: o.K = 10,
    json: o.Json = False,
    quiet: o.Quiet = False,
) -> None:
    """Anonymize the bundled Adult data and write a release with its report."""
    from amongst.cli.carry_out import carry_out
    from amongst.cli.table import source_of
    from amongst.datasets import load
    from amongst.harden.harden import Harden
    from amongst.job.job import Input, Job, Output
    from amongst.models import KAnonymity
    from amongst.own_files import inside_beside
    from amongst.staging import refuse_unwritable

    with contextlib.suppress(OSError):  # what stands in the way is told by the next line
        out.absolute().parent.mkdir(parents=True, exist_ok=True)
    refuse_unwritable(out, force=True, inside=inside_beside(out))
    adult = load("adult")
    loose = Harden(certain=False, membership=None)  # nothing can be narrowed by who knows the method
    job = Job(Input(Path("adult")), adult.schema, (KAnonymity(k),), output=Output(out), harden=loose)
    carry_out(job, source_of(adult), force=True, closing=NEXT)
