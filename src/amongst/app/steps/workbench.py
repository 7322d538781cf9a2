"""The workbench: what would be published, while one turns the knobs."""

from __future__ import annotations

from typing import TYPE_CHECKING

from amongst.app.parts import button, empty, heading

if TYPE_CHECKING:
    from amongst.app.shell import Page


def show(page: Page) -> None:
    """The live workbench of one table; of many tables what was made of them."""
    if not page.draft.many:
        from amongst.app.workbench import Workbench

        Workbench(page).build()
        return
    from amongst.app.steps.many import result_of_tables

    session = page.session
    if session.result is None or session.stale:
        heading(
            "Many tables together", "What every column is, what must hold and how: under Roles, Privacy and Method."
        )
        words = "Something was changed since." if session.stale else "Make the first release."
        empty(session.running.title if session.running else "Nothing made of these settings yet", words)
        if session.running is None:
            button("Make the release", page.then("workbench", session.make), "main").props("data-mark=make")
    if session.result is not None:
        result_of_tables(page)
