"""What every column lost."""

from __future__ import annotations

from typing import Any

from amongst.app import theme
from amongst.app.panels import markup
from amongst.app.panels.bars import HIDDEN
from amongst.app.panels.chart import chart
from amongst.report.wording import percent

ROW, ENDS, MOST = 27, 34, 16
"""Pixels of a bar with its room, and of the rest; and how many bars are drawn."""


def loss(view: dict[str, Any], dark: bool = False) -> None:
    """A bar for every quasi-identifier, most lost first."""
    words = "0% says as much as what came in, 100% says nothing (normalized certainty penalty, NCP)."
    markup.show(markup.section("Loss by column", words))
    columns = view["columns"][:MOST]
    rows = [[one["name"], percent(one["loss"])] for one in view["columns"]]
    mean = percent(view["gcp"]) if view["gcp"] is not None else "not measured"
    said = f"Loss by column, {mean} on average: " + ", ".join(f"{name} {share}" for name, share in rows[:MOST])
    chart(
        loss_options(view, dark),
        said,
        dark=dark,
        height=ENDS + ROW * max(len(columns), 1),
        figures=(["column", "lost"], rows),
        marker="loss",
    )
    if len(view["columns"]) > MOST:
        markup.show(markup.element("p", f"The {MOST} that lost most; all are in the table.", class_="am-note"))


def loss_options(view: dict[str, Any], dark: bool = False) -> dict[str, Any]:
    """The chart as options."""
    colours, columns = theme.palette(dark), view["columns"][:MOST]
    names = theme.axis(dark, type="category", data=[one["name"] for one in columns], inverse=True)
    names["axisLabel"] |= {"color": colours.ink, "interval": 0, "width": 150, "overflow": "truncate"}
    bars = {
        "type": "bar",
        "barWidth": 14,
        "showBackground": True,
        "backgroundStyle": {"color": colours.ground, "borderColor": colours.hair, "borderWidth": 1},
        "itemStyle": {"color": colours.blue},
        "data": [{"value": one["loss"] * 100, "tip": [one["name"], f"{percent(one['loss'])} lost"]} for one in columns],
    }
    if view["gcp"] is not None:
        bars["markLine"] = _mean_line(view["gcp"], dark)
    value = {"type": "value", **HIDDEN, "min": 0, "max": 100}
    shares = theme.axis(dark, type="category", data=[percent(one["loss"]) for one in columns], inverse=True)
    shares |= {"position": "right", "axisLine": {"show": False}}
    shares["axisLabel"] |= {"color": colours.ink, "interval": 0}
    return {"xAxis": value, "yAxis": [names, shares], "series": [bars], "grid": {"left": 4, "right": 4, "bottom": 22}}


def _mean_line(gcp: float, dark: bool) -> dict[str, Any]:
    colours = theme.palette(dark)
    return {
        "silent": True,
        "symbol": "none",
        "lineStyle": {"color": colours.ink, "type": "dashed", "width": 1},
        "label": {"color": colours.ink, "fontSize": 12, "formatter": f"average {percent(gcp)}"},
        "data": [{"xAxis": gcp * 100}],
    }
