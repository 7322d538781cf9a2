"""The workbench: what would be published, while one turns the knobs."""

from __future__ import annotations

from typing import TYPE_CHECKING

from amongst.app.workbench import Workbench

if TYPE_CHECKING:
    from amongst.app.shell import Page


def show(page: Page) -> None:
    """The live workbench of one table, or of many."""
    Workbench(page).build()
