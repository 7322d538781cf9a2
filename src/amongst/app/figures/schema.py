"""The tables of a database, how they hang together, what their columns are and what they lost."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from amongst.app.figures.plain import plain, short
from amongst.relations.relation import DatabaseSchema, Relation, columns_of
from amongst.report.charts.schema_tree import TableBox, schema_chart

if TYPE_CHECKING:
    from amongst.relations.release import DatabaseRelease

ROLES = {
    "quasi": "quasi-identifier",
    "sensitive": "sensitive",
    "keep": "kept",
    "weight": "sampling weight",
    "household": "household",
    "identifier": "dropped",
}


def schema_drawing(schema: DatabaseSchema | DatabaseRelease, rows: dict[str, int] | None = None) -> dict[str, Any]:
    """Every table in an order in which parents come first; of a release also rows and loss.

    Parameters
    ----------
    schema : DatabaseSchema or DatabaseRelease
    rows : dict of str to int, optional
        How many rows every table has, where there is no release yet.

    Examples
    --------
    >>> import amongst as am
    >>> from amongst.app.figures import schema_drawing
    >>> made = am.datasets.load_database("hospital", n_persons=10)
    >>> [(table["name"], table["parent"]) for table in schema_drawing(made.schema)["tables"]][:3]
    [('patients', None), ('visits', 'patients'), ('diagnoses', 'visits')]
    """
    if isinstance(schema, DatabaseSchema):
        boxes: dict[str, TableBox] = {}
    else:
        from amongst.relations.report import table_boxes

        boxes = {box.name: box for box in table_boxes(schema)}
        schema = schema.schema
    tables = [_table(schema, name, boxes.get(name), (rows or {}).get(name)) for name in schema.in_order()]
    drawing = schema_chart([_box(table) for table in tables])
    return plain({"person": schema.person, "tables": tables, "has_loss": bool(boxes), "drawing": drawing})


def _box(table: dict[str, Any]) -> TableBox:
    """A table with all of its columns, also those that are not published."""
    return TableBox(
        table["name"],
        table["parent"],
        table["rows"],
        table["gone"],
        [(column["name"], column["loss"]) for column in table["columns"]],
        hangs=table["hangs"],
        words_of_column={column["name"]: column["words"] for column in table["columns"]},
    )


def _table(schema: DatabaseSchema, name: str, box: TableBox | None, rows: int | None) -> dict[str, Any]:
    relation = schema[name]
    losses = {} if box is None else dict(box.columns)
    columns = [
        {
            "name": short(column),
            "role": rule.role or "undecided",
            "words": ROLES.get(rule.role or "undecided", "undecided"),
            "loss": losses.get(column),
        }
        for column, rule in relation.schema.items()
    ]
    return {
        "name": short(name),
        "parent": None if relation.parent is None else short(relation.parent),
        "hangs": _hangs(relation),
        "key": ", ".join(columns_of(relation.key)) or None,
        "rows": box.rows if box is not None else rows,
        "gone": "" if box is None else box.gone,
        "columns": columns,
    }


def _hangs(relation: Relation) -> str:
    if relation.parent is None:
        return "one row a person"
    return (
        f"{', '.join(columns_of(relation.foreign_key))} leads to {relation.parent}"
        if relation.foreign_key
        else f"refers to {relation.parent}"
    )
