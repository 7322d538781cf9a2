"""The charts of the report as Vega-Lite specs: plain dicts, for a notebook that has a renderer for them.

``altair.Chart.from_dict(spec(story, "class-sizes"))`` shows one; nothing here imports anything of the kind.
Counts are hidden as on the page.
"""

from __future__ import annotations

from collections.abc import Callable

import numpy as np

from amongst.errors import BadOption, refuse_unknown_word
from amongst.report.charts.boxes import lay_out
from amongst.report.charts.class_sizes import binned
from amongst.report.shown import show
from amongst.report.story import Story
from amongst.report.vega_panels import BLUE, MILLISECONDS, Spec, panel
from amongst.report.views import LABELLED, Axis
from amongst.report.wording import visible

SCHEMA = "https://vega.github.io/schema/vega-lite/v5.json"
RED = "#b5121b"


def spec(story: Story, name: str) -> Spec:
    """One chart of the report by its name: a key of ``CHARTS``.

    Examples
    --------
    >>> from amongst.report import ClassSizes, Story
    >>> from amongst.report.vega import spec
    >>> facts = {"n_rows": 6, "n_columns": 4, "n_published": 6, "n_groups": 2, "smallest": 3, "largest": 3}
    >>> story = Story(title="Patients", threshold=2, class_sizes=ClassSizes([3], [2]), **facts)
    >>> spec(story, "class-sizes")["data"]["values"]
    [{'from': 3, 'to': 4, 'groups': 2}]
    """
    refuse_unknown_word(f"There is no chart {name!r}.", "chart", name, CHARTS)
    drawn = CHARTS[name](story)
    if drawn is None:
        raise BadOption(
            f"There is nothing to draw in the chart {name!r}.",
            found="the release did not measure it",
            fix="use one of: " + (", ".join(key for key, draw in CHARTS.items() if draw(story)) or "none"),
        )
    return {"$schema": SCHEMA, **drawn}


def loss(story: Story) -> Spec | None:
    """Loss per column, as bars."""
    if not story.utility.ncp:
        return None
    values = [{"column": visible(name), "loss": float(ncp)} for name, ncp in story.utility.ncp.items()]
    title = "normalized certainty penalty (NCP)"
    return {
        "title": "Loss per column",
        "width": 500,
        "data": {"values": values},
        "mark": {"type": "bar", "color": BLUE},
        "encoding": {
            "y": {"field": "column", "type": "nominal", "sort": "-x", "title": None},
            "x": {"field": "loss", "type": "quantitative", "title": title, "axis": {"format": "%"}},
            "tooltip": [{"field": "column"}, {"field": "loss", "type": "quantitative", "format": ".1%"}],
        },
    }


def class_sizes(story: Story) -> Spec | None:
    """How many groups have how many rows, as a histogram."""
    if story.class_sizes is None or not len(story.class_sizes.sizes):
        return None
    edges, heights, log = binned(story.class_sizes.sizes, story.class_sizes.counts, story.threshold)
    values = [
        {"from": int(edges[i]), "to": int(edges[i + 1]), "groups": int(heights[i])} for i in np.flatnonzero(heights)
    ]
    scale = {"type": "log" if log else "linear", "domain": [int(edges[0]), int(edges[-1])], "nice": False}
    x = {"field": "from", "type": "quantitative", "scale": scale, "title": "rows in the group"}
    return {
        "title": "Group sizes",
        "width": 600,
        "height": 220,
        "data": {"values": values},
        "layer": [
            {
                "mark": {
                    "type": "rect",
                    "color": BLUE,
                    "stroke": "white",
                    "strokeWidth": 0.5,
                    "tooltip": True,
                },
                "encoding": {
                    "x": x,
                    "x2": {"field": "to"},
                    "y": {"field": "groups", "type": "quantitative", "title": "groups"},
                    "y2": {"datum": 0},
                },
            },
            {"mark": {"type": "rule", "color": RED}, "encoding": {"x": {"datum": story.threshold}}},
        ],
    }


def distributions(story: Story) -> Spec | None:
    """Every column before and after, beside each other."""
    shown = [(one, show(one, story.threshold)) for one in story.distributions]
    panels = [panel(one.column, one.kind, cells) for one, cells in shown if cells.n_cells]
    apart = {"scale": {"x": "independent", "y": "independent", "yOffset": "independent"}}
    return {"concat": panels, "columns": 2, "resolve": apart} if panels else None


def partition(story: Story) -> Spec | None:
    """The groups as boxes over two columns, coloured by their rows for their area."""
    view = story.partition
    if view is None:
        return None
    layout = lay_out(view)
    x_sides = [_places(view.x, side, layout.group) for side in (view.x_lo, view.x_hi)]
    y_sides = [_places(view.y, side, layout.group) for side in (view.y_lo, view.y_hi)]
    sides = [x_sides[0], x_sides[1] + _width(view.x), y_sides[0], y_sides[1] + _width(view.y)]
    density = layout.size / (layout.box[:, 2] * layout.box[:, 3])
    names = ("x_lo", "x_hi", "y_lo", "y_hi", "rows", "density")
    rows = np.column_stack([*sides, layout.size, density]).tolist()
    return {
        "title": {"text": "The groups over two columns", "subtitle": layout.sentence},
        "width": 600,
        "height": 400,
        "data": {"values": [dict(zip(names, row, strict=True)) for row in rows]},
        "mark": {"type": "rect", "stroke": "black", "strokeWidth": 0.5},
        "encoding": {
            "x": {"field": "x_lo", **_axis(view.x)},
            "x2": {"field": "x_hi"},
            "y": {"field": "y_lo", **_axis(view.y)},
            "y2": {"field": "y_hi"},
            "color": {
                "field": "density",
                "type": "quantitative",
                "scale": {"type": "log", "range": ["#ffffff", BLUE], "interpolate": "rgb"},
                "legend": None,
            },
            "tooltip": [{"field": "rows", "type": "quantitative"}],
        },
    }


def _places(axis: Axis, side: np.ndarray, groups: np.ndarray) -> np.ndarray:
    places = np.asarray(side, dtype=np.float64)[groups]
    return places * MILLISECONDS if axis.kind == "date" else places


def _width(axis: Axis) -> float:
    return axis.width_of_value * (MILLISECONDS if axis.kind == "date" else 1)


def _axis(axis: Axis) -> Spec:
    drawn: Spec = {
        "type": "quantitative",
        "title": visible(axis.name),
        "scale": {"zero": False, "nice": False},
    }
    if axis.kind == "date":
        return {**drawn, "type": "temporal", "scale": {"nice": False}}
    if axis.kind not in LABELLED:
        return drawn
    # Codes are labelled in their middle; the expression looks the name up by code.
    names = ",".join(_quoted(label) for label in axis.labels)
    places = [code + 0.5 for code in range(len(axis.labels))]
    return {**drawn, "axis": {"values": places, "labelExpr": f"[{names}][floor(datum.value)]", "grid": False}}


def _quoted(label: str) -> str:
    return "'" + visible(label).replace("\\", "\\\\").replace("'", "\\'") + "'"


CHARTS: dict[str, Callable[[Story], Spec | None]] = {
    "loss": loss,
    "class-sizes": class_sizes,
    "distributions": distributions,
    "partition": partition,
}
