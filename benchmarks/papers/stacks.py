"""Bars that stand on each other: what a whole is made of, over an axis."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from markupsafe import Markup

from amongst.report.charts import svg
from amongst.report.charts.scale import Scale, ticks
from benchmarks.papers.curves import BOTTOM, HEIGHT, LEFT, TOP, WIDTH, said

SHADES = ("s5", "s2", "s3")


def stack_chart(
    title: str,
    x_name: str,
    y_name: str,
    xs: Sequence[float | str],
    series: Mapping[str, Sequence[float | None]],
    key: str = "stacks",
) -> Markup:
    """A bar for every x, made of a piece of every series, the first at the bottom.

    Examples
    --------
    >>> from benchmarks.papers.stacks import stack_chart
    >>> drawn = stack_chart("Time", "columns", "s", [3, 4], {"build": [1.0, 2.0], "search": [3.0, 4.0]})
    >>> "search, 4: 4" in drawn
    True
    """
    totals = [sum(values[i] or 0.0 for values in series.values()) for i in range(len(xs))]
    y = Scale(0, max(totals, default=1.0) * 1.06 or 1.0, HEIGHT - BOTTOM, TOP)
    parts = [svg.text(8, 16, title, "name"), svg.text(8, 33, y_name, "note")]
    for mark in ticks(0, y.hi, 5):
        place = float(y(mark))
        parts.append(svg.line(LEFT, place, WIDTH - 16, place, "grid"))
        parts.append(svg.text(LEFT - 6, place + 4, said(float(mark)), "tick", text_anchor="end"))
    step = (WIDTH - 16 - LEFT) / max(len(xs), 1)
    for i, x in enumerate(xs):
        left, below = LEFT + step * (i + 0.2), 0.0
        for number, (name, values) in enumerate(series.items()):
            above = below + (values[i] or 0.0)
            top, base = float(y(above)), float(y(below))
            tip = f"{name}, {said(x)}: {said(values[i])}"
            parts.append(svg.rect(left, top, step * 0.6, base - top, SHADES[number % len(SHADES)], tip))
            below = above
        parts.append(svg.text(left + step * 0.3, HEIGHT - BOTTOM + 18, said(x), "tick", text_anchor="middle"))
    parts.append(svg.line(LEFT, HEIGHT - BOTTOM, WIDTH - 16, HEIGHT - BOTTOM, "axis"))
    parts.append(svg.text(LEFT, HEIGHT - BOTTOM + 38, x_name, "note"))
    parts += _legend(list(series))
    desc = "; ".join(f"{name}: {', '.join(said(v) for v in values)}" for name, values in series.items())
    return svg.chart(key, WIDTH, HEIGHT, title, desc, *parts)


def _legend(names: Sequence[str]) -> list[Markup]:
    parts, x = [], LEFT + 60.0
    for number, name in enumerate(names):
        parts.append(svg.rect(x, HEIGHT - 22, 12, 12, SHADES[number % len(SHADES)]))
        parts.append(svg.text(x + 17, HEIGHT - 12, name, "note"))
        x += 34 + 6.6 * len(name)
    return parts
