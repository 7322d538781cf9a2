"""Sensitive values in tables of their own: what an anatomization of many tables publishes, and how it is called."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

import numpy as np

from amongst.errors import BadSchema
from amongst.kernels.relations import Grouped
from amongst.recode.two_tables import free_name
from amongst.relations.content_order import column_ranks
from amongst.relations.forest import Forest
from amongst.relations.publish import PublishedTables, publish
from amongst.relations.relation import DatabaseSchema
from amongst.relations.stored import Stored
from amongst.schema.column import Column
from amongst.schema.schema import Schema

if TYPE_CHECKING:
    import pyarrow as pa


def values_table(table: str, column: str) -> str:
    """What the table is called that has the values of a sensitive column."""
    return f"{table}_{column}"


def values_tables(schema: DatabaseSchema) -> dict[str, tuple[str, str]]:
    """Every such table with the table and the column that its values are of."""
    named = [(name, column) for name, relation in schema.items() for column in relation.schema.sensitive]
    return {values_table(*one): one for one in named}


def refuse_taken_names(schema: DatabaseSchema) -> None:
    """Raise where a table of values would be called as another table is."""
    made = values_tables(schema)
    n_sensitive = sum(len(relation.schema.sensitive) for relation in schema.values())
    taken = sorted(name for name in made if name in {*schema, *schema.lookups})
    if taken or len(made) < n_sensitive:
        raise BadSchema(
            "The values of a sensitive column are published in a table of their own, and its name is taken.",
            found=", ".join(f"'{name}'" for name in taken) or "two columns give one name",
            fix="rename the table",
        )


def as_it_is(schema: DatabaseSchema) -> DatabaseSchema:
    """The schema of what stays: quasi-identifiers are kept as they are, sensitive columns are not there."""

    def plain(rule: Column) -> Column:
        return Column(role="keep" if rule.role == "quasi" else "identifier" if rule.role == "sensitive" else rule.role)

    return schema.of(
        {
            name: replace(relation, columns=Schema({column: plain(rule) for column, rule in relation.schema.items()}))
            for name, relation in schema.items()
        }
    )


def publish_values_apart(forest: Forest, stored: Stored, grouped: Grouped, seed: int = 0) -> PublishedTables:
    """The tables as they are but for their keys, each row with the number of its class; and what values a class has.

    Numbers of classes are drawn. Rows lie in the order of their drawn keys, values by class and then in their order.
    """
    import pyarrow as pa

    refuse_taken_names(forest.schema)
    plain = replace(forest, schema=as_it_is(forest.schema), columns=[[] for _ in forest.names])
    made = publish(plain, stored, grouped, seed)
    tables = dict(made.tables)
    for t, name in enumerate(forest.names):
        sensitive = forest.schema[name].schema.sensitive
        if not sensitive:
            continue
        rows = made.input_row[name]
        own = np.full(forest.n_input[t], -1, dtype=np.int64)
        own[forest.row_of[t]] = grouped.node_of_row[t]
        _, number = np.unique(own[rows], return_inverse=True)
        number = number.reshape(-1)
        n_classes = int(number.max(initial=-1)) + 1
        number = np.random.default_rng([seed, t, 3]).permutation(n_classes)[number] + 1
        names = [*forest.schema[name].schema, *forest.schema[name].keys]
        link = free_name("class", names)
        tables[name] = tables[name].append_column(link, pa.array(number))
        for column in sensitive:
            cells = stored.tables[name].column(column).take(pa.array(rows))
            count = free_name("count", [column, link])
            tables[values_table(name, column)] = _counted(number, cells, link, column, count)
    return PublishedTables(
        {name: tables[name] for name in [*forest.schema, *values_tables(forest.schema)]}, made.input_row
    )


def _counted(number: np.ndarray, cells: pa.ChunkedArray, link: str, column: str, count: str) -> pa.Table:
    """How many rows of every class have every value."""
    import pyarrow as pa

    rank = column_ranks(cells)
    order = np.lexsort((rank, number))
    first = np.ones(len(order), dtype=bool)
    first[1:] = (np.diff(number[order]) != 0) | (np.diff(rank[order]) != 0)
    at = order[first]
    times = np.diff(np.append(np.flatnonzero(first), len(order)))
    values = cells.cast(cells.type.value_type) if pa.types.is_dictionary(cells.type) else cells
    return pa.table({link: number[at], column: values.take(pa.array(at)), count: times})
