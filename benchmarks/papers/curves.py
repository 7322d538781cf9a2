"""Lines over an axis: the form of most figures of the papers. Both axes may be logarithmic."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from markupsafe import Markup

from amongst.report.charts import svg
from amongst.report.charts.scale import Scale, log_ticks, ticks
from amongst.report.wording import shorten

WIDTH, HEIGHT, LEFT, TOP, BOTTOM = 560, 340, 66, 46, 52
NAME, LINE, LETTER = 26, 15, 6.6
RADIUS = 3.2
N_KINDS = 6
"""Lines that can be told apart, by colour and by dashes."""

Values = Sequence[float | None]


def curve_chart(
    title: str,
    x_name: str,
    y_name: str,
    xs: Sequence[float | str],
    series: Mapping[str, Values],
    *,
    log_x: bool = False,
    log_y: bool = False,
    key: str = "curves",
) -> Markup:
    """A line for every series, its name at its end.

    What cannot be placed is left out: a missing number, and on a logarithmic axis one that is not positive.

    Examples
    --------
    >>> from benchmarks.papers.curves import curve_chart
    >>> drawn = curve_chart("GCP by k", "k", "GCP", [5, 10], {"hilbert": [0.1, 0.2], "mondrian": [0.2, None]})
    >>> drawn.count("<circle")
    3
    """
    right = min(LETTER * max((len(name) for name in series), default=0), LETTER * NAME) + 26
    places = _places(xs, WIDTH - right, log_x)
    y = _y_scale(series, log_y)
    lines = {name: _points(places, values, y) for name, values in series.items()}
    drawn = [
        part for i, (name, points) in enumerate(lines.items()) for part in _line(name, points, i, xs, x_name, series)
    ]
    labels = _labels({name: points[-1] for name, points in lines.items() if points}, list(series), WIDTH - right)
    axes = [*_y_axis(y, WIDTH - right, y_name), *_x_axis(places, xs, x_name, WIDTH - right)]
    head = svg.text(8, 16, title, "name")
    return svg.chart(key, WIDTH, HEIGHT, title, _describe(x_name, xs, series), head, *axes, *drawn, *labels)


def _places(xs: Sequence[float | str], end: float, log: bool) -> list[float]:
    """Where every x lies: in equal steps for words, else on a scale."""
    first, last = LEFT + 14.0, end - 14.0
    numbers = [x for x in xs if not isinstance(x, str)]
    if len(numbers) < len(xs) or len(set(numbers)) < 2 or (log and min(numbers) <= 0):
        step = (last - first) / max(len(xs) - 1, 1)
        return [first + step * i for i in range(len(xs))]
    scale = Scale(min(numbers), max(numbers), first, last, log=log)
    return [float(place) for place in scale(numbers)]


def _y_scale(series: Mapping[str, Values], log: bool) -> Scale:
    values = [value for one in series.values() for value in one if value is not None]
    if log and any(value > 0 for value in values):
        least, most = min(value for value in values if value > 0), max(values)
        return Scale(least * 0.8, most * 1.25, HEIGHT - BOTTOM, TOP, log=True)
    return Scale(min([0.0, *values]), max(values, default=1.0) * 1.06 or 1.0, HEIGHT - BOTTOM, TOP)


def _points(places: Sequence[float], values: Values, y: Scale) -> list[tuple[float, float, int]]:
    """Place on the page and number of the x, of every value that can be placed."""
    return [
        (place, float(y(value)), i)
        for i, (place, value) in enumerate(zip(places, values, strict=True))
        if value is not None and (value > 0 or not y.log)
    ]


def _line(
    name: str,
    points: Sequence[tuple[float, float, int]],
    number: int,
    xs: Sequence[float | str],
    x_name: str,
    series: Mapping[str, Values],
) -> list[Markup]:
    kind = f"c{number % N_KINDS}"
    parts = []
    if len(points) > 1:
        parts.append(
            svg.path("M" + "L".join(f"{svg.number(a)} {svg.number(b)}" for a, b, _ in points), f"curve {kind}")
        )
    for a, b, i in points:
        x = xs[i] if isinstance(xs[i], str) else f"{x_name} = {said(xs[i])}"
        tip = svg.element("title", f"{name}, {x}: {said(series[name][i])}")
        parts.append(svg.element("circle", tip, cx=a, cy=b, r=RADIUS, class_=f"mark {kind}"))
    return parts


def _labels(ends: Mapping[str, tuple[float, float, int]], names: Sequence[str], x: float) -> list[Markup]:
    """The names at the ends of their lines, moved apart where they would lie on each other."""
    order = sorted(ends, key=lambda name: ends[name][1])
    places = [ends[name][1] for name in order]
    for i in range(1, len(places)):
        places[i] = max(places[i], places[i - 1] + LINE)
    over = (places[-1] if places else 0) - (HEIGHT - BOTTOM)
    if over > 0:
        places[-1] -= over
        for i in range(len(places) - 2, -1, -1):
            places[i] = min(places[i], places[i + 1] - LINE)
    parts = []
    for name, place in zip(order, places, strict=True):
        a, b, _ = ends[name]
        parts.append(svg.line(a + RADIUS, b, x + 2, place, "edge"))
        parts.append(svg.text(x + 6, place + 4, shorten(name, NAME), f"t{names.index(name) % N_KINDS}"))
    return parts


def _y_axis(y: Scale, right: float, y_name: str) -> list[Markup]:
    parts = []
    for mark in log_ticks(y.lo, y.hi) if y.log else ticks(y.lo, y.hi, 5):
        place = float(y(mark))
        parts.append(svg.line(LEFT, place, right, place, "grid"))
        parts.append(svg.text(LEFT - 6, place + 4, said(float(mark)), "tick", text_anchor="end"))
    return [*parts, svg.text(8, 33, y_name + (" (log scale)" if y.log else ""), "note")]


def _x_axis(places: Sequence[float], xs: Sequence[float | str], x_name: str, right: float) -> list[Markup]:
    """A mark at every x; a word where it does not lie on the one before."""
    base, free = HEIGHT - BOTTOM, -1.0
    parts = [svg.line(LEFT, base, right, base, "axis")]
    for place, x in zip(places, xs, strict=True):
        words = x if isinstance(x, str) else said(x)
        half = LETTER * len(words) / 2 + 2
        parts.append(svg.line(place, base, place, base + 4, "axis"))
        if place - half >= free:
            parts.append(svg.text(place, base + 18, words, "tick", text_anchor="middle"))
            free = place + half
    return [*parts, svg.text(LEFT, base + 38, x_name, "note")]


def said(value: float | str | None) -> str:
    """A number as short as it can be told: 12.3M, 45k, 0.013."""
    if value is None or isinstance(value, str):
        return value or "-"
    if value == 0:
        return "0"
    for unit, letter in ((1e9, "G"), (1e6, "M"), (1e3, "k")):
        if abs(value) >= unit * 10 or (unit > 1e3 and abs(value) >= unit):
            return f"{value / unit:.3g}{letter}"
    if abs(value) >= 1000:
        return f"{value:,.0f}"
    return f"{value:.3g}" if abs(value) >= 1e-3 else f"{value:.1e}".replace("e-0", "e-")


def _describe(x_name: str, xs: Sequence[float | str], series: Mapping[str, Values]) -> str:
    lines = [f"{name}: {', '.join(said(value) for value in values)}" for name, values in series.items()]
    return f"At {x_name} {', '.join(said(x) for x in xs)}. " + "; ".join(lines) + "."
