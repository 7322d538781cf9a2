"""What ``amongst papers`` does: list the experiments, or run some and tell what was found."""

from __future__ import annotations

import sys
from collections.abc import Sequence
from pathlib import Path

from amongst.cli.page import Facts, Grid, Line, Shown, show
from amongst.cli.voice import VOICE
from amongst.new_file import write_text
from benchmarks.papers.catalogue import PAPERS, experiments, find
from benchmarks.papers.experiment import Panel
from benchmarks.papers.page import panels_of, render_papers, table_of
from benchmarks.papers.reasons import reason_of
from benchmarks.papers.run import Result, run


def show_list() -> None:
    known = [{"name": one.name, "shows": one.shows, "claim": one.claim} for one in experiments()]
    VOICE.result(
        lambda: {"papers": PAPERS, "figures": known},
        lambda: [Grid(["figure", "what it shows"], [[(one["name"], "name"), one["shows"]] for one in known])],
    )


def show_run(figures: list[str], scale: str, out: Path | None) -> None:
    chosen = list({one.name: one for name in figures for one in find(name)}.values())
    results: list[Result] = []
    for experiment in chosen:
        result = run(experiment, scale)
        results.append(result)
        if out is not None:
            result.write(out)
        if not VOICE.json and not VOICE.quiet:
            show(_words(result), sys.stdout)
            sys.stdout.flush()
    written = [] if out is None else [("written", str(_pages(results, out)))]
    VOICE.result(lambda: {"figures": [one.to_dict() for one in results]}, lambda: _summary(results, written))


def show_why(figures: list[str], scale: str) -> None:
    """The experiments that show why claims do not hold."""
    told = []
    for one in {one.name: one for name in figures for one in find(name)}.values():
        reason = reason_of(one.name)
        panels = [] if reason is None else reason(scale)
        told.append({"name": one.name, "why": one.why, "panels": [panel.to_dict() for panel in panels]})
        if not VOICE.json and not VOICE.quiet:
            shown = [Line(f"{one.name}: {one.shows}", "name"), *_grids(panels), Line("")]
            show([*shown, Facts([("claim", one.claim), ("why", one.why or "it holds")]), Line("")], sys.stdout)
            sys.stdout.flush()
    VOICE.result(lambda: {"figures": told}, lambda: [])


def _pages(results: list[Result], out: Path) -> Path:
    """The page of all figures; what was told of one it shows again."""
    page = out / "papers.html"
    write_text(render_papers(results), page)
    VOICE.written = page
    return page


def _words(result: Result) -> list[Shown]:
    one = result.experiment
    page: list[Shown] = [Line(f"{one.name}: {one.shows}", "name"), Line(f"{result.figure.data}; {result.scale} scale")]
    page += _grids(panels_of(result))
    why = [("why", one.why)] if one.why else []
    told = Facts([("claim", one.claim), ("found", result.verdict.words, _tone(result)), *why])
    return [*page, Line(""), told, Line("")]


def _grids(panels: Sequence[Panel]) -> list[Shown]:
    """Panels as tables."""
    shown: list[Shown] = []
    for table in map(table_of, panels):
        title = ": ".join(part for part in (table["title"], table["unit"]) if part)
        shown += [Line(""), Line(title), Grid(table["head"], table["rows"], table["head"])]
    return shown


def _tone(result: Result) -> str:
    return {"holds": "good", "holds for ours": "warn", "holds but for": "warn"}.get(result.verdict.outcome, "bad")


def _summary(results: list[Result], written: list[tuple[str, str]]) -> list[Shown]:
    counted = [
        (outcome, str(sum(one.verdict.outcome == outcome for one in results)))
        for outcome in ("holds", "holds for ours", "holds but for", "does not hold")
    ]
    return [Facts([*counted, *written])]
