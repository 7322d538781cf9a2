"""One column before and after, as a Vega-Lite spec."""

from __future__ import annotations

from typing import Any

import numpy as np

from amongst.report.shown import Shown
from amongst.report.wording import visible

BLUE, GREY = "#1d4f9f", "#a5a59d"
MILLISECONDS = 86_400_000
"""Of a day: dates are days here and milliseconds there."""
Spec = dict[str, Any]

_STAGE: Spec = {
    "field": "stage",
    "type": "nominal",
    "scale": {"domain": ["before", "after"], "range": [GREY, BLUE]},
    "title": None,
}


def panel(column: str, kind: str, shown: Shown) -> Spec:
    """Bars for categories, steps on the number line."""
    drawn = _bars(shown) if shown.edges is None else _steps(kind, shown)
    return {"title": visible(column), "width": 300, **drawn}


def _bars(shown: Shown) -> Spec:
    values = [
        {"cell": visible(label), "place": i, "stage": stage, "share": float(share)}
        for stage, shares in (("before", shown.before), ("after", shown.after))
        for i, (label, share) in enumerate(zip(shown.labels, shares, strict=True))
    ]
    return {
        "height": {"step": 9},
        "data": {"values": values},
        "mark": {"type": "bar", "tooltip": True},
        "encoding": {
            "y": {"field": "cell", "type": "nominal", "title": None, "sort": {"field": "place"}},
            "yOffset": {"field": "stage", "sort": ["before", "after"]},
            "x": {
                "field": "share",
                "type": "quantitative",
                "title": "share of rows",
                "axis": {"format": "%"},
            },
            "color": _STAGE,
        },
    }


def _steps(kind: str, shown: Shown) -> Spec:
    """Cells differ in width, so the height is the share for the width."""
    edges = shown.edges if shown.edges is not None else np.zeros(1)
    places = (edges * MILLISECONDS if kind == "date" else edges).tolist()
    density = np.column_stack([shown.before, shown.after]) / np.diff(edges)[:, None]
    # The line needs the last height once more, to reach the last edge.
    heights = np.vstack([density, density[-1:]]).tolist()
    values = [
        {"place": place, "stage": stage, "density": height[i]}
        for i, stage in enumerate(("before", "after"))
        for place, height in zip(places, heights, strict=True)
    ]
    x_type = (
        {"type": "temporal"} if kind == "date" else {"type": "quantitative", "scale": {"zero": False, "nice": False}}
    )
    return {
        "height": 190,
        "data": {"values": values},
        "mark": {"type": "line", "interpolate": "step-after"},
        "encoding": {
            "x": {"field": "place", "title": None, **x_type},
            "y": {
                "field": "density",
                "type": "quantitative",
                "title": "share of rows for the width",
                "axis": {"labels": False},
            },
            "color": _STAGE,
        },
    }
