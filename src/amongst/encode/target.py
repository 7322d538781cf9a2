"""The column that a release is to help predict, as codes."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import TYPE_CHECKING

import numpy as np

from amongst.encode.coded import CodedColumn
from amongst.encode.sensitive import encode_sensitive
from amongst.errors import BadOption
from amongst.schema.arrow_kind import natural_kind, value_type
from amongst.schema.schema import Schema

if TYPE_CHECKING:
    import pyarrow as pa

MOST_CLASSES = 100
"""A column with more values has no classes: of numbers the mean is wanted."""

STEPS = 1 << 15
"""Half the range of a target of numbers in whole steps: sums of their squares over all rows fit into 64 bits."""


def encode_target(
    table: pa.Table, schema: Schema, name: str, kept: np.ndarray | None, *, numbers: bool = False
) -> CodedColumn:
    """The classes of every row, a missing one being a class of its own; or numbers, where these may be many."""
    refuse_no_target(schema, name, table.column_names)
    kind = schema[name].kind or natural_kind(value_type(table.column(name)))
    plain = Schema({name: replace(schema[name], kind=kind, hierarchy=None)})
    column = encode_sensitive(table, plain, name, kept)
    if not has_classes(column) and not (numbers and kind == "numeric"):
        raise BadOption(
            f"The column {name!r} has too many values for a target.",
            found=f"{column.n_codes:,} distinct values; at most {MOST_CLASSES} classes are told apart",
            fix="name a column with few values, or make classes of it, such as ranges",
        )
    return column


def refuse_no_target(schema: Schema, name: str, names: Sequence[str]) -> None:
    """Raise where the target is not there, or is not published as it is."""
    role = schema[name].role if name in schema and name in names else None
    if role not in ("sensitive", "keep"):
        found = "it is not in the table" if role is None else f"its role is {role}"
        fix = "name a column that is published as it is: role sensitive or keep"
        raise BadOption(f"The column {name!r} cannot be the target.", found=found, fix=fix)


def has_classes(target: CodedColumn) -> bool:
    """Whether a target has values few enough to be told apart."""
    return target.n_codes <= MOST_CLASSES


def scores_of(target: CodedColumn) -> np.ndarray:
    """The number of every row in whole steps from the middle of all; a missing one is in the middle.

    Whole numbers, so that every machine cuts alike.
    """
    assert target.position is not None
    step = target.span / 2 / STEPS or 1.0
    score = np.rint((target.position - (target.lowest + target.span / 2)) / step).astype(np.int64)
    return np.asarray(np.append(score, 0)[np.minimum(target.codes, len(score))])
