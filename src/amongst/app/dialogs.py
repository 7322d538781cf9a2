"""What the page asks before it saves a project, or forgets everything."""

from __future__ import annotations

from typing import TYPE_CHECKING

from nicegui import ui

from amongst.app.language import say, spoken
from amongst.app.parts import box, button, tag

if TYPE_CHECKING:
    from amongst.app.session import Session


def ask_to_save(session: Session) -> None:
    """The project as a file."""
    with ui.dialog().props(spoken('aria-label="Save the project"')) as dialog, ui.card().classes("dialog"):
        tag("h2", "Save the project")
        tag(
            "p",
            "One file with your settings, hierarchies, and what you tried. Drop it on Load to go on. Without the "
            "table it asks for it; what was tried tells figures of it, so keep it as you keep the table.",
        )
        whole = ui.checkbox(say("With the table itself")).props("data-mark=with-table")
        whole.set_visibility(session.draft is not None and not session.draft.many)

        def save() -> None:
            session.save_project(bool(whole.value))
            ui.run_javascript("location.href = '/download/project.amongst'")
            dialog.close()

        with box("dialog-buttons"):
            button("Leave it", dialog.close, "quiet")
            button("Save", save, "main").props("data-mark=save-project")
    dialog.open()


def ask_to_close(session: Session) -> None:
    """Whether all is to be forgotten."""
    with ui.dialog().props(spoken('aria-label="Close amongst"')) as dialog, ui.card().classes("dialog"):
        tag("h2", "Close amongst?")
        tag("p", "The table, the releases and the settings on this page are forgotten. What you saved stays.")
        with box("dialog-buttons"):
            button("Stay", dialog.close, "quiet")
            button("Close and forget", lambda: _close(session), "main")
    dialog.open()


def _close(session: Session) -> None:
    words = say("amongst is closed. You can close this tab.")
    ui.run_javascript(f"document.body.innerHTML = '<p class=\"closed\">{words}</p>'")
    ui.timer(0.3, session.stop, once=True)
