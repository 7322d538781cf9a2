"""How large the groups are."""

from __future__ import annotations

from typing import Any

from amongst.app.panels import markup
from amongst.app.panels.chart import drawing
from amongst.report.wording import count


def sizes(view: dict[str, Any]) -> None:
    """A bar for every size, or range of sizes."""
    markup.show(markup.section("Group sizes", view["words"]))
    rows = [[name, count(n)] for name, n in zip(view["names"], view["groups"], strict=True) if n]
    drawing(view["drawing"], figures=(["rows in the group", "groups"], rows), marker="sizes", ours=True)
