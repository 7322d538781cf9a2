"""The groups as boxes over two columns: to zoom, to pan, to read."""

from __future__ import annotations

from collections.abc import Awaitable, Callable
from typing import Any

from nicegui import ui

from amongst.app import theme
from amongst.app.language import Own, say, spoken
from amongst.app.panels import javascript, markup
from amongst.app.panels.chart import chart
from amongst.app.panels.choice import choice
from amongst.report.wording import count, percent

HEIGHT = 380
DAY = 86_400_000
"""Milliseconds: dates are days here and milliseconds there."""
MOST_LISTED = 40
COLOURS = {"loss": "what was lost", "size": "rows in a group"}
ZOOMS = (("+", 0.6, "Closer"), ("−", 1 / 0.6, "Further"), ("Whole", 0.0, "Whole: show everything"))

Fetch = Callable[..., Awaitable[dict[str, Any] | None]]


class PartitionPanel:
    """The drawing with what was chosen for it: two columns, what the colour tells, and what is looked at."""

    def __init__(self, view: dict[str, Any], fetch: Fetch | None, dark: bool) -> None:
        self.view, self.fetch, self.dark = view, fetch, dark
        self.colour = "loss"
        with ui.element("div").classes("am-tools"):
            self._tools()
            self.key = ui.element("div").classes("am-ramp")
        self.place = ui.element("div").style(f"min-height: {HEIGHT}px; width: 100%")
        self.words = ui.label().classes("am-lead")
        self.list = ui.element("div")
        self.draw()

    def _tools(self) -> None:
        names = dict(enumerate(self.view["columns"]))
        at = [self.view[axis]["place"] for axis in ("x", "y")]
        can_change = self.fetch is not None
        self.x = ui.select(names, value=at[0], label=say("across"), on_change=self.change).props(
            "outlined dense options-dense"
        )
        self.y = ui.select(names, value=at[1], label=say("up"), on_change=self.change).props(
            "outlined dense options-dense"
        )
        self.x.set_enabled(can_change)
        self.y.set_enabled(can_change)
        choice(COLOURS, self.colour, self.recolour, "What the colour tells")
        with ui.element("div").classes("am-buttons").props(spoken('role=group aria-label="Zoom"')):
            for sign, factor, words in ZOOMS:
                button = ui.button(say(sign), color=None, on_click=lambda _, f=factor: self.zoom(f))
                button.props(spoken(f'flat dense no-caps aria-label="{words}"'))

    def draw(self) -> None:
        """Everything anew: options that were merged would keep the axes of the columns before."""
        view = self.view
        hint = " Turn the wheel over it to zoom, drag to move." if view["boxes"] else ""
        self.words.set_text(say(view["words"] + hint))
        for part in (self.key, self.place, self.list):
            part.clear()
        with self.key:
            markup.show(shade_legend(view, self.colour))
        with self.place, ui.element("div").classes("am-kept"):
            self.drawn = chart(
                partition_options(view, self.colour, self.dark),
                view["words"],
                dark=self.dark,
                height=HEIGHT,
                marker="partition",
            )
            markup.show(markup.keep_buttons("png"))
        with self.list:
            largest = f"The {min(len(view['boxes']), MOST_LISTED)} largest boxes as a table"
            markup.show(markup.folded(largest, markup.kept(listed(view), "csv")))
        if view["is_sample"] and self.fetch is not None:
            self.drawn.on("chart:datazoom", self.look_closer, args=[], throttle=0.6, leading_events=False)

    async def change(self) -> None:
        """Other columns; the same column twice is changed with the other one."""
        if self.fetch is None:
            return
        if self.x.value == self.y.value:
            ui.notify(say("Choose two different columns."))
            return
        found = await self.fetch(self.x.value, self.y.value, None)
        if found is not None:
            self.view = found
            self.draw()

    def recolour(self, colour: str) -> None:
        self.colour = colour
        self.draw()

    def zoom(self, factor: float) -> None:
        ui.run_javascript(f"({javascript.ZOOM})({int(self.drawn.id)}, {float(factor)})")

    async def look_closer(self) -> None:
        """Of a sample more is shown where one looks closer."""
        assert self.fetch is not None
        shown = await ui.run_javascript(f"({javascript.ZOOMED})({int(self.drawn.id)})", timeout=3)
        units = [DAY if self.view[axis]["kind"] == "date" else 1 for axis in ("x", "y")]
        window = [end / unit for ends, unit in zip(shown, units, strict=True) for end in ends]
        found = await self.fetch(self.x.value, self.y.value, window)
        if found is not None:
            series = partition_options(found, self.colour, self.dark)["series"]
            self.drawn.run_chart_method("setOption", {"series": [{"data": series[0]["data"]}]})


def partition(view: dict[str, Any], fetch: Fetch | None = None, *, dark: bool = False) -> PartitionPanel:
    """Draw ``figures.partition_view``; ``fetch(x, y, window)`` gives the same over other columns."""
    return PartitionPanel(view, fetch, dark)


def partition_options(view: dict[str, Any], colour: str = "loss", dark: bool = False) -> dict[str, Any]:
    """The chart as options: one rectangle a box, the large ones first so that small ones lie on top."""
    colours, x, y = theme.palette(dark), view["x"], view["y"]
    boxes = {
        "type": "custom",
        ":renderItem": javascript.BOX,
        "encode": {"x": [0, 1], "y": [2, 3]},
        "clip": True,
        "data": [
            {
                "value": _place(box["at"], x, y),
                "tip": box_words(box, view),
                "itemStyle": {
                    "color": colours.ramp[box["shade"][colour]],
                    "borderColor": colours.rule,
                    "opacity": 0.82,
                },
            }
            for box in view["boxes"]
        ],
    }
    inside = {"type": "inside", "filterMode": "none", "zoomOnMouseWheel": True, "moveOnMouseMove": True}
    return {
        "xAxis": {**_axis(x, dark), "nameLocation": "middle", "nameGap": 28},
        "yAxis": {**_axis(y, dark), "nameLocation": "end"},
        "dataZoom": [{**inside, "xAxisIndex": 0}, {**inside, "yAxisIndex": 0}],
        "series": [boxes],
        "grid": {"left": 8, "right": 24, "top": 30, "bottom": 30},
    }


def box_words(box: dict[str, Any], view: dict[str, Any]) -> list[str]:
    """What the pointer tells of a box."""
    groups = "1 group" if box["groups"] == 1 else f"{count(box['groups'])} groups"
    return [
        f"{view['x']['name']}: {box['x']}",
        f"{view['y']['name']}: {box['y']}",
        say(f"{box['rows']} rows in {groups}"),
        say(f"{percent(box['loss'])} lost, all columns together"),
    ]


def shade_legend(view: dict[str, Any], colour: str) -> markup.Markup:
    """From the lightest to the darkest, with the figures at both ends."""
    least, most = view["shades"][colour]
    ends = [percent(least), percent(most)] if colour == "loss" else [count(least), f"{count(most)} rows"]
    steps = [markup.element("i", class_=f"am-key am-s{i}", aria_hidden="true") for i in range(6)]
    return markup.element("div", f"{COLOURS[colour]}: {ends[0]}", *steps, ends[1], class_="am-legend am-ramp")


def listed(view: dict[str, Any]) -> markup.Markup:
    rows = [
        [box["x"], box["y"], box["rows"], count(box["groups"]), percent(box["loss"])]
        for box in view["boxes"][:MOST_LISTED]
    ]
    return markup.table(
        [Own(view["x"]["name"]), Own(view["y"]["name"]), "rows", "groups", "lost"], rows, right=(2, 3, 4)
    )


def _place(at: list[float], x: dict[str, Any], y: dict[str, Any]) -> list[float]:
    place = []
    for (lo, hi), axis in (((at[0], at[1]), x), ((at[2], at[3]), y)):
        unit = DAY if axis["kind"] == "date" else 1
        place += [lo * unit, (hi + axis.get("step", 0.0)) * unit]
    return [*place, int(x["kind"] == "names"), int(y["kind"] == "names")]


def _axis(axis: dict[str, Any], dark: bool) -> dict[str, Any]:
    if axis["kind"] == "names":
        drawn = theme.axis(dark, type="category", data=axis["labels"], name=axis["name"])
        # Lines higher than the text leave room between names: fewer are shown until one zooms.
        drawn["axisLabel"] |= {"width": 120, "overflow": "truncate", "lineHeight": 16, "hideOverlap": True}
        return drawn
    unit = DAY if axis["kind"] == "date" else 1
    lo, hi = (end * unit for end in axis["ends"])
    kind = "time" if axis["kind"] == "date" else "value"
    drawn = theme.axis(dark, type=kind, min=lo, max=hi + axis["step"] * unit, name=axis["name"])
    drawn["axisLabel"] |= {"hideOverlap": True, "showMaxLabel": False}
    return drawn
