"""Model it: what becomes of a regression that readers will fit, before and after."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from nicegui import ui

from amongst.app.language import spoken
from amongst.app.panels import markup
from amongst.app.parts import box, button, empty, tag

if TYPE_CHECKING:
    from amongst.app.workbench.bench import Workbench

MOST_NAMED = 3
"""Columns that stand in the first formula."""


def show_models(bench: Workbench) -> None:
    """A formula to fit, those that the job tells about, and the coefficients before and after."""
    session, page = bench.session, bench.page
    found = session.fitted
    formula = page.local.setdefault("formula", first_formula(page.draft.columns))
    waits = session.running is not None or session.result is None

    def fit() -> None:
        if page.local["formula"]:
            session.start(session.fit(page.local["formula"]))

    def keep() -> None:
        assert found is not None
        page.draft.content["analysis"] = {"formulas": [*page.draft.formulas, found["formula"]]}
        bench.edited()
        bench.show_body()

    def take(one: str) -> None:
        page.local["formula"] = one
        typed.set_value(one)
        fit()

    with box("am"), ui.row().classes("am-ask"):
        typed = ui.input(value=formula).classes("am-sql")
        typed.props(spoken('outlined dense aria-label="Formula of the model"')).props("data-mark=formula")
        typed.on_value_change(lambda event: page.local.update(formula=(event.value or "").strip()))
        typed.on("keydown.enter", fit)
        made = button("Fit it", fit, "main").props("data-mark=fit")
    made.set_enabled(not waits)
    words = "Linear, or logistic where what stands left has two values. Names with blanks or dashes stand in backticks."
    tag("p", words, "muted small")
    with box("am-examples"):
        for one in page.draft.formulas:
            button(one, lambda one=one: take(one), "quiet small").set_enabled(not waits)
    if found is None:
        title = session.running.title if session.running else "Not fitted yet"
        empty(
            title, "The coefficients of the original beside those that the release gives, each with its 95 % interval."
        )
        return
    with box("am"):
        markup.show(fitted(found))
        if found["formula"] not in page.draft.formulas:
            button("Tell it with every run", keep, "quiet small").props("data-mark=keep-formula")


def fitted(found: dict[str, Any]) -> markup.Markup:
    """What became of a model, in words and as a table."""
    headings, rows = found["table"]
    parts = [markup.section(found["words"], "For you alone: it needs the original.")]
    if rows:
        parts.append(markup.kept(markup.table(headings, rows, right=range(1, len(headings))), "csv"))
    parts += [markup.element("p", note, class_="am-note") for note in found["notes"]]
    return markup.join(parts)


def first_formula(columns: dict[str, dict[str, Any]]) -> str:
    """What one may ask first: the first sensitive column, explained by the first quasi-identifiers.

    Examples
    --------
    >>> from amongst.app.workbench.models import first_formula
    >>> first_formula({"age": {"role": "quasi"}, "pay class": {"role": "sensitive"}})
    '`pay class` ~ age'
    >>> first_formula({"age": {"role": "quasi"}})
    ''
    """
    named = {
        role: [name for name, one in columns.items() if one.get("role") == role] for role in ("quasi", "sensitive")
    }
    if not named["quasi"] or not named["sensitive"]:
        return ""
    return f"{_written(named['sensitive'][0])} ~ {' + '.join(map(_written, named['quasi'][:MOST_NAMED]))}"


def _written(name: str) -> str:
    return name if name.isidentifier() else f"`{name}`"
