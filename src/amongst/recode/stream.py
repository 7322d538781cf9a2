"""The published table as a stream of pieces, from rows that were counted."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import TYPE_CHECKING

import numpy as np

from amongst.recode.lay_out import in_order_of_values
from amongst.recode.order import row_order

if TYPE_CHECKING:
    import pyarrow as pa

    from amongst.recode.published import PublishedColumn

PIECE = 1 << 20


def class_table(columns: Mapping[str, Sequence[PublishedColumn]]) -> pa.Table:
    """What every class publishes, a row a class; text as dictionaries, in the order that texts sort in."""
    import pyarrow as pa

    return pa.table({column.name: _of_class(column) for made in columns.values() for column in made})


def _of_class(column: PublishedColumn) -> pa.Array:
    import pyarrow as pa

    if not pa.types.is_string(column.values.type):
        return column.values.take(pa.array(column.value_of_group))
    values, index = column.values, column.value_of_group.astype(np.int32)
    if not values.null_count:
        return pa.DictionaryArray.from_arrays(pa.array(index), values)
    null = int(np.flatnonzero(values.is_null().to_numpy(zero_copy_only=False))[0])
    number = np.arange(len(values), dtype=np.int32) - (np.arange(len(values)) > null)
    return pa.DictionaryArray.from_arrays(pa.array(number[index], mask=index == null), values.drop_null())


def stream_counted(
    classes: pa.Table,
    others: Mapping[str, pa.ChunkedArray],
    names: Sequence[str],
    class_of_row: np.ndarray,
    count: np.ndarray,
) -> Iterator[pa.Table]:
    """All published rows in order, piece by piece: rows that are equal in all that is published were counted.

    Parameters
    ----------
    classes : pyarrow.Table
        What every class publishes, by its number.
    others : mapping of str to pyarrow.ChunkedArray
        The other published columns of every counted row.
    names : sequence of str
        The published columns in their order.
    class_of_row : ndarray of int32
        The class of every counted row; -1: suppressed.
    count : ndarray of int
    """
    import pyarrow as pa

    row_at, first_of_class = row_order(class_of_row, classes.num_rows, others)
    class_at = np.repeat(np.arange(classes.num_rows, dtype=np.int32), np.diff(first_of_class))
    upto = np.cumsum(count[row_at], dtype=np.int64)
    ready = {name: _ordered(column) for name, column in others.items()}
    total = int(upto[-1]) if len(upto) else 0
    for begin in range(0, max(total, 1), PIECE):
        end = min(begin + PIECE, total)
        first, last = np.searchsorted(upto, [begin, end - 1], side="right") if total else (0, -1)
        run = slice(int(first), int(last) + 1)
        ends = np.minimum(upto[run], end)
        times = np.diff(ends, prepend=begin)
        published = classes.take(pa.array(np.repeat(class_at[run], times)))
        rows = pa.array(np.repeat(row_at[run], times))
        yield pa.table(
            {name: published.column(name) if name in classes.column_names else ready[name].take(rows) for name in names}
        )


def _ordered(column: pa.ChunkedArray) -> pa.Array:
    """A column as one array; text as a dictionary in the order it sorts in."""
    import pyarrow as pa

    kind = column.type.value_type if pa.types.is_dictionary(column.type) else column.type
    if not (pa.types.is_string(kind) or pa.types.is_large_string(kind)):
        array = column.combine_chunks()
        return array.chunk(0) if isinstance(array, pa.ChunkedArray) else array
    values, codes = in_order_of_values(column)
    missing = None
    if values.null_count:  # the last
        values = values.slice(0, len(values) - 1)
        missing = codes == len(values)
    return pa.DictionaryArray.from_arrays(pa.array(codes.astype(np.int32), mask=missing), values)
