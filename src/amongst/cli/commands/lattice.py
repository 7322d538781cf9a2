"""``amongst lattice``: which full-domain generalizations hold, drawn on a page."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from amongst.cli import options as o
from amongst.cli.voice import VOICE

if TYPE_CHECKING:
    from amongst.cli.page import Shown
    from amongst.report.lattice_story import LatticeStory

STEPS = {"read": 25, "search": 55, "draw": 20}

ANSWER = {
    "page": "string: the page for people",
    "title": "string: the table",
    "asked": "[string]: the models in words",
    "k": "integer?: the k among them",
    "rows": "integer: rows of the table",
    "method": "string: the search",
    "choose": "string: the measure that decides",
    "levels": "object: the levels of every column in words",
    "generalizations": "integer: how many there are",
    "safe": "integer: how many hold",
    "minimal": "integer: how many hold and have nothing below that does",
    "by_height": "[object]: safe and unsafe ones of every height",
    "chosen": "object?: the one that would be chosen",
    "measured": "[object]: losses of those that were measured",
    "drawn": "[object]: those on the page",
}


def lattice(
    job: Annotated[str, typer.Argument(metavar="JOB.toml", help="A job file; or a table or data set, with --quasi.")],
    out: Annotated[Path, typer.Option("--out", "-o", help="The HTML file to make.", rich_help_panel=o.OUTPUT)] = Path(
        "lattice.html"
    ),
    k: Annotated[
        int | None, typer.Option("--k", "-k", min=1, help="Every row looks like at least k - 1 others.")
    ] = None,
    suppression: Annotated[
        str | None,
        typer.Option("--suppression", metavar="0.05", help="Rows that may be left out: 0.05, 5% or 200."),
    ] = None,
    limit: Annotated[
        list[str] | None,
        typer.Option("--limit", metavar="A=2", help="The highest level of a column: age=2, sex=0."),
    ] = None,
    choose: Annotated[
        str | None, typer.Option("--choose", metavar="gcp", help="The measure of loss to choose by.")
    ] = None,
    method: Annotated[
        str | None, typer.Option("--method", "-m", help="Who chooses: incognito, samarati, datafly ...")
    ] = None,
    quasi: o.Quasi = None,
    hierarchy: o.Hierarchies = None,
    schema: o.SchemaFile = None,
    nulls_rule: o.NullsRule = None,
    nulls: o.Nulls = None,
    separator: o.Separator = None,
    encoding: o.Encoding = None,
    header: o.Header = None,
    reads: o.Reads = None,
    force: o.Replace = False,
    json: o.Json = False,
    quiet: o.Quiet = False,
) -> None:
    """Draw which full-domain generalizations hold, what each loses, and which one would be chosen.

    Nothing is published; the page tells nothing of single people.
    """
    from amongst.cli.columns import reads_in
    from amongst.cli.hints import hinted
    from amongst.cli.lattice_job import lattice_job
    from amongst.cli.progress import watched
    from amongst.lattice.draw import draw_lattice
    from amongst.lattice.page import render_lattice
    from amongst.new_file import refuse_existing, write_text

    refuse_existing(out, force)
    typed = {"suppression": suppression, "limit": limit, "choose": choose, "method": method, "k": k}
    roles = {"quasi": quasi, "hierarchy": hierarchy, "schema": schema, "nulls_rule": nulls_rule}
    reading: dict[str, Any] = {"nulls": nulls, "separator": separator, "encoding": encoding, "header": header}
    reading["reads"] = reads_in(reads)
    with hinted(job), watched(STEPS) as steps:
        steps.say("read")
        asked = lattice_job(job, typed, roles, reading)
        story = draw_lattice(
            asked.source(), asked.schema, asked.models, asked.method, **asked.options, progress=steps.say
        )
        write_text(render_lattice(story), out)
        VOICE.written = out
    VOICE.result(lambda: _facts(story, out), lambda: _words(story, out))


def _facts(story: LatticeStory, out: Path) -> dict[str, Any]:
    return {"page": str(out), **story.to_dict()}


def _words(story: LatticeStory, out: Path) -> list[Shown]:
    from amongst.cli.page import Facts
    from amongst.report.wording import count, percent

    view = story.view
    lost = percent(float(view.gcp[view.chosen]))
    return [
        Facts(
            [
                ("lattice", f"{count(view.n_nodes)} generalizations of {len(view.columns)} columns"),
                ("safe", f"{count(view.n_safe)}, of which {count(view.n_minimal)} minimal"),
                ("chosen", view.publishes(view.chosen), "good"),
                ("lost", f"GCP {lost}; suppresses {view.suppresses(view.chosen)}"),
                ("page", str(out), "name"),
            ]
        )
    ]
