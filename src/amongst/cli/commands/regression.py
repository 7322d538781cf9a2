"""``amongst regression``: a model fitted to a release, with valid intervals, and beside it that of the original."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from amongst.cli import options as o
from amongst.cli.voice import VOICE

if TYPE_CHECKING:
    from amongst.analysis.regression import Regression
    from amongst.cli.page import Shown

ANSWER = {
    "published": "string: the release",
    "formula": "string: as it was asked",
    "family": "string: linear or logistic",
    "event": "string?: the category whose chance a logistic model speaks of",
    "level": "number: of the intervals",
    "coefficients": "[object]: name, estimate and interval of the release, of the original if given, and their overlap",
    "n_rows": "integer: published rows that were used",
    "n_uncertain": "integer: those of them with a value that is not published as it is",
    "n_tables": "integer: completed tables that were put together",
    "notes": "[string]: what a reader should know",
    "overlap": "number?: the mean overlap of the intervals, with the original",
}


def regression(
    published: Annotated[Path, typer.Argument(help="A release folder, or a published CSV, Parquet or Arrow file.")],
    formula: Annotated[str, typer.Argument(metavar="FORMULA", help="charges ~ age + C(region)")],
    original: Annotated[
        str | None,
        typer.Option("--original", metavar="JOB.toml", help="The job it was made by, or its data set: for the inside."),
    ] = None,
    schema: o.HierarchiesOf = None,
    quasi: o.QuasiOfFile = None,
    family: Annotated[
        str | None, typer.Option("--family", help="linear or logistic; left out, as the response is.")
    ] = None,
    event: Annotated[
        str | None, typer.Option("--event", metavar="VALUE", help="The category whose chance is meant.")
    ] = None,
    tables: Annotated[int, typer.Option("--tables", min=2, help="Completed tables to draw.")] = 20,
    seed: Annotated[int, typer.Option("--seed", help="Of the draws.")] = 0,
    json: o.Json = False,
    quiet: o.Quiet = False,
) -> None:
    """Fit a model to a release, with intervals that know what ranges, sets and nodes leave open.

    With the original its coefficients stand beside, and how much the intervals overlap. These need the original: they
    are for the inside.
    """
    from amongst.analysis.regression import regression as fit
    from amongst.cli.columns import names_in
    from amongst.cli.commands.workload import original_of
    from amongst.cli.progress import watched
    from amongst.cli.without_pandas import with_pandas
    from amongst.schema.schema import Schema

    with_pandas()
    known = Schema.from_file(schema) if schema is not None else names_in(quasi) or None
    with watched({"read": 10, "fit": 90}) as steps:
        steps.say("read")
        table = None
        if original is not None:
            table, known = original_of(original)
        steps.say("fit")
        found = fit(
            published,
            formula,
            schema=known,
            original=table,
            family=family,
            event=event,
            n_tables=tables,
            seed=seed,
        )
    VOICE.result(lambda: {"published": str(published), **found.to_dict()}, lambda: _words(found))


def _words(found: Regression) -> list[Shown]:
    from amongst.analysis.shown import headings_of, rows_of
    from amongst.cli.page import Facts, Grid, Line

    headings = headings_of(found)
    facts = [("rows", f"{found.n_rows:,}, of which {found.n_uncertain:,} are not published as they are")]
    if found.event is not None:
        facts.append(("chance of", found.event))
    if found.overlap is not None:
        facts.append(("overlap", f"{found.overlap:.0%} of the intervals on average"))
    facts += [("note" if i == 0 else "", note) for i, note in enumerate(found.notes)]
    return [
        Line(f"{found.family}: {found.formula}", "name"),
        Grid(headings, rows_of(found), right=headings[1:]),
        Facts(facts),
    ]
