"""Every column before and after, as small charts side by side."""

from __future__ import annotations

from itertools import pairwise
from typing import Any

from nicegui import ui

from amongst.app import theme
from amongst.app.panels import javascript, markup
from amongst.app.panels.bars import HIDDEN, ROW, lying_bars
from amongst.app.panels.chart import chart
from amongst.report.wording import percent

HEIGHT = 220
DAY = 86_400_000
"""Milliseconds: dates are days here and milliseconds there."""
ROLES = {"quasi": "quasi-identifier", "sensitive": "sensitive"}


def distributions(views: list[dict[str, Any]], dark: bool = False) -> None:
    """One small chart a column; the legend stands once."""
    words = (
        "Grey is what came in. Blue is what a reader of the release expects when every group is spread evenly over "
        "what was published for it; sensitive columns are published as they are."
    )
    markup.show(markup.section("Distributions before and after", words))
    markup.show(markup.legend(("am-before", "before"), ("am-after", "after")))
    with ui.element("div").classes("am-multiples"):
        for i, view in enumerate(views):
            with ui.element("div").classes("am-multiple"):
                _one(view, dark, f"distribution-{i}")


def _one(view: dict[str, Any], dark: bool, marker: str) -> None:
    moved = f"{percent(view['moved'])} of the rows elsewhere" if view["moved"] else "nothing moved"
    title = markup.element("h4", view["column"], markup.element("small", ROLES.get(view["role"], view["role"])))
    markup.show(title)
    if not view["labels"]:
        markup.show(markup.element("p", "Too few rows to show anything.", class_="am-note"))
        return
    rows = [
        [label, percent(b), percent(a)]
        for label, b, a in zip(view["labels"], view["before"], view["after"], strict=True)
    ]
    chart(
        distribution_options(view, dark),
        f"{view['column']} before and after: {moved}.",
        dark=dark,
        height=HEIGHT,
        figures=([view["column"], "before", "after"], rows),
        marker=marker,
    )


def distribution_options(view: dict[str, Any], dark: bool = False) -> dict[str, Any]:
    """Steps on the number line where the column has one, a bar each for names."""
    if view["edges"] is not None:
        return _steps(view, dark)
    drawn = lying_bars(view["labels"], view["before"], view["after"], dark=dark)
    spare = max(HEIGHT - ROW * len(view["labels"]), 8)
    drawn["grid"]["bottom"] = spare
    return drawn


def _steps(view: dict[str, Any], dark: bool) -> dict[str, Any]:
    """Cells differ in width: the area is the share, not the height."""
    colours = theme.palette(dark)
    unit = DAY if view["kind"] == "date" else 1
    edges = [edge * unit for edge in view["edges"]]
    cells = list(pairwise(edges))
    tips = [
        [label, f"before: {percent(b)} of the rows", f"after: {percent(a)} of the rows"]
        for label, b, a in zip(view["labels"], view["before"], view["after"], strict=True)
    ]
    heights = [
        [share / (hi - lo) for share, (lo, hi) in zip(shares, cells, strict=True)]
        for shares in (view["before"], view["after"])
    ]
    before = {
        "name": "before",
        "type": "custom",
        ":renderItem": javascript.STEP,
        "encode": {"x": [0, 1], "y": 2},
        "itemStyle": {"color": colours.before, "borderColor": colours.before_edge, "borderWidth": 0.5},
        "data": [
            {"value": [lo, hi, height], "tip": tip}
            for (lo, hi), height, tip in zip(cells, heights[0], tips, strict=True)
        ],
    }
    after = {
        "name": "after",
        "type": "custom",
        ":renderItem": javascript.OUTLINE,
        "encode": {"x": [0, 1], "y": 2},
        "silent": True,
        "itemStyle": {"borderColor": colours.blue},
        "data": _outline(cells, heights[1]),
    }
    x = theme.axis(dark, type="time" if view["kind"] == "date" else "value", min=edges[0], max=edges[-1])
    x["axisLabel"] |= {"hideOverlap": True, "alignMinLabel": "left", "alignMaxLabel": "right"}
    y = {"type": "value", **HIDDEN, "min": 0, "max": max([*heights[0], *heights[1]]) * 1.04}
    return {"xAxis": x, "yAxis": y, "series": [before, after], "grid": {"left": 10, "right": 14}}


def _outline(cells: list[tuple[float, float]], heights: list[float]) -> list[dict[str, Any]]:
    """A riser and a tread for every cell; the first rises from the ground and the last goes back to it."""
    last = len(cells) - 1
    return [
        {"value": [lo, hi, heights[i], heights[i - 1] if i else 0.0, 0.0 if i == last else heights[i]]}
        for i, (lo, hi) in enumerate(cells)
    ]
