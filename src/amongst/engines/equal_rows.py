"""CSV text of a table whose rows are sorted: equal rows follow each other, so that each text is made once.

The bytes are those of Arrow's own writer, which makes every row anew.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING, Any

import numpy as np

if TYPE_CHECKING:
    import pyarrow as pa

BATCH = 1 << 16
MOST_RUNS = 0.5
"""The share of rows that differ from the one before above which it does not pay."""


def text_by_runs(table: pa.Table) -> Iterator[Any] | None:
    """Pieces of the text of all rows, as buffers; None where it does not pay, or Arrow writes a type otherwise."""
    import pyarrow as pa

    columns = [_whole(column) for column in table.columns]
    if not columns or not table.num_rows or not all(_plain(column.type) for column in columns):
        return None
    begins = np.ones(table.num_rows, dtype=bool)
    begins[1:] = np.logical_or.reduce([_differs(column) for column in columns])
    first = np.flatnonzero(begins)
    if len(first) > MOST_RUNS * table.num_rows:
        return None
    texts = _lines([column.take(pa.array(first)) for column in columns])
    run_of_row = np.repeat(np.arange(len(first), dtype=np.int32), np.diff(np.append(first, table.num_rows)))
    return (_bytes(texts.take(pa.array(run_of_row[at : at + BATCH]))) for at in range(0, table.num_rows, BATCH))


def _plain(kind: pa.DataType) -> bool:
    from pyarrow import types

    if types.is_dictionary(kind):
        return bool(types.is_string(kind.value_type))
    return bool(types.is_string(kind) or types.is_integer(kind) or types.is_date32(kind))


def _whole(column: pa.ChunkedArray) -> pa.Array:
    import pyarrow as pa
    import pyarrow.compute as pc

    if pa.types.is_string(column.type):
        column = pc.dictionary_encode(column)
    column = column.unify_dictionaries() if pa.types.is_dictionary(column.type) else column
    array = column.combine_chunks()
    if isinstance(array, pa.ChunkedArray):
        array = array.chunk(0) if array.num_chunks else pa.array([], array.type)
    return array


def _differs(column: pa.Array) -> np.ndarray:
    """Whether every row but the first differs from the one before."""
    import pyarrow as pa

    codes = column.indices if pa.types.is_dictionary(column.type) else column.cast(_number(column.type))
    differs: np.ndarray = np.diff(codes.fill_null(0).to_numpy(zero_copy_only=False)) != 0
    if column.null_count:
        missing = column.is_null().to_numpy(zero_copy_only=False)
        differs |= missing[1:] != missing[:-1]
    return differs


def _number(kind: pa.DataType) -> pa.DataType:
    import pyarrow as pa

    return pa.int32() if pa.types.is_date32(kind) else kind


def _lines(columns: list[pa.Array]) -> pa.Array:
    """The text of every row with its line end: texts in quotes, nothing for what is missing."""
    import pyarrow as pa
    import pyarrow.compute as pc

    cells = []
    for column in columns:
        if pa.types.is_dictionary(column.type):
            texts = pc.binary_join_element_wise('"', pc.replace_substring(column.dictionary, '"', '""'), '"', "")
            text = texts.take(column.indices)
        else:
            text = column.cast(pa.string())
        cells.append(text.fill_null(""))
    return pc.binary_join_element_wise(pc.binary_join_element_wise(*cells, ","), "", "\n")


def _bytes(lines: pa.Array) -> Any:
    """What Arrow holds texts in: one after the other."""
    offsets = np.frombuffer(lines.buffers()[1], dtype=np.int32)
    first, last = int(offsets[lines.offset]), int(offsets[lines.offset + len(lines)])
    return lines.buffers()[2].slice(first, last - first)
