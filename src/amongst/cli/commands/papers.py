"""``amongst papers``: the experiments of the papers. They come with the source of amongst, not with the package."""

from __future__ import annotations

import sys
from importlib import import_module
from pathlib import Path
from types import ModuleType
from typing import Annotated

import typer

import amongst
from amongst.cli import options as o

CHECKOUT = Path(amongst.__file__).parents[2]
"""Where the source of amongst is, where it runs from its source."""

ANSWER = {
    "papers?": "object: the papers",
    "figures": "[object]: every figure: what it shows and claims, and where it was run its verdict",
}


def papers(
    action: Annotated[
        str,
        typer.Argument(
            metavar="list|run|why", help="List the experiments, run some, or run what shows why a claim does not hold."
        ),
    ] = "list",
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
        _experiments().show_list()
    elif action == "run" and figures and not (quick and full):
        _experiments().show_run(figures, "quick" if quick else "full" if full else "usual", out)
    elif action == "why" and figures and not full and out is None:
        _experiments().show_why(figures, "quick" if quick else "usual")
    else:
        found = "both --quick and --full" if quick and full else f"papers {' '.join([action, *(figures or [])])}"
        raise BadOption(
            "The papers' experiments are listed, or run.",
            found=found,
            fix="write amongst papers list, amongst papers run FIGURE, or amongst papers why FIGURE [--quick]",
        )


def _experiments() -> ModuleType:
    """What lists and runs them, from the source beside this package."""
    from amongst.errors import BadOption

    if not (CHECKOUT / "benchmarks" / "papers" / "command.py").is_file():
        raise BadOption(
            "The papers' experiments are not installed.",
            found="amongst as a package, without its source",
            fix="get the source of amongst, and there run: make papers",
        )
    if str(CHECKOUT) not in sys.path:
        sys.path.insert(0, str(CHECKOUT))
    return import_module("benchmarks.papers.command")
