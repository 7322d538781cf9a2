"""The page of a lattice: one HTML file that holds everything it shows."""

from __future__ import annotations

import math
from typing import Any

from amongst.report.lattice_story import NAME_OF_MEASURE, LatticeStory
from amongst.report.lattice_view import LatticeView
from amongst.report.render import fill, lattice_pictures
from amongst.report.wording import count

MOST_LISTED = 60


def render_lattice(story: LatticeStory) -> str:
    """The lattice as the text of one HTML file, without a script or anything outside of itself.

    Examples
    --------
    >>> import amongst as am
    >>> from amongst.lattice.draw import draw_lattice
    >>> from amongst.lattice.page import render_lattice
    >>> data = am.datasets.load("incognito-patients")
    >>> page = render_lattice(draw_lattice(data.table, data.schema, [am.KAnonymity(2)]))
    >>> page.startswith("<!doctype html>")
    True
    """
    view = story.view
    return fill(
        "lattice.html",
        beside=__file__,
        story=story,
        measures=NAME_OF_MEASURE,
        picture=lattice_pictures(view),
        listed=story.measured[:MOST_LISTED],
        minimal_listed=_listed(story),
        most_levels=max(len(words) for words in view.level_words),
        loop_column={name: c for c, name in enumerate(view.columns)},
        cells=lambda node: _cells(view, node),
        **({} if view.whole else _border(story)),
    )


def _border(story: LatticeStory) -> dict[str, Any]:
    from amongst.report.charts.lattice_border import border_chart

    view = story.view
    n_drawn = int(view.minimal.sum())
    words = (
        f"The {count(n_drawn)} minimal ones"
        if n_drawn == view.n_minimal
        else (f"The {count(n_drawn)} of the {count(view.n_minimal)} minimal ones that lose least")
    )
    chart = border_chart(view)
    lines = "Lines show what fails when one level is taken back." if 'class="step"' in chart else ""
    return {"border": chart, "minimal_drawn": words, "border_lines": lines}


def _cells(view: LatticeView, node: int) -> list[dict[str, Any]]:
    """The level of every column, darker the further up."""
    found = []
    for name, words, level in zip(view.columns, view.level_words, view.levels[node].tolist(), strict=True):
        shade = math.ceil(level / max(len(words) - 1, 1) * 5)
        found.append({"level": level, "shade": f"s{shade}", "words": f"{name}: {words[level]}"})
    return found


def _listed(story: LatticeStory) -> str:
    n, n_minimal = min(len(story.measured), MOST_LISTED), story.view.n_minimal
    name = NAME_OF_MEASURE[story.measure]
    if n_minimal > n:
        return f"The {count(n)} of {count(n_minimal)} that lose least, by {name}."
    if len(story.measured) > n_minimal:
        return f"All {count(n_minimal)}, and the chosen one, which is none of them: the least {name} first."
    return (
        "The only one: every other safe one generalizes it."
        if n_minimal == 1
        else f"All {count(n_minimal)}, the least {name} first."
    )
