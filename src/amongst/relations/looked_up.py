"""Lookup tables as hierarchies: a code is published as itself, or as what its lookup table says above it."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

from amongst.errors import BadSchema
from amongst.relations.guess_keys import guess_keys
from amongst.relations.relation import DatabaseSchema
from amongst.relations.stored import Keys, Stored
from amongst.schema.hierarchy import Hierarchy
from amongst.schema.problem import Problem, raise_all
from amongst.schema.schema import Schema
from amongst.schema.value_text import text_of

if TYPE_CHECKING:
    from amongst.schema.column import Column


def with_looked_up(schema: DatabaseSchema, stored: Stored) -> DatabaseSchema:
    """The schema in which codes that are looked up have the hierarchies that the lookup tables say."""
    problems: list[Problem] = []
    relations = {}
    for name, relation in schema.items():
        columns = dict(relation.schema.items())
        for column, (table, *levels) in relation.looked_up.items():
            facts = {"problem": "looked up", "table": name, "column": column}
            why = _wrong(columns.get(column), table, levels, schema, stored)
            if why:
                problems.append(Problem(f"table '{name}', column '{column}': {why}", "correct looked_up", facts))
                continue
            tree = _hierarchy(column, table, levels, stored)
            columns[column] = replace(columns[column], kind="categorical", hierarchy=tree, publish="ancestor")
        relations[name] = replace(relation, columns=Schema(columns))
    raise_all(BadSchema, "Some codes cannot be looked up.", problems)
    return schema.of(relations)


def _wrong(rule: Column | None, table: str, levels: list[str], schema: DatabaseSchema, stored: Stored) -> str:
    if rule is None or rule.role != "quasi":
        return "it is no quasi-identifier"
    if table not in schema.lookups or table not in stored.tables:
        return f"'{table}' is no lookup table"
    gone = [level for level in levels if level not in stored.tables[table].column_names]
    return f"'{table}' has no column {', '.join(gone)}" if gone else "" if levels else "no column to go up to is named"


def _hierarchy(column: str, table: str, levels: list[str], stored: Stored) -> Hierarchy:
    lookup = stored.tables[table]
    same = [name for name in lookup.column_names if name.casefold() == column.casefold()]
    found = guess_keys({table: lookup, "": lookup}, {table: stored.keys.get(table, Keys())})[table].primary
    key = same[0] if same else found[0] if found else lookup.column_names[0]
    cells = [lookup.column(name).to_pylist() for name in (key, *levels)]
    rows = [[text_of(one) for one in row] for row in zip(*cells, strict=True) if None not in row]
    return Hierarchy.from_rows([[*row, "*"] for row in rows])
