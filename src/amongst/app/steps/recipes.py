"""The builder of one hierarchy: what is typed becomes the fields of a job file, and a preview."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any
from urllib.parse import quote

from nicegui import ui

from amongst.app.language import Own, say, spoken
from amongst.app.parts import box, drop_zone, error_box, select, tag
from amongst.app.redraw import drawn_anew
from amongst.app.steps.groups import show_groups
from amongst.schema.recipes.known import BUILT_IN

if TYPE_CHECKING:
    from amongst.app.shell import Page

RECIPES = {
    "none": "None",
    "intervals": "Intervals",
    "edges": "Edges",
    "digits": "Digits",
    "prefix": "First letters",
    "dates": "Calendar",
    "nested": "Groups",
    "fanout": "Neighbours",
    "flat": "All or nothing",
    "csv": "ARX file",
    "known": "Built in",
}
WORDS = {
    "none": "Published as a range, or as the set of values of a group.",
    "intervals": "Ranges of equal width, one width a level; each a multiple of the one before.",
    "edges": "Ranges between edges of your own, level by level: one line a level.",
    "digits": "Codes, masked from the right: 5371*, 537**.",
    "prefix": "The first so many characters, level by level: 4, 2.",
    "dates": "Parts of the calendar, from fine to coarse.",
    "nested": "Put values together under a name, and groups into groups.",
    "fanout": "Neighbours in order are joined, so many at a time.",
    "flat": "The value itself, or nothing.",
    "csv": "A CSV file as ARX writes it: value;level 1;…;*",
    "known": "A tree that everybody needs: diagnoses, countries, regions, postal areas, occupations, ages, dates.",
}
PARTS = ("day", "week", "month", "quarter", "year", "decade")
EXAMPLES = {"intervals": "5, 10, 20", "edges": "0, 18, 40, 65, 100", "digits": "5", "prefix": "4, 2", "fanout": "3"}


def recipe_of(fields: dict[str, Any] | None) -> str:
    """The recipe that the fields of a job file are of."""
    return next((name for name in RECIPES if fields and name in fields), "none")


def show_recipe(page: Page, column: str, recipe: str) -> None:
    """The fields of a recipe, and what comes of them."""
    draft = page.draft
    fields = draft.columns[column]
    current = fields.get("hierarchy") if recipe_of(fields.get("hierarchy")) == recipe else None
    tag("p", WORDS[recipe], "muted")
    if recipe == "none":
        return
    place: list[Any] = []

    def put(made: dict[str, Any] | None) -> None:
        if made is None:
            return
        if made:
            fields["hierarchy"] = made
            page.session.start(show_preview(page, column, made, place[0]))
        else:
            fields.pop("hierarchy", None)
            place[0].clear()
        page.edited(check=True)
        if page.on_checked is not None:  # the list tells what every column has
            page.on_checked()

    if recipe == "csv":
        drop_zone(f"/upload/hierarchy?column={quote(column)}", "Drop the file here, or choose it", "", ".csv,.txt")
    elif recipe == "nested":
        show_groups(page, column, current, put)
    elif recipe == "dates":
        _dates(current, put)
    elif recipe == "known":
        chosen = (current or {}).get("known")
        select({None: "choose a tree"} | BUILT_IN, chosen, lambda name: put(name and {"known": name}), "The tree")
    elif recipe == "flat":
        if current is None:
            fields["hierarchy"] = current = {"flat": True}
            page.edited(check=True)
    else:
        _numbers(recipe, current, put)
    place.append(ui.element("div").classes("preview"))
    if current is not None:
        page.session.start(show_preview(page, column, current, place[0]))


def _numbers(recipe: str, current: dict[str, Any] | None, put: Any) -> None:
    """Numbers between commas; edges have one line a level."""
    told = (current or {}).get(recipe, "")
    if recipe == "edges":
        text = "\n".join(", ".join(f"{edge:g}" for edge in level) for level in told or [])
        made: Any = ui.textarea(value=text, placeholder=EXAMPLES[recipe])
    else:
        numbers = told if isinstance(told, list) else [told] if told != "" else []
        made = ui.input(value=", ".join(f"{one:g}" for one in numbers), placeholder=EXAMPLES[recipe])
    made.props(spoken(f'outlined dense debounce=500 autogrow aria-label="{RECIPES[recipe]}"')).classes(
        "field wide"
    ).props("data-mark=recipe-numbers")
    made.on_value_change(lambda event: put(fields_of(recipe, event.value or "")))


def fields_of(recipe: str, text: str) -> dict[str, Any] | None:
    """What was typed, as the fields of a job file; None where it is not numbers.

    Examples
    --------
    >>> from amongst.app.steps.recipes import fields_of
    >>> fields_of("intervals", "5, 10"), fields_of("digits", "5"), fields_of("prefix", "a")
    ({'intervals': [5, 10]}, {'digits': 5}, None)
    """
    try:
        levels = [[_number(part) for part in line.split(",") if part.strip()] for line in text.splitlines()]
    except ValueError:
        return None
    levels = [level for level in levels if level]
    if not levels:
        return None
    if recipe == "edges":
        return {"edges": levels}
    return {recipe: levels[0][0] if recipe in ("digits", "fanout") else levels[0]}


def _number(text: str) -> int | float:
    number = float(text)
    return int(number) if number.is_integer() else number


def _dates(current: dict[str, Any] | None, put: Any) -> None:
    chosen = set((current or {}).get("dates", []))

    def switch(part: str, on: bool) -> None:
        (chosen.add if on else chosen.discard)(part)
        if chosen:
            put({"dates": [one for one in PARTS if one in chosen]})

    with box("fields"):
        for part in PARTS:
            made = ui.checkbox(say(part), value=part in chosen)
            made.on_value_change(lambda event, part=part: switch(part, event.value))


async def show_preview(page: Page, column: str, hierarchy: dict[str, Any], place: Any) -> None:
    """The levels over the values of the column, or what is not covered."""
    draft = page.session.draft
    if draft is None:
        return
    kind = draft.columns.get(column, {}).get("kind")
    found = await page.session.preview(column, kind, hierarchy)
    if place.is_deleted or not found:
        return
    with drawn_anew(place):
        if "error" in found:
            error_box(found["error"])
            return
        with box("covered"):
            tag("span", "Covers", "error-label")
            tag("span", f"all {found['leaves']:,} values, {len(found['levels'])} levels")
        with box("cells-scroll"), box("cells levels", "table"):
            with box("", "thead"), box("", "tr"):
                for number, level in enumerate(found["levels"]):
                    with box("", "th").props("scope=col"):
                        tag("span", f"Level {number}")
                        tag("span", f"{level['words']}", "muted small")
                        tag("span", f"{level['nodes']:,} different", "muted small")
            with box("", "tbody"):
                before: list[Any] = []
                for row in found["rows"]:
                    with box("", "tr"):
                        for place_in_row, cell in enumerate(row):
                            same = bool(before) and place_in_row > 0 and before[place_in_row] == cell
                            tag("td", Own(cell), "same" if same else "")
                    before = row
