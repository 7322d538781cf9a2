"""Many tables: roles, method and result of tables that belong together."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from amongst.app.language import Own
from amongst.app.parts import box, table, tag
from amongst.app.steps.problems import show_problems
from amongst.app.steps.roles import column_row

if TYPE_CHECKING:
    from amongst.app.shell import Page


def roles_of_tables(page: Page) -> None:
    """The columns of every table; keys are told, and dealt anew in the release."""
    draft = page.draft
    show_problems(page)
    for name, facts in draft.content["tables"].items():
        with box("table-head"):
            tag("h2", Own(name))
            tag("span", _keys(facts), "muted")
        with box("roles"):
            for column, fields in facts.setdefault("columns", {}).items():
                column_row(page, fields, page.session.column_facts.get(f"{name}.{column}", {}), column)


def _keys(facts: dict[str, str]) -> str:
    hangs = f"hangs on {facts['parent']} by {facts.get('foreign_key')}" if facts.get("parent") else "has the persons"
    return f"{hangs}; key {facts.get('key') or 'none'}"


def result_of_tables(view: dict[str, Any]) -> None:
    """What was proved, the drawing of the tables, what every column lost, and a few published rows."""
    from amongst.app import panels

    tag("h2", f"{view['persons']:,} persons in {view['groups']:,} groups")
    tag(
        "p",
        f"The smallest group has {view['smallest']:,}; {view['suppressed']} persons were suppressed; "
        f"{100 * view['lm']:.1f} % of the detail was lost.",
        "lead",
    )
    with box("checked"):
        for words in view["checked"]:
            with box("done-line"):
                tag("span", "Proved", "good")
                tag("span", words)
    for words in view["hardened"]:
        tag("p", words, "small")
    with box("am"):
        panels.schema(view["drawing"])
    for name, facts in view["tables"].items():
        with box("table-head"):
            tag("h2", Own(name))
            lost = ", ".join(f"{column} {100 * share:.0f} %" for column, share in facts["lost"].items())
            tag("span", f"{facts['rows']:,} rows published" + (f"; lost: {lost}" if lost else ""), "muted")
        table(facts["sample"]["columns"], facts["sample"]["rows"], "sample")
