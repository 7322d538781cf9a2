"""One column before and after: grey is the input, blue what one would expect of the release."""

from __future__ import annotations

import numpy as np
from markupsafe import Markup

from amongst.report.charts import svg
from amongst.report.charts.scale import Scale, date_ticks, span, ticks
from amongst.report.shown import Shown
from amongst.report.wording import percent, shorten, tick

WIDTH, HEIGHT = 420, 208
TOP, BOTTOM = 8, 26
NAME = 21
VALUES = 104
"""Room for the figures beside the bars."""


def distribution_chart(column: str, kind: str, shown: Shown, key: str = "distribution") -> Markup:
    """Steps on the number line where the column has one, a bar each for categories.

    Examples
    --------
    >>> from amongst.report import Distribution
    >>> from amongst.report.charts.distribution import distribution_chart
    >>> from amongst.report.shown import show
    >>> age = Distribution("age", "numeric", [30, 70], [40, 60], edges=[0, 50, 100])
    >>> "0 to 50: 30.0% before, 40.0% after" in distribution_chart("age", "numeric", show(age, 10))
    True
    """
    if not shown.n_cells:
        parts = [svg.text(WIDTH / 2, HEIGHT / 2, "too few rows to show", "note", text_anchor="middle")]
        desc = "There are too few rows to show anything."
    else:
        parts = _steps(shown, kind) if shown.edges is not None else _rows(shown)
        desc = "; ".join(_tip(shown, i) for i in range(shown.n_cells))
    title = f"{column} before and after"
    return svg.chart(key, WIDTH, HEIGHT, title, desc, *parts)


def _tip(shown: Shown, i: int) -> str:
    return f"{shown.labels[i]}: {percent(shown.before[i])} before, {percent(shown.after[i])} after"


def _change(shown: Shown, i: int) -> str:
    before, after = percent(shown.before[i]), percent(shown.after[i])
    return before if before == after else f"{before} → {after}"


def _steps(shown: Shown, kind: str) -> list[Markup]:
    edges = shown.edges if shown.edges is not None else np.zeros(0)
    base = HEIGHT - BOTTOM
    x = Scale(*span(edges), 12, WIDTH - 12)
    place = x(edges)
    # Cells differ in width, so the area is the share and not the height.
    width = np.maximum(np.diff(place), 1e-9)
    before, after = shown.before / width, shown.after / width
    y = Scale(0, max(before.max(), after.max(), 1e-12), base, TOP)
    area = _outline(place, y(before), base)
    over = _outline(place, y(after), base)
    hover = [svg.rect(place[i], TOP, width[i], base - TOP, "hover", _tip(shown, i)) for i in range(shown.n_cells)]
    places, words = date_ticks(x.lo, x.hi) if kind == "date" else _number_ticks(x)
    labels = [
        svg.text(float(x(p)), base + 18, word, "tick", text_anchor="middle")
        for p, word in zip(places, words, strict=True)
        if 20 < float(x(p)) < WIDTH - 20
    ]
    ground = svg.line(12, base, WIDTH - 12, base, "axis")
    return [svg.path(area, "before"), svg.path(over, "after-line"), ground, *labels, *hover]


def _number_ticks(x: Scale) -> tuple[np.ndarray, list[str]]:
    places = ticks(x.lo, x.hi, 5)
    return places, [tick(place) for place in places]


def _outline(place: np.ndarray, top: np.ndarray, base: float) -> str:
    steps = "".join(f"V{svg.number(t)}H{svg.number(p)}" for t, p in zip(top.tolist(), place[1:].tolist(), strict=True))
    return f"M{svg.number(place[0])} {svg.number(base)}{steps}V{svg.number(base)}"


def _rows(shown: Shown) -> list[Markup]:
    row = min((HEIGHT - TOP) / shown.n_cells, 34.0)
    thick = min(row * 0.72, 18.0)
    left = svg.room(shown.labels, NAME)
    x = Scale(0, max(shown.before.max(), shown.after.max(), 1e-12), left, WIDTH - VALUES)
    parts = []
    for i in range(shown.n_cells):
        middle = TOP + row * (i + 0.5)
        before, after = float(x(shown.before[i])) - left, float(x(shown.after[i])) - left
        parts += [
            svg.text(left - 8, middle + 4, shorten(shown.labels[i], NAME), "name", text_anchor="end"),
            svg.rect(left, middle - thick / 2, before, thick, "before"),
            svg.rect(left, middle - thick / 6, after, thick / 3, "after"),
            svg.text(left + max(before, after) + 6, middle + 4, _change(shown, i), "value"),
            svg.rect(0, middle - row / 2, WIDTH, row, "hover", _tip(shown, i)),
        ]
    return [*parts, svg.line(left, TOP, left, TOP + row * shown.n_cells, "axis")]
