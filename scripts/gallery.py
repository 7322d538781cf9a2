"""All panels on one page, drawn from the bundled data: ``python scripts/gallery.py``.

For whoever changes how something looks: ``?dark=1`` shows the dark colours, ``?only=lattice`` a single panel.
"""

from __future__ import annotations

import argparse
from collections.abc import Callable
from functools import cache
from typing import Any

from nicegui import ui

import amongst as am
from amongst.app import figures, panels, theme

SMALL = ("age", "sex", "race", "marital-status")
"""Quasi-identifiers of Adult whose lattice can be drawn node by node."""


@cache
def adult(k: int = 10) -> tuple[Any, Any, am.Release]:
    """Adult with its schema and a release of it."""
    data = am.datasets.load("adult")
    return data.table, data.schema, am.anonymize(data.table, data.schema, [am.KAnonymity(k)])


@cache
def result_view() -> dict[str, Any]:
    return figures.result_view(adult()[2])


@cache
def lattice_view(large: bool) -> dict[str, Any]:
    table, schema, _ = adult()
    kept = [name for name in schema if large or name in SMALL or schema[name].role != "quasi"]
    chosen = {name: schema[name] if name in kept else am.Column(role="identifier") for name in schema}
    return figures.lattice_view(table, am.Schema(chosen), [am.KAnonymity(10)], 0.02 if large else 0.01)


@cache
def front_view() -> dict[str, Any]:
    table, schema, _ = adult()
    methods = ["mondrian", "hilbert", "gain-split", "incognito"]
    return figures.front_view(am.compare(table, schema, [am.KAnonymity(10)], methods, ks=[5, 20, 100]))


@cache
def schema_view() -> dict[str, Any]:
    hospital = am.datasets.load_database("hospital", n_persons=1000)
    return figures.schema_drawing(am.anonymize_database(hospital.tables, hospital.schema, [am.KAnonymity(5)]))


async def _partition(x: int, y: int, window: list[float] | None = None) -> dict[str, Any] | None:
    return figures.partition_view(adult()[2], x, y, window)


async def _ask(sql: str) -> dict[str, Any]:
    table, _, release = adult()
    return figures.query_view(release, table, sql)


def parts(dark: bool) -> dict[str, Callable[[], Any]]:
    """Every panel by name."""
    return {
        "result": lambda: panels.result(result_view(), dark, _partition),
        "lattice": lambda: panels.lattice(lattice_view(False), lambda levels: ui.notify(f"apply {levels}")),
        "lattice-large": lambda: panels.lattice(lattice_view(True), lambda levels: None),
        "front": lambda: panels.front(front_view(), lambda index: ui.notify(f"take {index}")),
        "query": lambda: panels.query(_ask, result_view()["questions"], figures.columns_to_ask(adult()[2])),
        "schema": lambda: panels.schema(schema_view()),
    }


@ui.page("/")
def page(dark: int = 0, only: str = "") -> None:
    """The gallery."""
    ui.dark_mode(bool(dark))
    ui.add_css(theme.css())
    ui.query("body").style(f"background: {theme.palette(bool(dark)).paper}")
    for name, draw in parts(bool(dark)).items():
        if only in ("", name):
            with ui.element("section").classes("am").style("padding: 20px 28px"):
                draw()


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--port", type=int, default=8765)
    options = parser.parse_args()
    ui.run(host="127.0.0.1", port=options.port, show=False, reload=False, title="amongst: panels")


if __name__ in {"__main__", "__mp_main__"}:
    main()
