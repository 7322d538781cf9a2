"""Sensitive columns, people and a population as codes."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import TYPE_CHECKING

import numpy as np

from amongst import kernels
from amongst.encode.coded import CodedColumn
from amongst.encode.encode import encode_column
from amongst.encode.rank import rank
from amongst.encode.spellings import code_of_spelling
from amongst.errors import BadInput, BadSchema
from amongst.schema.schema import Schema

if TYPE_CHECKING:
    import pyarrow as pa


def encode_sensitive(
    table: pa.Table, schema: Schema, name: str, kept: np.ndarray | None, *, joined: bool = True
) -> CodedColumn:
    """A sensitive column as codes in the order of its values; a null, or what is no number, is the last value.

    Spellings of one value have one code, that of the first of them, unless ``joined`` is false.
    """
    column = schema[name]
    if column.kind is None:
        raise BadSchema(
            "The values of this sensitive column cannot be counted.",
            found=f"'{name}' has the type {table.schema.field(name).type}",
            fix='make it text, numbers or dates, or give it role="keep"',
        )
    coded = encode_column(without_nan(table.column(name)), name, replace(column, nulls="own value"), kept)
    first = code_of_spelling(coded.values) if joined else None
    if first is None:
        return coded
    lookup = np.append(first, len(first)).astype(coded.codes.dtype)  # the code after the last value is the null
    return replace(coded, codes=kernels.look_up(coded.codes, lookup))


def without_nan(column: pa.ChunkedArray) -> pa.ChunkedArray:
    """The column with nulls for what is not a number; halves of floats, which Arrow cannot look up, as floats."""
    import pyarrow as pa
    import pyarrow.compute as pc

    column = column.cast(pa.float32()) if pa.types.is_float16(column.type) else column
    if not pa.types.is_floating(column.type):
        return column
    return pc.if_else(pc.is_nan(column), pa.scalar(None, column.type), column)


def encode_unit(table: pa.Table, schema: Schema, name: str, kept: np.ndarray | None) -> np.ndarray:
    """The person of every row, numbered in the order of their first row."""
    from pyarrow.types import is_nested

    refuse_no_unit(name, table.column_names)
    kind = table.schema.field(name).type
    if is_nested(kind):
        raise BadSchema(
            "The column that tells people apart has lists or records for cells.",
            found=f"'{name}' has the type {kind}",
            fix="name a column with one text, number or date a person",
        )
    if name in schema and schema[name].role != "identifier":
        raise BadSchema(
            "The column that tells people apart would be published.",
            found=f"'{name}' has the role {schema[name].role}",
            fix='give it role="identifier"',
        )
    _, index, missing = rank(table.column(name))
    if missing is not None and (missing.any() if kept is None else missing[kept].any()):
        raise BadInput(
            "Rows belong to nobody: the column that tells people apart has missing values.",
            found=f"{int(missing.sum())} of {len(missing)} rows of '{name}'",
            fix="fill them in, or leave these rows out",
        )
    index = np.ascontiguousarray(index if kept is None else index[kept], dtype=np.uint32)
    return kernels.distinct([index])[0]


def refuse_no_unit(name: str, names: Sequence[str]) -> None:
    """Raise where the column that tells people apart is not there."""
    if name not in names:
        raise BadSchema(
            "The column that tells people apart is not in the table.",
            found=f"unit = {name!r}",
            fix="give the name of a column",
        )
