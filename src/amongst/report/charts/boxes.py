"""Where the boxes of a partition lie on the page, and which of them are drawn."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from amongst.report.charts.scale import Scale, span
from amongst.report.charts.svg import room
from amongst.report.views import LABELLED, Axis, PartitionView
from amongst.report.wording import count

WIDTH, HEIGHT, RIGHT, TOP = 880, 580, 16, 14
NAME = 19
MOST_BOXES = 3000
MOST_GROUPS = 30_000
"""Of more groups only every second, third, ... is looked at."""
LEAST = 2.4
"""A box that is a point or a line is still drawn this many pixels wide."""
N_SHADES = 6


@dataclass(frozen=True, eq=False, kw_only=True)
class Layout:
    """The scales of the picture and its boxes, large ones first.

    Attributes
    ----------
    x, y : Scale
    box : ndarray, shape (n_drawn, 4)
        Left, top, width and height in pixels.
    size : ndarray
        Rows of every box: groups that look the same are one box.
    group : ndarray of int
        A group of every box.
    n_groups : int
        How many groups there are in all.
    is_sample : bool
    """

    x: Scale
    y: Scale
    box: np.ndarray
    size: np.ndarray
    group: np.ndarray
    n_groups: int
    is_sample: bool

    @property
    def sentence(self) -> str:
        """What the picture shows, and of how much."""
        groups, boxes = _many(self.n_groups, "group"), _many(len(self.box), "different box", "es")
        return f"{groups}, of which a sample is drawn: {boxes}." if self.is_sample else f"{groups}, drawn as {boxes}."


def lay_out(view: PartitionView) -> Layout:
    """Place the boxes, keep one of those that look the same, and an even sample by area of too many."""
    left = room(view.y.labels, NAME) + 22 if view.y.kind in LABELLED else 72.0
    base = HEIGHT - (116.0 if view.x.kind in LABELLED else 52.0)
    if view.x.kind in LABELLED:
        left = max(left, 100.0)  # slanted names reach to the left of their place
    x = Scale(*_axis_span(view.x, view.x_lo, view.x_hi), left, WIDTH - RIGHT)
    y = Scale(*_axis_span(view.y, view.y_lo, view.y_hi), base, TOP)
    every = -(-len(view.size) // MOST_GROUPS) or 1
    box = _pixel_boxes(view, x, y, every)
    placed = np.flatnonzero(np.isfinite(box).all(axis=1))
    tenths = np.round(box[placed] * 10).astype(np.int64)
    # No side of the page has more than 2^13 tenths of a pixel: a box is one number, which sorts fast.
    _, first, box_of_group = np.unique(
        tenths @ (1 << np.array([39, 26, 13, 0])), return_index=True, return_inverse=True
    )
    size = np.bincount(box_of_group, weights=np.asarray(view.size)[::every][placed], minlength=len(first))
    by_area = np.argsort(-(tenths[first, 2] * tenths[first, 3]), kind="stable")
    is_sample = every > 1 or len(by_area) > MOST_BOXES
    if len(by_area) > MOST_BOXES:
        by_area = by_area[np.linspace(0, len(by_area) - 1, MOST_BOXES).astype(np.int64)]
    drawn = first[by_area]
    return Layout(
        x=x,
        y=y,
        box=tenths[drawn] / 10,
        size=size[by_area],
        group=placed[drawn] * every,
        n_groups=len(view.size),
        is_sample=is_sample,
    )


def shade_of_box(layout: Layout) -> np.ndarray:
    """By rows for the area: 0 for the sparsest to N_SHADES - 1 for the densest."""
    return shades(np.log(np.maximum(layout.size, 1e-9) / (layout.box[:, 2] * layout.box[:, 3])))


def shades(values: np.ndarray, first: int = 0) -> np.ndarray:
    """Values in classes of equal number, ``first`` to N_SHADES - 1; one class where all are the same."""
    if not len(values) or values.max() - values.min() < 1e-9:
        return np.full(len(values), first, dtype=np.int64)
    n_shades = N_SHADES - first
    return first + np.searchsorted(np.quantile(values, np.arange(1, n_shades) / n_shades), values, side="left")


def _axis_span(axis: Axis, lo: np.ndarray, hi: np.ndarray) -> tuple[float, float]:
    if axis.kind in LABELLED and axis.labels:
        return 0.0, float(len(axis.labels))
    return span(lo, np.asarray(hi, dtype=np.float64) + axis.width_of_value)


def _pixel_boxes(view: PartitionView, x: Scale, y: Scale, every: int) -> np.ndarray:
    bounds = (view.x_lo, view.x_hi, view.y_lo, view.y_hi)
    x_lo, x_hi, y_lo, y_hi = (np.asarray(bound, dtype=np.float64)[::every] for bound in bounds)
    left, right = x(x_lo), x(x_hi + view.x.width_of_value)
    base, top = y(y_lo), y(y_hi + view.y.width_of_value)
    width, height = np.maximum(right - left, LEAST), np.maximum(base - top, LEAST)
    # A point keeps its middle when it is made large enough to see.
    return np.column_stack([(left + right - width) / 2, (top + base - height) / 2, width, height])


def _many(n: int, word: str, plural: str = "s") -> str:
    return f"{count(n)} {word}{'' if n == 1 else plural}"
