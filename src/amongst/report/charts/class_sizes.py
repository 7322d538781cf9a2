"""How large the groups are: a histogram, on a log scale when the sizes are far apart."""

from __future__ import annotations

import math

import numpy as np
from markupsafe import Markup

from amongst.report.charts import svg
from amongst.report.charts.scale import Scale, log_ticks, ticks
from amongst.report.wording import count, tick

WIDTH, HEIGHT, LEFT, RIGHT, TOP, BOTTOM = 880, 280, 56, 16, 30, 48
MOST_BARS = 64
WIDE = 20
"""A largest group this many times the smallest calls for a log scale."""


def class_size_chart(sizes: np.ndarray, counts: np.ndarray, k: int | None = None, key: str = "sizes") -> Markup:
    """Bars of how many groups have how many rows; ``k`` is marked where it is given.

    Examples
    --------
    >>> from amongst.report.charts.class_sizes import class_size_chart
    >>> "2 groups of 10 rows" in class_size_chart([10, 12], [2, 1], k=10)
    True
    """
    sizes, counts = np.asarray(sizes, dtype=np.int64), np.asarray(counts, dtype=np.int64)
    edges, height_of_bar, log = binned(sizes, counts, k)
    x = Scale(edges[0], edges[-1], LEFT, WIDTH - RIGHT, log)
    y = Scale(0, max(float(height_of_bar.max()), 1.0), HEIGHT - BOTTOM, TOP)
    parts = [*_y_axis(y), *_bars(x, y, edges, height_of_bar), *_x_axis(x, edges)]
    if k is not None and k >= edges[0]:
        place = float(x(k))
        parts += [svg.line(place, TOP - 16, place, HEIGHT - BOTTOM, "limit")]
        parts += [svg.text(place + 6, TOP - 8, f"k = {count(k)}", "limit-name")]
    return svg.chart(key, WIDTH, HEIGHT, "Group sizes", _describe(sizes, counts), *parts)


def binned(sizes: np.ndarray, counts: np.ndarray, k: int | None = None) -> tuple[np.ndarray, np.ndarray, bool]:
    """The edges of the bars, how many groups each stands for, and whether they belong on a log scale."""
    edges, log = bin_edges(np.asarray(sizes), k)
    return edges, np.histogram(sizes, bins=edges, weights=counts)[0] if len(sizes) else np.zeros(len(edges) - 1), log


def bin_edges(sizes: np.ndarray, k: int | None = None) -> tuple[np.ndarray, bool]:
    """Whole-numbered edges around all sizes (and k), and whether they belong on a log scale."""
    if not len(sizes):
        start = k or 1
        return np.array([start, start + 1.0]), False
    lo = max(min(int(sizes.min()), k or int(sizes.min())), 1)
    hi = int(sizes.max()) + 1
    if hi - lo < 8:
        return np.arange(lo, lo + 9.0), False
    if hi - lo <= MOST_BARS:
        return np.arange(lo, hi + 1.0), False
    if hi > WIDE * lo:
        return np.unique(np.round(np.geomspace(lo, hi, MOST_BARS // 2))), True
    step = math.ceil((hi - lo) / MOST_BARS)
    return np.arange(lo, hi + step, step, dtype=np.float64), False


def _bars(x: Scale, y: Scale, edges: np.ndarray, heights: np.ndarray) -> list[Markup]:
    left, base = x(edges), HEIGHT - BOTTOM
    gap = 1.0 if left[1] - left[0] > 4 else 0.0
    bars = []
    for i in np.flatnonzero(heights).tolist():
        # A single group must not vanish beside a thousand.
        top = min(float(y(heights[i])), base - 1.5)
        tip = _tip(int(edges[i]), int(edges[i + 1]) - 1, int(heights[i]))
        bars.append(svg.rect(left[i] + gap / 2, top, left[i + 1] - left[i] - gap, base - top, "bar", tip))
    return bars


def _tip(first: int, last: int, n_groups: int) -> str:
    groups = "1 group" if n_groups == 1 else f"{count(n_groups)} groups"
    rows = "1 row" if first == last == 1 else f"{count(first)} rows"
    return f"{groups} of {rows}" if first == last else f"{groups} of {count(first)} to {count(last)} rows"


def _x_axis(x: Scale, edges: np.ndarray) -> list[Markup]:
    base = HEIGHT - BOTTOM
    # A bar stands for whole sizes; its label belongs under its middle unless the scale is logarithmic.
    shift = 0.0 if x.log else (edges[1] - edges[0] if edges[1] - edges[0] == 1 else 0.0) / 2
    marks = log_ticks(x.lo, x.hi) if x.log else ticks(x.lo, x.hi - 2 * shift, 8, whole=True)
    labels = [svg.text(float(x(m + shift)), base + 18, tick(m), "tick", text_anchor="middle") for m in marks]
    words = "rows in the group" + (" (log scale)" if x.log else "")
    return [
        svg.line(LEFT, base, WIDTH - RIGHT, base, "axis"),
        *labels,
        svg.text(LEFT, base + 40, words, "note"),
    ]


def _y_axis(y: Scale) -> list[Markup]:
    parts = []
    for mark in ticks(0, y.hi, 4, whole=True):
        place = float(y(mark))
        parts += [svg.line(LEFT, place, WIDTH - RIGHT, place, "grid")]
        parts += [svg.text(LEFT - 8, place + 4, tick(mark), "tick", text_anchor="end")]
    return [*parts, svg.text(LEFT - 8, 14, "groups", "note", text_anchor="end")]


def _describe(sizes: np.ndarray, counts: np.ndarray) -> str:
    if not len(sizes):
        return "There are no groups."
    usual = int(sizes[np.argmax(counts)])
    return (
        f"{count(counts.sum())} groups of {count(sizes.min())} to {count(sizes.max())} rows; "
        f"the most common size is {count(usual)}."
    )
