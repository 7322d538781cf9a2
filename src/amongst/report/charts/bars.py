"""Bars that lie below each other, each with its name before it and its figure behind it."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass

from markupsafe import Markup

from amongst.report.charts import svg
from amongst.report.charts.scale import Scale, ticks
from amongst.report.wording import shorten

WIDTH, ROW, RIGHT, TOP, BOTTOM = 880, 28, 64, 8, 44
FRAME = 4
"""How far the frame of the chosen bar stands out."""


@dataclass(frozen=True, kw_only=True)
class Bar:
    """One bar; ``kind`` is how it looks, ``place`` what a click on it tells."""

    name: str
    value: float
    kind: str = "bar"
    chosen: bool = False
    place: int | None = None


def bar_chart(
    bars: Sequence[Bar],
    *,
    key: str,
    title: str,
    note: str,
    words: Callable[[float], str],
    tick: Callable[[float], str],
    end: float,
    average: float | None = None,
    empty: str = "There is nothing to draw.",
    width: float = WIDTH,
    letters: int = 28,
) -> Markup:
    """The bars in their order, from 0 to ``end``; an ``average`` is a line across all of them.

    Examples
    --------
    >>> from amongst.report.charts.bars import Bar, bar_chart
    >>> bars = [Bar(name="age", value=0.125)]
    >>> how = {"title": "Loss", "note": "NCP", "words": "{:.1%}".format, "tick": "{:.0%}".format, "end": 0.2}
    >>> "age: 12.5%" in bar_chart(bars, key="loss", **how)
    True
    """
    left, bottom = svg.room([bar.name for bar in bars], letters), TOP + ROW * len(bars)
    scale = Scale(0, end, left, width - RIGHT)
    parts = [_mark(float(scale(mark)), bottom, tick(mark)) for mark in ticks(0, end, 5)]
    parts += [
        _bar(scale, TOP + ROW * i, bar, shorten(bar.name, letters), words(bar.value)) for i, bar in enumerate(bars)
    ]
    if average is not None:
        place = float(scale(average))
        parts += [svg.line(place, TOP, place, bottom, "average")]
        parts += [svg.text(width - RIGHT, bottom + 38, f"average {words(average)}", "note", text_anchor="end")]
    axis = [svg.line(left, TOP, left, bottom, "axis"), svg.text(left, bottom + 38, note, "note")]
    desc = "; ".join(f"{shorten(bar.name, 40)} {words(bar.value)}" for bar in bars) or empty
    return svg.chart(key, width, bottom + BOTTOM, title, desc, *parts, *axis)


def _mark(x: float, bottom: float, words: str) -> Markup:
    return svg.join(svg.line(x, TOP, x, bottom, "grid"), svg.text(x, bottom + 18, words, "tick", text_anchor="middle"))


def _bar(scale: Scale, y: float, bar: Bar, name: str, words: str) -> Markup:
    end = float(scale(min(max(bar.value, 0.0), scale.hi)))
    parts = [
        svg.text(scale.start - 10, y + ROW / 2 + 4, name, "name", text_anchor="end"),
        svg.rect(scale.start, y + 6, end - scale.start, ROW - 12, bar.kind, f"{bar.name}: {words}"),
        svg.text(end + 8, y + ROW / 2 + 4, words, "value"),
    ]
    if bar.chosen:
        wide = end - scale.start + 2 * FRAME
        parts.insert(0, svg.rect(scale.start - FRAME, y + 6 - FRAME, wide, ROW - 12 + 2 * FRAME, "chosen"))
    return svg.join(*parts) if bar.place is None else svg.group("pick", *parts, data_place=str(bar.place))
