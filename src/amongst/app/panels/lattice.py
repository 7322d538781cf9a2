"""The lattice explorer: which generalizations are safe, what each costs, and one to apply."""

from __future__ import annotations

import inspect
from collections.abc import Callable
from typing import Any

from nicegui import ui

from amongst.app.panels import markup
from amongst.app.panels.chart import drawing
from amongst.report.lattice_story import NAME_OF_MEASURE
from amongst.report.wording import count, percent

MOST_LISTED = 25
NOT_MINIMAL = "Something below it is safe as well: within these levels the search takes what loses least."

Apply = Callable[[dict[str, int]], Any]
"""Told the levels of the node to apply, by column."""


class LatticePanel:
    """The drawing, and beside it the node that was clicked."""

    def __init__(self, view: dict[str, Any], on_apply: Apply | None) -> None:
        self.view, self.on_apply = view, on_apply
        self.node = view["chosen"]
        markup.show(markup.section("All generalizations", self._lead()))
        markup.show(_legend(view))
        with ui.element("div").classes("am-explorer"):
            with ui.element("div").classes("am-wide"):
                self._drawing()
            with ui.element("div").classes("am-card"):
                self._choice()
                self.card = ui.element("div").props('aria-live="polite"')
        markup.show(markup.folded(f"The {_n_listed(view)} that lose least as a table", _listed(view)))
        self.show_node()

    def _lead(self) -> str:
        view = self.view
        told = f"{count(view['n_nodes'])} ways to choose a level for every column; {count(view['n_safe'])} are safe."
        rest = "" if view["whole"] else f" Drawn are {count(len(view['nodes']))} where safe begins."
        return f"{told}{rest} Click one to see what it publishes."

    def _drawing(self) -> None:
        for i, one in enumerate(self.view["drawings"]):
            drawing(one, on_click=self.clicked, marker=("lattice", "lattice-border")[i])

    def _choice(self) -> None:
        """The nodes that lose least, to be chosen without a pointer."""
        listed = [one["node"] for one in self.view["measured"][:MOST_LISTED]]
        names = {
            i: f"{' '.join(map(str, self.view['nodes'][i]['levels']))}: {percent(self.view['nodes'][i]['loss'])} lost"
            for i in listed
        }
        value = self.node if self.node in names else None
        pick = ui.select(
            names, value=value, label="Minimal ones by loss", on_change=lambda event: self.go_to(event.value)
        )
        pick.props("outlined dense options-dense").classes("am-pick")

    def go_to(self, node: int | None) -> None:
        if node is not None:
            self.node = node
            self.show_node()

    def clicked(self, node: Any) -> None:
        """Show the node that was clicked."""
        if isinstance(node, int) and 0 <= node < len(self.view["nodes"]):
            self.go_to(node)

    def show_node(self) -> None:
        self.card.clear()
        with self.card:
            if self.node < 0:
                ui.label("No node is chosen yet.").classes("am-note")
                return
            node = self.view["nodes"][self.node]
            markup.show(node_markup(self.view, self.node))
            if node["safe"] and not node["minimal"]:
                ui.label(NOT_MINIMAL).classes("am-note")
            if self.on_apply is not None and node["safe"]:
                ui.button("Apply these levels", color=None, on_click=self.apply).props("no-caps unelevated").classes(
                    "am-button"
                )

    async def apply(self) -> None:
        assert self.on_apply is not None
        levels = dict(zip(self.view["names"], self.view["nodes"][self.node]["levels"], strict=True))
        answer = self.on_apply(levels)
        if inspect.isawaitable(answer):
            await answer


def lattice(view: dict[str, Any], on_apply: Apply | None = None) -> LatticePanel:
    """Draw ``figures.lattice_view``; ``on_apply`` gets the levels by column, to be used as ``limits``.

    What holds at these levels and at none below is applied as it is; where something below them holds as well, the
    search takes what loses least.
    """
    return LatticePanel(view, on_apply)


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


def _n_listed(view: dict[str, Any]) -> int:
    return min(len(view["measured"]), MOST_LISTED)


def _listed(view: dict[str, Any]) -> markup.Markup:
    rows = []
    for one in view["measured"][:MOST_LISTED]:
        node = view["nodes"][one["node"]]
        levels = " ".join(map(str, node["levels"]))
        rows.append([levels, node["publishes"], node["suppresses"], percent(node["loss"])])
    headings = [f"levels ({', '.join(view['columns'])})", "publishes", "leaves out", NAME_OF_MEASURE["gcp"]]
    return markup.table(headings, rows, right=(3,))
