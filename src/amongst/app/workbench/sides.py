"""Other looks at the release, beside the table: figures, questions, the lattice, and other methods."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, Any

from nicegui import ui

from amongst.app import panels
from amongst.app.language import spoken
from amongst.app.parts import box, button, empty, select, tag
from amongst.app.redraw import drawn_anew
from amongst.app.steps.many import result_of_tables
from amongst.app.steps.method import BUDGETS, methods_of, usual_candidates
from amongst.app.workbench.attacks import show_attacks
from amongst.app.workbench.models import show_models
from amongst.compare.candidate import Candidate

if TYPE_CHECKING:
    from amongst.app.session import Session
    from amongst.app.workbench.bench import Workbench


def show_aside(bench: Workbench, key: str) -> None:
    """One of them."""
    _, show = ASIDES[key]
    if bench.session.result is None and key in ("figures", "ask"):
        with box("empty"):
            bench.words_of_nothing()
        return
    show(bench)


def about_aside(session: Session, key: str) -> Any:
    """What one of them is drawn from, beside the release: it is drawn anew where that is another."""
    if key not in OWN:
        return session.result is None and session.running is not None
    return getattr(session, OWN[key]), session.running is not None, session.result is None


def _figures(bench: Workbench) -> None:
    page = bench.page
    place = box("am")
    with place:
        tag("p", "Drawing …", "muted")

    async def draw() -> None:
        view = await bench.session.figures()
        if place.is_deleted or view is None:
            return
        with drawn_anew(place):
            if page.draft.many:
                result_of_tables(view)
            else:
                panels.result(view, page.is_dark, bench.session.partition)

    bench.refill = lambda: bench.session.start(draw())
    bench.refill()


def _ask(bench: Workbench) -> None:
    assert bench.session.result is not None
    with box("am"):
        told = bench.session.result["told"]
        panels.query(bench.session.ask, told["questions"], told["columns"], truth=not bench.page.draft.many)


def _lattice(bench: Workbench) -> None:
    session, page = bench.session, bench.page
    found = session.lattice
    share: dict[str, Any] = {"suppression": found["suppression"] if found else 0.0}
    with box("labelled line"):
        tag("span", "Share of rows that may be suppressed")
        made = ui.number(value=share["suppression"], min=0, max=0.5, step=0.01, format="%g").classes("field tiny")
        made.props(spoken('outlined dense aria-label="Share that may be suppressed"'))
        made.on_value_change(lambda event: share.update(suppression=event.value or 0.0))
        words = "Search again" if found else "Search"
        search = button(words, lambda: session.start(session.draw_lattice(share["suppression"])), "quiet")
        if session.running is not None:
            search.disable()
    if found is None:
        empty("Not searched yet", "Every quasi-identifier needs a hierarchy for this.")
        return
    suppression = found["suppression"]

    def apply(levels: dict[str, int]) -> None:
        page.local["tab"] = "table"
        page.then("workbench", lambda: session.apply_levels(levels, suppression))()

    with box("am"):
        panels.lattice(found["view"], apply)


def _others(bench: Workbench) -> None:
    """Many methods and many k side by side; nothing is published by comparing."""
    session, page = bench.session, bench.page
    _settings(bench)
    if session.comparison is None:
        waits = session.running is not None
        empty(
            session.running.title if session.running else "Nothing compared yet",
            "It will be drawn here." if waits else "Choose methods and values of k, and compare.",
        )
        return

    def take(place: int) -> None:
        page.local["tab"] = "table"
        page.then("workbench", lambda: session.choose(place))()

    with box("am"):
        panels.front(session.comparison["view"], take)


def _settings(bench: Workbench) -> None:
    session, page = bench.session, bench.page
    k = next((one["k"] for one in page.draft.privacy if "k" in one), 10)
    ks = ", ".join(str(one) for one in sorted({k, 2 * k, 5 * k, 10 * k}))
    usual = {Candidate(*one, models=()).name: one for one in usual_candidates(page.draft)}
    able = methods_of(page.draft).names(lambda method: method.publishes != "two tables")
    listed = {**{name: (name, {}) for name in able}, **usual}
    chosen = page.local.setdefault("compare", {"methods": list(usual), "ks": ks, "budget": 120.0})
    chosen["methods"] = [name for name in chosen["methods"] if name in listed]  # another table may have others

    def go() -> None:
        ks = [int(part) for part in str(chosen["ks"] or "").split(",") if part.strip().isdecimal()]
        asked = [listed[name] for name in chosen["methods"]]
        session.start(session.find(asked, sorted({one for one in ks if one > 0}) or None, chosen["budget"]))

    with box("fields"):
        with box("labelled grow"):
            tag("span", "Methods")
            methods = ui.select(list(listed), value=chosen["methods"], multiple=True).classes("field wide")
            methods.props(spoken('outlined dense options-dense use-chips aria-label="Methods"'))
            methods.on_value_change(lambda event: chosen.update(methods=event.value))
        with box("labelled"):
            tag("span", "k")
            typed = (
                ui.input(value=chosen["ks"]).classes("field").props(spoken('outlined dense aria-label="Values of k"'))
            )
            typed.on_value_change(lambda event: chosen.update(ks=event.value))
        with box("labelled"):
            tag("span", "Time")
            select(BUDGETS, chosen["budget"], lambda value: chosen.update(budget=value), "Time")
        made = button("Compare", go, "main").props("data-mark=compare")
        if session.running is not None:
            made.disable()


ASIDES: dict[str, tuple[str, Callable[[Workbench], None]]] = {
    "figures": ("Figures", _figures),
    "ask": ("Ask it", _ask),
    "models": ("Model it", show_models),
    "lattice": ("All generalizations", _lattice),
    "others": ("Other methods", _others),
    "attack": ("Attack it", show_attacks),
}
OWN = {"models": "fitted", "lattice": "lattice", "others": "comparison", "attack": "findings"}
"""What of the session one of them shows."""
