"""All full-domain generalizations of a table that is not read into memory."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from amongst.engines.duckdb.connection import Connection
from amongst.engines.duckdb.dimensions import find_dimensions, suppressing
from amongst.engines.duckdb.fact import name_of, open_fact
from amongst.engines.duckdb.frequency_sets import SqlFrequencySets
from amongst.models import Model
from amongst.partition.full_domain import search_sets
from amongst.partition.generalizations import Generalizations
from amongst.schema.schema import Schema


def generalize(
    data: Any,
    schema: Schema,
    models: Sequence[Model],
    search: Any,
    suppression: float,
    limits: Mapping[str, int] | None,
    *,
    memory_limit: str | None = None,
    **options: Any,
) -> Generalizations:
    """Search the lattice of a Parquet or CSV file, or of a relation, with frequency sets in DuckDB.

    Only the distinct values of every column come to Python; rows and tuples stay where DuckDB has them. The answer
    keeps the database open, so that its generalizations can be measured; it goes with the answer.
    """
    connection = Connection(name_of(data), memory_limit)
    fact = open_fact(connection, data, schema.quasi)
    sets = SqlFrequencySets(connection, fact, find_dimensions(connection, fact, schema), suppressing(schema))
    return search_sets(search, sets, models, suppression, limits, **options)  # type: ignore[arg-type]
