"""Candidates side by side: the more k and the less loss the better, and the front that none beats."""

from __future__ import annotations

import inspect
from collections.abc import Callable
from typing import Any

from nicegui import ui

from amongst.app import theme
from amongst.app.panels import markup
from amongst.app.panels.chart import chart
from amongst.report.wording import count, percent

SHAPES = ("circle", "rect", "triangle", "diamond", "pin", "arrow", "roundRect")
HEIGHT = 360

Choose = Callable[[int], Any]
"""Told the place of the candidate to take."""


class FrontPanel:
    """The drawing, and beside it the candidate that was clicked."""

    def __init__(self, view: dict[str, Any], on_choose: Choose | None, dark: bool) -> None:
        self.view, self.on_choose, self.dark = view, on_choose, dark
        made = [point for point in view["points"] if point["comparable"]]
        self.index = view["recommended"]
        markup.show(markup.section("Privacy against loss", _lead(view)))
        if not made:
            markup.show(markup.element("p", "Nothing was made and verified that can be weighed.", class_="am-note"))
        else:
            with ui.element("div").classes("am-explorer"):
                with ui.element("div").classes("am-wide"):
                    words = f"Loss over k of {len(made)} candidates. " + " ".join(view["reasons"])
                    chart(
                        front_options(view, dark),
                        words,
                        dark=dark,
                        height=HEIGHT,
                        on_click=self.clicked,
                        marker="front",
                    )
                self.card = ui.element("div").classes("am-card").props('aria-live="polite"')
            self.show_point()
        markup.show(front_table(view))

    def clicked(self, data: Any) -> None:
        index = data.get("index") if isinstance(data, dict) else None
        if isinstance(index, int) and 0 <= index < len(self.view["points"]):
            self.index = index
            self.show_point()

    def show_point(self) -> None:
        self.card.clear()
        with self.card:
            if self.index is None:
                ui.label("Click a candidate.").classes("am-note")
                return
            point = self.view["points"][self.index]
            markup.show(point_markup(self.view, point))
            if self.on_choose is not None and point["state"] == "verified":
                ui.button("Take this one", color=None, on_click=self.choose).props("no-caps unelevated").classes(
                    "am-button"
                )

    async def choose(self) -> None:
        assert self.on_choose is not None
        assert self.index is not None
        answer = self.on_choose(self.index)
        if inspect.isawaitable(answer):
            await answer


def front(view: dict[str, Any], on_choose: Choose | None = None, *, dark: bool = False) -> FrontPanel:
    """Draw ``figures.front_view``; ``on_choose`` gets the place of a candidate."""
    return FrontPanel(view, on_choose, dark)


def front_options(view: dict[str, Any], dark: bool = False) -> dict[str, Any]:
    """A line for every method over k, each with a shape of its own; the front is filled."""
    colours = theme.palette(dark)
    points = [point for point in view["points"] if point["comparable"]]
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
        "symbol": SHAPES[n % len(SHAPES)],
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


def point_markup(view: dict[str, Any], point: dict[str, Any]) -> markup.Markup:
    """A candidate in words."""
    tags = [
        name for name, is_so in (("recommended", point["recommended"]), ("on the front", point["on_front"])) if is_so
    ]
    head = markup.element(
        "h4",
        f"{point['name']}, k = {count(point['k'])}",
        *(markup.element("span", one, class_="am-tag") for one in tags),
    )
    facts = [
        ["lost", percent(point["loss"]) if point["loss"] is not None else "–"],
        ["rows left out", point["suppressed"] or "–"],
        ["groups", count(point["classes"]) if point["classes"] is not None else "–"],
        ["time", point["took"] or "–"],
    ]
    reasons = [markup.element("li", one) for one in view["reasons"]] if point["recommended"] else []
    why = [markup.element("ul", *reasons, class_="am-sentences")] if reasons else []
    body = markup.element(
        "tbody",
        *(markup.element("tr", markup.element("th", a, scope="row"), markup.element("td", b)) for a, b in facts),
    )
    return markup.join([head, markup.element("table", body, class_="am-table am-pairs"), *why])


def front_table(view: dict[str, Any]) -> markup.Markup:
    """All candidates, also those that could not be made, with the loss of every column."""
    made = sorted((p for p in view["points"] if p["state"] == "verified"), key=lambda p: (p["k"], p["loss"]))
    rows = [
        [
            count(p["k"]),
            p["name"],
            "recommended" if p["recommended"] else "front" if p["on_front"] else "",
            percent(p["loss"]),
            *(f"{loss * 100:.0f}" if loss is not None else "–" for loss in p["ncp"]),
            p["suppressed"],
            p["took"],
        ]
        for p in made
    ]
    headings = ["k", "method", "", "lost", *(f"{name} %" for name in view["columns"]), "left out", "time"]
    numbers = (0, *range(3, len(headings)))
    parts = [markup.folded(f"The {len(made)} candidates as a table", markup.table(headings, rows, right=numbers))]
    failed = [[p["name"], count(p["k"]), p["state"], p["why"]] for p in view["points"] if p["state"] != "verified"]
    if failed:
        parts.append(
            markup.folded(f"{len(failed)} that could not be made", markup.table(["method", "k", "", "why"], failed))
        )
    return markup.join(parts)


def _lead(view: dict[str, Any]) -> str:
    told = f"{count(len(view['points']))} candidates over {count(view['n_rows'])} rows."
    return f"{told} Filled marks are on the front: no other has a k as large and less loss."
