"""The columns of a job file: ``[columns.age]`` and the like."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from amongst.errors import BadHierarchy, BadSchema
from amongst.schema.column import KINDS, NULL_RULES, PUBLISH, ROLES, STATISTICS, Column
from amongst.schema.fields import NUMBER, TABLE, VALUES, Fields, Shape, header, hint
from amongst.schema.hierarchy import Hierarchy
from amongst.schema.problem import Problem, problems_of
from amongst.schema.schema import Schema

STATISTIC = Shape(
    "a text or a list of texts",
    lambda content: (
        isinstance(content, str) or (isinstance(content, list) and all(isinstance(one, str) for one in content))
    ),
)


def columns_from_fields(content: dict[str, Any], folder: str | Path, problems: list[Problem]) -> Schema:
    """The schema that the table of columns says; what is wrong with it joins ``problems``."""
    columns = {}
    for name, table in content.items():
        column = _column(Fields(table, header("columns", name), problems), folder)
        if column is not None:
            columns[name] = column
    return Schema(columns)


def _column(fields: Fields, folder: str | Path) -> Column | None:
    order = fields.take("order", VALUES)
    settings = {
        "role": fields.choose("role", ROLES),
        "kind": fields.choose("kind", KINDS),
        "hierarchy": _hierarchy(fields, folder),
        "weight": fields.take("weight", NUMBER, 1.0),
        "nulls": fields.choose("nulls", NULL_RULES),
        "order": None if order is None else tuple(order),
        "publish": fields.choose("publish", PUBLISH),
        "statistic": _statistics(fields),
        "grid": fields.take("grid", NUMBER),
    }
    fields.done()
    try:
        return Column(**settings)
    except BadSchema as error:
        for one in problems_of(error):
            fields.note(f"{error.what} {one.text}", one.fix)
        return None


def _hierarchy(fields: Fields, folder: str | Path) -> Hierarchy | None:
    content = fields.take("hierarchy", TABLE)
    if content is None:
        return None
    try:
        return Hierarchy.from_dict(content, folder)
    except BadHierarchy as error:
        for one in problems_of(error):
            fields.note(one.text, one.fix, "hierarchy")
        return None


def _statistics(fields: Fields) -> tuple[str, ...]:
    asked = fields.take("statistic", STATISTIC, [])
    asked = [asked] if isinstance(asked, str) else asked
    for one in asked:
        if one not in STATISTICS:
            fix = hint(one, STATISTICS) + "use one of: " + ", ".join(STATISTICS)
            fields.note(f"cannot be '{one}'", fix, "statistic")
    return tuple(one for one in asked if one in STATISTICS)
