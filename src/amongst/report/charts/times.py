"""How long every candidate took: one bar each."""

from __future__ import annotations

from collections.abc import Sequence

from markupsafe import Markup

from amongst.report.charts import svg
from amongst.report.charts.scale import Scale, ticks
from amongst.report.wording import shorten

WIDTH, ROW, RIGHT, TOP, BOTTOM = 880, 24, 64, 8, 44
NAME = 34


def time_chart(names: Sequence[str], seconds: Sequence[float], key: str = "times") -> Markup:
    """Bars from the longest time to the shortest.

    Examples
    --------
    >>> from amongst.report.charts.times import time_chart
    >>> "mondrian: 0.25 s" in time_chart(["mondrian"], [0.25])
    True
    """
    falling = sorted(zip(names, seconds, strict=True), key=lambda pair: -pair[1])
    left, bottom = svg.room(names, NAME), TOP + ROW * len(falling)
    scale = Scale(0, max([one for _, one in falling], default=1.0) or 1.0, left, WIDTH - RIGHT)
    parts = []
    for mark in ticks(0, scale.hi, 5):
        x = float(scale(mark))
        parts.append(svg.line(x, TOP, x, bottom, "grid"))
        parts.append(svg.text(x, bottom + 18, f"{mark:.6g} s", "tick", text_anchor="middle"))
    for i, (name, time) in enumerate(falling):
        y, end = TOP + ROW * i, float(scale(time))
        parts.append(svg.text(left - 10, y + ROW / 2 + 4, shorten(name, NAME), "name", text_anchor="end"))
        parts.append(svg.rect(left, y + 5, max(end - left, 1.0), ROW - 10, "bar", f"{name}: {shown(time)}"))
        parts.append(svg.text(end + 8, y + ROW / 2 + 4, shown(time), "value"))
    axis = [
        svg.line(left, TOP, left, bottom, "axis"),
        svg.text(left, bottom + 38, "seconds to group, publish and verify", "note"),
    ]
    desc = "; ".join(f"{shorten(name, 40)} {shown(time)}" for name, time in falling) or "Nothing was timed."
    return svg.chart(key, WIDTH, bottom + BOTTOM, "Time", desc, *parts, *axis)


def shown(seconds: float) -> str:
    """A time with two digits that matter."""
    return f"{seconds:.2f} s" if seconds < 1 else f"{seconds:.1f} s" if seconds < 100 else f"{seconds:,.0f} s"
