"""Which entry of the frequency set is of which tuple of the publication."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

import numpy as np

from amongst import kernels

if TYPE_CHECKING:
    import pyarrow as pa


def tuple_of_rows(entries: pa.Table, tuples: pa.Table, names: Sequence[str]) -> tuple[np.ndarray, np.ndarray]:
    """One number for equal tuples in both tables, for every row of the first and of the second; nulls equal nulls.

    Examples
    --------
    >>> import pyarrow as pa
    >>> from amongst.engines.postgresql.match import tuple_of_rows
    >>> left, right = tuple_of_rows(pa.table({"a": [3, None, 4]}), pa.table({"a": [None, 3]}), ["a"])
    >>> left.tolist(), right.tolist()
    ([0, 1, 2], [1, 0])
    """
    n = entries.num_rows
    codes = [cell_codes([entries.column(name), tuples.column(name)]) for name in names]
    if not codes or not n + tuples.num_rows:
        return np.zeros(n, dtype=np.uint32), np.zeros(tuples.num_rows, dtype=np.uint32)
    number = kernels.distinct(codes)[0]
    return number[:n], number[n:]


def cell_codes(columns: Sequence[pa.ChunkedArray]) -> np.ndarray:
    """A number for every cell of the columns, one after the other: the same for equal cells, and one for null."""
    import pyarrow as pa

    first = columns[0].type
    kind = pa.dictionary(pa.int32(), first.value_type if pa.types.is_dictionary(first) else first)
    chunks = [chunk for column in columns for chunk in _encoded(column, kind).chunks]
    both = pa.chunked_array(chunks, kind).unify_dictionaries()
    n_values = max((len(chunk.dictionary) for chunk in both.chunks), default=0)
    indices = [chunk.indices.fill_null(n_values).to_numpy(zero_copy_only=False) for chunk in both.chunks]
    return np.concatenate(indices).astype(np.uint32) if indices else np.zeros(0, dtype=np.uint32)


def _encoded(column: pa.ChunkedArray, kind: pa.DataType) -> pa.ChunkedArray:
    import pyarrow as pa

    if column.type == kind:
        return column
    if pa.types.is_dictionary(column.type):
        column = column.cast(column.type.value_type)
    if column.type != kind.value_type:
        column = column.cast(kind.value_type)
    return column.dictionary_encode()
