"""Hierarchies: how the values of a column merge, with a live preview."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from amongst.app.language import Own, spoken
from amongst.app.parts import box, button, empty, heading, tag
from amongst.app.redraw import drawn_anew
from amongst.app.steps.recipes import RECIPES, recipe_of, show_recipe
from amongst.app.steps.roles import facts_words
from amongst.errors import AmongstError
from amongst.schema.hierarchy import Hierarchy

if TYPE_CHECKING:
    from amongst.app.shell import Page


def show(page: Page) -> None:
    """The quasi-identifiers on the left, the recipe of one of them with its preview on the right."""
    draft = page.draft
    heading(
        "How do values merge?",
        "A hierarchy says what may stand for a value: 34 becomes 30–39, Bern becomes Switzerland. Numbers and dates "
        "need none for detailed methods; methods with one level a column need one for each.",
    )
    quasi = draft.named("quasi")
    if not quasi:
        empty("No quasi-identifier yet", "Choose under Roles which columns others may know of people.")
        return
    ideas = [name for name in quasi if _idea(page, name) and "hierarchy" not in draft.columns[name]]
    if ideas:
        with box("hint"):
            tag("b", f"Suggested for {len(ideas)} more")
            tag("span", Own(", ".join(ideas)))
            button("Use all suggestions", lambda: _use(page, ideas), "quiet small")
    chosen = page.local.get("column")
    chosen = chosen if chosen in quasi else quasi[0]
    with box("hierarchies"):
        listed = box("hierarchy-list").props(spoken("role=listbox aria-label=Columns"))

        def show_list() -> None:
            with drawn_anew(listed):
                for name in quasi:
                    _line(page, name, chosen)

        show_list()
        page.on_checked = show_list
        with box("hierarchy-editor"):
            _editor(page, chosen)


def _idea(page: Page, name: str) -> dict[str, Any] | None:
    return page.session.column_facts.get(name, {}).get("idea")


def _use(page: Page, names: list[str]) -> None:
    draft = page.draft
    for name in names:
        draft.columns[name]["hierarchy"] = dict(_idea(page, name) or {})
    page.edited(check=True)
    page.show()


def _line(page: Page, name: str, chosen: str) -> None:
    draft = page.draft
    wrong = any(one.get("column") == name for one in page.session.problems)

    def choose() -> None:
        page.local["column"] = name
        page.local.pop("recipe", None)
        page.show()

    made = button("", choose, "hierarchy-item").props(
        f"role=option aria-selected={'true' if name == chosen else 'false'}"
    )
    with made, box("example-text"):
        tag("span", Own(name), "column-name")
        words = "does not fit" if wrong else describe(draft.columns[name].get("hierarchy"))
        tag("span", words, "small " + ("needs" if wrong else "muted"))


def describe(fields: dict[str, Any] | None) -> str:
    """A hierarchy in a few words."""
    if not fields:
        return "none"
    try:
        return Hierarchy.from_dict(fields).describe()
    except AmongstError:
        return "not complete"


def _editor(page: Page, name: str) -> None:
    draft = page.draft
    fields = draft.columns[name]
    recipe = page.local.get("recipe") or recipe_of(fields.get("hierarchy"))

    def choose(other: str) -> None:
        page.local["recipe"] = other
        if other == "none":
            fields.pop("hierarchy", None)
            page.edited(check=True)
        page.show()

    with box("editor-head"):
        tag("h2", Own(name))
        tag("span", facts_words(page.session.column_facts.get(name, {})), "muted")
    with box("recipes").props(spoken('role=radiogroup aria-label="Kind of hierarchy"')):
        for key, title in RECIPES.items():
            made = button(title, lambda key=key: choose(key), "recipe").props("role=radio")
            made.props(f"aria-checked={'true' if key == recipe else 'false'}").props(f"data-mark=recipe-{key}")
    idea = _idea(page, name)
    if idea and fields.get("hierarchy") != idea:
        button(f"Use the suggestion: {describe(idea)}", lambda: _use_one(page, name), "quiet small")
    show_recipe(page, name, recipe)


def _use_one(page: Page, name: str) -> None:
    page.local.pop("recipe", None)
    _use(page, [name])
