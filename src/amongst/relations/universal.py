"""Universal anonymization: all tables joined into one, which is then anonymized row by row. It does not protect."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from amongst.relations.check_keys import check_keys
from amongst.relations.check_tables import check_tables
from amongst.relations.relation import DatabaseSchema, Relation
from amongst.relations.row_labels import row_labels
from amongst.relations.stores import read_database
from amongst.schema.column import Column
from amongst.schema.schema import Schema

if TYPE_CHECKING:
    import pyarrow as pa


def universal(
    data: Any, schema: DatabaseSchema, k: int, method: str = "mondrian"
) -> tuple[dict[str, pa.Table], DatabaseSchema]:
    """The join of all tables with every combination of quasi-identifiers in at least k rows: a baseline that fails.

    Several of the k rows may be one person's, so persons can be told apart (see ``attack.candidates``). Nothing that
    this gives should be published.

    Paper
        Nergiz, Clifton, Nergiz: MultiRelational k-Anonymity, TKDE 2009, section 3.1.

    Returns
    -------
    tables : dict
        ``persons`` with a key, and ``universal`` with the rows of the join.
    schema : DatabaseSchema
        Of these two.
    """
    import pyarrow as pa

    stored = read_database(data)
    schema = check_tables(schema, stored)
    rows = joined_rows(schema, {n: t.num_rows for n, t in stored.tables.items()}, check_keys(schema, stored))
    columns, rules = {}, {}
    for name in schema.in_order():
        missing = pa.array(rows[name] < 0)
        for column, rule in schema[name].schema.items():
            if rule.role == "identifier":
                continue
            cells = stored.tables[name].column(column).take(pa.array(np.maximum(rows[name], 0), mask=rows[name] < 0))
            columns[f"{name}.{column}"] = cells
            rules[f"{name}.{column}"] = _with_nulls(rule, bool(missing.true_count))
    person = rows[schema.person] + 1
    quasi = {name: rule for name, rule in rules.items() if rule.role == "quasi"}
    columns |= row_labels(pa.table({name: columns[name] for name in quasi}), Schema(quasi), k, method)
    persons = pa.table({"person": np.unique(person)})
    made = {"persons": persons, "universal": pa.table({"person": person, **columns})}
    relation = Relation(Schema(rules), parent="persons", foreign_key="person")
    return made, DatabaseSchema({"persons": Relation(key="person"), "universal": relation})


def _with_nulls(rule: Column, has_nulls: bool) -> Column:
    from dataclasses import replace

    return replace(rule, nulls="own value") if rule.role == "quasi" and has_nulls else rule


def joined_rows(
    schema: DatabaseSchema, n_rows: dict[str, int], parent_row_of: dict[str, np.ndarray]
) -> dict[str, np.ndarray]:
    """For every row of the join of all tables its row in each table, -1 where a row has no children there."""
    rows = {schema.person: np.arange(n_rows[schema.person])}
    for name in schema.in_order()[1:]:
        parent_of = parent_row_of[name]
        order = np.argsort(parent_of, kind="stable")
        first = np.searchsorted(parent_of[order], np.arange(n_rows[schema[name].parent or ""] + 1))
        above = rows[schema[name].parent or ""]
        count = (
            np.where(above >= 0, np.diff(first)[np.maximum(above, 0)], 0)
            if len(first) > 1
            else np.zeros(len(above), int)
        )
        times = np.maximum(count, 1)
        place = np.arange(times.sum()) - np.repeat(np.cumsum(times) - times, times)
        start = np.repeat(np.where(count > 0, first[np.maximum(above, 0)], -1), times)
        rows = {own: np.repeat(at, times) for own, at in rows.items()}
        rows[name] = np.where(start >= 0, order[np.maximum(start, 0) + place * (start >= 0)] if len(order) else -1, -1)
    return rows
