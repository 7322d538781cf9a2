"""Privacy against loss: a line for every method, and the front that none of them beats."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from markupsafe import Markup

from amongst.report.charts import svg
from amongst.report.charts.bars import Bar, bar_chart
from amongst.report.charts.loss import share
from amongst.report.charts.scale import Scale, log_ticks, ticks
from amongst.report.wording import count, percent, shorten

WIDTH, HEIGHT, LEFT, TOP, BOTTOM = 880, 440, 64, 30, 52
NAME, LINE = 30, 16
RADIUS = 4.5
WIDE = 5
"""A largest loss this many times the smallest calls for a log scale."""


@dataclass(frozen=True, kw_only=True)
class Point:
    """One candidate: its place among all, its line, its k and its loss."""

    place: int
    name: str
    k: int
    loss: float
    on_front: bool
    recommended: bool


def front_chart(points: Sequence[Point], measure: str, key: str = "front") -> Markup:
    """Loss over k, a line for every name; a bar for every name where there is a single k.

    Examples
    --------
    >>> from amongst.report.charts.front import Point, front_chart
    >>> how = {"name": "mondrian", "on_front": True, "recommended": False}
    >>> points = [Point(place=0, k=5, loss=0.125, **how), Point(place=1, k=10, loss=0.2, **how)]
    >>> "mondrian, k = 5: 12.5%" in front_chart(points, "GCP")
    True
    """
    if len({point.k for point in points}) == 1:
        return _bars(points, measure, key)
    ks = sorted({point.k for point in points}) or [1]
    names = list(dict.fromkeys(point.name for point in points))
    right = svg.room(names, NAME) + 14
    y = _loss_scale([point.loss for point in points])
    step = (WIDTH - LEFT - right - 40) / max(len(ks) - 1, 1)
    x_of_k = {k: LEFT + 20 + step * i for i, k in enumerate(ks)}
    lines = {name: sorted((p for p in points if p.name == name), key=lambda p: p.k) for name in names}
    # What is on the front is drawn last, over the others.
    order = sorted(names, key=lambda name: any(point.on_front for point in lines[name]))
    drawn = [part for name in order for part in _line(lines[name], x_of_k, y)]
    labels = _labels([lines[name][-1] for name in names], {p.name for p in points if p.on_front}, x_of_k, y)
    axes = [*_loss_axis(y, WIDTH - right, measure), *_k_axis(x_of_k, WIDTH - right)]
    return svg.chart(key, WIDTH, HEIGHT, "Privacy and loss", _describe(points), *axes, *drawn, *labels)


def _bars(points: Sequence[Point], measure: str, key: str) -> Markup:
    """The least loss first; what is on the front is filled."""
    rising = sorted(points, key=lambda point: point.loss)
    kinds = ["bar" if one.on_front else "before" for one in rising]
    return bar_chart(
        [
            Bar(name=one.name, value=one.loss, kind=kind, chosen=one.recommended, place=one.place)
            for one, kind in zip(rising, kinds, strict=True)
        ],
        key=key,
        title="Privacy and loss",
        note=f"loss: {measure}, at k = {count(points[0].k)}",
        words=percent,
        tick=share,
        end=rising[-1].loss or 1.0,
        letters=NAME,
    )


def _loss_scale(losses: Sequence[float]) -> Scale:
    """From 0; on a log scale where the losses are so far apart that the small ones could not be told apart."""
    most, least = max(losses, default=1.0), min(losses, default=0.0)
    if least > 0 and most > WIDE * least:
        return Scale(least * 0.8, most * 1.15, HEIGHT - BOTTOM, TOP, log=True)
    return Scale(0, most * 1.06 or 1.0, HEIGHT - BOTTOM, TOP)


def _line(points: Sequence[Point], x_of_k: dict[int, float], y: Scale) -> list[Markup]:
    places = [(x_of_k[point.k], float(y(point.loss))) for point in points]
    told = any(point.on_front for point in points)
    parts = []
    if len(places) > 1:
        way = "M" + "L".join(f"{svg.number(a)} {svg.number(b)}" for a, b in places)
        parts.append(svg.path(way, "after-line" if told else "faint-line"))
    for point, (a, b) in zip(points, places, strict=True):
        if point.recommended:
            parts.append(svg.element("circle", cx=a, cy=b, r=RADIUS + 5, class_="chosen"))
        tip = svg.element("title", f"{point.name}, k = {count(point.k)}: {percent(point.loss)}")
        kind = "dot front" if point.on_front else "dot"
        parts.append(svg.element("circle", tip, cx=a, cy=b, r=RADIUS, class_=kind, data_place=str(point.place)))
    return parts


def _labels(ends: Sequence[Point], told: set[str], x_of_k: dict[int, float], y: Scale) -> list[Markup]:
    """The names at the ends of their lines, moved apart where they would lie on each other."""
    rising = sorted(ends, key=lambda point: -point.loss)
    places = [float(y(point.loss)) for point in rising]
    for i in range(1, len(places)):
        places[i] = max(places[i], places[i - 1] + LINE)
    over = (places[-1] if places else 0) - (HEIGHT - BOTTOM - 2)
    if over > 0:  # push the last ones up again
        places[-1] -= over
        for i in range(len(places) - 2, -1, -1):
            places[i] = min(places[i], places[i + 1] - LINE)
    x = max(x_of_k.values()) + 16
    parts = []
    for point, place in zip(rising, places, strict=True):
        start, end = x_of_k[point.k] + RADIUS + 1, float(y(point.loss))
        parts.append(svg.line(start, end, x - 3, place, "edge"))
        kind = "name" if point.name in told else "name note"
        parts.append(svg.text(x, place + 4, shorten(point.name, NAME), kind))
    return parts


def _loss_axis(y: Scale, right: float, measure: str) -> list[Markup]:
    parts = []
    for mark in log_ticks(y.lo, y.hi) if y.log else ticks(0, y.hi, 5):
        place = float(y(mark))
        parts.append(svg.line(LEFT, place, right, place, "grid"))
        parts.append(svg.text(LEFT - 8, place + 4, share(mark), "tick", text_anchor="end"))
    words = f"loss: {measure}" + (" (log scale)" if y.log else "")
    return [*parts, svg.text(8, 14, words, "note")]


def _k_axis(x_of_k: dict[int, float], right: float) -> list[Markup]:
    base = HEIGHT - BOTTOM
    marks = [svg.text(x, base + 20, f"k = {count(k)}", "tick", text_anchor="middle") for k, x in x_of_k.items()]
    words = svg.text(LEFT, base + 42, "privacy: every row hides amongst at least so many", "note")
    return [svg.line(LEFT, base, right, base, "axis"), *marks, words]


def _describe(points: Sequence[Point]) -> str:
    told = [f"{point.name} with k = {count(point.k)} loses {percent(point.loss)}" for point in points if point.on_front]
    return ("On the front: " + "; ".join(told) + ".") if told else "There is nothing on the front."
