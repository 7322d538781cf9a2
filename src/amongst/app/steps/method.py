"""Method: how groups are found, or let amongst find out."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any

from nicegui import ui

from amongst.app.draft import method_of
from amongst.app.language import Own
from amongst.app.parts import box, button, heading, select, tag
from amongst.app.steps.problems import show_problems
from amongst.compare.candidate import usual_methods
from amongst.compare.many_tables import OF_TREES, usual_of
from amongst.errors import AmongstError
from amongst.job.job import Job
from amongst.models import model_from_dict, of_values
from amongst.partition.method import Method
from amongst.partition.methods import METHODS, Register
from amongst.relations.methods import DATABASE_METHODS

if TYPE_CHECKING:
    from amongst.app.draft import Draft
    from amongst.app.shell import Page

BUDGETS = {30.0: "half a minute", 120.0: "two minutes", 600.0: "ten minutes", None: "as long as it takes"}
FORMS = {
    "labels": "as text: [20-29]",
    "bounds": "as two columns: lower, upper",
    "structs": "as one column of two numbers",
}


def show(page: Page) -> None:
    """Find the best, or choose."""
    session = page.session
    draft = page.draft
    heading(
        "How shall groups be found?",
        "Every method keeps what you asked for. They differ in how much detail they keep, and where.",
    )
    show_problems(page)
    best = page.local.setdefault("find best", False)
    with box("ways"):
        _way(
            page,
            best,
            True,
            "Find me the best",
            f"Tries {len(usual_candidates(draft))} methods side by side and takes the one that loses least.",
        )
        _way(page, best, False, "I choose", "One method, with its options.")
    if best:
        _budget(page)
        budget = page.local.get("budget", 120.0)
        page.next = ("Find the best", page.then("workbench", lambda: session.find_best(budget)))
    else:
        _choose(page)
        page.next = ("Make the release", page.then("workbench", session.make))


def _way(page: Page, best: bool, value: bool, title: str, words: str) -> None:
    def choose() -> None:
        page.local["find best"] = value
        page.show()

    made = button("", choose, "way").props(f"aria-pressed={'true' if best == value else 'false'}")
    made.props("data-mark=" + ("find-best" if value else "choose-method"))
    with made, box("example-text"):
        tag("span", title, "example-title")
        tag("span", words, "muted")


def _budget(page: Page) -> None:
    def put(value: float | None) -> None:
        page.local["budget"] = value
        page.show()

    with box("labelled line"):
        tag("span", "It may take")
        select(BUDGETS, page.local.get("budget", 120.0), put, "Time")
    tag("p", "All of them stand under Other methods on the workbench, and you can take another one there.", "muted")


def _choose(page: Page) -> None:
    draft = page.draft
    chosen, _ = method_of(draft.content)
    with box("method-columns"):
        with box("method-list"):
            for heading, methods in methods_by_heading(methods_of(draft)).items():
                tag("h2", heading)
                for method in methods:
                    _method(page, method, chosen)
        with box("method-options"):
            _options(page, methods_of(draft).find(chosen))


def methods_of(draft: Draft) -> Register:
    """The methods for one table, or for many."""
    return DATABASE_METHODS if draft.many else METHODS


def usual_candidates(draft: Draft) -> Sequence[tuple[str, Mapping[str, Any]]]:
    """The methods with options that are tried side by side where none are named."""
    if not draft.many:
        return [(name, {}) for name in usual_methods()]
    try:
        tables: Any = Job.from_dict(draft.content).schema
        return usual_of(tables)
    except AmongstError:  # what does not fit is told where it is
        return OF_TREES


def methods_by_heading(methods: Register) -> dict[str, list[Method]]:
    """The methods under their headings, the usual ones first."""
    found: dict[str, list[Method]] = {}
    for method in sorted(methods.values(), key=lambda method: not method.usual):
        found.setdefault(method.heading, []).append(method)
    return found


def _method(page: Page, method: Method, chosen: str) -> None:
    reason = refusal(page, method)

    def choose() -> None:
        page.session.set_method(method.name)
        page.edited()
        page.show()

    made = button("", choose, "method").props(f"aria-pressed={'true' if method.name == chosen else 'false'}")
    made.props(f"data-mark=method-{method.name}")
    with made, box("example-text"):
        tag("span", Own(method.name), "column-name")
        tag("span", reason or method.words, "muted small")
    if reason:
        made.disable()


def refusal(page: Page, method: Method) -> str:
    """Why a method cannot be asked for this, as far as one can say without trying."""
    draft = page.draft
    if draft.many:
        return ""
    models = [model_from_dict(one) for one in draft.privacy]
    if method.takes == "k" and (of_values(models) or len(models) > 1):
        return "Takes k-anonymity only."
    if method.takes == "l" and not any(model.two_tables for model in models):
        return "Needs l-diversity and a sensitive column."
    if method.takes == "monotone models" and not all(model.monotone for model in models):
        return "Takes models that still hold when groups are joined."
    return ""


def _options(page: Page, method: Method) -> None:
    draft = page.draft
    tag("h2", Own(method.name))
    tag("p", method.words)
    tag("p", Own(method.source), "muted small")
    options = method_of(draft.content)[1]

    def put(name: str, value: Any, usual: Any) -> None:
        options.pop(name, None)
        if value is not None and value != usual:
            options[name] = value
        draft.method["name"] = method.name  # what is chosen stays chosen
        draft.method.pop("options", None)
        if options:
            draft.method["options"] = dict(options)
        page.edited()

    for name, usual in method.options.items():
        if name == "seed" or not isinstance(usual, (bool, int, float, str)):
            continue
        with box("labelled"):
            tag("span", method.words_of_option(name))
            _option(method, name, options.get(name, usual), put)
    if draft.many:
        return
    _target(page)

    def put_form(value: str) -> None:
        draft.output["form"] = value
        page.edited(check=True)

    with box("labelled"):
        tag("span", "ranges are published")
        form = draft.output.get("form", "labels")
        select(FORMS, form, put_form, "Form")


def _option(method: Method, name: str, value: Any, put: Any) -> None:
    usual, choices = method.options[name], method.choices_of_option(name)
    if isinstance(usual, bool):
        ui.checkbox(value=value).on_value_change(lambda event: put(name, event.value, usual)).props(
            f'aria-label="{name}"'
        )
    elif choices:
        select({one: one for one in choices}, value, lambda one: put(name, one, usual), name)
    elif isinstance(usual, str):
        text = ui.input(value=value).props(f'outlined dense debounce=500 aria-label="{name}"').classes("field")
        text.on_value_change(lambda event: put(name, event.value, usual))
    else:
        step, kind = (0.01, float) if isinstance(usual, float) else (1, int)
        number = ui.number(value=value, min=0, step=step, format="%g").classes("field tiny")
        number.props(f'outlined dense debounce=500 aria-label="{name}"')
        number.on_value_change(lambda event: put(name, None if event.value is None else kind(event.value), usual))


def _target(page: Page) -> None:
    """What readers will want to predict."""
    draft = page.draft
    columns = [*draft.named("sensitive"), *draft.named("keep")]

    def put(name: str | None) -> None:
        draft.method.pop("target", None)
        if name is not None:
            draft.method["target"] = name
        page.edited()

    if columns:
        with box("labelled"):
            tag("span", "made to predict")
            options: dict[str | None, str] = {None: "nothing in particular", **{name: name for name in columns}}
            target = draft.method.get("target")
            select(options, target if target in columns else None, put, "Target")
