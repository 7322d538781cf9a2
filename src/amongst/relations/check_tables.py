"""Do the tables fit their schema? Columns and roles; everything that does not fit is said at once."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

from amongst.errors import BadSchema
from amongst.relations.draft import with_found_keys
from amongst.relations.looked_up import with_looked_up
from amongst.relations.relation import DatabaseSchema, Relation
from amongst.relations.stored import Stored
from amongst.schema.check_column import check_column
from amongst.schema.column import Column
from amongst.schema.hierarchy import Hierarchy
from amongst.schema.problem import Problem, count, listed, raise_all
from amongst.schema.schema import Schema

if TYPE_CHECKING:
    import pyarrow as pa


def check_tables(schema: DatabaseSchema, stored: Stored) -> DatabaseSchema:
    """The schema with everything filled in that follows from the tables.

    Raises
    ------
    BadSchema
        With all problems: ``error.facts["problems"]`` has a dict for each.
    """
    schema = with_found_keys(stored, stored.in_own_letters(schema))
    schema = stored.schema_with_keys(with_looked_up(schema, stored)).complete()
    problems = _names(schema, stored)
    relations = {}
    for name, relation in schema.items():
        if name in stored.tables:
            relation, found = check_relation(relation, stored.tables[name])
            problems += [Problem(f"table '{name}', {one.text}", one.fix, {"table": name, **one.facts}) for one in found]
        relations[name] = relation
    if not any(relation.schema.quasi for relation in relations.values()):
        fix = 'give role = "quasi" to the columns that others may know people by'
        problems.append(
            Problem("no column of any table is a quasi-identifier", fix, {"problem": "no quasi-identifier"})
        )
    raise_all(BadSchema, "The schema does not fit the tables.", problems)
    return schema.of(relations)


def _names(schema: DatabaseSchema, stored: Stored) -> list[Problem]:
    problems = []
    missing = [name for name in schema.needed if name not in stored.tables]
    if missing:
        text = f"not in the database: {listed(missing)}"
        fix = "correct the names, or take the tables out of the schema"
        problems.append(Problem(text, fix, {"problem": "missing table", "tables": missing}))
    undecided = stored.undecided(schema)
    if undecided:
        text = f"nothing is said of {count(len(undecided), 'table')}: {listed(undecided)}"
        fix = "give each a place in the schema, or leave it out by name"
        problems.append(Problem(text, fix, {"problem": "undecided table", "tables": undecided}))
    return problems


def check_relation(relation: Relation, table: pa.Table) -> tuple[Relation, list[Problem]]:
    """The table's columns with what follows from their values, and what does not fit."""
    problems = []
    names, keys = table.column_names, [*relation.keys, *(c for c in relation.others if c not in relation.schema)]
    gone = [name for name in [*keys, *relation.schema] if name not in names]
    if gone:
        facts = {"problem": "missing column", "columns": gone}
        problems.append(Problem(f"columns that it does not have: {listed(gone)}", "correct the names", facts))
    undecided = [n for n in names if n not in keys and (n not in relation.schema or relation.schema[n].role is None)]
    if undecided:
        text = f"no role for {count(len(undecided), 'column')}: " + ", ".join(f"'{name}'" for name in undecided)
        fix = "give each a role: identifier (dropped), quasi, sensitive or keep"
        problems.append(Problem(text, fix, {"problem": "undecided", "columns": undecided}))
    columns = {}
    for name, column in relation.schema.items():
        if name in names and column.role not in (None, "identifier"):
            column, found = check_column(_for_nodes(column), table.column(name))
            found += _not_here(column)
            problems += [Problem(f"column {one.text}", one.fix, one.facts) for one in (p.about(name) for p in found)]
        columns[name] = column if column.role != "quasi" else _for_nodes(column)
    return replace(relation, columns=Schema(columns)), problems


def _for_nodes(column: Column) -> Column:
    """A category without a hierarchy is published as itself or not at all: sets would need all rows of a group."""
    if column.role == "quasi" and column.kind == "categorical" and column.hierarchy is None:
        return replace(column, hierarchy=Hierarchy.flat(), publish="ancestor")
    return column


def _not_here(column: Column) -> list[Problem]:
    problems = []
    if column.role == "quasi" and column.nulls == "match anything":
        fix = 'use "own value" or "suppress"'
        problems.append(Problem('the null rule "match anything" is for single tables', fix, {"problem": "nulls"}))
    if column.hierarchy is not None and column.hierarchy.weights:
        fix = "take the weights out: LM, by which many tables are measured, counts leaves"
        problems.append(Problem("weights of nodes are for single tables", fix, {"problem": "weights"}))
    if column.statistic:
        problems.append(Problem("statistics are for single tables", "take the statistic out", {"problem": "statistic"}))
    if column.publish == "set" and column.hierarchy is not None:
        fix = "leave publish out: a node of the hierarchy, or a range, stands for a group"
        problems.append(Problem("sets are for single tables", fix, {"problem": "publish"}))
    return problems
