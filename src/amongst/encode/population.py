"""A population table in the codes of the table that is published."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

import numpy as np

from amongst.encode.coded import CodedColumn
from amongst.encode.encode import encode_column
from amongst.errors import BadInput
from amongst.schema.schema import Schema

if TYPE_CHECKING:
    import pyarrow as pa


def encode_with_population(
    table: pa.Table, population: pa.Table, schema: Schema, kept: np.ndarray | None
) -> tuple[list[CodedColumn], list[np.ndarray]]:
    """The quasi-identifiers of both tables in one set of codes: what only the population has gets codes too.

    Widths are still measured against the table that is published.
    """
    _refuse_other_columns(population, schema)
    columns, others = [], []
    for name in schema.quasi:
        own, other = table.column(name), population.column(name)
        if kept is not None:
            own = own.take(kept)
        both = encode_column(one_after_the_other(own, other, name), name, schema[name], None)
        columns.append(_measured_by(both, len(own)))
        others.append(both.codes[len(own) :])
    return columns, others


def _refuse_other_columns(population: pa.Table, schema: Schema) -> None:
    gone = [name for name in schema.quasi if name not in population.column_names]
    with_nulls = [name for name in schema.quasi if name not in gone and population.column(name).null_count]
    if gone or with_nulls:
        found = f"it has no column {', '.join(map(repr, gone))}" if gone else f"nulls in {', '.join(with_nulls)}"
        raise BadInput(
            "The population table cannot be compared with the data.",
            found=found,
            fix="give it every quasi-identifier under the same name, without missing values",
        )


def one_after_the_other(own: pa.ChunkedArray, other: pa.ChunkedArray, name: str) -> pa.ChunkedArray:
    """The values of a column in both tables, as the type of the first."""
    import pyarrow as pa

    plain = [
        column.cast(column.type.value_type) if pa.types.is_dictionary(column.type) else column
        for column in (own, other)
    ]
    try:
        return pa.chunked_array([*plain[0].chunks, *plain[1].cast(plain[0].type).chunks], type=plain[0].type)
    except (pa.ArrowInvalid, pa.ArrowNotImplementedError):
        raise BadInput(
            f"The population table has other values in '{name}' than the data.",
            found=f"types {plain[1].type} and {plain[0].type}",
            fix="bring both to the same type",
        ) from None


def _measured_by(column: CodedColumn, n_own: int) -> CodedColumn:
    codes = column.codes[:n_own]
    if column.position is None:
        return replace(column, codes=codes)
    place = column.position[codes[codes < column.n_values]]
    lowest, highest = (float(place.min()), float(place.max())) if len(place) else (0.0, 0.0)
    return replace(column, codes=codes, lowest=lowest, span=highest - lowest)
