"""A page with every panel of a hostile table, for a browser: ``python hostile_page.py PORT``."""

from __future__ import annotations

import sys
from typing import Any

from hostile_table import CELLS, hostile_table

import amongst as am


def main(port: int) -> None:
    from nicegui import ui

    from amongst.app import figures, panels, theme
    from amongst.app.figures import partition

    partition.MOST_BOXES = 10  # so that a sample is drawn, and more is asked for where one looks closer
    table, schema = hostile_table()
    release = am.anonymize(table, schema, [am.KAnonymity(5)], method="mondrian")
    view = figures.result_view(release)
    lattice = figures.lattice_view(table, schema, [am.KAnonymity(5)], 0.5)

    async def boxes(x: int, y: int, window: list[float] | None = None) -> dict[str, Any] | None:
        if window is not None:
            ui.notify(f"looked closer at {len(window)} ends")
        return figures.partition_view(release, x, y, window)

    async def ask(sql: str) -> dict[str, Any]:
        return figures.query_view(release, table, sql)

    @ui.page("/")
    def page() -> None:
        ui.add_css(theme.css())
        with ui.element("section").classes("am"):
            panels.result(view, fetch=boxes)
            panels.lattice(lattice, lambda levels: None)
            panels.query(ask, [*view["questions"], *CELLS])

    ui.run(host="127.0.0.1", port=port, show=False, reload=False)


if __name__ in {"__main__", "__mp_main__"}:
    main(int(sys.argv[1]))
