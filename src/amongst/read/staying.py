"""Columns of a text file in the types that the rows which stay have: who is left out shows in no type.

A text file has no types; they follow from its cells. Where only a row that is left out has a fraction, or a text among
numbers, the published column is one of whole numbers, as it would be had that row never been in the file.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import TYPE_CHECKING, Any

from amongst.read.as_read import spelling_of
from amongst.read.text import typed, whole

if TYPE_CHECKING:
    import pyarrow as pa


def by_cells_that_stay(table: pa.Table, names: Iterable[str]) -> pa.Table:
    """The table with some columns, which have the texts of their file, in the types that these texts have."""
    for name in names:
        column = settled_again(table.column(name))
        if column is not None:
            table = table.set_column(table.column_names.index(name), name, column)
    return table


def settled_again(column: pa.ChunkedArray) -> Any:
    """A column in the type of its own cells; None where it has that type already."""
    import pyarrow as pa
    import pyarrow.compute as pc

    kind = column.type.value_type if pa.types.is_dictionary(column.type) else column.type
    if column.null_count == len(column):
        return None if pa.types.is_string(kind) else pa.nulls(len(column), pa.string())
    if not (pa.types.is_string(kind) or pa.types.is_floating(kind) or pa.types.is_decimal(kind)):
        return None  # whole numbers, dates and times stay what they are, whichever of them are left out
    coded = whole(column if pa.types.is_dictionary(column.type) else pc.dictionary_encode(column))
    used = pc.unique(coded.indices.drop_null())
    cells = coded.dictionary.take(used).cast(pa.string())
    values = typed(cells)
    if values is None:
        return None
    spelling = spelling_of(cells, values)
    shown = values if spelling is None else spelling.texts
    return None if shown.type == kind else shown.take(pc.index_in(coded.indices, used))
