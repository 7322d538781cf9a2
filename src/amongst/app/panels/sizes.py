"""How large the groups are."""

from __future__ import annotations

from typing import Any

from amongst.app import theme
from amongst.app.panels import markup
from amongst.app.panels.chart import chart
from amongst.report.wording import count


def sizes(view: dict[str, Any], dark: bool = False) -> None:
    """A bar for every size, or range of sizes."""
    markup.show(markup.section("Group sizes", view["words"]))
    rows = [[name, count(n)] for name, n in zip(view["names"], view["groups"], strict=True) if n]
    chart(
        size_options(view, dark),
        f"Group sizes: {view['words']}",
        dark=dark,
        height=220,
        figures=(["rows in the group", "groups"], rows),
        marker="sizes",
    )


def size_options(view: dict[str, Any], dark: bool = False) -> dict[str, Any]:
    """The chart as options."""
    colours = theme.palette(dark)
    names = theme.axis(dark, type="category", data=view["names"], name="rows in the group")
    names |= {"nameLocation": "middle", "nameGap": 28}
    names["axisLabel"] |= {"hideOverlap": True}
    value = theme.axis(dark, type="value", minInterval=1, axisLine={"show": False}, splitLine={"show": True})
    value["name"] = "groups"
    bars = {
        "type": "bar",
        "barCategoryGap": "12%",
        "barMinHeight": 2,
        "barMaxWidth": 60,
        "itemStyle": {"color": colours.blue},
        "data": [
            {"value": n or None, "tip": [f"{name} rows", f"{count(n)} group{'' if n == 1 else 's'}"]}
            for name, n in zip(view["names"], view["groups"], strict=True)
        ],
    }
    return {"xAxis": names, "yAxis": value, "series": [bars], "grid": {"top": 30, "bottom": 24}}
