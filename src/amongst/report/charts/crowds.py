"""How many rows look like a row, before and after: a wide grey bar, and in it a narrow blue one."""

from __future__ import annotations

from collections.abc import Sequence

from markupsafe import Markup

from amongst.report.charts import svg
from amongst.report.charts.loss import share
from amongst.report.charts.scale import Scale, ticks
from amongst.report.wording import percent

WIDTH, HEIGHT, LEFT, RIGHT, TOP, BOTTOM = 620, 280, 48, 8, 12, 48


def crowd_chart(
    bands: Sequence[str],
    before: Sequence[float],
    after: Sequence[float],
    exposed: Sequence[bool],
    *,
    desc: str,
    key: str = "crowds",
) -> Markup:
    """Shares of the rows by the size of their crowd; what came in and is ``exposed`` stands out.

    Examples
    --------
    >>> from amongst.report.charts.crowds import crowd_chart
    >>> drawn = crowd_chart(["1", "2 or more"], [0.4, 0.6], [0.0, 1.0], [True, False], desc="")
    >>> "crowd of 1: 40.0% before, 0% after" in drawn
    True
    """
    base = HEIGHT - BOTTOM
    y = Scale(0, max([*before, *after, 1e-6]), base, TOP)
    parts = []
    for mark in ticks(0, y.hi, 5):
        place = float(y(mark))
        parts.append(svg.line(LEFT, place, WIDTH - RIGHT, place, "grid"))
        parts.append(svg.text(LEFT - 8, place + 4, share(mark), "tick", text_anchor="end"))
    step = (WIDTH - RIGHT - LEFT) / max(len(bands), 1)
    for i, (band, b, a, is_exposed) in enumerate(zip(bands, before, after, exposed, strict=True)):
        left, top = LEFT + step * i, [float(y(b)), float(y(a))]
        tip = f"crowd of {band}: {percent(b)} before, {percent(a)} after"
        kind = "before exposed" if is_exposed else "before"
        parts += [
            svg.rect(left + step * 0.22, top[0], step * 0.56, base - top[0], kind),
            svg.rect(left + step * 0.39, top[1], step * 0.22, base - top[1], "after"),
            svg.text(left + step / 2, base + 18, band, "tick", text_anchor="middle"),
            svg.rect(left, TOP, step, base - TOP, "hover", tip),
        ]
    axis = [
        svg.line(LEFT, base, WIDTH - RIGHT, base, "axis"),
        svg.text(LEFT, base + 40, "rows that look alike", "note"),
    ]
    return svg.chart(key, WIDTH, HEIGHT, "Risk before and after", desc, *parts, *axis)
