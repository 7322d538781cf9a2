"""The second variants of universal and local anonymization: keys are generalized like values. They do not protect."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from amongst.errors import BadSchema
from amongst.relations.check_keys import check_keys
from amongst.relations.check_tables import check_tables
from amongst.relations.relation import DatabaseSchema
from amongst.relations.row_labels import row_labels
from amongst.relations.stores import read_database
from amongst.relations.universal import joined_rows, universal
from amongst.schema.column import Column
from amongst.schema.schema import Schema

if TYPE_CHECKING:
    import pyarrow as pa

KEY = Column(role="quasi", kind="ordered")
"""A key as a value among others: a group publishes the range of its keys, without a hierarchy."""


def universal_by_keys(data: Any, schema: DatabaseSchema, k: int, method: str = "mondrian") -> pa.Table:
    """The join of all tables, in which persons' keys and quasi-identifiers are generalized together: it fails too.

    Rows of one person may be grouped with each other: every combination is in k rows, and yet one person's. And what
    a person has once, such as a grade average, stands in all of the person's rows and tells which belong together.

    Paper
        Nergiz, Clifton, Nergiz: MultiRelational k-Anonymity, TKDE 2009, section 3.1, the second approach.
    """
    tables, made = universal(data, schema, 1, method)  # joined, and generalized no further than every row for itself
    joined, rules = tables["universal"], made["universal"].schema
    quasi = {"person": KEY} | {name: rules[name] for name in rules.quasi}
    source = _as_it_was(data, schema, joined, list(quasi)[1:])
    for name, cells in row_labels(source, Schema(quasi), k, method).items():
        joined = joined.set_column(joined.column_names.index(name), name, cells)
    return joined


def _as_it_was(data: Any, schema: DatabaseSchema, joined: pa.Table, quasi: list[str]) -> pa.Table:
    """The join with its quasi-identifiers as in the input, beside the persons' keys."""
    import pyarrow as pa

    stored = read_database(data)
    checked = check_tables(schema, stored)
    rows = joined_rows(checked, {n: t.num_rows for n, t in stored.tables.items()}, check_keys(checked, stored))
    columns: dict[str, Any] = {"person": joined["person"]}
    for name in quasi:
        table, column = name.split(".", 1)
        at = pa.array(np.maximum(rows[table], 0), mask=rows[table] < 0)
        columns[name] = stored.tables[table].column(column).take(at)
    return pa.table(columns)


def local_by_keys(data: Any, schema: DatabaseSchema, k: int, method: str = "mondrian") -> dict[str, pa.Table]:
    """Each table by itself, keys generalized with its quasi-identifiers: it fails too.

    Each table groups its rows without the others, so that what one leaves open another tells; and a range of keys
    joins with rows of others, which were never this person's.

    Paper
        Nergiz, Clifton, Nergiz: MultiRelational k-Anonymity, TKDE 2009, section 3.2, the second approach.
    """
    import pyarrow as pa

    stored = read_database(data)
    schema = check_tables(schema, stored)
    parent_row_of = check_keys(schema, stored)
    made = {}
    for name, relation in schema.items():
        table = stored.tables[name].select([*relation.keys, *relation.schema.published])
        if not table.num_rows:
            made[name] = table
            continue
        if isinstance(relation.key, tuple) or isinstance(relation.foreign_key, tuple):
            raise BadSchema(
                "Keys are generalized like values where they have one column.",
                found=f"{name} has a key of several",
                fix="number its rows in a column of their own",
            )
        keys: dict[str, np.ndarray] = {}
        if relation.key is not None:
            keys[relation.key] = np.arange(table.num_rows) + 1
        if relation.foreign_key is not None:
            keys[relation.foreign_key] = parent_row_of[name] + 1
        quasi = {column: relation.schema[column] for column in relation.schema.quasi}
        source = pa.table({**keys, **{column: table[column] for column in quasi}})
        rules = Schema(dict.fromkeys(keys, KEY) | quasi)
        for column, cells in row_labels(source, rules, k, method).items():
            table = table.set_column(table.column_names.index(column), column, cells)
        made[name] = table
    return made
