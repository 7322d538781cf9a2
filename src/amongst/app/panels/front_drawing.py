"""How candidates look: a line for every method over k, or a bar each where there is a single k."""

from __future__ import annotations

from typing import Any

from amongst.app import theme
from amongst.report.wording import count, percent

SHAPES = ("circle", "rect", "triangle", "diamond")


def front_options(view: dict[str, Any], dark: bool = False) -> dict[str, Any]:
    """A line for every method over k, each with a shape of its own; with a single k a bar for every method."""
    colours = theme.palette(dark)
    points = [point for point in view["points"] if point["comparable"]]
    if len({point["k"] for point in points}) == 1:
        return _bars(points, view, dark)
    names = list(dict.fromkeys(point["name"] for point in points))
    ks = sorted({point["k"] for point in points})
    losses = [point["loss"] for point in points if point["loss"]]
    series = [_line(names, name, [p for p in points if p["name"] == name], ks, view, dark) for name in names]
    series.append(_front(points, ks, dark))
    x = theme.axis(dark, type="category", data=[f"k = {count(k)}" for k in ks])
    y = theme.axis(
        dark, type="value", name=f"lost ({view['measure']})", axisLine={"show": False}, splitLine={"show": True}
    )
    if losses and max(losses) > 5 * min(losses):
        y |= {"type": "log", "logBase": 2, "name": f"lost ({view['measure']}), log scale"}
    y["axisLabel"] |= {"formatter": "{value}%"}
    y["nameTextStyle"] |= {"align": "left"}
    legend = {
        "type": "scroll",
        "orient": "vertical",
        "right": 0,
        "top": 24,
        "textStyle": {"color": colours.ink, "width": 150, "overflow": "truncate"},
        "data": names,
    }
    longest = max((len(name) for name in names), default=0)
    grid = {"top": 34, "right": min(60 + 8 * longest, 200), "bottom": 10}
    return {"xAxis": x, "yAxis": y, "series": series, "legend": legend, "grid": grid}


def _bars(points: list[dict[str, Any]], view: dict[str, Any], dark: bool) -> dict[str, Any]:
    """The least loss first; what is on the front is filled."""
    colours, points = theme.palette(dark), sorted(points, key=lambda one: one["loss"])
    names = theme.axis(dark, type="category", data=[point["name"] for point in points], inverse=True)
    names["axisLabel"] |= {"color": colours.ink, "interval": 0, "width": 150, "overflow": "truncate"}
    value = theme.axis(dark, type="value", name=f"lost ({view['measure']})", min=0, splitLine={"show": True})
    value |= {"nameLocation": "middle", "nameGap": 26}
    value["axisLabel"] |= {"formatter": "{value}%"}
    data = [
        {
            "value": point["loss"] * 100,
            "index": point["index"],
            "tip": point_words(view, point),
            "label": {"formatter": percent(point["loss"]) + (" recommended" if point["recommended"] else "")},
            "itemStyle": {
                "color": colours.blue if point["on_front"] else colours.before,
                "borderColor": colours.yellow if point["recommended"] else colours.before_edge,
                "borderWidth": 4 if point["recommended"] else 1,
            },
        }
        for point in points
    ]
    label = {"show": True, "position": "right", "color": colours.ink}
    bars = {"type": "bar", "barMaxWidth": 22, "label": label, "data": data}
    return {"xAxis": value, "yAxis": names, "series": [bars], "grid": {"right": 110, "bottom": 24}}


def _front(points: list[dict[str, Any]], ks: list[int], dark: bool) -> dict[str, Any]:
    """A broad pale line along the candidates that none beats."""
    best = {point["k"]: point for point in sorted(points, key=lambda one: -one["loss"]) if point["on_front"]}
    return {
        "type": "line",
        "symbol": "none",
        "silent": True,
        "z": 1,
        "lineStyle": {"color": theme.palette(dark).ramp[1], "width": 14, "cap": "round", "join": "round"},
        "data": [[ks.index(k), max(best[k]["loss"] * 100, 1e-3)] for k in sorted(best)],
    }


def _line(
    names: list[str], name: str, points: list[dict[str, Any]], ks: list[int], view: dict[str, Any], dark: bool
) -> dict[str, Any]:
    colours, n = theme.palette(dark), names.index(name)
    colour = (colours.blue, colours.ink, colours.red, colours.before_edge)[n % 4]
    data = [
        {
            "value": [ks.index(point["k"]), max(point["loss"] * 100, 1e-3)],
            "index": point["index"],
            "tip": point_words(view, point),
            "symbolSize": 17 if point["recommended"] else 11,
            "itemStyle": {
                "color": colour if point["on_front"] else colours.paper,
                "borderColor": colours.yellow if point["recommended"] else colour,
                "borderWidth": 4 if point["recommended"] else 2,
            },
        }
        for point in sorted(points, key=lambda one: one["k"])
    ]
    return {
        "name": name,
        "type": "line",
        "symbol": SHAPES[(n + n // 4) % 4],
        "showAllSymbol": True,
        "itemStyle": {"color": colour},
        "lineStyle": {"color": colour, "width": 1.5, "type": ("solid", "dashed", "dotted")[n // 4 % 3]},
        "data": data,
    }


def point_words(view: dict[str, Any], point: dict[str, Any]) -> list[str]:
    """What the pointer tells of a candidate."""
    words = [f"{point['name']}, k = {count(point['k'])}", f"{percent(point['loss'])} lost ({view['measure']})"]
    words.append(f"{point['suppressed']} of the rows left out; made in {point['took']}")
    if point["recommended"]:
        words.append("recommended")
    elif point["on_front"]:
        words.append("on the front: none beats it in both k and loss")
    return words
