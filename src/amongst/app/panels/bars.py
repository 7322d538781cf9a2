"""Before and after as bars: a wide grey one with an edge, and in it a narrow blue one."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from amongst.app import theme
from amongst.report.wording import percent

WIDE, NARROW, ROW = 18, 7, 28
"""Pixels: the bars, and the room that one name takes."""
HIDDEN: dict[str, Any] = {"show": False, "axisLabel": {"show": False}}
"""An axis that is not seen, and takes no room for its labels."""


def lying_bars(
    names: Sequence[str], before: Sequence[float], after: Sequence[float], *, dark: bool = False
) -> dict[str, Any]:
    """Shares by name, one below the other, with both figures at the end of the bars."""
    ink = theme.palette(dark).ink
    series = _series(before, after, _tips(names, before, after, ""), dark)
    for i, (b, a) in enumerate(zip(before, after, strict=True)):
        longer = series[1 if a > b else 0]["data"][i]
        longer["label"] = {"show": True, "position": "right", "color": ink, "fontSize": 12, "formatter": _change(b, a)}
    first, second = _names(names, dark, inverse=True)
    first["axisLabel"] |= {"width": 118, "overflow": "truncate"}
    series[1]["yAxisIndex"] = 1
    value = {"type": "value", **HIDDEN, "min": 0, "max": _most(before, after) * 1.02}
    grid = {"left": 4, "right": 104, "top": 4, "bottom": 4}
    return {"xAxis": value, "yAxis": [first, second], "series": series, "grid": grid}


def upright_bars(
    names: Sequence[str],
    before: Sequence[float],
    after: Sequence[float],
    *,
    dark: bool = False,
    what: str = "",
    danger: Sequence[bool] = (),
) -> dict[str, Any]:
    """Shares by name, side by side; bars of what came in that are in ``danger`` have a red edge and are hatched."""
    colours = theme.palette(dark)
    series = _series(before, after, _tips(names, before, after, what), dark)
    for i in [i for i, is_danger in enumerate(danger) if is_danger and before[i] > 0]:
        series[0]["data"][i]["itemStyle"] = {
            "borderColor": colours.red,
            "borderWidth": 1.5,
            "decal": hatch(colours.red),
        }
    first, second = _names(names, dark)
    series[0]["barWidth"], series[1]["barWidth"], series[1]["xAxisIndex"] = "56%", "22%", 1
    value = theme.axis(dark, type="value", min=0, axisLine={"show": False}, splitLine={"show": True})
    value["axisLabel"] |= {"formatter": "{value}%"}
    return {"xAxis": [first, second], "yAxis": value, "series": series}


def hatch(colour: str) -> dict[str, Any]:
    """Thin lines across a mark, so that it is not told by its colour alone."""
    return {"symbol": "rect", "dashArrayX": [1, 0], "dashArrayY": [1, 5], "rotation": -0.785, "color": colour}


def _series(before: Sequence[float], after: Sequence[float], tips: list[list[str]], dark: bool) -> list[dict[str, Any]]:
    colours = theme.palette(dark)
    looks = (
        ("before", before, WIDE, {"color": colours.before, "borderColor": colours.before_edge, "borderWidth": 1}),
        ("after", after, NARROW, {"color": colours.blue}),
    )
    return [
        {
            "name": name,
            "type": "bar",
            "barWidth": width,
            "itemStyle": look,
            "data": [{"value": share * 100, "tip": tip} for share, tip in zip(shares, tips, strict=True)],
        }
        for name, shares, width, look in looks
    ]


def _names(names: Sequence[str], dark: bool, *, inverse: bool = False) -> tuple[dict[str, Any], dict[str, Any]]:
    """Two axes of the same names, of which one is seen: each series is centred on one of its own."""
    seen = theme.axis(dark, type="category", data=list(names), inverse=inverse)
    seen["axisLabel"] |= {"color": theme.palette(dark).ink, "interval": 0}
    return seen, {"type": "category", "data": list(names), "inverse": inverse, **HIDDEN}


def _tips(names: Sequence[str], before: Sequence[float], after: Sequence[float], what: str) -> list[list[str]]:
    return [
        [f"{what}{name}", f"before: {percent(b)} of the rows", f"after: {percent(a)} of the rows"]
        for name, b, a in zip(names, before, after, strict=True)
    ]


def _change(before: float, after: float) -> str:
    first, last = percent(before), percent(after)
    return first if first == last else f"{first} → {last}"


def _most(before: Sequence[float], after: Sequence[float]) -> float:
    return max([*before, *after, 1e-6]) * 100
