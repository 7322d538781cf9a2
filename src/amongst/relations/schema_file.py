"""Tables, keys and roles from a job file, or from the manifest of a release."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import Any

from amongst.errors import BadJob
from amongst.relations.diversity import model_from_fields
from amongst.relations.relation import KNOWN, TIMES, DatabaseSchema, Link, Relation, columns_of
from amongst.schema.column import Column
from amongst.schema.fields import TABLE, TEXT, TEXTS, Fields, Shape, header
from amongst.schema.file import columns_from_fields, read_toml
from amongst.schema.problem import Problem, raise_all
from amongst.schema.schema import Schema

PARENT = Shape("the name of one table", lambda content: isinstance(content, (str, list)))
KEY = Shape("the name of a column, or a list of names", lambda content: isinstance(content, str) or _names(content))
TIMES_OF = Shape(
    'such as { visited = "year" }, each one of: ' + ", ".join(TIMES),
    lambda content: isinstance(content, Mapping) and all(str(how) in TIMES for how in content.values()),
)
LOOKED_UP = Shape(
    'such as { district = ["districts", "region"] }',
    lambda content: isinstance(content, Mapping) and all(map(_names, content.values())),
)
OTHERS = Shape('such as { doctor = "doctors" }', lambda content: isinstance(content, Mapping) and _by_column(content))
LINKS = Shape(
    'such as { visit = "visits" }, or for several columns [{ columns = ["ward", "bed"], table = "beds" }]',
    lambda content: _by_column(content) or (isinstance(content, list) and all(map(_by_columns, content))),
)


def _names(content: Any) -> bool:
    return isinstance(content, list) and bool(content) and all(isinstance(one, str) for one in content)


def _by_column(content: Any) -> bool:
    return isinstance(content, Mapping) and all(isinstance(table, str) for table in content.values())


def _by_columns(one: Any) -> bool:
    """Whether an entry names the columns that refer together, and the table that they refer to."""
    if not isinstance(one, Mapping) or set(one) != {"columns", "table"} or not isinstance(one["table"], str):
        return False
    return _names(one["columns"])


def relations_from_fields(
    content: Mapping[str, Any], folder: str | Path, source: Fields, problems: list[Problem]
) -> DatabaseSchema:
    """The tables of a job file; ``source`` is its ``[input]``, which says what is left out or looked up."""
    leave_out, lookups = source.take("leave_out", TEXTS, []), source.take("lookups", TEXTS, [])
    person, kinds = source.take("person", TEXT), source.take("others", TEXTS, [])
    relations = {}
    for name, table in content.items():
        fields = Fields(table, header("tables", name), problems)
        key, parent = fields.take("key", KEY), fields.take("parent", PARENT)
        foreign_key = fields.take("foreign_key", KEY)
        references = _links(fields.take("references", LINKS, {}))
        known = fields.choose("known", tuple(KNOWN), "all") or "all"
        others = fields.take("others", OTHERS, {})
        times, looked_up = fields.take("times", TIMES_OF, {}), fields.take("looked_up", LOOKED_UP, {})
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
        relations[name] = Relation(
            columns,
            key,
            parent,
            foreign_key,
            references=references,
            known=known,
            times=times,
            looked_up=looked_up,
            others=others,
        )
    gone = [name for name in kinds if name not in relations]
    if gone:
        source.note(f"names tables of which nothing is said: {', '.join(gone)}", "add [tables.NAME]", "others")
    apart = {name: relations.pop(name) for name in kinds if name not in gone}
    return DatabaseSchema(relations, leave_out, lookups=lookups, person=person, others=apart)


def _links(told: Any) -> Any:
    """References as ``column = "table"``, or where several columns refer together as a list of both."""
    return told if isinstance(told, Mapping) else [Link(columns_of(one["columns"]), one["table"]) for one in told]


def relation_fields(relation: Relation) -> dict[str, Any]:
    """Keys and references of a table as a job file and a manifest write them; what is not there is left out."""
    links: Any = {link.columns[0]: link.table for link in relation.links}
    if any(len(link.columns) > 1 for link in relation.links):
        links = [{"columns": list(link.columns), "table": link.table} for link in relation.links]
    told = {"key": relation.key, "parent": relation.parent, "foreign_key": relation.foreign_key, "references": links}
    fields = {name: list(one) if isinstance(one, tuple) else one for name, one in told.items() if one}
    fields |= {} if relation.known == "all" else {"known": relation.known}
    looked_up = {column: list(told) for column, told in relation.looked_up.items()}
    more = {"times": dict(relation.times), "looked_up": looked_up, "others": dict(relation.others)}
    return fields | {name: one for name, one in more.items() if one}


def database_schema_from_file(path: str | Path) -> DatabaseSchema:
    """The schema of a job file, whatever else the file lacks."""
    content = read_toml(Path(path))
    problems: list[Problem] = []
    fields = Fields(content, "", problems)
    source = Fields(fields.take("input", TABLE, {}), "[input]", problems)
    schema = relations_from_fields(fields.take("tables", TABLE, {}, required=True), Path(path).parent, source, problems)
    raise_all(BadJob, f"The tables in {Path(path).name} cannot be used.", problems)
    return schema


def told_by_manifest(told: Mapping[str, Any]) -> tuple[DatabaseSchema, tuple[Any, ...]]:
    """Tables and models as a manifest states them; raises one of ``UNREADABLE`` where it is none of many tables."""
    return database_schema_from_manifest(told), tuple(model_from_fields(one) for one in told["privacy"])


def database_schema_from_manifest(told: Mapping[str, Any]) -> DatabaseSchema:
    """Tables, keys and roles as a manifest states them: enough to verify a release."""
    relations, others = (
        {name: _relation_from_manifest(table) for name, table in told.get(part, {}).items()}
        for part in ("tables", "others")
    )
    return DatabaseSchema(relations, lookups=told.get("lookups", ()), others=others)


def _relation_from_manifest(table: Mapping[str, Any]) -> Relation:
    columns = Schema({column: Column(role=fields["role"]) for column, fields in table["columns"].items()})
    return Relation(
        columns,
        table.get("key"),
        table.get("parent"),
        table.get("foreign_key"),
        references=_links(table.get("references", {})),
        known=table.get("known", "all"),
        times=table.get("times", {}),
        others=table.get("others", {}),
    )
