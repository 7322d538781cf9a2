"""Compare: many methods and many k side by side, and what was made so far."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from nicegui import ui

from amongst.app.parts import box, button, empty, heading, scrolled, select, tag
from amongst.app.steps.method import BUDGETS
from amongst.compare.candidate import usual_methods
from amongst.partition.methods import METHODS

if TYPE_CHECKING:
    from amongst.app.shell import Page


def show(page: Page) -> None:
    """The comparison, its settings, and the list of what was made."""
    session = page.session
    draft = page.draft
    heading(
        "Compare",
        "What other methods would lose, and what more privacy would cost. Nothing is published by comparing.",
    )
    if draft.many:
        empty("Many tables are not compared here", "Make releases one after the other; they are listed below.")
        _made(page)
        return
    _settings(page)
    if session.comparison is not None:
        from amongst.app import panels

        with box("am"):
            panels.front(session.comparison["view"], lambda place: page.then("result", lambda: session.choose(place))())
    else:
        waits = session.running is not None
        empty(
            session.running.title if session.running else "Nothing compared yet",
            "It will be drawn here." if waits else "Choose methods and values of k, and compare.",
        )
    _made(page)


def _settings(page: Page) -> None:
    session = page.session
    draft = page.draft
    k = next((one["k"] for one in draft.privacy if "k" in one), 10)
    ks = ", ".join(str(one) for one in sorted({k, 2 * k, 5 * k, 10 * k}))
    chosen = page.local.setdefault("compare", {"methods": list(usual_methods()), "ks": ks, "budget": 120.0})

    def go() -> None:
        ks = [int(part) for part in str(chosen["ks"] or "").split(",") if part.strip().isdecimal()]
        session.start(session.find(chosen["methods"], sorted({one for one in ks if one > 0}) or None, chosen["budget"]))

    with box("fields"):
        with box("labelled grow"):
            tag("span", "Methods")
            generalizing = METHODS.names(lambda method: method.publishes == "one table")
            methods = ui.select(list(generalizing), value=chosen["methods"], multiple=True).classes("field wide")
            methods.props('outlined dense options-dense use-chips aria-label="Methods"')
            methods.on_value_change(lambda event: chosen.update(methods=event.value))
        with box("labelled"):
            tag("span", "k")
            typed = ui.input(value=chosen["ks"]).classes("field").props('outlined dense aria-label="Values of k"')
            typed.on_value_change(lambda event: chosen.update(ks=event.value))
        with box("labelled"):
            tag("span", "Time")
            select(BUDGETS, chosen["budget"], lambda value: chosen.update(budget=value), "Time")
        made = button("Compare", go, "main").props("data-mark=compare")
        if session.running is not None:
            made.disable()


def _made(page: Page) -> None:
    """What was made in this session, to go back to."""
    session = page.session
    if not session.history:
        return
    tag("h2", "Made so far")
    with scrolled(), box("cells", "table"):
        with box("", "thead"), box("", "tr"):
            for name in ("Method", "Privacy", "Loss", "Seconds", ""):
                tag("th", name).props("scope=col")
        with box("", "tbody"):
            for one in session.history:
                with box("", "tr"):
                    options = ", ".join(f"{key} = {value}" for key, value in one["options"].items())
                    tag("td", one["method"] + (f" ({options})" if options else ""))
                    tag("td", "; ".join(_words(model) for model in one["privacy"]))
                    tag("td", one["loss"])
                    tag("td", f"{one['seconds']:.1f}")
                    with box("", "td"):
                        button("Back to this", lambda one=one: _again(page, one), "quiet small")


def _words(model: dict[str, Any]) -> str:
    settings = ", ".join(f"{key} = {value}" for key, value in model.items() if key != "model")
    return f"{model['model']}: {settings}"


def _again(page: Page, one: dict[str, Any]) -> None:
    import copy

    assert page.session.draft is not None
    page.session.draft.content = copy.deepcopy(one["job"])
    page.edited()
    page.then("result", page.session.make)()
