"""Privacy: what must hold, in plain words, and what it does not do."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from typing import TYPE_CHECKING, Any

from nicegui import ui

from amongst.app.language import say, spoken
from amongst.app.parts import box, drop_zone, folded, heading, select, tag
from amongst.app.steps.problems import show_problems
from amongst.errors import AmongstError
from amongst.harden.harden import Harden
from amongst.models import MODELS, Model, model_from_dict

if TYPE_CHECKING:
    from amongst.app.shell import Page


def show(page: Page) -> None:
    """A card for every model."""
    draft = page.draft
    heading(
        "What must hold in the release?",
        "Everything you choose here is proved from the published file before it is written. Nothing here makes data "
        "anonymous by itself: read what each promise leaves open.",
    )
    show_problems(page)
    sensitive = _sensitive(page)
    if len(draft.privacy) == 1 and draft.privacy[0]["model"] == "k-anonymity" and sensitive:
        with box("hint"):
            tag("b", "k-anonymity alone leaves this open")
            names = ", ".join(sensitive[:3]) + (" and others" if len(sensitive) > 3 else "")
            tag("span", f"all rows of a group may have the same value of {names}. l-diversity asks that they differ.")
    chosen = {model["model"] for model in draft.privacy}
    kinds = shown(draft.many)
    with box("models"):
        for kind in [
            *[one for one in kinds if one.card.common],
            *[one for one in kinds if one.name in chosen and not one.card.common],
        ]:
            _card(page, kind)
        _attacks(page)
    others = [kind for kind in kinds if not kind.card.common and kind.name not in chosen]
    if others:
        with folded(page.local, "more promises", "More promises", "again"), box("models"):
            for kind in others:
                _card(page, kind)


def _attacks(page: Page) -> None:
    """The box that asks for attacks: the release is made anew until they fail."""
    draft = page.draft
    asked = draft.content.get("harden")
    with box(f"model {'on' if asked is not None else ''}"):
        with box("model-head"):
            switch = ui.checkbox(say("Harden it against attacks"), value=asked is not None)
            switch.classes("model-switch").props("data-mark=harden")
            switch.on_value_change(lambda event: _harden(page, event.value))
        tag(
            "p",
            "The release is attacked and made anew until nobody's sensitive value is certain, no cell can be narrowed "
            "by who knows the method, and people in the data can hardly be told from others. It loses more, and takes "
            "several times as long.",
        )
        if asked is not None:
            with box("fields"), box("labelled"):
                tag("span", "told from others at most this much more often than by a coin")
                made = ui.number(
                    value=asked.get("membership", Harden().membership), min=0.001, max=1, step=0.005, format="%g"
                )
                made.props(spoken('outlined dense debounce=600 aria-label="Advantage"')).classes("field tiny")
                made.props("data-mark=harden-membership")
                made.on_value_change(lambda event: _promise(page, event.value))
        with box("not-protect"):
            tag("span", "Leaves open", "error-label")
            tag("span", "attacks that nobody has thought of, and people who know more than the quasi-identifiers.")


def _harden(page: Page, on: bool) -> None:
    if on:
        page.draft.content["harden"] = {}
    else:
        page.draft.content.pop("harden", None)
    page.edited()
    page.show()


def _promise(page: Page, value: float | None) -> None:
    asked = page.draft.content["harden"]
    if value is None or value == Harden().membership:
        asked.pop("membership", None)
    else:
        asked["membership"] = float(value)
    page.edited()


def shown(many_tables: bool) -> list[type[Model]]:
    """The models that have a card: all, or those that can be asked of many tables."""
    return [model for model in MODELS.values() if model.many_tables or not many_tables]


def _sensitive(page: Page) -> list[str]:
    draft = page.draft
    if not draft.many:
        return draft.named("sensitive")
    return [
        f"{table}.{name}"
        for table, facts in draft.content["tables"].items()
        for name, fields in facts.get("columns", {}).items()
        if fields.get("role") == "sensitive"
    ]


def _card(page: Page, kind: type[Model]) -> None:
    draft, card = page.draft, kind.card
    model = next((one for one in draft.privacy if one["model"] == kind.name), None)
    reason = _missing(page, kind)
    with box(f"model {'on' if model else ''}"):
        with box("model-head"):
            switch = (
                ui.checkbox(card.title, value=model is not None)
                .classes("model-switch")
                .props(f"data-mark=model-{kind.name}")
            )
            switch.on_value_change(lambda event: _switch(page, kind, event.value))
            if reason and model is None:
                switch.disable()
        tag("p", card.means)
        if reason:
            tag("p", reason, "needs small")
        if kind.counts == "population" and page.session.population is None:
            drop_zone("/upload/population", "Drop the population here, or choose it", "", ".csv,.parquet,.gz")
        if model is not None:
            fields = box()
            promise = tag("p", _words(model), "promise")
            with fields:
                _fields(page, kind, model, lambda: promise.set_text(_words(model)))
        with box("not-protect"):
            tag("span", "Leaves open", "error-label")
            tag("span", card.leaves_open)


def _missing(page: Page, kind: type[Model]) -> str:
    if kind.counts == "values" and not _sensitive(page):
        return "Needs a sensitive column: choose one under Roles."
    if kind.counts == "population" and page.session.population is None:
        return "Needs a table of everybody who could be meant, with columns of the same names."
    return ""


def _words(model: dict[str, Any]) -> str:
    try:
        return model_from_dict(model).words()
    except AmongstError as error:
        return f"{error.what} {error.fix}."


def _switch(page: Page, kind: type[Model], on: bool) -> None:
    draft = page.draft
    others = [one for one in draft.privacy if one["model"] != kind.name]
    if on:
        given = dict(kind.card.first)
        if kind.counts == "population":
            given["population"] = str(page.session.population)
        others.append({"model": kind.name, **given})
    draft.content["privacy"] = others
    page.edited()
    page.show()


def _fields(page: Page, kind: type[Model], model: dict[str, Any], told: Callable[[], Any]) -> None:
    """What the model is asked with; the page is not built anew, so that the keyboard stays where it is."""
    sensitive = _sensitive(page)

    def put(key: str, value: Any) -> None:
        if value is None or value == "":
            model.pop(key, None)
        else:
            model[key] = value
        page.edited()
        told()

    with box("fields"):
        for field in kind.card.fields:
            with box("labelled"):
                tag("span", field.label)
                if field.options:
                    select(field.options, model.get(field.name), partial(put, field.name), field.label)
                else:
                    made = ui.number(
                        value=model.get(field.name), min=field.least, max=field.most, step=field.step, format="%g"
                    )
                    made.props(spoken(f'outlined dense debounce=600 aria-label="{field.label}"')).classes("field tiny")
                    made.props(f"data-mark={kind.name}-{field.name}")
                    made.on_value_change(lambda event, field=field: put(field.name, field.number(event.value)))
        if kind.counts == "values" and len(sensitive) > 1 and not page.draft.many:
            with box("labelled"):
                tag("span", "of")
                options: dict[str | None, str] = {None: "every sensitive column", **{name: name for name in sensitive}}
                select(options, model.get("column"), lambda value: put("column", value), "Column")
