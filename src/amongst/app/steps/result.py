"""Result: what was made, what it hides, what it lost; the lattice; and questions to it."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from nicegui import ui

from amongst.app.parts import box, button, empty, heading, tag, warn_of_names

if TYPE_CHECKING:
    from amongst.app.shell import Page

TABS = {"overview": "What was made", "ask": "Ask it", "lattice": "All generalizations"}


def show(page: Page) -> None:
    """The release, from one of three sides."""
    session = page.session
    draft = page.draft
    if session.result is None:
        heading("The result", "What a release would look like, what it hides, and what it costs.")
        empty(*_waiting(page))
        if session.running is None:
            button("Make the release", page.then("result", session.make), "main")
        page.next = ("", None)
        return
    if session.stale:
        with box("hint"):
            tag("b", "Something was changed since")
            tag("span", "This is the release of before.")
            button("Make it again", page.then("result", session.make), "quiet small")
    if draft.many:
        from amongst.app.steps.many import result_of_tables

        result_of_tables(page)
        return
    warn_of_names(session.named_in_public)
    tab = page.local.get("tab", "overview")
    with box("tabs").props("role=tablist"):
        for key, title in TABS.items():
            made = (
                button(title, lambda key=key: _choose(page, key), "tab").props("role=tab").props(f"data-mark=tab-{key}")
            )
            made.props(f"aria-selected={'true' if key == tab else 'false'}")
    {"overview": _overview, "ask": _ask, "lattice": _lattice}[tab](page)


def _waiting(page: Page) -> tuple[str, str]:
    if page.session.running is not None:
        return page.session.running.title, "It goes on if you close this tab; come back to this address to find it."
    return "Nothing made yet", "Choose privacy and method, then make a release."


def _choose(page: Page, key: str) -> None:
    page.local["tab"] = key
    page.show()


def _overview(page: Page) -> None:
    from amongst.app import panels

    assert page.session.result is not None
    with box("am"):
        panels.result(page.session.result["view"], page.is_dark, page.session.partition)


def _ask(page: Page) -> None:
    from amongst.app import panels

    assert page.session.result is not None
    with box("am"):
        panels.query(page.session.ask, page.session.result["view"]["questions"])


def _lattice(page: Page) -> None:
    from amongst.app import panels

    session = page.session
    found = session.lattice
    share: dict[str, Any] = {"suppression": found["suppression"] if found else 0.0}
    with box("labelled line"):
        tag("span", "Share of rows that may be suppressed")
        made = ui.number(value=share["suppression"], min=0, max=0.5, step=0.01, format="%g").classes("field tiny")
        made.props('outlined dense aria-label="Share that may be suppressed"')
        made.on_value_change(lambda event: share.update(suppression=event.value or 0.0))
        words = "Search again" if found else "Search"
        button(words, lambda: session.start(session.draw_lattice(share["suppression"])), "quiet")
    if found is None:
        empty("Not searched yet", "Every quasi-identifier needs a hierarchy for this.")
        return
    suppression = found["suppression"]

    def apply(levels: dict[str, int]) -> None:
        page.local["tab"] = "overview"
        page.then("result", lambda: session.apply_levels(levels, suppression))()

    with box("am"):
        panels.lattice(found["view"], apply)
