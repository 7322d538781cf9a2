"""Every column before and after, as small charts side by side."""

from __future__ import annotations

from typing import Any

from nicegui import ui

from amongst.app.language import Own
from amongst.app.panels import markup
from amongst.app.panels.chart import drawing
from amongst.report.wording import percent

ROLES = {"quasi": "quasi-identifier", "sensitive": "sensitive"}


def distributions(views: list[dict[str, Any]]) -> None:
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
                _one(view, f"distribution-{i}")


def _one(view: dict[str, Any], marker: str) -> None:
    moved = f"{percent(view['moved'])} of the rows elsewhere" if view["moved"] else "nothing moved"
    words = f"{ROLES.get(view['role'], view['role'])}: {moved}"
    title = markup.element("h4", Own(view["column"]), markup.element("small", words))
    markup.show(title)
    if not view["labels"]:
        markup.show(markup.element("p", "Too few rows to show anything.", class_="am-note"))
        return
    rows = [
        [label, percent(b), percent(a)]
        for label, b, a in zip(view["labels"], view["before"], view["after"], strict=True)
    ]
    drawing(view["drawing"], figures=([Own(view["column"]), "before", "after"], rows), marker=marker)
