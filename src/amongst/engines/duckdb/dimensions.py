"""The dimensions: the distinct values of every quasi-identifier with their nodes, level by level."""

from __future__ import annotations

from dataclasses import dataclass
from types import SimpleNamespace
from typing import Any

import numpy as np

from amongst.encode.coded import CodedColumn
from amongst.encode.encode import encode_column
from amongst.engines.duckdb import sql
from amongst.engines.duckdb.connection import Connection
from amongst.engines.duckdb.fact import Fact
from amongst.errors import BadSchema, Infeasible
from amongst.read.source import refuse_unusable
from amongst.read.text import settle
from amongst.schema.check import check
from amongst.schema.column import Column
from amongst.schema.problem import Problem, count, raise_all
from amongst.schema.schema import Schema


@dataclass(frozen=True, eq=False)
class Values:
    """The distinct values of one column: all of Python's share of the table.

    Attributes
    ----------
    raw : pyarrow.ChunkedArray
        As the fact table has them.
    typed : pyarrow.ChunkedArray
        As they would be in memory: the cells of a CSV may be numbers or dates.
    n_rows, n_kept : ndarray of int64
        Rows of every value, and those that no null rule leaves out.
    """

    raw: Any
    typed: Any
    n_rows: np.ndarray
    n_kept: np.ndarray


@dataclass(frozen=True, eq=False)
class Dimensions:
    """The columns of the star schema.

    Attributes
    ----------
    columns : list of CodedColumn
        With a code for every distinct value, where a table in memory has one for every row.
    raw : list of pyarrow.ChunkedArray
        The values that these codes stand for, as the fact table has them.
    n_of_value : list of ndarray of int64
        Their rows.
    n_rows, n_input : int
        Rows that count, and rows in all.
    """

    columns: list[CodedColumn]
    raw: list[Any]
    n_of_value: list[np.ndarray]
    n_rows: int
    n_input: int

    @property
    def n_qi(self) -> int:
        return len(self.columns)


def find_dimensions(connection: Connection, fact: Fact, schema: Schema) -> Dimensions:
    """Read the distinct values, check the schema against them, and give them codes as in memory."""
    check_names(fact, schema)
    without_null = suppressing(schema)
    values = {name: _values(connection, fact, name, without_null) for name in schema.quasi}
    any_column = next(iter(values.values()))
    n_input, n_rows = int(any_column.n_rows.sum()), int(any_column.n_kept.sum())
    refuse_unusable(SimpleNamespace(column_names=fact.names, num_rows=n_input), connection.name)
    schema = _checked(schema, values)
    if n_rows == 0:
        raise Infeasible(
            "Every row has a missing quasi-identifier, and the null rule suppresses them all.",
            found=f"{n_input} rows, none complete",
            fix='choose "own value" or "match anything" for the columns with many nulls',
        )
    kept = {name: np.flatnonzero(own.n_kept) for name, own in values.items()}
    columns = [
        encode_column(own.typed, name, schema[name], None if n_rows == n_input else kept[name])
        for name, own in values.items()
    ]
    raw = [own.raw.take(kept[name]) for name, own in values.items()]
    return Dimensions(columns, raw, [own.n_kept[kept[name]] for name, own in values.items()], n_rows, n_input)


def check_names(fact: Fact, schema: Schema) -> None:
    """The check of names and roles that the whole table would get, on a table of one row that says nothing."""
    import pyarrow as pa

    refuse_unusable(SimpleNamespace(column_names=fact.names, num_rows=1), "the table")
    roles = Schema({name: Column(role=column.role) for name, column in schema.items()})
    check(roles, pa.table({name: pa.array(["-"]) for name in fact.names}))


def suppressing(schema: Schema) -> list[str]:
    """The columns whose nulls leave a row out."""
    return [name for name in schema.quasi if schema[name].nulls == "suppress"]


def _values(connection: Connection, fact: Fact, name: str, without_null: list[str]) -> Values:
    import pyarrow as pa

    found = connection.arrow(sql.distinct_values(fact.source, name, without_null, fact.weight))
    raw = found.column("value")
    typed = raw
    if fact.cells:
        settled = settle(pa.chunked_array([chunk.dictionary_encode() for chunk in raw.chunks], pa.dictionary(pa.int32(), raw.type)))
        typed = pa.chunked_array([settled])
    return Values(raw, typed, found.column("n_rows").to_numpy(), found.column("n_kept").to_numpy())


def _checked(schema: Schema, values: dict[str, Values]) -> Schema:
    """The schema of the quasi-identifiers with everything filled in, or all that does not fit."""
    import pyarrow as pa

    missing = {name: int(own.n_rows[own.raw.is_null().to_numpy()].sum()) for name, own in values.items()}
    problems = [
        Problem(
            f"'{name}': {count(n, 'missing value')} and no rule for them",
            'set nulls to one of: "own value", "match anything", "suppress"',
            {"problem": "nulls", "column": name, "count": n},
        )
        for name, n in missing.items()
        if n and schema[name].nulls is None
    ]
    raise_all(BadSchema, "The schema does not fit the table.", problems)
    # Columns of different lengths are no table, but all that the check asks for is one column at a time.
    names = list(values)
    columns = SimpleNamespace(column_names=names, column=lambda place: pa.chunked_array(values[names[place]].typed))
    return check(Schema({name: schema[name] for name in names}), columns)
