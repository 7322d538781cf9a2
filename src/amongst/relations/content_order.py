"""Numbers for rows by what they and the rows below them hold: the same for the same content, whatever the order."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

import numpy as np

from amongst.encode.rank import whole_dictionary
from amongst.encode.spellings import code_of_spelling

if TYPE_CHECKING:
    import pyarrow as pa


def column_ranks(column: pa.ChunkedArray) -> np.ndarray:
    """The rank of every cell among the distinct values of a column; a null comes after all."""
    import pyarrow as pa
    import pyarrow.compute as pc

    kind = column.type.value_type if pa.types.is_dictionary(column.type) else column.type
    if pa.types.is_null(kind) or len(column) == 0:
        return np.zeros(len(column), dtype=np.int64)
    if pa.types.is_float16(kind):  # Arrow cannot rank halves of floats
        column = column.cast(pa.float32())
    encoded = column if pa.types.is_dictionary(column.type) else pc.dictionary_encode(column)
    array = whole_dictionary(encoded)
    values = array.dictionary
    values = values.cast(pa.string()) if pa.types.is_boolean(values.type) else values
    if len(values) == 0:
        return np.zeros(len(column), dtype=np.int64)
    rank = pc.rank(values, tiebreaker="dense").to_numpy(zero_copy_only=False).astype(np.int64)
    index = array.indices.fill_null(0).to_numpy(zero_copy_only=False)
    missing = array.indices.is_null().to_numpy(zero_copy_only=False)
    return np.where(missing, len(values) + 1, rank[index])


def value_ranks(column: pa.ChunkedArray) -> np.ndarray:
    """As ``column_ranks``, where spellings of one value have one rank: that of the first of them."""
    import pyarrow as pa
    import pyarrow.compute as pc

    encoded = column if pa.types.is_dictionary(column.type) else None
    if encoded is None and (pa.types.is_string(column.type) or pa.types.is_large_string(column.type)):
        encoded = pc.dictionary_encode(column)
    if encoded is None or len(column) == 0:
        return column_ranks(column)
    array = whole_dictionary(encoded)
    first = code_of_spelling(array.dictionary)
    if first is None:
        return column_ranks(column)
    return column_ranks(pa.chunked_array([array.dictionary.take(pa.array(first)).take(array.indices)]))


def content_numbers(
    parents: Sequence[int], parent_rows: Sequence[np.ndarray | None], columns: Sequence[Sequence[np.ndarray]]
) -> list[np.ndarray]:
    """A number for every row of every table: equal where the row and all below it hold the same.

    Parameters
    ----------
    parents : sequence of int
        The table that each table refers to, which comes before it; -1 for the first.
    parent_rows : sequence of ndarray
        The row there that each row refers to.
    columns : sequence of sequences of ndarray
        For every table numbers of its cells, one array a column; at least one, which says how many rows there are.
    """
    numbers: list[np.ndarray] = [np.zeros(0, dtype=np.int64)] * len(parents)
    for t in range(len(parents) - 1, -1, -1):
        number = np.zeros(len(columns[t][0]), dtype=np.int64)
        for column in columns[t]:
            number = pair_numbers(number, column)
        for u in [u for u, parent in enumerate(parents) if parent == t]:
            rows = parent_rows[u]
            assert rows is not None
            number = _with_children(number, rows, numbers[u])
        numbers[t] = number
    return numbers


def pair_numbers(one: np.ndarray, other: np.ndarray) -> np.ndarray:
    """Dense numbers for pairs, in the order of the pairs."""
    if len(one) == 0:
        return one
    pair = one * (int(other.max()) + 1) + other
    return np.unique(pair, return_inverse=True)[1].reshape(-1)


def _with_children(number: np.ndarray, parent_row: np.ndarray, child: np.ndarray) -> np.ndarray:
    """Parents told apart by their children as well: a walk through the sorted children, one after the other."""
    order = np.lexsort((child, parent_row))
    child, first = child[order], np.searchsorted(parent_row[order], np.arange(len(number) + 1))
    n_children = np.diff(first)
    number = number.copy()
    still, step, above = np.flatnonzero(n_children > 0), 0, int(number.max(initial=-1)) + 1
    while len(still):
        # Those that go on get numbers above all others: nobody ends where another goes on.
        number[still] = pair_numbers(number[still], child[first[still] + step]) + above
        above += len(still)
        step += 1
        still = still[n_children[still] > step]
    return np.unique(number, return_inverse=True)[1].reshape(-1)
