"""The groups as boxes over two columns, as in the figures of the Mondrian paper."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from markupsafe import Markup

from amongst.report.charts import svg
from amongst.report.charts.boxes import HEIGHT, NAME, WIDTH, Layout, lay_out, shade_of_box, shades
from amongst.report.charts.scale import Scale, date_ticks, ticks
from amongst.report.views import LABELLED, Axis, Heat, PartitionView
from amongst.report.wording import shorten, tick


def partition_chart(view: PartitionView, threshold: int, layout: Layout | None = None, key: str = "boxes") -> Markup:
    """Boxes shaded by how many rows they hold for their area, or outlines over the heat of the input.

    Examples
    --------
    >>> from amongst.report import Axis, PartitionView
    >>> from amongst.report.charts.partition import partition_chart
    >>> sides = {"x_lo": [20, 30], "x_hi": [29, 30], "y_lo": [1, 2], "y_hi": [5, 2]}
    >>> view = PartitionView(x=Axis("age"), y=Axis("zip"), size=[4, 3], **sides)
    >>> partition_chart(view, 3).count("<path")
    2
    """
    layout = layout or lay_out(view)
    x, y = layout.x, layout.y
    parts = [svg.rect(x.start, y.end, x.end - x.start, y.start - y.end, "ground")]
    if view.heat is None:
        parts += [svg.group("boxes", _paths(layout.box, shade_of_box(layout)))]
    else:
        parts += [_heat(view.heat, x, y, threshold), svg.group("outline", _paths(layout.box))]
    parts += [*_x_axis(view.x, x, y.start), *_y_axis(view.y, y, x.start)]
    title = f"The groups over {view.x.name} and {view.y.name}"
    return svg.chart(key, WIDTH, HEIGHT, title, layout.sentence, *parts)


def _paths(box: np.ndarray, shade: np.ndarray | None = None) -> Markup:
    """All boxes as one piece of text: there are thousands, and nothing in them but numbers."""
    classes = [""] * len(box) if shade is None else [f' class="s{s}"' for s in shade.tolist()]
    return Markup(
        "".join(
            f'<path{class_} d="M{x:.6g} {y:.6g}h{w:.6g}v{h:.6g}h-{w:.6g}z"></path>'
            for (x, y, w, h), class_ in zip(np.round(box, 1).tolist(), classes, strict=True)
        )
    )


def _heat(heat: Heat, x: Scale, y: Scale, threshold: int) -> Markup:
    """Cells with enough rows, in a few shades; the others stay empty."""
    counts = np.asarray(heat.counts, dtype=np.float64)
    i, j = np.nonzero(counts >= max(threshold, 1))
    left, base = x(heat.x_edges), y(heat.y_edges)
    cells = np.column_stack([left[i], base[j + 1], left[i + 1] - left[i], base[j] - base[j + 1]])
    return svg.group("heat", _paths(cells, shades(np.log(counts[i, j]), first=1)))


def _marks(axis: Axis, scale: Scale, least_gap: float) -> tuple[np.ndarray, Sequence[str]]:
    """Where the axis is labelled, and how; fewer labels where they would run into each other."""
    if axis.kind == "date":
        return date_ticks(scale.lo, scale.hi, 7)
    if axis.kind not in LABELLED:
        places = ticks(scale.lo, scale.hi, 8)
        return places, [tick(place) for place in places]
    gap = abs(scale.end - scale.start) / max(len(axis.labels), 1)
    codes = np.arange(0, len(axis.labels), max(int(np.ceil(least_gap / gap)), 1))
    return codes + 0.5, [shorten(axis.labels[code], NAME) for code in codes]


def _x_axis(axis: Axis, x: Scale, base: float) -> list[Markup]:
    slanted = axis.kind in LABELLED
    anchor, drop = ("end", 14) if slanted else ("middle", 18)
    places, words = _marks(axis, x, 16)
    parts = []
    for place, word in zip(x(places).tolist(), words, strict=True):
        turn = {"transform": f"rotate(-40 {svg.number(place)} {svg.number(base + drop)})"} if slanted else {}
        parts += [svg.line(place, base, place, base + 4, "axis")]
        parts += [svg.text(place, base + drop, word, "tick", text_anchor=anchor, **turn)]
    name = svg.text(x.end, HEIGHT - 8, shorten(axis.name, 60) + " →", "note", text_anchor="end")
    return [*parts, svg.line(x.start, base, x.end, base, "axis"), name]


def _y_axis(axis: Axis, y: Scale, left: float) -> list[Markup]:
    places, words = _marks(axis, y, 14)
    parts = []
    for place, word in zip(y(places).tolist(), words, strict=True):
        parts += [svg.line(left - 4, place, left, place, "axis")]
        parts += [svg.text(left - 8, place + 4, word, "tick", text_anchor="end")]
    middle = svg.number((y.start + y.end) / 2)
    name = svg.text(
        12,
        float(middle),
        shorten(axis.name, 60) + " →",
        "note",
        text_anchor="middle",
        transform=f"rotate(-90 12 {middle})",
    )
    return [*parts, svg.line(left, y.start, left, y.end, "axis"), name]
