"""Figures of the papers as one SVG each, and as a page with what is claimed and what was found."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import replace
from typing import TYPE_CHECKING, Any

from markupsafe import Markup

from amongst.report.charts import svg
from amongst.report.charts.boxes import HEIGHT as BOXES_HEIGHT
from amongst.report.charts.boxes import WIDTH as BOXES_WIDTH
from amongst.report.charts.partition import partition_chart
from amongst.report.render import fill, style_sheet
from benchmarks.papers.curves import HEIGHT, WIDTH, curve_chart, said
from benchmarks.papers.stacks import stack_chart

if TYPE_CHECKING:
    from benchmarks.papers.experiment import Panel, Picture
    from benchmarks.papers.run import Result

PER_ROW = 2
GAP = 16
TIP = re.compile(r"<title>.*?</title>")
"""Words that show under the pointer; a picture in a page shows none."""


def charts(result: Result) -> list[tuple[Markup, float, float]]:
    """The charts of a figure with their sizes; panels that are tables have none."""
    name = result.experiment.name
    drawn = [
        (_panel(panel, f"{name}-{i}"), float(WIDTH), float(HEIGHT))
        for i, panel in enumerate(panels_of(result))
        if panel.form != "table"
    ]
    pictures = [_picture(one, f"{name}-boxes-{i}") for i, one in enumerate(result.figure.pictures)]
    return [*drawn, *pictures]


def panels_of(result: Result) -> list[Panel]:
    """All panels; where there are two versions, those as printed first."""
    if result.ours is None:
        return list(result.figure.panels)
    return [
        replace(panel, title=f"{panel.title}, {words}")
        for words, figure in (("as printed", result.figure), ("ours", result.ours))
        for panel in figure.panels
    ]


def _panel(panel: Panel, key: str) -> Markup:
    common = (panel.title, panel.x_name, panel.y_name, panel.xs, panel.series)
    if panel.form == "stack":
        return stack_chart(*common, key=key)
    return curve_chart(*common, log_x=panel.log_x, log_y=panel.log_y, key=key)


def _picture(one: Picture, key: str) -> tuple[Markup, float, float]:
    """Boxes at half their size under their title."""
    boxes = partition_chart(one.view, one.threshold, key=key)
    width, height = BOXES_WIDTH * 0.63, BOXES_HEIGHT * 0.63
    placed = svg.element("g", boxes, transform="translate(0 24) scale(0.63)")
    inside = svg.join(svg.text(8, 16, one.title, "name"), placed)
    drawn = svg.element("svg", inside, class_="chart", width=width, height=height + 24)
    return drawn, width, height + 24


def draw_figure(result: Result) -> str:
    """The charts of a figure as one SVG file, or nothing where the figure is a table."""
    parts = charts(result)
    if not parts:
        return ""
    placed, y, width = [], 0.0, 0.0
    for start in range(0, len(parts), PER_ROW):
        x, row = 0.0, parts[start : start + PER_ROW]
        for drawn, wide, _ in row:
            placed.append(svg.element("g", drawn, transform=f"translate({svg.number(x)} {svg.number(y)})"))
            x += wide + GAP
        width, y = max(width, x - GAP), y + max(high for _, _, high in row) + GAP
    inside = Markup(TIP.sub("", svg.join(svg.rect(0, 0, width, y, "paper"), *placed)))
    style = Markup(f"<style>{style_of(str(inside))}</style>")
    size = f'width="{width:.0f}" height="{y:.0f}" viewBox="0 0 {width:.0f} {y:.0f}"'
    head = f'<svg xmlns="http://www.w3.org/2000/svg" {size}>'
    return f"{head}{style}{inside}</svg>\n"


def style_of(drawn: str) -> str:
    """The rules of the style sheet for the classes that are drawn, in the light colours: a picture has no theme."""
    sheet = style_sheet()
    colours = dict(re.findall(r"--([a-z0-9-]+): (#[0-9a-f]{6});", sheet[: sheet.index("@media")]))
    used = set(" ".join(re.findall(r'class="([^"]*)"', drawn)).split())
    rules = []
    for selector, body in re.findall(r"(\.(?:chart|boxes|outline)[^{}]*) \{ ([^}]*) \}", sheet):
        kept = [one.strip() for one in selector.split(",") if _drawn(one, used)]
        if kept and "hover" not in selector:
            rules.append(f"{','.join(kept)}{{{body}}}")
    text = "".join(rules)
    text = re.sub(r"var\(--([a-z0-9-]+)\)", lambda found: colours[found[1]], text)
    return f"text{{font-family:Helvetica,Arial,sans-serif}}.paper{{fill:{colours['paper']}}}{text}"


def _drawn(selector: str, used: set[str]) -> bool:
    return set(re.findall(r"\.([a-z0-9-]+)", selector)) <= used


def render_papers(results: Sequence[Result]) -> str:
    """The page: for every figure what it shows, what is claimed, what was found, charts and tables."""
    return fill("papers.html", beside=__file__, figures=[_shown(result) for result in results])


def _shown(result: Result) -> dict[str, Any]:
    return {
        "result": result,
        "charts": [drawn for drawn, _, _ in charts(result)],
        "tables": [table_of(panel) for panel in panels_of(result)],
    }


def table_of(panel: Panel) -> dict[str, Any]:
    """A panel as a table: an x a row, a series a column."""
    rows = [
        [
            x if isinstance(x, str) else f"{x:,g}" if x < 1e6 else f"{x:,.0f}",
            *(told(values[i]) for values in panel.series.values()),
        ]
        for i, x in enumerate(panel.xs)
    ]
    return {"title": panel.title, "unit": panel.y_name, "head": [panel.x_name, *panel.series], "rows": rows}


def told(value: float | None) -> str:
    """A number of a table: whole ones in full, others with four digits."""
    if value is None:
        return "-"
    if float(value).is_integer() and abs(value) >= 1:
        return f"{value:,.0f}"
    return f"{value:,.1f}" if abs(value) >= 1000 else f"{value:.4g}" if abs(value) >= 1e-3 else said(value)
