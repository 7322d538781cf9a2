"""``amongst risk-database``: who stands alone in published tables, and who did in the original ones."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from amongst.cli import options as o
from amongst.cli.voice import VOICE

if TYPE_CHECKING:
    from amongst.cli.page import Shown
    from amongst.relations.found_alone import FoundAlone

ANSWER = {
    "published": "string: the folder that was looked at",
    "k": "integer: fewer persons than this are few",
    "after": "[object]: for every kind of knowledge the persons published, alone, and among few; small counts are null",
    "before?": "[object]: the same of the original tables, where they were given",
}


def risk_database(
    published: Annotated[str, typer.Argument(help="A release folder of many tables.")],
    original: Annotated[
        Path | None,
        typer.Option(
            "--original", metavar="JOB.toml", help="The job that it was made with, to see who was alone before."
        ),
    ] = None,
    codes: Annotated[
        int, typer.Option("--codes", metavar="M", min=1, max=3, help="Up to M codes of a person are known.")
    ] = 2,
    k: Annotated[int | None, typer.Option("--k", "-k", min=1, help="Else the release's.")] = None,
    namespace: o.Namespace = None,
    json: o.Json = False,
    quiet: o.Quiet = False,
) -> None:
    """Count the persons that somebody finds alone, or among few, by what may be known of them.

    Every kind of knowledge is tried, also what the release was not made against: the persons' own columns, a few
    codes, the order of events, everything. Counts below k are not shown.
    """
    from amongst.cli.commands.verify_database import asked_of
    from amongst.cli.progress import watched
    from amongst.job.job import Job
    from amongst.relations.diversity import database_models
    from amongst.relations.found_alone import found_alone
    from amongst.relations.stores import read_database

    schema, models, _ = asked_of(published, None, k)
    few = database_models(models)[0]
    with watched({"count": 1}) as steps:
        steps.say("count")
        made = read_database(published, tables=list(schema), namespace=namespace)
        if original is None:
            found = found_alone(made, schema, few, codes)
        else:
            job = Job.from_file(original)
            stored = read_database(job.input.place, namespace=job.input.namespace, nulls=job.input.nulls)
            found = found_alone(made, schema, few, codes, original=(stored, job.schema), seed=job.seed)
    VOICE.result(lambda: {"published": published, "k": few, **found.to_dict()}, lambda: _words(found))


def _count(n: int, of: int, k: int) -> str:
    return f"fewer than {k}" if 0 < n < k else f"{n:,} of {of:,}"


def _words(told: FoundAlone) -> list[Shown]:
    from amongst.cli.page import Grid, Line

    after, before, k = told.after, told.before, told.k
    was = {one.knows: one for one in before or ()}
    lines = []
    for one in after:
        line = [one.knows, _count(one.alone, one.persons, k), _count(one.few, one.persons, k)]
        if before is not None:
            old = was.get(one.knows)
            line += ["", ""] if old is None else [_count(n, old.persons, k) for n in (old.alone, old.few)]
        lines.append(line)
    heads = ["who knows", "finds alone", f"among fewer than {k}"]
    heads += ["alone before", f"among fewer than {k} before"] if before is not None else []
    found = any(one.few for one in after)
    said = "some knowledge finds persons among few" if found else "no knowledge that was tried finds persons among few"
    return [Line(said, "warn" if found else "good"), Grid(heads, lines, right=heads[1:])]
