"""The table before and after, side by side; a click on a row asks why it became what it is."""

from __future__ import annotations

from typing import Any

from amongst.app.language import Own, say
from amongst.app.panels import markup
from amongst.report.wording import count

ROLES = {
    "quasi": "quasi",
    "sensitive": "sensitive",
    "keep": "kept",
    "weight": "weight",
    "identifier": "dropped",
    "key": "new keys",
}


def pair(view: dict[str, Any], chosen: int | None = None) -> markup.Markup:
    """Both tables; they scroll together (``page.js``), and rows have a button for the keyboard."""
    return markup.element(
        "div",
        _side("As it came in: stays here", "before", view, chosen),
        _side("As it is published", "after", view, chosen),
        class_="pair",
    )


def _side(title: str, key: str, view: dict[str, Any], chosen: int | None) -> markup.Markup:
    head = [markup.element("th", "Row", scope="col", class_="row-number")] if key == "before" else []
    head += [
        markup.element(
            "th",
            Own(column["name"]),
            markup.element("small", ROLES.get(column["role"], column["role"])),
            scope="col",
            class_=f"is-{column['role']}",
        )
        for column in view["columns"]
    ]
    body = [
        markup.element(
            "tr",
            *([_number(row, view["gone"][i])] if key == "before" else []),
            *_cells(view, key, i),
            data_row=row,
            class_="chosen" if row == chosen else None,
        )
        for i, row in enumerate(view["rows"])
    ]
    table = markup.element(
        "table", markup.element("thead", markup.element("tr", *head)), markup.element("tbody", *body), class_="cells"
    )
    scroll = markup.element("div", table, class_="pair-scroll", tabindex="0", role="region", aria_label=title)
    return markup.element("section", markup.element("h3", title), scroll, class_=f"pair-side is-{key}")


def _number(row: int, gone: bool) -> markup.Markup:
    words = f"Row {count(row + 1)}: show its group and why" + (", it is left out" if gone else "")
    opener = markup.element("button", count(row + 1), type="button", aria_label=words, data_row=row)
    return markup.element("th", opener, scope="row", class_="row-number")


def _cells(view: dict[str, Any], key: str, i: int) -> list[markup.Markup]:
    if key == "after" and view["gone"][i]:
        return [markup.element("td", markup.said("left out"), colspan=len(view["columns"]), class_="gone")]
    cells = []
    for c, cell in enumerate(view[key][i]):
        dropped = key == "after" and view["columns"][c]["role"] == "identifier"
        classes = "dropped" if dropped else "changed" if view["changed"][i][c] else None
        empty = "–" if dropped else markup.element("i", "missing")
        cells.append(markup.element("td", empty if cell is None else cell, class_=classes))
    return cells


def why(told: dict[str, Any]) -> markup.Markup:
    """The group of a row and the reason for every cell."""
    title = markup.element("h3", f"Row {count(told['row'] + 1)}")
    if told["gone"]:
        return markup.join([title, markup.element("p", told["gone"])])
    changed = [cell for cell in told["cells"] if cell["changed"]]
    kept = [cell["name"] for cell in told["cells"] if not cell["changed"]]
    lead = (
        f"It shares what is published with {count(told['size'] - 1)} other rows: its group has {count(told['size'])}."
    )
    parts = [title, markup.element("p", lead)]
    parts += [_reason(cell) for cell in changed]
    if kept:
        parts.append(markup.element("p", markup.element("b", "Kept as they are: "), Own(", ".join(kept)), "."))
    if told["sensitive"]:
        parts.append(markup.element("h4", "Sensitive values in its group"))
        parts += [_values(one) for one in told["sensitive"]]
    return markup.join(parts)


def _reason(cell: dict[str, Any]) -> markup.Markup:
    value = "missing" if cell["value"] is None else Own(cell["value"])
    label = "missing" if cell["label"] is None else Own(cell["label"])
    return markup.element(
        "div",
        markup.element(
            "p",
            markup.element("b", Own(cell["name"])),
            " ",
            markup.element("span", value, class_="was"),
            " became ",
            markup.element("span", label, class_="became"),
            class_="reason-head",
        ),
        markup.element("p", cell["why"]),
        markup.element(
            "details",
            markup.element("summary", "Values in its group"),
            markup.element("p", Own(_listed(cell["values"]))),
        ),
        class_="reason",
    )


def _values(one: dict[str, Any]) -> markup.Markup:
    return markup.element("p", markup.element("b", Own(one["name"])), ": ", Own(_listed(one["values"])), class_="small")


def _listed(values: list[dict[str, Any]]) -> str:
    return ", ".join(f"{one['value']} ({count(one['n'])})" if one["n"] else say(one["value"]) for one in values)
