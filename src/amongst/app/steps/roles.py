"""Roles: what every column is, with what was suggested and why."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, Any

from nicegui import ui

from amongst.app.language import Own, say, spoken
from amongst.app.parts import box, button, heading, quoted, select, tag
from amongst.app.redraw import drawn_anew
from amongst.app.steps.problems import NULLS, show_problems
from amongst.schema.column import TAKES_LIMITS

if TYPE_CHECKING:
    from amongst.app.shell import Page

ROLES = {
    "identifier": "Identifier",
    "quasi": "Quasi",
    "sensitive": "Sensitive",
    "keep": "Keep",
    "weight": "Weight",
    "household": "Household",
}
MEANING = {
    "identifier": "names a person or a row, or is to be left out: dropped",
    "quasi": "others may know it of people, such as age or town: generalized",
    "sensitive": "should not be learned about a person: published as it is",
    "keep": "tells nothing about anybody: published as it is",
    "weight": "how many of the population a row stands for: published as it is",
    "household": "who lives together: numbered anew, and nobody is found through the other members",
}
KINDS = {None: "by its type", "numeric": "numeric", "ordered": "ordered", "categorical": "categorical", "date": "date"}
TYPES = {
    "int": "whole numbers",
    "uint": "whole numbers",
    "float": "numbers",
    "double": "numbers",
    "halffloat": "numbers",
    "decimal": "numbers",
    "date": "calendar days",
    "timestamp": "points in time",
    "time": "times of day",
    "bool": "yes or no",
    "string": "texts",
    "large_string": "texts",
    "dictionary": "texts",
}
"""What the types of columns are called, by how their names begin."""
PER_PAGE = 40
FEW = 12
"""So many columns need no search."""
NAMES = "Suggested: identifier. With this role its values are published: {how}."
HOW = {
    "quasi": "alone or several to a group",
    "sensitive": "as they are",
    "keep": "as they are",
    "weight": "as they are",
    "household": "numbered anew",
}


def show(page: Page) -> None:
    """One line a column."""
    session = page.session
    assert session.draft is not None
    heading(
        "What is each column?",
        "This decides everything else. The suggestions come from names and values; you know better. In doubt between "
        "quasi, sensitive and keep, quasi is the safe side. Names, addresses, numbers of people and free text are "
        "identifiers: as quasi they can still be published, several to a group.",
    )
    with box("legend"):
        for role, words in MEANING.items():
            with box(f"legend-item role-{role}"):
                tag("b", ROLES[role])
                tag("span", words)
    if session.draft.many:
        from amongst.app.steps.many import roles_of_tables

        roles_of_tables(page)
        return
    show_problems(page)
    _unit(page)
    names = list(session.draft.columns)
    search = _search(page) if len(names) > FEW else []
    rows = box("roles")

    def show_rows() -> None:
        with drawn_anew(rows):
            found = _found(page, names)
            first = min(page.local.get("first column", 0), max(len(found) - 1, 0) // PER_PAGE * PER_PAGE)
            if len(names) > FEW:
                _at_once(page, found, show_rows)
            for name in found[first : first + PER_PAGE]:
                column_row(page, page.draft.columns[name], session.column_facts.get(name, {}), name)
            if not found:
                tag("p", "No column has this in its name.", "muted")
            if len(found) > PER_PAGE:
                _pages(page, len(found), first)

    def look_for(key: str, value: Any) -> None:
        page.local[key] = value
        show_rows()

    for part, key in search:
        part.on_value_change(lambda event, key=key: look_for(key, event.value))
    show_rows()


def _search(page: Page) -> list[tuple[Any, str]]:
    """Where one says which columns to show."""
    with box("labelled line"):
        tag("span", "Find a column")
        text = ui.input(value=page.local.get("search") or "", placeholder=say("part of its name")).classes("field")
        text.props(spoken('outlined dense clearable debounce=250 aria-label="Find a column"')).props("data-mark=search")
        role = select({None: "of any role"} | ROLES, page.local.get("shown role"), lambda value: None, "Only this role")
    return [(text, "search"), (role, "shown role")]


def _found(page: Page, names: list[str]) -> list[str]:
    """The columns that are looked for."""
    text, role = str(page.local.get("search") or "").casefold(), page.local.get("shown role")
    columns = page.draft.columns
    return [name for name in names if text in name.casefold() and (role is None or columns[name].get("role") == role)]


def _at_once(page: Page, names: list[str], then: Callable[[], None]) -> None:
    """One role for all columns that are shown."""
    columns = page.draft.columns

    def give_role(role: str | None) -> None:
        for name in names if role else []:
            set_role(columns[name], str(role))
        page.edited(check=True)
        then()

    with box("labelled line"):
        tag("span", f"All {len(names):,} columns below" if len(names) > 1 else "The column below")
        select({None: "give them a role"} | ROLES, None, give_role, "A role for all columns below")


def set_role(fields: dict[str, Any], role: str) -> None:
    """Another role for a column; what only quasi-identifiers have goes with it."""
    fields["role"] = role
    if role != "quasi":
        for key in ("weight", "nulls", "publish"):
            fields.pop(key, None)
    if role not in TAKES_LIMITS:
        for key in ("finest", "top", "bottom"):
            fields.pop(key, None)


def _pages(page: Page, n: int, first: int) -> None:
    def turn(by: int) -> None:
        page.local["first column"] = min(max(first + by, 0), (n - 1) // PER_PAGE * PER_PAGE)
        page.show()

    with box("turning"):
        button("Columns before", lambda: turn(-PER_PAGE), "quiet small")
        tag("span", f"{first + 1:,} to {min(first + PER_PAGE, n):,} of {n:,} columns", "muted")
        button("Columns after", lambda: turn(PER_PAGE), "quiet small")


def _unit(page: Page) -> None:
    """The column that tells people apart, where a person has several rows."""
    draft = page.draft
    identifiers = draft.named("identifier")
    if not identifiers:
        return

    def choose(name: str | None) -> None:
        draft.content["input"].pop("unit", None)
        if name is not None:
            draft.content["input"]["unit"] = name
        page.edited()

    with box("labelled line"):
        tag("span", "One row is one person, unless this column says otherwise:")
        options: dict[str | None, str] = {None: "every row is another person", **{name: name for name in identifiers}}
        unit = draft.content["input"].get("unit")
        select(options, unit if unit in identifiers else None, choose, "The column that tells people apart")


def column_row(page: Page, fields: dict[str, Any], facts: dict[str, Any], name: str) -> None:
    """A column with its role, and what goes with the role."""
    with box(f"role-row role-{fields.get('role') or 'none'}") as row:
        row.props["data-key"] = name
        with box("role-name"):
            tag("span", Own(name), "column-name")
            tag("span", facts_words(facts), "muted small")
            with box("role-why"):
                if facts.get("confidence"):
                    tag("span", facts["confidence"], f"sure {facts['confidence']}")
                tag(
                    "span",
                    "; ".join(one for one in facts.get("reasons", []) if "distinct value" not in one),
                    "muted small",
                )
        toggle = ui.toggle({role: say(words) for role, words in ROLES.items()}, value=fields.get("role")).props(
            "unelevated no-caps :ripple=false dense"
        )
        toggle.props(f"aria-label={quoted(say('Role of ' + name))}").classes("roles-toggle")
        details = box("role-details")

    def build() -> None:
        with drawn_anew(details):
            _details(page, fields, facts)

    def choose(role: str) -> None:
        row.classes(remove=f"role-{fields.get('role') or 'none'}", add=f"role-{role}")
        set_role(fields, role)
        build()
        page.edited(check=True)

    toggle.on_value_change(lambda event: choose(event.value))
    build()


def facts_words(facts: dict[str, Any]) -> str:
    """What is in a column, in few words.

    Examples
    --------
    >>> from amongst.app.steps.roles import facts_words
    >>> facts_words({"type": "date32[day]", "distinct": 4164, "nulls": 3})
    'calendar days, 4,164 values, 3 missing'
    """
    if not facts:
        return ""
    kind = next((words for start, words in TYPES.items() if facts["type"].startswith(start)), facts["type"])
    missing = f", {facts['nulls']:,} missing" if facts["nulls"] else ""
    return f"{kind}, {facts['distinct']:,} values{missing}"


def _details(page: Page, fields: dict[str, Any], facts: dict[str, Any]) -> None:
    """Kind, weight and the rule for nulls: they matter for quasi-identifiers."""
    role = fields.get("role")
    if facts.get("fields", {}).get("role") == "identifier" and role in HOW:
        tag("p", NAMES.format(how=HOW[role]), "needs small").props("role=status data-mark=names")
    if role != "quasi":
        return

    def put(key: str, value: Any, usual: Any = None) -> None:
        fields.pop(key, None)
        if value != usual and value is not None:
            fields[key] = value
        page.edited(check=True)

    kinds = {kind: say(words) for kind, words in KINDS.items()}
    select(kinds, fields.get("kind"), lambda value: put("kind", value), "Kind", classes="narrow")
    weight = ui.number(value=fields.get("weight", 1.0), min=0.1, step=0.5, format="%g", prefix=say("weight"))
    weight.props(spoken('outlined dense aria-label="Weight"')).classes("field tiny")
    weight.on_value_change(lambda event: put("weight", float(event.value), 1.0) if event.value else None)
    if facts.get("nulls"):
        made = select(NULLS, fields.get("nulls"), lambda value: put("nulls", value), "What missing means")
        made.classes("needed" if fields.get("nulls") is None else "")
