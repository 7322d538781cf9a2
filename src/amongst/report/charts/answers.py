"""Answers to a question: the bounds as a bar, the estimate in it, and what the original answers."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from markupsafe import Markup

from amongst.report.charts import svg
from amongst.report.charts.scale import Scale, span, ticks
from amongst.report.wording import shorten, tick

WIDTH, ROW, RIGHT, TOP, BOTTOM = 880, 26, 24, 8, 44
NAME = 28
MOST_SAID = 10
"""Lines that the description tells."""


@dataclass(frozen=True, kw_only=True)
class Line:
    """One answer; what is no number, or not told, is None."""

    name: str
    words: str
    lower: float | None
    upper: float | None
    estimate: float | None
    truth: float | None


def answer_chart(lines: Sequence[Line], figure: str, *, from_zero: bool, key: str = "answers") -> Markup:
    """A line for every answer.

    Examples
    --------
    >>> from amongst.report.charts.answers import Line, answer_chart
    >>> line = Line(name="Sales", words="4.5, from 3 to 6", lower=3, upper=6, estimate=4.5, truth=5)
    >>> "Sales: 4.5, from 3 to 6" in answer_chart([line], "COUNT(*)", from_zero=True)
    True
    """
    ends = [end for one in lines for end in (one.lower, one.upper, one.estimate, one.truth) if end is not None]
    lo, hi = span(np.array([0.0, *ends] if from_zero else ends))
    left, bottom = svg.room([one.name for one in lines], NAME), TOP + ROW * len(lines)
    scale = Scale(lo, hi, left + 8, WIDTH - RIGHT)
    parts = []
    for mark in ticks(lo, hi, 6):
        x = float(scale(mark))
        parts.append(svg.line(x, TOP, x, bottom, "grid"))
        parts.append(svg.text(x, bottom + 18, tick(mark), "tick", text_anchor="middle"))
    for i, one in enumerate(lines):
        parts += _line(one, scale, TOP + ROW * i, left)
    axis = svg.line(left, TOP, left, bottom, "axis")
    note = svg.text(left, bottom + 38, shorten(figure, 80), "note")
    desc = "; ".join(f"{shorten(one.name, 40)}: {one.words}" for one in lines[:MOST_SAID])
    return svg.chart(key, WIDTH, bottom + BOTTOM, figure, desc, *(*parts, axis, note))


def _line(one: Line, scale: Scale, y: float, left: float) -> list[Markup]:
    middle = y + ROW / 2
    parts = [svg.text(left - 8, middle + 4, shorten(one.name, NAME), "name", text_anchor="end")]
    if one.lower is not None and one.upper is not None:
        low, high = float(scale(one.lower)), float(scale(one.upper))
        parts.append(svg.rect(low, middle - 7, max(high - low, 1.0), 14, "s1"))
        parts += [svg.rect(end - 1, middle - 9, 2, 18, "bar") for end in (low, high)]
    if one.estimate is not None:
        x = float(scale(one.estimate))
        corners = ((x, middle - 7), (x + 7, middle), (x, middle + 7), (x - 7, middle))
        way = "L".join(f"{svg.number(a)} {svg.number(b)}" for a, b in corners)
        parts.append(svg.path(f"M{way}Z", "bar"))
    if one.truth is not None:
        x = float(scale(one.truth))
        parts.append(svg.line(x, middle - 12, x, middle + 12, "limit"))
    return [*parts, svg.rect(0, y, WIDTH, ROW, "hover", f"{one.name}: {one.words}")]
