"""The tables of a database: a box each, a line to the one it hangs on, roles and losses in it."""

from __future__ import annotations

from typing import Any

from amongst.app.panels import markup
from amongst.app.panels.chart import drawing
from amongst.report.wording import percent


def schema(view: dict[str, Any]) -> None:
    """Draw ``figures.schema_drawing``."""
    lead = f"Everything hangs on {view['person']}, the table with one row a person."
    if view["has_loss"]:
        lead += " Bars show what every quasi-identifier lost."
    markup.show(markup.section("The tables", lead))
    drawing(view["drawing"], marker="schema")
    markup.show(markup.folded("The tables as a table", _listed(view)))


def _listed(view: dict[str, Any]) -> markup.Markup:
    rows = [
        [
            one["name"],
            one["hangs"],
            column["name"],
            column["words"],
            "" if column["loss"] is None else percent(column["loss"]),
        ]
        for one in view["tables"]
        for column in one["columns"]
    ]
    return markup.table(["table", "how it hangs", "column", "role", "lost"], rows, right=(4,))
