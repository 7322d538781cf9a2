"""How the lattice looks: boxes with lines where it is small, by height and by loss where it is large."""

from __future__ import annotations

from typing import Any

from amongst.app import theme
from amongst.app.panels.bars import hatch
from amongst.report.charts.boxes import N_SHADES
from amongst.report.wording import count, percent

STEP, LEAST, MOST = 62, 260, 520
"""Pixels of one height, and of the whole drawing."""
NODE = 30


def hasse_height(view: dict[str, Any]) -> int:
    """Pixels that the drawing takes."""
    return min(max(STEP * len(view["by_height"]["safe"]) + 20, LEAST), MOST)


def hasse_options(view: dict[str, Any], dark: bool = False) -> dict[str, Any]:
    """Nodes by height, a line to every direct generalization; the ones from unsafe to minimal stand out."""
    colours, nodes = theme.palette(dark), view["nodes"]
    x_of = _across(view)
    data = [{**_mark(view, i, dark), "x": x_of[i] * 10, "y": -nodes[i]["height"] * 6.0} for i in range(len(nodes))]
    for one in data:
        del one["value"]
    links = [
        {
            "source": lower,
            "target": upper,
            "lineStyle": {"color": colours.ink, "width": 2}
            if nodes[upper]["minimal"] and not nodes[lower]["safe"]
            else {"color": colours.before, "width": 1},
        }
        for lower, upper in view["edges"]
    ]
    graph = {
        "type": "graph",
        "layout": "none",
        "roam": True,
        "scaleLimit": {"min": 0.5, "max": 6},
        "left": 40,
        "right": 40,
        "top": 28,
        "bottom": 28,
        "data": data,
        "links": links,
        "emphasis": {"scale": False},
    }
    return {"series": [graph]}


def height_options(view: dict[str, Any], dark: bool = False) -> dict[str, Any]:
    """How many nodes of every height are not safe, and above them how many are."""
    colours = theme.palette(dark)
    safe, unsafe = view["by_height"]["safe"], view["by_height"]["unsafe"]
    heights = [str(height) for height in range(len(safe))]
    names = theme.axis(dark, type="category", data=heights, name="height", axisLine={"onZero": True})
    names |= {"nameLocation": "middle", "nameGap": 24}
    names["axisLabel"] |= {"interval": 0, "fontSize": 11}
    value = theme.axis(dark, type="value", name="generalizations", axisLine={"show": False}, splitLine={"show": True})
    edge = colours.before_edge
    hatched = {"color": colours.paper, "borderColor": edge, "borderWidth": 1, "decal": hatch(edge)}
    pairs = zip(heights, safe, unsafe, strict=True)
    tips = [[f"height {height}", f"{count(s)} safe", f"{count(u)} not safe"] for height, s, u in pairs]
    looks: tuple[tuple[str, list[int], dict[str, Any]], ...]
    looks = (("not safe", unsafe, hatched), ("safe", safe, {"color": colours.blue}))
    series = []
    for name, numbers, look in looks:
        data = [{"value": n or None, "tip": tip} for n, tip in zip(numbers, tips, strict=True)]
        series.append({"name": name, "type": "bar", "stack": "all", "barWidth": "70%", "itemStyle": look, "data": data})
    legend = {"right": 0, "top": 0, "itemWidth": 14, "itemHeight": 10, "textStyle": {"color": colours.ink}}
    return {"xAxis": names, "yAxis": value, "series": series, "legend": legend, "grid": {"top": 34, "bottom": 20}}


def border_options(view: dict[str, Any], dark: bool = False) -> dict[str, Any]:
    """The nodes where safe begins: loss across, height up."""
    nodes = view["nodes"]
    order = sorted(range(len(nodes)), key=lambda i: (i == view["chosen"], nodes[i]["minimal"]))
    marks = [_mark(view, i, dark, small=True) for i in order]
    heights = [node["height"] for node in nodes]
    x = theme.axis(dark, type="value", name="lost (GCP), %", scale=True, splitLine={"show": True})
    x |= {"nameLocation": "middle", "nameGap": 26}
    x["axisLabel"] |= {"formatter": "{value}%"}
    y = theme.axis(dark, type="value", name="height", minInterval=1, scale=True)
    y |= {"min": min(heights, default=0) - 1, "max": max(heights, default=1) + 1}
    series = {"type": "scatter", "data": marks}
    zoom = [{"type": "inside", "xAxisIndex": 0, "filterMode": "none"}]
    return {"xAxis": x, "yAxis": y, "series": [series], "dataZoom": zoom, "grid": {"top": 30, "bottom": 26}}


def _mark(view: dict[str, Any], i: int, dark: bool, *, small: bool = False) -> dict[str, Any]:
    """Safe nodes are squares, the others circles; minimal ones have a thick edge, the chosen one a yellow ground."""
    node, colours = view["nodes"][i], theme.palette(dark)
    chosen = i == view["chosen"]
    shade = _shade(view, node)
    fill = colours.ramp[shade] if node["safe"] else colours.paper
    edge = colours.ink if node["safe"] else colours.before_edge
    side: Any = 13 if small else [max(12 + 9 * len(node["levels"]), 34), NODE - 4]
    if chosen:
        side = 20 if small else [side[0] + 8, side[1] + 8]
    label = {"show": not small, "formatter": " ".join(map(str, node["levels"])), "fontSize": 12}
    label["color"] = colours.on_blue if node["safe"] and shade >= 4 and node["share"] < 0.3 else colours.ink
    return {
        "node": i,
        "value": [node["loss"] * 100, node["height"]],
        "symbol": "rect" if node["safe"] else "circle" if small else "roundRect",
        "symbolSize": side,
        "itemStyle": {
            "color": _rising(fill, colours.red, node["share"]),
            "borderColor": colours.yellow if chosen else edge,
            "borderWidth": 4 if chosen else 2.5 if node["minimal"] else 1,
            "borderType": "solid" if node["safe"] else "dashed",
        },
        "label": label,
        "tip": node_words(view, i),
    }


def node_words(view: dict[str, Any], i: int) -> list[str]:
    """What the pointer tells of a node."""
    node = view["nodes"][i]
    state = ("safe, minimal" if node["minimal"] else "safe") if node["safe"] else "not safe"
    chosen = ", would be chosen" if i == view["chosen"] else ""
    rows = f"leaves out {node['suppresses']}" if node["safe"] else f"would have to leave out {node['suppresses']}"
    lost = f"{percent(node['loss'])} lost" + ("" if node["safe"] else " by its levels alone")
    return [f"{' '.join(map(str, node['levels']))}: {state}{chosen}", node["publishes"], rows, lost]


def _rising(fill: str, red: str, share: float) -> Any:
    """A ground in which red rises by the share of rows that are left out."""
    if share <= 0:
        return fill
    rise = max(min(share, 1.0), 0.06)
    stops = [(0.0, red), (rise, red), (rise, fill), (1.0, fill)]
    return {
        "type": "linear",
        "x": 0,
        "y": 1,
        "x2": 0,
        "y2": 0,
        "colorStops": [{"offset": offset, "color": colour} for offset, colour in stops],
    }


def _shade(view: dict[str, Any], node: dict[str, Any]) -> int:
    """The darkest for the least loss of what is safe."""
    losses = [one["loss"] for one in view["nodes"] if one["safe"]]
    least, most = (min(losses), max(losses)) if losses else (0.0, 1.0)
    share = (node["loss"] - least) / (most - least) if most - least > 1e-9 else 0.0
    return N_SHADES - 1 - round(min(max(share, 0.0), 1.0) * (N_SHADES - 2))


def _across(view: dict[str, Any]) -> list[float]:
    """The place of every node in the row of its height, so that lines run alike."""
    nodes = view["nodes"]
    n = max(len(view["columns"]) - 1, 1)
    lean = [sum(level * (2 * c / n - 1) for c, level in enumerate(node["levels"])) for node in nodes]
    across = [0.0] * len(nodes)
    for height in {node["height"] for node in nodes}:
        row = sorted((i for i, node in enumerate(nodes) if node["height"] == height), key=lambda i: (lean[i], i))
        for place, i in enumerate(row):
            across[i] = place - (len(row) - 1) / 2
    return across
