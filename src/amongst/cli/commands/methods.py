"""``amongst methods``: what methods there are."""

from __future__ import annotations

from typing import Any

from amongst.cli import options as o
from amongst.cli.voice import VOICE

HEADINGS = ["method", "what it does", "recoding", "options"]

ANSWER = {
    "methods": "[object]: name, family, words, recoding, what it takes and publishes, options, paper",
}


def methods(json: o.Json = False, quiet: o.Quiet = False) -> None:
    """List the methods, what each does and which options it takes."""
    from amongst.cli.page import Grid, Line
    from amongst.partition import methods as known
    from amongst.relations.methods import database_methods

    found, many = known(), database_methods()
    VOICE.result(
        lambda: {"methods": [*found, *many]},
        lambda: [Grid(HEADINGS, _rows(found)), Line(""), Line("for many tables", "faint"), Grid(HEADINGS, _rows(many))],
    )


def _rows(found: list[dict[str, Any]]) -> list[list[Any]]:
    return [[(one["name"], "name"), one["words"], one["recoding"], _options(one["options"])] for one in found]


def _options(options: dict[str, object]) -> str:
    return ", ".join(f"{name}={default}" for name, default in options.items()) or "-"
