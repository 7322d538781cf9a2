"""Tables, keys and roles from a job file, or from the manifest of a release."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import Any

from amongst.errors import BadJob
from amongst.relations.relation import DatabaseSchema, Relation
from amongst.schema.column import Column
from amongst.schema.fields import TABLE, TEXT, Fields, Shape, header
from amongst.schema.file import columns_from_fields, read_toml
from amongst.schema.problem import Problem, raise_all
from amongst.schema.schema import Schema

PARENT = Shape("the name of one table", lambda content: isinstance(content, (str, list)))


def relations_from_fields(
    content: Mapping[str, Any], folder: str | Path, leave_out: list[str], problems: list[Problem]
) -> DatabaseSchema:
    relations = {}
    for name, table in content.items():
        fields = Fields(table, header("tables", name), problems)
        key, parent = fields.take("key", TEXT), fields.take("parent", PARENT)
        foreign_key = fields.take("foreign_key", TEXT)
        found: list[Problem] = []
        columns = columns_from_fields(fields.take("columns", TABLE, {}), folder, found)
        problems += [
            Problem(one.text.replace("[columns.", f"[tables.{name}.columns.", 1), one.fix, one.facts) for one in found
        ]
        fields.done()
        if isinstance(parent, list):
            fields.note(
                "names several tables", "a table hangs on one other: name the one that leads to the persons", "parent"
            )
            parent = None
        relations[name] = Relation(columns, key, parent, foreign_key)
    return DatabaseSchema(relations, leave_out)


def database_schema_from_file(path: str | Path) -> DatabaseSchema:
    """The schema of a job file, whatever else the file lacks."""
    content = read_toml(Path(path))
    problems: list[Problem] = []
    fields = Fields(content, "", problems)
    source = content.get("input", {})
    leave_out = source.get("leave_out", []) if isinstance(source, Mapping) else []
    schema = relations_from_fields(
        fields.take("tables", TABLE, {}, required=True), Path(path).parent, leave_out, problems
    )
    raise_all(BadJob, f"The tables in {Path(path).name} cannot be used.", problems)
    return schema


def database_schema_from_manifest(told: Mapping[str, Any]) -> DatabaseSchema:
    """Tables, keys and roles as a manifest states them: enough to verify a release."""
    relations = {}
    for name, table in told["tables"].items():
        columns = Schema({column: Column(role=fields["role"]) for column, fields in table["columns"].items()})
        relations[name] = Relation(columns, table.get("key"), table.get("parent"), table.get("foreign_key"))
    return DatabaseSchema(relations)
