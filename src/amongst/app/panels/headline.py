"""The figures that matter most, as a strip of tiles between black rules."""

from __future__ import annotations

from typing import Any

from amongst.app.panels import markup
from amongst.report.wording import told

MARKS = {"holds": "✓", "fails": "✗", "unchecked": "–"}


def headline(view: dict[str, Any]) -> None:
    """Proof, risk, loss and rows, each with a sentence."""
    tiles = [_tile(one, view["verdict"]) for one in view["headline"]]
    accent = markup.element("div", markup.element("i"), markup.element("i"), class_="am-accent", aria_hidden="true")
    markup.show(markup.element("div", *tiles, accent, class_=f"am-strip am-{view['verdict']}"))


def _tile(one: dict[str, str], verdict: str) -> markup.Markup:
    value: Any = one["value"]
    if one["key"] == "proof":
        value = markup.join([markup.element("span", MARKS[verdict], aria_hidden="true"), " ", one["value"]])
    return markup.element(
        "div",
        markup.element("h3", one["name"]),
        markup.element("strong", value),
        markup.element("p", one["words"]),
        *([markup.element("p", one["more"])] if one["more"] else []),
        class_=f"am-tile am-{one['key']}",
    )


def checks(view: dict[str, Any]) -> None:
    """What every model asked for and what was found."""
    rows = [
        [one["words"], one["asked"], one["reached"], "✓ holds" if one["ok"] else "✗ fails"] for one in view["checks"]
    ]
    markup.show(markup.section("What was asked and what was found"))
    markup.show(markup.table(["in words", "asked", "found in the published table", ""], rows))


def sensitive(view: dict[str, Any]) -> None:
    """How well the values of every sensitive column are hidden, in the worst group."""
    if not view["sensitive"]:
        return
    names = {"l_distinct": "different values (l)", "l_entropy": "entropy l", "t": "distance to the whole table (t)"}
    rows = [
        [one["column"], name, told(one["before"], key), told(one["after"], key)]
        for one in view["sensitive"]
        for key, name in names.items()
    ]
    markup.show(
        markup.section(
            "Sensitive values in the worst group", "Whatever was asked for: more is better for l, less for t."
        )
    )
    markup.show(markup.table(["column", "measure", "before", "after"], rows, right=(2, 3)))
