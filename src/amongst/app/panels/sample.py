"""Some rows of the published table."""

from __future__ import annotations

from typing import Any

from amongst.app.language import Own
from amongst.app.panels import markup
from amongst.report.wording import count

ROLES = {
    "quasi": "quasi-identifier",
    "sensitive": "sensitive",
    "keep": "kept",
    "weight": "sampling weight",
    "household": "household",
}


def sample(view: dict[str, Any]) -> None:
    """The rows as a table that scrolls within itself."""
    n_shown = len(view["rows"])
    which = (
        "All rows" if n_shown == view["n_rows"] else f"{count(n_shown)} of {count(view['n_rows'])} rows, evenly spread"
    )
    markup.show(
        markup.section("Published rows", f"{which}, as anyone will read them. Rows are sorted by what they show.")
    )
    markup.show(sample_markup(view))


def sample_markup(view: dict[str, Any]) -> markup.Markup:
    """The table with the role of every column under its name."""
    headings = [
        markup.join([Own(one["name"]), markup.element("small", ROLES.get(one["role"], one["role"]))])
        for one in view["headings"]
    ]
    missing = markup.element("span", "missing", class_="am-missing")
    rows = [[missing if cell is None else cell for cell in row] for row in view["rows"]]
    body = markup.table(headings, rows, caption="")
    return markup.element(
        "div", body, class_="am-scroll am-sample", tabindex="0", role="region", aria_label="Published rows"
    )
