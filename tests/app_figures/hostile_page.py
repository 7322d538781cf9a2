"""A page with every panel of a hostile table, for a browser: ``python hostile_page.py PORT``."""

from __future__ import annotations

import sys
from typing import Any

from hostile_table import CELLS, hostile_table
from nicegui import ui

import amongst as am
from amongst.app import figures, panels, theme
from amongst.app.figures import partition

partition.MOST_BOXES = 10  # so that a sample is drawn, and more is asked for where one looks closer
TABLE, SCHEMA = hostile_table()
RELEASE = am.anonymize(TABLE, SCHEMA, [am.KAnonymity(5)])
VIEW = figures.result_view(RELEASE)
LATTICE = figures.lattice_view(TABLE, SCHEMA, [am.KAnonymity(5)], 0.5)


async def _boxes(x: int, y: int, window: list[float] | None = None) -> dict[str, Any] | None:
    if window is not None:
        ui.notify(f"looked closer at {len(window)} ends")
    return figures.partition_view(RELEASE, x, y, window)


async def _ask(sql: str) -> dict[str, Any]:
    return figures.query_view(RELEASE, TABLE, sql)


@ui.page("/")
def page() -> None:
    ui.add_css(theme.css())
    with ui.element("section").classes("am"):
        panels.result(VIEW, fetch=_boxes)
        panels.lattice(LATTICE, lambda levels: None)
        panels.query(_ask, [*VIEW["questions"], *CELLS])


if __name__ in {"__main__", "__mp_main__"}:
    ui.run(host="127.0.0.1", port=int(sys.argv[1]), show=False, reload=False)
