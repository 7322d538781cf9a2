"""What every column lost."""

from __future__ import annotations

from typing import Any

from amongst.app.panels import markup
from amongst.app.panels.chart import drawing
from amongst.report.wording import percent


def loss(view: dict[str, Any]) -> None:
    """A bar for every quasi-identifier, most lost first."""
    words = "0% says as much as what came in, 100% says nothing (normalized certainty penalty, NCP)."
    markup.show(markup.section("Loss by column", words))
    rows = [[one["name"], percent(one["loss"])] for one in view["columns"]]
    drawing(view["drawing"], figures=(["column", "lost"], rows), marker="loss")
    if len(rows) > view["n_drawn"]:
        words = f"The {view['n_drawn']} that lost most; all are in the table."
        markup.show(markup.element("p", words, class_="am-note"))
