"""Privacy: what must hold, in plain words, and what it does not do."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from typing import TYPE_CHECKING, Any

from nicegui import ui

from amongst.app.model_words import CARDS, Card
from amongst.app.parts import box, drop_zone, heading, select, tag
from amongst.app.steps.problems import show_problems
from amongst.errors import AmongstError
from amongst.models import model_from_dict

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
    cards = [card for card in CARDS if not draft.many or card.many_tables]
    with box("models"):
        for card in [
            *[one for one in cards if one.common],
            *[one for one in cards if one.name in chosen and not one.common],
        ]:
            _card(page, card)
    others = [card for card in cards if not card.common and card.name not in chosen]
    if others:
        with box("again", "details"):
            tag("summary", "More promises")
            with box("models"):
                for card in others:
                    _card(page, card)


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


def _card(page: Page, card: Card) -> None:
    draft = page.draft
    model = next((one for one in draft.privacy if one["model"] == card.name), None)
    reason = _missing(page, card)
    with box(f"model {'on' if model else ''}"):
        with box("model-head"):
            switch = (
                ui.checkbox(card.title, value=model is not None)
                .classes("model-switch")
                .props(f"data-mark=model-{card.name}")
            )
            switch.on_value_change(lambda event: _switch(page, card, event.value))
            if reason and model is None:
                switch.disable()
        tag("p", card.means)
        if reason:
            tag("p", reason, "needs small")
        if card.needs == "population" and page.session.population is None:
            drop_zone("/upload/population", "Drop the population here, or choose it", "", ".csv,.parquet,.gz")
        if model is not None:
            fields = box()
            promise = tag("p", _words(model), "promise")
            with fields:
                _fields(page, card, model, lambda: promise.set_text(_words(model)))
        with box("not-protect"):
            tag("span", "Leaves open", "error-label")
            tag("span", card.leaves_open)


def _missing(page: Page, card: Card) -> str:
    if card.needs == "sensitive" and not _sensitive(page):
        return "Needs a sensitive column: choose one under Roles."
    if card.needs == "population" and page.session.population is None:
        return "Needs a table of everybody who could be meant, with columns of the same names."
    return ""


def _words(model: dict[str, Any]) -> str:
    try:
        return model_from_dict(model).words()
    except AmongstError as error:
        return f"{error.what} {error.fix}."


def _switch(page: Page, card: Card, on: bool) -> None:
    draft = page.draft
    others = [one for one in draft.privacy if one["model"] != card.name]
    if on:
        given = dict(card.first)
        if card.needs == "population":
            given["population"] = str(page.session.population)
        others.append({"model": card.name, **given})
    draft.content["privacy"] = others
    page.edited()
    page.show()


def _fields(page: Page, card: Card, model: dict[str, Any], told: Callable[[], Any]) -> None:
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
        for field in card.fields:
            with box("labelled"):
                tag("span", field.label)
                if field.options:
                    select(field.options, model.get(field.name), partial(put, field.name), field.label)
                else:
                    made = ui.number(
                        value=model.get(field.name), min=field.least, max=field.most, step=field.step, format="%g"
                    )
                    made.props(f'outlined dense debounce=600 aria-label="{field.label}"').classes("field tiny")
                    made.props(f"data-mark={card.name}-{field.name}")
                    made.on_value_change(lambda event, field=field: put(field.name, field.number(event.value)))
        if card.needs == "sensitive" and len(sensitive) > 1 and not page.draft.many:
            with box("labelled"):
                tag("span", "of")
                options: dict[str | None, str] = {None: "every sensitive column", **{name: name for name in sensitive}}
                select(options, model.get("column"), lambda value: put("column", value), "Column")
