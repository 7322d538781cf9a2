"""The lattice explorer: which generalizations are safe, what each costs, and one to apply."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from amongst.app.panels import markup
from amongst.app.panels.explorer import Explorer
from amongst.report.lattice_story import NAME_OF_MEASURE
from amongst.report.wording import count, percent

MOST_LISTED = 25
NOT_MINIMAL = "Something below it is safe as well: within these levels the search takes what loses least."

Apply = Callable[[dict[str, int]], Any]
"""Told the levels of the node to apply, by column."""


def lattice(view: dict[str, Any], on_apply: Apply | None = None) -> None:
    """Draw ``figures.lattice_view``; ``on_apply`` gets the levels by column, to be used as ``limits``.

    What holds at these levels and at none below is applied as it is; where something below them holds as well, the
    search takes what loses least.
    """
    nodes, listed = view["nodes"], [one["node"] for one in view["measured"][:MOST_LISTED]]
    markup.show(markup.section("All generalizations", _lead(view)))
    markup.show(_legend(view))
    Explorer(
        drawings=dict(zip(("lattice", "lattice-border"), view["drawings"], strict=False)),
        cards=lambda place: node_markup(view, place),
        n=len(nodes),
        names={i: f"{' '.join(map(str, nodes[i]['levels']))}: {percent(nodes[i]['loss'])} lost" for i in listed},
        label="Minimal ones by loss",
        place=view["chosen"] if view["chosen"] >= 0 else None,
        hint="No node is chosen yet.",
        words="Apply these levels",
        take=on_apply and (lambda place: on_apply(dict(zip(view["names"], nodes[place]["levels"], strict=True)))),
        can_be_taken=lambda place: nodes[place]["safe"],
        zoom=True,
    ).show()
    markup.show(markup.folded(f"The {len(listed)} that lose least as a table", _listed(view)))


def _lead(view: dict[str, Any]) -> str:
    told = f"{count(view['n_nodes'])} ways to choose a level for every column; {count(view['n_safe'])} are safe."
    rest = "" if view["whole"] else f" Drawn are {count(len(view['nodes']))} where safe begins."
    return f"{told}{rest} Click one to see what it publishes."


def node_markup(view: dict[str, Any], i: int) -> markup.Markup:
    """A node in words: safe or not, what it costs, and the level of every column."""
    node = view["nodes"][i]
    state = "Safe" if node["safe"] else "Not safe"
    kind = [name for name, is_so in (("minimal", node["minimal"]), ("chosen", i == view["chosen"])) if is_so]
    suppresses = f"leaves out {node['suppresses']}" if node["safe"] else f"would have to leave out {node['suppresses']}"
    rows = [
        [name, f"{level} of {len(words) - 1}", words[level]]
        for name, words, level in zip(view["columns"], view["level_words"], node["levels"], strict=True)
    ]
    return markup.join(
        [
            markup.element("h4", state, *(markup.element("span", one, class_="am-tag") for one in kind)),
            markup.element("p", f"{percent(node['loss'])} lost; {suppresses}.", class_="am-lead"),
            markup.table(["column", "level", "publishes"], rows),
            *([markup.element("p", NOT_MINIMAL, class_="am-note")] if node["safe"] and not node["minimal"] else []),
        ]
    )


def _legend(view: dict[str, Any]) -> markup.Markup:
    return markup.legend(
        ("am-safe", "safe, stronger the less it loses"),
        ("am-minimal", "minimal: nothing below it is safe"),
        ("am-unsafe", "not safe"),
        ("am-gone", "red: share of rows left out"),
        ("am-chosen", "would be chosen"),
    )


def _listed(view: dict[str, Any]) -> markup.Markup:
    rows = []
    for one in view["measured"][:MOST_LISTED]:
        node = view["nodes"][one["node"]]
        levels = " ".join(map(str, node["levels"]))
        rows.append([levels, node["publishes"], node["suppresses"], percent(node["loss"])])
    headings = [f"levels ({', '.join(view['columns'])})", "publishes", "leaves out", NAME_OF_MEASURE["gcp"]]
    return markup.table(headings, rows, right=(3,))
