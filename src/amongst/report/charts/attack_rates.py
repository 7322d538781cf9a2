"""How often attacks succeed on people in a release, and on people who are not in it: two dots with their intervals."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from markupsafe import Markup

from amongst.report.charts import svg
from amongst.report.charts.scale import Scale
from amongst.report.wording import percent, shorten

WIDTH, ROW, RIGHT, TOP, BOTTOM = 880, 40, 30, 8, 46
NAME = 38


@dataclass(frozen=True)
class Pair:
    """One attack: the rate on people in the release and on others, each with the ends of its interval."""

    name: str
    inside: tuple[float, float, float]
    outside: tuple[float, float, float]


def attack_rate_chart(pairs: Sequence[Pair], key: str = "rates") -> Markup:
    """Dots on a line from 0 to 100 percent.

    Examples
    --------
    >>> from amongst.report.charts.attack_rates import Pair, attack_rate_chart
    >>> "inference: 50.0% in the release, 40.0% beside it" in attack_rate_chart(
    ...     [Pair("inference", (0.5, 0.4, 0.6), (0.4, 0.3, 0.5))]
    ... )
    True
    """
    left, bottom = svg.room([one.name for one in pairs], NAME), TOP + ROW * len(pairs)
    scale = Scale(0, 1, left, WIDTH - RIGHT)
    parts = []
    for mark in (0, 0.25, 0.5, 0.75, 1):
        x = float(scale(mark))
        parts.append(svg.line(x, TOP, x, bottom, "grid"))
        parts.append(svg.text(x, bottom + 18, f"{mark:.0%}", "tick", text_anchor="middle"))
    for i, one in enumerate(pairs):
        y = TOP + ROW * i
        parts.append(svg.text(left - 10, y + ROW / 2 + 4, shorten(one.name, NAME), "name", text_anchor="end"))
        parts.append(_dot(scale, y + 13, one.inside, "front"))
        parts.append(_dot(scale, y + 27, one.outside, ""))
        words = f"{one.name}: {percent(one.inside[0])} in the release, {percent(one.outside[0])} beside it"
        parts.append(svg.rect(left, y, WIDTH - RIGHT - left, ROW, "hover", words))
    axis = svg.line(left, TOP, left, bottom, "axis")
    note = svg.text(left, bottom + 38, "attacks that succeeded, with intervals of 95%", "note")
    desc = "; ".join(
        f"{one.name}: {percent(one.inside[0])} in the release, {percent(one.outside[0])} beside it" for one in pairs
    )
    desc = desc or "Nothing was measured."
    return svg.chart(key, WIDTH, bottom + BOTTOM, "Success of attacks", desc, *(*parts, axis, note))


def _dot(scale: Scale, y: float, rate: tuple[float, float, float], sort: str) -> Markup:
    x, low, high = (float(scale(end)) for end in rate)
    bar = svg.line(low, y, high, y, "curve c0" if sort else "curve c3")
    dot = svg.element("circle", cx=x, cy=y, r=4.5, class_=f"dot {sort}".strip())
    return svg.join(bar, dot)
