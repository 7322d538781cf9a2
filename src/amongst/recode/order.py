"""The order of published rows: sorted by what is published, so that it says nothing about the input."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING

import numpy as np

from amongst import kernels
from amongst.errors import BadInput

if TYPE_CHECKING:
    import pyarrow as pa


def classes(keys: Sequence[np.ndarray], n_groups: int) -> tuple[np.ndarray, np.ndarray]:
    """Groups that publish the same are one class, and classes sort by their published values.

    Returns
    -------
    class_of_group : ndarray of int32
    group_of_class : ndarray of int64
        One group of every class, to take its published values from.
    """
    in_order = np.lexsort(list(reversed(keys))) if keys else np.arange(n_groups)
    differs = np.zeros(n_groups, dtype=bool)
    differs[:1] = True
    for key in keys:
        sorted_key = key[in_order]
        differs[1:] |= sorted_key[1:] != sorted_key[:-1]
    class_of_group = np.empty(n_groups, dtype=np.int32)
    class_of_group[in_order] = np.cumsum(differs) - 1
    return class_of_group, in_order[differs]


def row_order(
    class_of_row: np.ndarray, n_classes: int, others: Mapping[str, pa.ChunkedArray]
) -> tuple[np.ndarray, np.ndarray]:
    """The rows in published order, and where every class begins.

    Within a class rows are sorted by the other published columns. Rows that are equal in those too cannot
    be told apart, so whatever order they are in says nothing.
    """
    row_at, first_of_class = kernels.order_by_class(class_of_row, n_classes)
    return kernels.sort_within(row_at, first_of_class, keys_of(others)), first_of_class


def keys_of(others: Mapping[str, pa.ChunkedArray]) -> list[np.ndarray]:
    """Unsigned arrays by which rows are sorted; raises for a column whose values have no order."""
    import pyarrow as pa

    keys: list[np.ndarray] = []
    for name, column in others.items():
        try:
            keys += sort_keys(column)
        except (pa.ArrowNotImplementedError, pa.ArrowInvalid):
            raise BadInput(
                f"The values of '{name}' have no order, so its rows would stay in the order of the input.",
                found=f"the type {column.type}",
                fix='turn the column into text, numbers or dates, or drop it with role = "identifier"',
            ) from None
    return keys


def sort_keys(column: pa.ChunkedArray) -> list[np.ndarray]:
    """Unsigned arrays whose order is the order of the column's values, nulls last."""
    import pyarrow as pa
    import pyarrow.compute as pc

    kind = column.type
    if pa.types.is_null(kind):
        return []
    missing = [column.is_null().to_numpy().view(np.uint8)] if column.null_count else []
    if pa.types.is_floating(kind):
        bits = np.ascontiguousarray(column.fill_null(0).to_numpy(), dtype=np.float64).view(np.uint64)
        negative = bits >> np.uint64(63) == 1
        return [*missing, np.where(negative, ~bits, bits | np.uint64(1 << 63))]
    if pa.types.is_integer(kind) or pa.types.is_timestamp(kind) or pa.types.is_date(kind):
        width = pa.int32() if pa.types.is_date32(kind) else pa.int64()
        whole = column if pa.types.is_uint64(kind) else column.cast(width)
        key = whole.fill_null(0).to_numpy()
        unsigned = np.uint32 if key.dtype.itemsize == 4 else np.uint64
        sign = unsigned(0 if key.dtype.kind == "u" else 1 << (8 * key.dtype.itemsize - 1))
        return [*missing, key.view(unsigned) ^ sign]
    array = (
        (column if pa.types.is_dictionary(kind) else pc.dictionary_encode(column)).unify_dictionaries().combine_chunks()
    )
    if isinstance(array, pa.ChunkedArray):
        array = array.chunk(0)
    values = array.dictionary.cast(pa.string()) if pa.types.is_boolean(array.dictionary.type) else array.dictionary
    if array.type.ordered:
        rank = np.arange(len(values), dtype=np.uint32)
    else:
        rank = pc.rank(values, tiebreaker="dense").to_numpy(zero_copy_only=False).astype(np.uint32)
    indices = array.indices.fill_null(0).to_numpy(zero_copy_only=False)
    return [*missing, rank[indices]] if len(rank) else missing
