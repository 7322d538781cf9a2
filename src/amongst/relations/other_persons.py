"""Other kinds of persons, such as the doctors of patients: k of them alike, and references that mean all of these."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from typing import TYPE_CHECKING

import numpy as np

from amongst.errors import BadSchema, Infeasible
from amongst.relations.check_keys import found_rows
from amongst.relations.check_tables import check_relation
from amongst.relations.content_order import column_ranks
from amongst.relations.relation import DatabaseSchema, Relation
from amongst.relations.row_labels import row_labels
from amongst.relations.stored import Stored
from amongst.relations.times import with_persons_times
from amongst.schema.problem import Problem, raise_all
from amongst.schema.schema import Schema

if TYPE_CHECKING:
    import pyarrow as pa

WHAT = "Another kind of persons cannot be protected so."
METHOD = "gain-split"


def as_released(stored: Stored, schema: DatabaseSchema, k: int, seed: int) -> Stored:
    """The tables as a release sees them: times as the persons see them, other kinds of persons in classes."""
    return with_other_persons(with_persons_times(stored, schema, seed), schema, k, seed)


def with_other_persons(stored: Stored, schema: DatabaseSchema, k: int, seed: int) -> Stored:
    """The tables with other kinds of persons in classes of at least k; the same where the schema has none.

    Guarantees
        A class has at least k persons of the kind, published alike in all that is published of them. Whatever refers
        to one of them refers to the class: which rows are of one person is not told, nor how many rows anybody has.
    Choices
        Numbers of classes are drawn. A reference that leads nowhere is missing.
    """
    if not schema.others:
        return stored
    schema = stored.schema_with_keys(stored.in_own_letters(schema))
    made, spelled = dict(stored.tables), {name: dict(own) for name, own in stored.spelled.items()}
    for i, (name, relation) in enumerate(schema.others.items()):
        raise_all(BadSchema, WHAT, list(_problems(name, relation, schema, stored)))
        table, key = stored.tables[name], str(relation.key)
        if table.num_rows < k:
            found, fix = f"'{name}' has {table.num_rows:,} rows", "leave it out, and references to it too"
            raise Infeasible(f"{k} of another kind of persons cannot be alike.", found=found, fix=fix)
        made[name], class_of_row = _in_classes(table, relation, k, np.random.default_rng([seed, i, 5]))
        spelled.pop(name, None)
        for other, column in _referring(schema, name):
            classes = _classes_of(found_rows(other, name, made[other].column(column), table.column(key)), class_of_row)
            made[other] = made[other].set_column(made[other].column_names.index(column), column, classes)
            spelled.get(other, {}).pop(column, None)
    return replace(stored, tables=made, spelled=spelled)


def _referring(schema: DatabaseSchema, name: str) -> Iterator[tuple[str, str]]:
    for other, relation in schema.items():
        yield from ((other, column) for column, kind in relation.others.items() if kind == name)


def _problems(name: str, relation: Relation, schema: DatabaseSchema, stored: Stored) -> Iterator[Problem]:
    """Everything for which nothing could be proved."""
    facts = {"problem": "other persons", "table": name}

    def problem(text: str, fix: str) -> Problem:
        return Problem(f"table '{name}' {text}", fix, facts)

    if name not in stored.tables:
        yield problem("is not in the database", "correct the name")
        return
    if not isinstance(relation.key, str):
        yield problem("has no key of one column that is named", "name it: key = ...")
        return
    yield from (problem(one.text, one.fix) for one in check_relation(relation, stored.tables[name])[1])
    if relation.parent is not None or relation.links or relation.others:
        yield problem("refers to other tables", "give the columns the role identifier: only its own columns are told")
    below = [other for other, one in schema.items() if one.parent == name]
    if below:
        yield problem(
            f"has tables that hang on it alone: {', '.join(below)}", "leave those out, or hang them on persons"
        )
    odd = [c for c, rule in relation.schema.items() if rule.role not in ("quasi", "identifier")]
    odd += [c for c in relation.schema.quasi if relation.schema[c].nulls in ("suppress", "match anything")]
    if odd:
        fix = 'give them role = "quasi", with missing cells as a value of their own, or role = "identifier"'
        yield problem(f"has columns of which nothing is promised: {', '.join(odd)}", fix)
    elif not relation.schema.quasi:
        yield problem("has no quasi-identifier", "leave it out: without columns it tells nothing")
    keys = stored.tables[name].column(relation.key) if relation.key in stored.tables[name].column_names else None
    if keys is not None and (keys.null_count or len(keys.unique()) < len(keys)):
        yield problem("has keys that are missing or doubled", "correct them")


def _in_classes(table: pa.Table, relation: Relation, k: int, rng: np.random.Generator) -> tuple[pa.Table, np.ndarray]:
    """The table with classes for keys, by class, and the class of every row as it was."""
    import pyarrow as pa

    rules = Schema({c: check_relation(relation, table)[0].schema[c] for c in relation.schema.quasi})
    cells = row_labels(table.select(rules.quasi), rules, k, METHOD)
    ranks = np.stack([column_ranks(pa.chunked_array([one])) for one in cells.values()], axis=1)
    number = np.unique(ranks, axis=0, return_inverse=True)[1].reshape(-1)
    number = rng.permutation(int(number.max()) + 1)[number] + 1
    order = pa.array(np.argsort(number, kind="stable"))
    classes = pa.array([f"class {one}" for one in range(int(number.max()) + 1)])
    columns = {str(relation.key): classes.take(pa.array(number))} | cells
    whole = pa.table({c: columns[c].cast(pa.string()) for c in table.column_names if c in columns})
    return whole.take(order), number


def _classes_of(rows: np.ndarray, number: np.ndarray) -> pa.ChunkedArray:
    """The classes of rows; of -1 none."""
    import pyarrow as pa

    classes = pa.array([f"class {one}" for one in number.tolist()])
    return pa.chunked_array([classes.take(pa.array(rows, mask=rows < 0))])
