"""Risk before and after: how large the crowd is that a row hides in."""

from __future__ import annotations

from typing import Any

from amongst.app.panels import markup
from amongst.app.panels.chart import drawing
from amongst.report.wording import count, percent


def risk(view: dict[str, Any]) -> None:
    """Bars by the size of the crowd; left of k nothing of the release may stand."""
    k = view["k"]
    words = f"Rows by how many rows look like them in the quasi-identifiers. Asked: {count(k)} or more."
    markup.show(markup.section("Risk before and after", words))
    markup.show(
        markup.legend(
            ("am-before", "before"),
            ("am-danger", f"before, in a crowd of fewer than {count(k)}"),
            ("am-after", "after"),
        )
    )
    rows = [
        [band, percent(b), percent(a)] for band, b, a in zip(view["bands"], view["before"], view["after"], strict=True)
    ]
    drawing(
        view["drawing"],
        figures=(["rows that look alike", "share of rows before", "after"], rows),
        marker="risk",
        ours=True,
    )
