"""The columns that are published as they are, in the order of the published rows."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

import numpy as np

from amongst import kernels
from amongst.encode.rank import rank, smallest_dtype
from amongst.recode.order import row_order

if TYPE_CHECKING:
    import pyarrow as pa

FEW_COUNTS = 1 << 22


def lay_out(
    class_of_row: np.ndarray, n_classes: int, others: Mapping[str, pa.ChunkedArray]
) -> tuple[np.ndarray, dict[str, pa.Array]]:
    """The size of every class, and the other columns sorted by class and then by their own values.

    Where they have few values the rows are not moved at all: it is enough to count them, since rows that are
    equal in everything published cannot be told apart.
    """
    most = max(FEW_COUNTS, 2 * len(class_of_row))
    ranked = _rank_all(others, most // max(n_classes, 1))
    if ranked is None:
        row_at, first_of_class = row_order(class_of_row, n_classes, others)
        return np.diff(first_of_class), {name: taken(column, row_at) for name, column in others.items()}
    key_of_row, n_keys, columns = _one_key(ranked, len(class_of_row))
    count = kernels.count_pairs(class_of_row, key_of_row, n_classes, n_keys)
    size_of_class = count.sum(axis=1, dtype=np.int64)
    pair = np.flatnonzero(count.reshape(-1))
    key, times = pair % n_keys, count.reshape(-1)[pair].astype(np.int64)
    laid = {}
    for name, (values, n_codes, step) in columns.items():
        laid[name] = runs(values, key // step % n_codes, times, ordered=_ordered(others[name].type))
    return size_of_class, laid


def _rank_all(others: Mapping[str, pa.ChunkedArray], most_keys: int) -> dict[str, tuple[Any, np.ndarray]] | None:
    """Values in order (nulls last) and the code of every row, or None where there are too many values."""
    import pyarrow as pa

    ranked: dict[str, tuple[Any, np.ndarray]] = {}
    for name, column in others.items():
        if not (pa.types.is_dictionary(column.type) or pa.types.is_boolean(column.type)):
            return None
        values, codes = in_order_of_values(column)
        most_keys //= len(values) + 1
        if most_keys < 1:
            return None
        ranked[name] = (values, codes)
    return ranked


def in_order_of_values(column: pa.ChunkedArray) -> tuple[pa.Array, np.ndarray]:
    """The values of a column in order, a null last, and the code of every row.

    Categories that say they are ordered keep their order. Others are sorted: the order they are stored in is
    often that of their first rows.
    """
    import pyarrow as pa
    import pyarrow.compute as pc

    values, index, missing = rank(column)
    code_of_value = np.arange(len(values))
    if not _ordered(column.type):
        sortable = values.cast(pa.string()) if pa.types.is_boolean(values.type) else values
        by_value = pc.array_sort_indices(sortable)
        code_of_value[by_value.to_numpy(zero_copy_only=False)] = np.arange(len(values))
        values = values.take(by_value)
    code_of_value = code_of_value.astype(smallest_dtype(len(values) + 1))
    codes = kernels.look_up(index, code_of_value) if len(values) else np.zeros(len(index), dtype=np.uint8)
    if missing is not None:
        codes[missing] = len(values)
        values = pa.concat_arrays([values, pa.nulls(1, values.type)])
    return values, codes


def _ordered(kind: pa.DataType) -> bool:
    import pyarrow as pa

    return bool(pa.types.is_dictionary(kind) and kind.ordered)


def _one_key(
    ranked: Mapping[str, tuple[Any, np.ndarray]], n_rows: int
) -> tuple[np.ndarray, int, dict[str, tuple[Any, int, int]]]:
    """All columns as one number a row, the first column most significant; how to read each column off it."""
    if len(ranked) == 1:
        name, (values, codes) = next(iter(ranked.items()))
        return codes, len(values), {name: (values, len(values), 1)}
    key, n_keys = np.zeros(n_rows, dtype=np.uint32), 1
    columns: dict[str, tuple[Any, int, int]] = {}
    for name, (values, codes) in reversed(list(ranked.items())):
        columns[name] = (values, len(values), n_keys)
        key += codes.astype(np.uint32) * np.uint32(n_keys)
        n_keys *= len(values)
    return key, n_keys, columns


def runs(values: pa.Array, value_of_run: np.ndarray, times: np.ndarray, *, ordered: bool = False) -> pa.Array:
    """A dictionary-encoded column of runs that names only the values which occur in it."""
    import pyarrow as pa

    used, index = np.unique(value_of_run, return_inverse=True)
    kept = values.take(pa.array(used))
    dtype = np.int8 if len(used) < 1 << 7 else np.int16 if len(used) < 1 << 15 else np.int32
    indices = kernels.repeat(index.reshape(-1).astype(dtype), times)
    if kept.null_count == 0:
        return pa.DictionaryArray.from_arrays(pa.array(indices), kept, ordered=ordered)
    null = int(np.flatnonzero(kept.is_null().to_numpy(zero_copy_only=False))[0])
    missing = indices == null
    order = np.delete(np.arange(len(kept)), null)
    without = np.zeros(len(kept), dtype=dtype)
    without[order] = np.arange(len(order))
    indices, kept = pa.array(without[indices], mask=missing), kept.take(pa.array(order))
    return pa.DictionaryArray.from_arrays(indices, kept, ordered=ordered)


def taken(column: pa.ChunkedArray, row_at: np.ndarray) -> pa.Array:
    """The rows of a column; a dictionary keeps only the values that are still there."""
    import pyarrow as pa

    if pa.types.is_dictionary(column.type):
        return _dictionary_taken(column, row_at)
    array = whole(column)
    fast = array.null_count == 0 and (pa.types.is_integer(array.type) or pa.types.is_floating(array.type))
    return pa.array(kernels.gather(array.to_numpy(), row_at)) if fast else array.take(pa.array(row_at))


def whole(column: pa.ChunkedArray) -> pa.Array:
    """A column as one array."""
    import pyarrow as pa

    array = column.combine_chunks()
    return array.chunk(0) if isinstance(array, pa.ChunkedArray) else array


def _dictionary_taken(column: pa.ChunkedArray, row_at: np.ndarray) -> pa.DictionaryArray:
    import pyarrow as pa

    values, codes = in_order_of_values(column)
    codes = kernels.gather(codes, row_at)
    used = np.zeros(len(values), dtype=bool)
    used[codes] = True
    kept = values.filter(pa.array(used))
    n_kept = len(kept) - kept.null_count  # a null is the last
    dtype = np.int8 if n_kept < 1 << 7 else np.int16 if n_kept < 1 << 15 else np.int32
    indices = kernels.look_up(codes, (np.cumsum(used) - 1).astype(dtype))
    missing = indices == n_kept if kept.null_count else None
    return pa.DictionaryArray.from_arrays(
        pa.array(indices, mask=missing), kept.slice(0, n_kept), ordered=_ordered(column.type)
    )
