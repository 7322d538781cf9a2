"""The border of the lattice: the minimal nodes that hold and those that just fail, by loss and height."""

from __future__ import annotations

import numpy as np
from markupsafe import Markup

from amongst.report.charts import svg
from amongst.report.charts.lattice_marks import node_mark, shade_of_node
from amongst.report.charts.scale import Scale, span, ticks
from amongst.report.lattice_view import LatticeView
from amongst.report.wording import count, percent

WIDTH, LEFT, RIGHT, TOP, BOTTOM = 880, 64, 24, 30, 52
SQUARE, PAD = 12.0, 11.0
MOST_LANES = 8
MOST_LINES = 40
"""Of more lines only those of the chosen node are drawn."""


def border_chart(view: LatticeView, key: str = "border") -> Markup:
    """Squares at their loss (GCP), one band a height; lines show which step makes a failing node hold.

    Examples
    --------
    >>> import amongst as am
    >>> from amongst.lattice.view import view_lattice
    >>> from amongst.report.charts.lattice_border import border_chart
    >>> data = am.datasets.load("incognito-patients")
    >>> found = am.generalizations(data.table, data.schema, [am.KAnonymity(2)])
    >>> border_chart(view_lattice(found, data.schema)).count('class="node"')
    12
    """
    lo, hi = span(view.gcp)
    pad = (hi - lo) * 0.03
    x = Scale(max(lo - pad, 0.0), hi + pad, LEFT, WIDTH - RIGHT)
    lane, n_lanes = _lanes(view, x)
    first, last = _ends(view)
    top_of_height, base = _bands(n_lanes, first, last)
    place = np.column_stack([x(view.gcp), [top_of_height[h] for h in view.heights.tolist()] + lane * SQUARE * 1.25])
    shades = shade_of_node(view)
    marks = [
        node_mark(view=view, node=i, shade=shades[i], x=px - SQUARE / 2, y=py, width=SQUARE, height=SQUARE)
        for i, (px, py) in enumerate(place.tolist())
    ]
    # What fails first: what holds, and the chosen one last, lie on top of it.
    order = np.lexsort([np.arange(view.n_drawn) == view.chosen, view.safe])
    bands = [
        part
        for height in range(first, last + 1)
        for part in _band(height, top_of_height[height], n_lanes[height - first])
    ]
    parts = [
        *bands,
        *_loss_axis(x, base),
        svg.group("edges", *_steps(view, place)),
        *[marks[i] for i in order],
    ]
    return svg.chart(key, WIDTH, base + BOTTOM, "The border of the lattice", _describe(view), *parts)


def _lanes(view: LatticeView, x: Scale) -> tuple[np.ndarray, list[int]]:
    """Nodes of a height that would lie on each other go into lanes; what finds no lane shares the fullest."""
    lane = np.zeros(view.n_drawn, dtype=int)
    n_lanes = []
    first, last = _ends(view)
    for height in range(first, last + 1):
        row = np.flatnonzero(view.heights == height)
        ends: list[float] = []
        for i in row[np.argsort(view.gcp[row], kind="stable")].tolist():
            start = float(x(view.gcp[i]))
            free = next((n for n, end in enumerate(ends) if end <= start), len(ends))
            if free == len(ends) and free < MOST_LANES:
                ends.append(0.0)
            free = min(free, MOST_LANES - 1)
            ends[free] = start + SQUARE + 2
            lane[i] = free
        n_lanes.append(max(len(ends), 1))
    return lane, n_lanes


def _ends(view: LatticeView) -> tuple[int, int]:
    return (int(view.heights.min()), int(view.heights.max())) if view.n_drawn else (0, 0)


def _bands(n_lanes: list[int], first: int, last: int) -> tuple[dict[int, float], float]:
    """The top of the squares of every height, the highest first, and where the last band ends."""
    top, y = {}, float(TOP)
    for height in range(last, first - 1, -1):
        top[height] = y + PAD
        y += 2 * PAD + SQUARE * (1 + 1.25 * (n_lanes[height - first] - 1))
    return top, y


def _band(height: int, top: float, n_lanes: int) -> list[Markup]:
    middle = top + SQUARE * (1 + 1.25 * (n_lanes - 1)) / 2
    return [
        svg.line(LEFT, top - PAD, WIDTH - RIGHT, top - PAD, "grid"),
        svg.text(LEFT - 24, middle + 4, height, "tick", text_anchor="end"),
    ]


def _steps(view: LatticeView, place: np.ndarray) -> list[Markup]:
    at = {tuple(levels): i for i, levels in enumerate(view.levels.tolist())}
    lines, own = [], []
    for lower in np.flatnonzero(~view.safe).tolist():
        levels = view.levels[lower].tolist()
        for c in range(len(levels)):
            upper = at.get((*levels[:c], levels[c] + 1, *levels[c + 1 :]))
            if upper is not None and view.minimal[upper]:
                (x1, y1), (x2, y2) = place[lower].tolist(), place[upper].tolist()
                line = svg.line(x1, y1, x2, y2 + SQUARE, "step")
                lines.append(line)
                own += [line] if upper == view.chosen else []
    return lines if len(lines) <= MOST_LINES else own


def _loss_axis(x: Scale, base: float) -> list[Markup]:
    parts = [
        svg.text(LEFT - 24, 16, "height", "note", text_anchor="end"),
        svg.line(LEFT, base, WIDTH - RIGHT, base, "axis"),
    ]
    for mark in ticks(x.lo, x.hi, 8).tolist():
        place = float(x(mark))
        parts += [svg.line(place, TOP, place, base, "grid")]
        parts += [svg.text(place, base + 18, percent(round(mark, 6)).replace(".0%", "%"), "tick", text_anchor="middle")]
    return [*parts, svg.text(WIDTH - RIGHT, base + 40, "information lost (GCP) →", "note", text_anchor="end")]


def _describe(view: LatticeView) -> str:
    n_safe = int(view.safe.sum())
    return f"{count(n_safe)} generalizations that are safe and {count(view.n_drawn - n_safe)} that just are not."
