"""The review on the page: for whom a release is, who gets at it, and what risk is borne, and why."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, Any

from nicegui import ui

from amongst.app.language import Own, say, spoken
from amongst.app.parts import box, folded, quoted, select, tag
from amongst.errors import AmongstError
from amongst.review import ACCESS, PRESETS, Review

if TYPE_CHECKING:
    from amongst.app.shell import Page

TEXTS = {
    "purpose": "What it is for",
    "recipient": "Who gets it",
    "author": "Who answers for it",
    "reason": "Why that threshold",
    "date": "Day (2026-11-16)",
    "valid_until": "Good until (2027-11-16)",
}


def show_review(page: Page) -> None:
    """A form over ``[review]`` of the job file; what cannot be is told below it."""
    asked: dict[str, Any] = dict(page.draft.content.get("review", {}))
    words = tag("p", "", "small")

    def told() -> None:
        try:
            words.set_text(" ".join(Review(**asked).words) if asked else "")
            words.classes(remove="needs")
        except AmongstError as error:
            words.set_text(f"{error.what} {'; '.join(error.found)}.")
            words.classes(add="needs")
            return
        page.draft.content.pop("review", None)
        if asked:
            page.draft.content["review"] = dict(asked)
        if page.session.result is not None:  # the same release, for whom it is
            page.session.result["job"].pop("review", None)
            page.session.result["job"] |= {"review": dict(asked)} if asked else {}
        page.edited()

    def put(key: str, value: Any) -> None:
        asked.pop(key, None)
        if value not in (None, ""):
            asked[key] = value
        told()

    def because(key: str, value: Any) -> None:
        reasons = {**asked.get("reasons", {}), key.removeprefix("reason-"): value}
        put("reasons", {name: text for name, text in reasons.items() if text} or None)

    with box("fields review"):
        for key, label in TEXTS.items():
            _text(key, label, asked.get(key, ""), put)
        with box("labelled"):
            tag("span", "Who can get at it")
            select(
                {one: one for one in ACCESS}, asked.get("access", "public"), lambda one: put("access", one), "Access"
            )
        with box("labelled"):
            tag("span", "Largest chance of being found")
            made = ui.number(value=asked.get("threshold"), min=0.001, max=1, step=0.01, format="%g")
            made.props(spoken('outlined dense debounce=500 aria-label="Largest chance of being found"')).classes(
                "field"
            )
            made.on_value_change(lambda event: put("threshold", event.value))
        with box("labelled"):
            tag("span", "Or that of others")
            presets: dict[str | None, str] = {None: "none", **{name: name for name in PRESETS}}
            select(presets, asked.get("preset"), lambda one: put("preset", one), "Preset")
    with folded(page.local, "reasons", "Why each column is known to others", "plain"), box("fields review"):
        for name in page.draft.named("quasi"):
            _text(f"reason-{name}", Own(name), asked.get("reasons", {}).get(name, ""), because)
    words.move(target_index=-1)


def _text(key: str, label: str, value: str, put: Callable[[str, Any], None]) -> None:
    with box("labelled"):
        tag("span", label)
        made = (
            ui.input(value=value).props(f"outlined dense debounce=500 aria-label={quoted(say(label))}").classes("field")
        )
        made.props(f"data-mark=review-{key}")
        made.on_value_change(lambda event: put(key, event.value))
