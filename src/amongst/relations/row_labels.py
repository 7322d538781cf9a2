"""One table anonymized row by row: what its quasi-identifiers become, rows in their places."""

from __future__ import annotations

from typing import TYPE_CHECKING

from amongst.encode import encode
from amongst.models import KAnonymity
from amongst.partition import find_method
from amongst.relations.publish import labels
from amongst.schema.check import check
from amongst.schema.schema import Schema

if TYPE_CHECKING:
    import pyarrow as pa


def row_labels(table: pa.Table, schema: Schema, k: int, method: str) -> dict[str, pa.Array]:
    """The published quasi-identifiers of every row, where k rows (not persons) share every combination."""
    coded = encode(table, check(schema, table))
    partition = find_method(method).run(coded, [KAnonymity(k)])
    groups = partition.group_of_row
    made = {}
    for c, column in enumerate(coded.columns):
        made[column.name] = labels(column, schema[column.name], partition.lo[groups, c], partition.hi[groups, c])
    return made
