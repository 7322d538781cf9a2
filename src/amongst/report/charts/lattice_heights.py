"""The lattice by height: what fails to the left of a line, what holds to the right of it."""

from __future__ import annotations

import numpy as np
from markupsafe import Markup

from amongst.report.charts import svg
from amongst.report.charts.lattice_marks import FRAME, describe, node_mark, shade_of_node
from amongst.report.lattice_view import LatticeView
from amongst.report.wording import count

WIDTH, LEFT, RIGHT, TOP, BOTTOM = 880, 64, 16, 30, 12
SQUARE, GAP = 22.0, 5.0
BAR, STEP, NUMBERS = 15.0, 22.0, 44.0


def heights_chart(view: LatticeView, key: str = "heights") -> Markup:
    """Every node as a square where all are drawn, else a bar for every height.

    Examples
    --------
    >>> import amongst as am
    >>> from amongst.lattice.view import view_lattice
    >>> from amongst.report.charts.lattice_heights import heights_chart
    >>> data = am.datasets.load("incognito-patients")
    >>> found = am.generalizations(data.table, data.schema, [am.KAnonymity(2)])
    >>> heights_chart(view_lattice(found, data.schema)).count('class="node"')
    12
    """
    n_left, n_right = int(view.unsafe_by_height.max(initial=0)), int(view.safe_by_height.max(initial=0))
    room = (WIDTH - LEFT - RIGHT - 2 * GAP) / max(n_left + n_right, 1)
    if view.whole:
        return _squares(view, key, min(room, SQUARE), n_left, n_right)
    return _bars(view, key, n_left, n_right)


def _squares(view: LatticeView, key: str, pitch: float, n_left: int, n_right: int) -> Markup:
    size, step = pitch * 0.8, pitch + 8
    line = (WIDTH + LEFT + (n_left - n_right) * pitch) / 2
    shades, top = shade_of_node(view), len(view.safe_by_height) - 1
    parts: list[Markup] = []
    last: list[Markup] = []
    for height in range(top + 1):
        y = TOP + step * (top - height) + FRAME
        here = view.heights == height
        # Next to the line lie what fails by the fewest rows and what holds with the least loss.
        for side, nodes, by in ((-1, here & ~view.safe, view.share), (1, here & view.safe, view.gcp)):
            row = np.flatnonzero(nodes)
            for place, i in enumerate(row[np.argsort(by[row], kind="stable")].tolist()):
                x = line + GAP + place * pitch if side > 0 else line - GAP - place * pitch - size
                # The frame of the chosen one must not lie under its neighbours.
                (last if i == view.chosen else parts).append(
                    node_mark(view=view, node=i, shade=shades[i], x=x, y=y, width=size, height=size)
                )
        parts.append(_height(y + size / 2 + 4, height))
    bottom = TOP + step * (top + 1) + FRAME
    return svg.chart(key, WIDTH, bottom + BOTTOM, *_words(view), *_frame(line, bottom), *parts, *last)


def _bars(view: LatticeView, key: str, n_left: int, n_right: int) -> Markup:
    room = WIDTH - LEFT - RIGHT - 2 * NUMBERS - 2 * GAP
    unit = room / max(n_left + n_right, 1)
    line = LEFT + NUMBERS + GAP + n_left * unit
    top = len(view.safe_by_height) - 1
    parts = []
    pairs = zip(view.unsafe_by_height.tolist(), view.safe_by_height.tolist(), strict=True)
    for height, (n_unsafe, n_safe) in enumerate(pairs):
        y = TOP + STEP * (top - height) + FRAME
        tip = f"Height {height}: {count(n_safe)} safe, {count(n_unsafe)} not safe"
        left, right = line - GAP - n_unsafe * unit, line + GAP + n_safe * unit
        if n_unsafe:
            parts.append(svg.rect(left, y, n_unsafe * unit, BAR, "before", tip))
            parts.append(svg.text(left - 6, y + BAR - 4, count(n_unsafe), "tick", text_anchor="end"))
        if n_safe:
            parts.append(svg.rect(line + GAP, y, max(n_safe * unit, 1.5), BAR, "bar", tip))
            parts.append(svg.text(right + 6, y + BAR - 4, count(n_safe), "value"))
        parts.append(_height(y + BAR - 4, height))
    bottom = TOP + STEP * (top + 1)
    return svg.chart(key, WIDTH, bottom + BOTTOM, *_words(view), *_frame(line, bottom), *parts)


def _words(view: LatticeView) -> tuple[str, str]:
    return "The lattice by height", describe(view)


def _height(y: float, height: int) -> Markup:
    return svg.text(LEFT - 24, y, height, "tick", text_anchor="end")


def _frame(line: float, bottom: float) -> list[Markup]:
    return [
        svg.text(LEFT - 24, 16, "height", "note", text_anchor="end"),
        svg.text(line - GAP - 3, 16, "not safe", "note", text_anchor="end"),
        svg.text(line + GAP + 3, 16, "safe", "name"),
        svg.line(line, 4, line, bottom, "axis"),
    ]
