"""A schema from a job file: its text, its tables, and the columns ``[columns.age]`` and the like."""

from __future__ import annotations

import tomllib
from pathlib import Path
from typing import Any

from amongst.errors import BadHierarchy, BadJob, BadSchema, did_you_mean
from amongst.schema.column import KINDS, NULL_RULES, PUBLISH, ROLES, STATISTICS, Column
from amongst.schema.fields import NUMBER, NUMBER_OR_TEXT, TABLE, VALUES, Fields, Shape, header
from amongst.schema.hierarchy import Hierarchy
from amongst.schema.problem import Problem, problems_of, raise_all
from amongst.schema.schema import Schema

STATISTIC = Shape(
    "a text or a list of texts",
    lambda content: (
        isinstance(content, str) or (isinstance(content, list) and all(isinstance(one, str) for one in content))
    ),
)


def text_of_file(path: Path) -> str:
    """The text of a TOML file, whatever its lines end with."""
    return path.read_bytes().decode("utf-8-sig").replace("\r\n", "\n")


def read_toml(path: Path) -> dict[str, Any]:
    """The content of a TOML file, or an error that says where it stops being one."""
    try:
        return tomllib.loads(text_of_file(path))
    except FileNotFoundError:
        raise BadJob("There is no such job file.", found=f"no file {path}", fix="check the path") from None
    except OSError as error:
        raise BadJob("The job file cannot be read.", found=f"{path}: {error.strerror}", fix="check the path") from None
    except UnicodeDecodeError as error:
        found = f"byte {error.start + 1} of {path.name}"
        raise BadJob("The job file is not UTF-8.", found=found, fix="save it as UTF-8") from None
    except tomllib.TOMLDecodeError as error:
        fix = "mend that line; texts need quotes"
        raise BadJob(f"The job file {path.name} is not TOML.", found=str(error), fix=fix) from None
    except (ValueError, RecursionError):  # of the path a NUL, of the text a number or a nesting without end
        found = f"a path, a number or a nesting beyond all bounds in {path.name!r}"
        raise BadJob("The job file cannot be read.", found=found, fix="check the path and the file") from None


def schema_from_file(path: str | Path) -> Schema:
    """The schema of a job file, whatever else the file lacks."""
    content = read_toml(Path(path))
    problems: list[Problem] = []
    fields = Fields(content, "", problems)
    schema = columns_from_fields(fields.take("columns", TABLE, {}, required=True), Path(path).parent, problems)
    raise_all(BadJob, f"The columns in {Path(path).name} cannot be used.", problems)
    return schema


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
        "finest": fields.take("finest", NUMBER_OR_TEXT),
        "top": fields.take("top", NUMBER),
        "bottom": fields.take("bottom", NUMBER),
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
            fix = did_you_mean(one, STATISTICS) + "use one of: " + ", ".join(STATISTICS)
            fields.note(f"cannot be '{one}'", fix, "statistic")
    return tuple(one for one in asked if one in STATISTICS)
