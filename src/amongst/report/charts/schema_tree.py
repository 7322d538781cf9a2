"""The schema of many tables: a box a table, a line to the one it hangs on, and in it what every column lost."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field

from markupsafe import Markup

from amongst.report.charts import svg
from amongst.report.wording import count, percent, shorten

BOX, GAP_X, GAP_Y, HEAD, ROW, PAD = 300, 90, 28, 54, 26, 12
NAME = 16


@dataclass(frozen=True)
class TableBox:
    """One table of the drawing.

    Attributes
    ----------
    name : str
    parent : str, or None
        The table it hangs on, drawn to its left.
    rows : int, or None
    gone : str
        What is said of suppressed rows.
    columns : list of (name, loss)
        The loss between 0 and 1; None for a column that is published as it is.
    hangs : str
        How it hangs, said where there is neither rows nor loss to tell.
    words_of_column : dict
        What is said of a column without a loss, where that is not that it is published as it is.
    """

    name: str
    parent: str | None
    rows: int | None
    gone: str
    columns: Sequence[tuple[str, float | None]] = field(default_factory=list)
    hangs: str = ""
    words_of_column: Mapping[str, str] = field(default_factory=dict)

    @property
    def height(self) -> int:
        return HEAD + ROW * len(self.columns) + PAD

    @property
    def words(self) -> str:
        rows = "" if self.rows is None else f"{count(self.rows)} rows"
        return ", ".join(part for part in (rows, self.gone) if part) or self.hangs


def schema_chart(tables: Sequence[TableBox], key: str = "schema") -> Markup:
    """Tables from left to right, each in the column after the one it hangs on; bars show what columns lost.

    Examples
    --------
    >>> from amongst.report.charts.schema_tree import TableBox, schema_chart
    >>> patients = TableBox("patients", None, 10, "no row suppressed", [("age", 0.25)])
    >>> boxes = [patients, TableBox("visits", "patients", 30, "")]
    >>> "age: 25.0% lost" in schema_chart(boxes)
    True
    """
    depth: dict[str, int] = {}
    bottom: dict[int, float] = {}
    place: dict[str, tuple[float, float]] = {}
    for table in tables:
        level = 0 if table.parent is None else depth[table.parent] + 1
        depth[table.name] = level
        lowest = place[table.parent][1] if table.parent is not None else 2.0
        y = max(bottom.get(level, 2.0), lowest)
        place[table.name] = (2.0 + level * (BOX + GAP_X), y)
        bottom[level] = y + table.height + GAP_Y
    lines = [_line(place[table.parent], place[table.name]) for table in tables if table.parent is not None]
    boxes = [_box(table, *place[table.name]) for table in tables]
    width = (max(depth.values(), default=0) + 1) * (BOX + GAP_X) - GAP_X + 4
    height = max(bottom.values(), default=GAP_Y) - GAP_Y + 4
    said = "; ".join(
        f"{shorten(one.name, 40)}{f' hangs on {shorten(one.parent, 40)}' if one.parent else ''}" for one in tables
    )
    return svg.chart(key, width, height, "The tables and what they lost", said, *lines, *boxes)


def _line(parent: tuple[float, float], child: tuple[float, float]) -> Markup:
    x1, y1, x2, y2 = parent[0] + BOX, parent[1] + HEAD / 2, child[0], child[1] + HEAD / 2
    middle = (x1 + x2) / 2
    places = (
        " ".join(svg.number(one) for one in (x1, y1)) + f" H{svg.number(middle)} V{svg.number(y2)} H{svg.number(x2)}"
    )
    return svg.path(f"M{places}", "wire")


def _box(table: TableBox, x: float, y: float) -> Markup:
    parts = [
        svg.rect(x, y, BOX, table.height, "tablebox"),
        svg.text(x + PAD, y + 22, shorten(table.name, 30), "tablename"),
        svg.text(x + PAD, y + 42, shorten(table.words, 56), "note"),
    ]
    for i, (name, loss) in enumerate(table.columns):
        parts.append(_column(x, y + HEAD + ROW * i, name, loss, table.words_of_column.get(name, "as it is")))
    return svg.join(*parts)


def _column(x: float, y: float, name: str, loss: float | None, words: str) -> Markup:
    start, whole = x + PAD + 118, BOX - 2 * PAD - 118 - 52
    label = svg.text(x + PAD, y + ROW / 2 + 4, shorten(name, NAME), "name")
    if loss is None:
        return svg.join(label, svg.text(start, y + ROW / 2 + 4, words, "note"))
    tip = f"{name}: {percent(loss)} lost"
    return svg.join(
        label,
        svg.rect(start, y + 7, whole, ROW - 14, "track"),
        svg.rect(start, y + 7, whole * min(max(loss, 0.0), 1.0), ROW - 14, "bar", tip),
        svg.text(start + whole + 8, y + ROW / 2 + 4, percent(loss), "value"),
    )
