"""The table that tells how many persons have frequent codes: what it is called, and how it is read."""

from __future__ import annotations

from typing import TYPE_CHECKING

from amongst.relations.stored import Stored
from amongst.schema.column import Column
from amongst.schema.schema import Schema

if TYPE_CHECKING:
    import pyarrow as pa

PERSONS_WITH = "persons_with"
COLUMNS = {"table": "string", "column": "string", "value": "string", "least": "int64", "most": "int64"}
"""A value of a column of a table, and between which numbers of persons have it."""


def told_persons(stored: Stored) -> pa.Table | None:
    """The table as it was written, whatever a reader takes its texts for; None where it is not there, or another."""
    import pyarrow as pa

    if PERSONS_WITH not in stored.tables:
        return None
    whole = Schema({column: Column(role="keep") for column in COLUMNS})
    made = stored.as_read(PERSONS_WITH, stored.tables[PERSONS_WITH], whole)
    if made.column_names != list(COLUMNS):
        return None
    try:
        return plain_types(made)
    except pa.ArrowInvalid:
        return None


def plain_types(table: pa.Table) -> pa.Table:
    """The columns with the types that they have."""
    import pyarrow as pa

    return table.cast(pa.schema([(name, pa.type_for_alias(kind)) for name, kind in COLUMNS.items()]))
