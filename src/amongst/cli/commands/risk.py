"""``amongst risk``: how easily people could be found in a table."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from amongst.cli import options as o
from amongst.cli.voice import VOICE

if TYPE_CHECKING:
    from amongst.cli.page import Shown
    from amongst.risk.figures import Risk

PEOPLE = "The population"

ANSWER = {
    "document": "string: public, or inside where the original was looked at",
    "title": "string: what was looked at",
    "k": "integer?: what the release promises",
    "threshold": "number: a risk above it counts as high",
    "before": "object?: the risk of the original",
    "after": "object?: of the published table: prosecutor, journalist, marketer, columns, pairs, minimal uniques",
    "assumptions": "[string]: what the figures rest on",
}


def risk(
    data: Annotated[
        str, typer.Argument(metavar="DATA|RELEASE", help="A table, the name of a data set, or a release folder.")
    ],
    quasi: Annotated[
        list[str] | None,
        typer.Option("--quasi", metavar="A,B", help="The columns that others may know of people."),
    ] = None,
    schema: Annotated[
        Path | None, typer.Option("--schema", metavar="JOB.toml", help="Take the columns of a job file.")
    ] = None,
    original: Annotated[
        str | None,
        typer.Option("--original", metavar="JOB.toml", help="The job a release was made by, or its data set: before."),
    ] = None,
    k: Annotated[
        int | None, typer.Option("--k", "-k", min=1, help="The threshold; else that of the release, or 10.")
    ] = None,
    population: Annotated[
        Path | None,
        typer.Option("--population", metavar="FILE", help="A table of everybody.", rich_help_panel=PEOPLE),
    ] = None,
    fraction: Annotated[
        float | None,
        typer.Option("--fraction", metavar="0.01", help="Its share that is in the table.", rich_help_panel=PEOPLE),
    ] = None,
    weights: Annotated[
        str | None,
        typer.Option("--weights", metavar="A", help="How many people a row stands for.", rich_help_panel=PEOPLE),
    ] = None,
    unit: Annotated[
        str | None,
        typer.Option("--unit", metavar="A", help="The column that tells people apart.", rich_help_panel=PEOPLE),
    ] = None,
    inside: o.InsideOf = None,
    columns: Annotated[
        int | None,
        typer.Option("--columns", min=1, metavar="3", help="Look for minimal uniques in so many columns at most."),
    ] = None,
    out: Annotated[Path | None, typer.Option("--out", metavar="PAGE.html", help="Write a page.")] = None,
    force: o.Replace = False,
    json: o.Json = False,
    quiet: o.Quiet = False,
) -> None:
    """Say how easily people could be found in a table: prosecutor, journalist, marketer; and by which columns."""
    from dataclasses import replace

    from amongst.cli.progress import watched
    from amongst.new_file import refuse_existing, write_text
    from amongst.risk.risk import risk as measure

    if out is not None:
        refuse_existing(out, force)
    with watched({"read": 20, "measure": 80}) as steps:
        steps.say("read")
        table, known, before = _what(data, quasi, schema, original)
        steps.say("measure")
        about: dict[str, Any] = {"population": population, "fraction": fraction, "weights": weights, "unit": unit}
        found = measure(table, known, original=before, inside=inside, k=k, largest=columns, **about)
        found = replace(found, title=Path(data).name)
    if out is not None:
        write_text(found.to_html(), out, inside=found.inside)
        VOICE.written = out
    VOICE.result(lambda: found.to_dict(), lambda: _words(found, out))


def _what(data: str, quasi: list[str] | None, schema: Path | None, original: str | None) -> tuple[Any, Any, Any]:
    """The table, its schema, and the original."""
    from amongst.cli.columns import names_in
    from amongst.cli.commands.workload import original_of
    from amongst.cli.table import data_set
    from amongst.errors import BadOption
    from amongst.schema.schema import Schema

    if quasi and schema is not None:
        raise BadOption("The columns are named twice.", found="--quasi and --schema", fix="use one of them")
    known: Any = names_in(quasi) or (None if schema is None else Schema.from_file(schema))
    before = None
    if original is not None:
        before, of_original = original_of(original)
        known = known or of_original
    bundled = None if Path(data).exists() else data_set(data)
    if bundled is not None:
        return bundled.table, known or bundled.schema, before
    return data, known, before


def _words(found: Risk, out: Path | None) -> list[Shown]:
    from amongst.cli.page import Facts, Grid, Line
    from amongst.report.wording import figure
    from amongst.risk import words

    names = words.headings(found)
    rows = [[title, meaning, *told] for title, meaning, told in words.measures(found)]
    headings = words.COLUMN_HEADINGS
    page: list[Shown] = [
        Line(f"{found.title}: at the threshold k = {found.k:,}, a chance of {figure(1 / found.k)}"),
        Grid(["", "", *names], rows, right=names),
        Line(""),
        Grid(headings, words.columns(found), right=headings[1:]),
        Line(""),
        *[Line(sentence) for sentence in words.minimal_sentences(found)],
    ]
    if words.sets(found):
        page += [Grid(["alone in", found.figures.counted], words.sets(found), right=[found.figures.counted])]
    page.append(Line(""))
    page.append(Facts([("assumed" if i == 0 else "", text) for i, text in enumerate(found.assumptions)]))
    told = f"{out}, inside: not to be published" if found.inside else str(out)
    return [*page, Facts([("written", told)])] if out is not None else page
