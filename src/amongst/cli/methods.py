"""``amongst methods``: what methods there are."""

from __future__ import annotations

from amongst.cli import options as o
from amongst.cli.voice import VOICE


def methods(json: o.Json = False, quiet: o.Quiet = False) -> None:
    """List the methods, what each does and which options it takes."""
    from amongst.cli.page import Grid
    from amongst.partition import methods as known

    found = known()
    rows = [[(one["name"], "name"), one["words"], one["recoding"], _options(one["options"])] for one in found]
    headings = ["method", "what it does", "recoding", "options"]
    VOICE.result(lambda: {"methods": found}, lambda: [Grid(headings, rows)])


def _options(options: dict[str, object]) -> str:
    return ", ".join(f"{name}={default}" for name, default in options.items()) or "-"
