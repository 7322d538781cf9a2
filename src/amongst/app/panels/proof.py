"""What was asked and what was found, and how well sensitive values are hidden."""

from __future__ import annotations

from typing import Any

from amongst.app.panels import markup
from amongst.report.wording import told


def checks(view: dict[str, Any]) -> None:
    """What every model asked for and what was found."""
    rows = [
        [
            markup.said(one["words"]),
            one["asked"],
            one["reached"],
            markup.said("✓ holds" if one["ok"] else "✗ fails"),
        ]
        for one in view["checks"]
    ]
    markup.show(markup.section("What was asked and what was found"))
    markup.show(markup.table(["in words", "asked", "found in the published table", "outcome"], rows))


def sensitive(view: dict[str, Any]) -> None:
    """How well the values of every sensitive column are hidden, in the worst group."""
    if not view["sensitive"]:
        return
    names = {"l_distinct": "different values (l)", "l_entropy": "entropy l", "t": "distance to the whole table (t)"}
    rows = [
        [one["column"], markup.said(name), told(one["before"], key), told(one["after"], key)]
        for one in view["sensitive"]
        for key, name in names.items()
    ]
    markup.show(
        markup.section(
            "Sensitive values in the worst group", "Whatever was asked for: more is better for l, less for t."
        )
    )
    markup.show(markup.table(["column", "measure", "before", "after"], rows, right=(2, 3)))
