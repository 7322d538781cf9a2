"""The tables of a database: a box each, a line to the one it hangs on, roles and losses in it."""

from __future__ import annotations

from typing import Any

from amongst.app.panels import markup
from amongst.report.charts import svg
from amongst.report.wording import count, percent, shorten

BOX, GAP_X, GAP_Y, HEAD, ROW, PAD = 292, 72, 24, 58, 24, 12
NAME = 18
ROLES = {"quasi": "quasi-identifier", "sensitive": "sensitive", "keep": "kept", "identifier": "dropped"}


def schema(view: dict[str, Any], dark: bool = False) -> None:
    """Draw ``figures.schema_drawing``."""
    lead = f"Everything hangs on {view['person']}, the table with one row a person."
    if view["has_loss"]:
        lead += " Bars show what every quasi-identifier lost."
    markup.show(markup.section("The tables", lead))
    markup.show(markup.element("div", schema_svg(view), class_="am-scroll am-schema", tabindex="0"))
    markup.show(markup.folded("The tables as a table", _listed(view)))


def schema_svg(view: dict[str, Any]) -> svg.Markup:
    """Tables from left to right, each in the column after the one it hangs on."""
    place, width, height = places(view["tables"])
    lines = [_wire(place[one["parent"]], place[one["name"]]) for one in view["tables"] if one["parent"] in place]
    boxes = [_box(one, *place[one["name"]]) for one in view["tables"]]
    said = "; ".join(f"{one['name']}: {one['hangs']}" for one in view["tables"])
    return svg.chart("schema", width, height, "The tables and how they hang together", said, *lines, *boxes)


def places(tables: list[dict[str, Any]]) -> tuple[dict[str, tuple[float, float]], float, float]:
    """The corner of every box, and the size of the drawing; parents come before their children."""
    place: dict[str, tuple[float, float]] = {}
    depth: dict[str, int] = {}
    bottom: dict[int, float] = {}
    for one in tables:
        level = depth.get(one["parent"], -1) + 1
        top = max(bottom.get(level, 2.0), place.get(one["parent"], (0.0, 2.0))[1])
        depth[one["name"]], place[one["name"]] = level, (2.0 + level * (BOX + GAP_X), top)
        bottom[level] = top + _height(one) + GAP_Y
    width = (max(depth.values(), default=0) + 1) * (BOX + GAP_X) - GAP_X + 4
    return place, width, max(bottom.values(), default=GAP_Y) - GAP_Y + 4


def _height(one: dict[str, Any]) -> int:
    return HEAD + ROW * len(one["columns"]) + PAD


def _wire(parent: tuple[float, float], child: tuple[float, float]) -> svg.Markup:
    x1, y1, x2, y2 = parent[0] + BOX, parent[1] + HEAD / 2, child[0], child[1] + HEAD / 2
    middle = (x1 + x2) / 2
    return svg.path(
        f"M{svg.number(x1)} {svg.number(y1)} H{svg.number(middle)} V{svg.number(y2)} H{svg.number(x2)}", "am-wire"
    )


def _box(one: dict[str, Any], x: float, y: float) -> svg.Markup:
    rows = "" if one["rows"] is None else f"{count(one['rows'])} rows"
    told = ", ".join(part for part in (rows, one["gone"]) if part) or one["hangs"]
    parts = [
        svg.rect(x, y, BOX, _height(one), "am-box", one["hangs"]),
        svg.rect(x, y, BOX, 4, "am-band-person" if one["parent"] is None else "am-band"),
        svg.text(x + PAD, y + 26, shorten(one["name"], 30), "am-name"),
        svg.text(x + PAD, y + 45, shorten(told, 46), "am-small"),
    ]
    parts += [_column(x, y + HEAD + ROW * i, column) for i, column in enumerate(one["columns"])]
    return svg.join(*parts)


def _column(x: float, y: float, column: dict[str, Any]) -> svg.Markup:
    start, whole = x + PAD + 126, BOX - 2 * PAD - 126 - 50
    label = svg.text(x + PAD, y + ROW / 2 + 4, shorten(column["name"], NAME), "am-column")
    if column["loss"] is None:
        return svg.join(label, svg.text(start, y + ROW / 2 + 4, ROLES.get(column["role"], column["role"]), "am-small"))
    share = min(max(column["loss"], 0.0), 1.0)
    return svg.join(
        label,
        svg.rect(start, y + 6, whole, ROW - 12, "am-track"),
        svg.rect(start, y + 6, whole * share, ROW - 12, "am-bar", f"{column['name']}: {percent(column['loss'])} lost"),
        svg.text(start + whole + 8, y + ROW / 2 + 4, percent(column["loss"]), "am-column"),
    )


def _listed(view: dict[str, Any]) -> markup.Markup:
    rows = [
        [
            one["name"],
            one["hangs"],
            column["name"],
            ROLES.get(column["role"], column["role"]),
            "" if column["loss"] is None else percent(column["loss"]),
        ]
        for one in view["tables"]
        for column in one["columns"]
    ]
    return markup.table(["table", "how it hangs", "column", "role", "lost"], rows, right=(4,))
