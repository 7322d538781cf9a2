"""``amongst papers``: the papers' experiments, measured again."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from amongst.cli import options as o
from amongst.cli.voice import VOICE

if TYPE_CHECKING:
    from amongst.cli.page import Shown
    from amongst.papers import Result


def papers(
    action: Annotated[str, typer.Argument(metavar="list|run", help="List the experiments, or run some.")] = "list",
    figures: Annotated[
        list[str] | None,
        typer.Argument(metavar="FIGURE...", help="Such as mondrian-10, a paper such as fast, or all."),
    ] = None,
    quick: Annotated[bool, typer.Option("--quick", help="Small tables: seconds, and no proof of anything.")] = False,
    full: Annotated[bool, typer.Option("--full", help="The paper's own sizes where they are feasible.")] = False,
    out: Annotated[
        Path | None, typer.Option("--out", help="The folder for JSON, SVG and HTML; nothing is written without.")
    ] = None,
    json: o.Json = False,
    quiet: o.Quiet = False,
) -> None:
    """Repeat the papers' experiments: data, chart, and whether the claim holds."""
    from amongst.errors import BadOption

    if action == "list" and not figures:
        _list()
    elif action == "run" and figures and not (quick and full):
        _run(figures, "quick" if quick else "full" if full else "usual", out)
    else:
        found = "both --quick and --full" if quick and full else f"papers {' '.join([action, *(figures or [])])}"
        raise BadOption(
            "The papers' experiments are listed, or run.",
            found=found,
            fix="write amongst papers list, or amongst papers run FIGURE",
        )


def _list() -> None:
    from amongst.cli.page import Grid
    from amongst.papers import PAPERS, experiments

    known = [{"name": one.name, "shows": one.shows, "claim": one.claim} for one in experiments()]
    VOICE.result(
        lambda: {"papers": PAPERS, "figures": known},
        lambda: [Grid(["figure", "what it shows"], [[(one["name"], "name"), one["shows"]] for one in known])],
    )


def _run(figures: list[str], scale: str, out: Path | None) -> None:
    from amongst.cli.page import show
    from amongst.papers import find, run

    chosen = list({one.name: one for name in figures for one in find(name)}.values())
    results: list[Result] = []
    for experiment in chosen:
        result = run(experiment, scale)
        results.append(result)
        if out is not None:
            result.write(out)
        if not VOICE.json and not VOICE.quiet:
            import sys

            show(_words(result), sys.stdout)
            sys.stdout.flush()
    written = [] if out is None else [("written", str(_pages(results, out)))]
    VOICE.result(lambda: {"figures": [one.to_dict() for one in results]}, lambda: _summary(results, written))


def _pages(results: list[Result], out: Path) -> Path:
    """The page of all figures; what was told of one it shows again."""
    from amongst.cli.new_file import write_text
    from amongst.report.papers_page import render_papers

    page = out / "papers.html"
    write_text(render_papers(results), page)
    VOICE.written = page
    return page


def _words(result: Result) -> list[Shown]:
    from amongst.cli.page import Facts, Grid, Line
    from amongst.report.papers_page import table_of

    one = result.experiment
    page: list[Shown] = [Line(f"{one.name}: {one.shows}", "name"), Line(f"{result.figure.data}; {result.scale} scale")]
    for panel in result.figure.panels:
        table = table_of(panel)
        page += [
            Line(""),
            Line(f"{table['title']}: {table['unit']}"),
            Grid(table["head"], table["rows"], table["head"]),
        ]
    return [*page, Line(""), Facts([("claim", one.claim), ("found", result.verdict.words, _tone(result))]), Line("")]


def _tone(result: Result) -> str:
    return {"holds": "good", "holds but for": "warn"}.get(result.verdict.outcome, "bad")


def _summary(results: list[Result], written: list[tuple[str, str]]) -> list[Shown]:
    from amongst.cli.page import Facts

    counted = [
        (outcome, str(sum(one.verdict.outcome == outcome for one in results)))
        for outcome in ("holds", "holds but for", "does not hold")
    ]
    return [Facts([*counted, *written])]
