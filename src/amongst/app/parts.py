"""The pieces that every step is made of. All text goes through labels, which the browser never reads as HTML."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any, Self

from nicegui import ui
from nicegui.element import Element

from amongst.app.language import Own, is_foreign, say, spoken

NOT_SENT = "The file could not be sent. Is the app still running, and the file not too large?"


def heading(title: str, lead: str) -> None:
    """What a step is about."""
    tag("h1", title, "title")
    tag("p", lead, "lead")


def tag(name: str, text: str = "", classes: str = "") -> ui.label:
    """An HTML element with text in it, in the language of the page; names and cells are told as ``Own``."""
    made = _Text(name, text)
    made.classes(classes)
    return made


class _Text(ui.label):
    """A label under another tag."""

    def __init__(self, name: str, text: str) -> None:
        super().__init__(say(text))
        self.tag = name
        self._mark(text)

    def set_text(self, text: str) -> Self:
        self._mark(text)
        return super().set_text(say(text))

    def _mark(self, text: str) -> None:
        if is_foreign(text):
            self.props("lang=en")
        elif "lang" in self.props:
            self.props(remove="lang")


def box(classes: str = "", name: str = "div") -> Element:
    """A plain element around others."""
    return ui.element(name).classes(classes)


def folded(opened: dict[str, Any], key: str, title: str, classes: str) -> Element:
    """A part that is opened by a click on its title; what ``opened`` says of its key outlives a page drawn anew."""
    made = box(classes, "details")
    if opened.get(key):
        made.props("open")
    # A page that goes away tells nothing: only what somebody opens or closes is heard.
    made.on("toggle", lambda event: opened.update({key: event.args}), js_handler="(event) => emit(event.target.open)")
    with made:
        tag("summary", title)
    return made


def button(text: str, on_click: Callable[..., Any] | None, kind: str = "", *, icon: str | None = None) -> ui.button:
    """A button: ``main`` for the one thing to do next, ``quiet`` for the others."""
    made = ui.button(say(text), on_click=on_click, color=None, icon=icon).props("unelevated no-caps :ripple=false")
    return made.classes(f"btn {kind}")


def error_box(error: Mapping[str, Any]) -> None:
    """What is wrong, what was found and how to put it right: never a traceback."""
    with box("error").props("role=alert"):
        tag("p", error["what"], "error-what")
        problems = error.get("problems") or []
        if len(problems) > 1:
            with box("error-found", "ul"):
                for one in problems[:12]:
                    tag("li", one["text"] + (f" — {one['fix']}" if one.get("fix") else ""))
                if len(problems) > 12:
                    tag("li", f"and {len(problems) - 12:,} more")
            return
        for line in error.get("found") or []:
            tag("p", line, "error-found")
        if error.get("fix"):
            with box("error-fix"):
                tag("span", "What to do", "error-label")
                tag("span", error["fix"])


def warn_of_names(names: Sequence[str]) -> None:
    """Said before and after a release is made, wherever columns that seem to name people are published."""
    if not names:
        return
    with box("hint").props("role=status data-mark=names-published"):
        tag("b", "These columns seem to name people, and are published")
        tag(
            "span",
            ", ".join(names) + ". If they do, choose Identifier under Roles: what was proved does not cover them.",
        )


def empty(title: str, words: str) -> None:
    """A step that has nothing to show yet."""
    with box("empty"):
        box_of_grid()
        tag("p", title, "empty-title")
        tag("p", words, "muted")


def box_of_grid() -> None:
    """The mark: a grid with three fields filled."""
    with box("mark").props("aria-hidden=true"):
        for name in ("m1", "m2", "m3", "m4", "m5"):
            ui.element("i").classes(name)


def table(columns: Sequence[str], rows: Sequence[Sequence[Any]], classes: str = "") -> None:
    """A small table of texts."""
    with scrolled(), box(f"cells {classes}", "table"):
        with box("", "thead"), box("", "tr"):
            for name in columns:
                tag("th", Own(name)).props("scope=col")
        with box("", "tbody"):
            for row in rows:
                with box("", "tr"):
                    for cell in row:
                        tag("td", "missing" if cell is None else Own(cell), "missing" if cell is None else "")


def scrolled() -> Element:
    """A part that scrolls by itself, by the keyboard too."""
    return box("cells-scroll").props(spoken('tabindex=0 role=group aria-label="Rows"'))


def select(
    options: Mapping[Any, str], value: Any, on_change: Callable[[Any], Any], label: str, *, classes: str = ""
) -> ui.select:
    """A list to choose from; its label is also read out."""
    # What is called by its own name is a name.
    told = {key: words if key == words else say(words) for key, words in options.items()}
    made = ui.select(told, value=value, on_change=lambda event: on_change(event.value))
    return made.props(f"outlined dense options-dense aria-label={quoted(say(label))}").classes(f"field {classes}")


def quoted(text: str) -> str:
    """The text as the value of a property of an element."""
    import json

    return json.dumps(text)


def drop_zone(url: str, title: str, words: str, accept: str, classes: str = "") -> None:
    """A place to drop a file on, or to choose one with the keyboard; ``page.js`` sends it."""
    with box(f"drop {classes}", "label").props(f"data-url={quoted(url)} data-failed={quoted(say(NOT_SENT))}"):
        ui.element("input").props(f'type=file accept="{accept}" aria-label={quoted(say(title))}')
        if "large" in classes:
            box_of_grid()
        tag("span", title, "drop-title")
        tag("span", words, "drop-words muted")
        with box("drop-track"):
            ui.element("div").classes("drop-bar")
        tag("span", "", "drop-error").props("role=alert")
