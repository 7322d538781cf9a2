"""The result: what was proved, what is left of risk, what was lost, and how the release looks."""

from __future__ import annotations

from collections.abc import Awaitable, Callable
from typing import Any

from nicegui import ui

from amongst.app.language import say
from amongst.app.panels import markup
from amongst.app.panels.distributions import distributions
from amongst.app.panels.loss import loss
from amongst.app.panels.partition import partition
from amongst.app.panels.proof import checks, sensitive
from amongst.app.panels.risk import risk
from amongst.app.panels.sample import sample
from amongst.app.panels.sizes import sizes

APART = "Nothing is generalized: the sensitive values of a group stand in a table of their own."
Fetch = Callable[..., Awaitable[dict[str, Any] | None]]
"""Gives the partition over two other columns, by their places: ``await fetch(x, y, window)``."""


def result(view: dict[str, Any], dark: bool = False, fetch: Fetch | None = None) -> None:
    """Everything about a release, in tabs.

    Parameters
    ----------
    view : dict
        From ``figures.result_view``.
    dark : bool
    fetch : async callable, optional
        ``figures.partition_view`` where the release is; without it the axes cannot be changed.
    """
    parts: dict[str, Callable[[], None]] = {
        "Risk and loss": lambda: _overview(view),
        "Columns": lambda: distributions(view["distributions"]),
        "Groups": lambda: _groups(view, dark, fetch),
        "Published rows": lambda: sample(view["sample"]),
        "Proof and limits": lambda: _proof(view),
    }
    if view["pair"]:
        del parts["Risk and loss"]
    if not view["distributions"]:
        del parts["Columns"]
    with ui.tabs().classes("am-tabs").props("align=left no-caps inline-label dense") as tabs:
        for name in parts:
            ui.tab(name, say(name))
    with ui.tab_panels(tabs, value=next(iter(parts))).classes("am-tab-panels").props("animated=false"):
        for name, draw in parts.items():
            with ui.tab_panel(name).classes("am-tab-panel"):
                draw()


def _overview(view: dict[str, Any]) -> None:
    with ui.element("div").classes("am-halves"):
        with ui.element("div"):
            risk(view["risk"])
        with ui.element("div"):
            loss(view["loss"])


def _groups(view: dict[str, Any], dark: bool, fetch: Fetch | None) -> None:
    if view["partition"] is None:
        words = APART if view["pair"] else "Boxes need two quasi-identifiers that are generalized."
        markup.show(markup.element("p", words, class_="am-note am-first"))
    else:
        partition(view["partition"], fetch, dark=dark)
    if view["sizes"] is not None:
        sizes(view["sizes"])


def _proof(view: dict[str, Any]) -> None:
    checks(view)
    sensitive(view)
    for title, name in (("How it was made", "explanation"), ("What it does not protect against", "caveats")):
        _sentences(title, view[name])
    _sentences("What was taken for granted", view["assumptions"])


def _sentences(title: str, words: list[str]) -> None:
    if words:
        markup.show(markup.section(title))
        markup.show(markup.element("ul", *(markup.element("li", one) for one in words), class_="am-sentences"))
