"""The lattice of generalizations: node by node where it is small, by height where it is not."""

from __future__ import annotations

import numpy as np
from markupsafe import Markup

from amongst.report.charts import svg
from amongst.report.charts.lattice_heights import heights_chart
from amongst.report.charts.lattice_marks import describe, node_mark, shade_of_node
from amongst.report.lattice_view import LatticeView

WIDTH, LEFT, RIGHT, TOP, BOTTOM = 880, 64, 12, 26, 14
CELL, STEP, LEAST_GAP, MOST_GAP = 30, 70, 8, 90
DIGIT, SPACE = 7.3, 3.7


def lattice_chart(view: LatticeView, key: str = "lattice", widest: float = WIDTH) -> Markup:
    """Boxes with their levels and lines one level up; where they do not fit, squares by height.

    Parameters
    ----------
    widest : float
        How wide it may become, where one can look at a part of it.

    Examples
    --------
    >>> import amongst as am
    >>> from amongst.lattice.view import view_lattice
    >>> from amongst.report.charts.lattice import lattice_chart
    >>> data = am.datasets.load("incognito-patients")
    >>> found = am.generalizations(data.table, data.schema, [am.KAnonymity(2)])
    >>> chart = lattice_chart(view_lattice(found, data.schema))
    >>> chart.count('class="node"'), chart.count("<line")
    (12, 20)
    """
    if not fits(view, widest):
        return heights_chart(view, key)
    whole = max(_needed(view), WIDTH)
    place = _places(view, whole)
    top = int(view.heights.max(initial=0))
    base = TOP + STEP * top + CELL
    shades, width = shade_of_node(view), _cell_width(view)
    nodes = [
        node_mark(
            view=view,
            node=i,
            shade=shades[i],
            x=x - width / 2,
            y=y - CELL / 2,
            width=width,
            height=CELL,
            words=_levels(view, i),
        )
        for i, (x, y) in enumerate(place.tolist())
    ]
    parts = [svg.group("edges", *_edges(view, place)), *nodes, *_height_axis(top)]
    return svg.chart(key, whole, base + BOTTOM, "The lattice of generalizations", describe(view), *parts)


def fits(view: LatticeView, widest: float = WIDTH) -> bool:
    """Whether every node is drawn and can be a box with its levels in it."""
    return view.whole and _needed(view) <= widest


def _needed(view: LatticeView) -> float:
    """The width at which the boxes of every height stand side by side."""
    most = int((view.safe_by_height + view.unsafe_by_height).max(initial=0))
    return most * (_cell_width(view) + LEAST_GAP) + LEFT + RIGHT


def _levels(view: LatticeView, node: int) -> str:
    return " ".join(map(str, view.levels[node].tolist()))


def _cell_width(view: LatticeView) -> float:
    n_digits = sum(len(str(level)) for level in view.levels.max(axis=0, initial=0).tolist())
    return max(DIGIT * n_digits + SPACE * (len(view.columns) - 1) + 14, 36.0)


def _places(view: LatticeView, whole: float) -> np.ndarray:
    """The middle of every node: rows by height, the lowest at the bottom; ordered so that lines run alike."""
    lean = view.levels @ np.linspace(-1, 1, len(view.columns)) if len(view.columns) > 1 else view.levels[:, 0]
    width, top = _cell_width(view), int(view.heights.max(initial=0))
    place = np.zeros((view.n_drawn, 2))
    for height in range(top + 1):
        row = np.flatnonzero(view.heights == height)
        row = row[np.lexsort([row, lean[row]])]
        room = (whole - LEFT - RIGHT) / max(len(row), 1)
        step = min(room, width + MOST_GAP)
        middle = LEFT + (whole - LEFT - RIGHT) / 2
        place[row, 0] = middle + (np.arange(len(row)) - (len(row) - 1) / 2) * step
        place[row, 1] = TOP + STEP * (top - height) + CELL / 2
    return place


def _edges(view: LatticeView, place: np.ndarray) -> list[Markup]:
    """A line to every direct generalization; the steps from what fails to what is minimal stand out."""
    at = {tuple(levels): i for i, levels in enumerate(view.levels.tolist())}
    lines = []
    for lower, levels in enumerate(view.levels.tolist()):
        for c in range(len(levels)):
            upper = at.get((*levels[:c], levels[c] + 1, *levels[c + 1 :]))
            if upper is not None:
                (x1, y1), (x2, y2) = place[lower].tolist(), place[upper].tolist()
                enters = view.minimal[upper] and not view.safe[lower]
                lines.append(svg.line(x1, y1 - CELL / 2, x2, y2 + CELL / 2, "step" if enters else "edge"))
    return lines


def _height_axis(top: int) -> list[Markup]:
    labels = [
        svg.text(LEFT - 24, TOP + STEP * (top - height) + CELL / 2 + 4, height, "tick", text_anchor="end")
        for height in range(top + 1)
    ]
    return [svg.text(LEFT - 24, 14, "height", "note", text_anchor="end"), *labels]
