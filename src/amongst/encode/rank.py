"""The distinct values of a column, and which of them every row has."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from amongst import kernels

if TYPE_CHECKING:
    import pyarrow as pa

DENSE_SPAN = 1 << 22
"""Whole numbers that lie within so many of each other are ranked by a table, not by sorting."""
BLOCK = 1 << 16


def rank(chunked: pa.ChunkedArray) -> tuple[pa.Array, np.ndarray, np.ndarray | None]:
    """The distinct values, the index of every row into them, and where a row is missing (or None).

    The index of a missing row is 0.
    """
    import pyarrow as pa
    import pyarrow.compute as pc

    if isinstance(chunked.type, pa.BaseExtensionType):  # such as UUIDs: equal where what is stored is equal
        chunked = pa.chunked_array([one.storage for one in chunked.chunks], chunked.type.storage_type)
    if pa.types.is_null(chunked.type):  # nothing but nulls, of no type: its dictionary would hold one
        chunked = chunked.cast(pa.string())
    if pa.types.is_float16(chunked.type):  # not every pyarrow can number them
        chunked = chunked.cast(pa.float32())
    missing = chunked.is_null().to_numpy() if chunked.null_count else None
    if pa.types.is_integer(chunked.type) or pa.types.is_date32(chunked.type):
        dense = _rank_dense(chunked, missing)
        if dense is not None:
            return (*dense, missing)
    if not pa.types.is_dictionary(chunked.type):
        chunked = pc.dictionary_encode(chunked)
    array = whole_dictionary(chunked)
    indices = array.indices.fill_null(0) if missing is not None else array.indices
    index, values = indices.to_numpy(zero_copy_only=False), array.dictionary
    if values.null_count or len(pc.unique(values)) < len(values):
        recoded = pc.dictionary_encode(values)
        lookup = recoded.indices.fill_null(0).to_numpy(zero_copy_only=False)
        gone = recoded.indices.is_null().to_numpy(zero_copy_only=False)
        if gone.any():
            missing = gone[index] if missing is None else missing | gone[index]
        index, values = lookup[index], recoded.dictionary
    return values, index, missing


def whole_dictionary(chunked: pa.ChunkedArray) -> pa.DictionaryArray:
    """A dictionary-encoded column as one array, also where it has no rows and so no chunk."""
    import pyarrow as pa

    if chunked.num_chunks == 0:  # Arrow cannot join no chunks of every type
        return pa.nulls(0, chunked.type)
    array = chunked.unify_dictionaries().combine_chunks()
    return array.chunk(0) if isinstance(array, pa.ChunkedArray) else array


def _rank_dense(chunked: pa.ChunkedArray, missing: np.ndarray | None) -> tuple[pa.Array, np.ndarray] | None:
    import pyarrow as pa
    import pyarrow.compute as pc

    plain = chunked.cast(pa.int32()) if pa.types.is_date32(chunked.type) else chunked
    ends = pc.min_max(plain).as_py()
    if ends["min"] is None or ends["max"] - ends["min"] >= DENSE_SPAN:
        return None
    whole = (plain.fill_null(ends["min"]) if missing is not None else plain).to_numpy()
    if whole.dtype.itemsize < 4:  # the difference of two short numbers may be too long for their type
        whole = whole.astype(np.int32)
    offset = whole - whole.dtype.type(ends["min"])
    offset = offset.astype(np.uint32 if ends["max"] - ends["min"] > 65535 else np.uint16)
    present = np.zeros(ends["max"] - ends["min"] + 1, dtype=bool)
    present[offset if missing is None else offset[~missing]] = True
    lookup = np.cumsum(present, dtype=np.uint32) - 1
    found = np.flatnonzero(present).astype(whole.dtype) + whole.dtype.type(ends["min"])
    values = pa.array(found).cast(plain.type).cast(chunked.type)
    smallest = smallest_dtype(len(values))
    lookup = np.maximum(lookup.astype(np.int64), 0).astype(smallest)
    return values, kernels.look_up(offset, lookup)


def smallest_dtype(n_codes: int) -> type[np.unsignedinteger[Any]]:
    """The smallest unsigned type that holds the codes 0..n_codes-1."""
    return np.uint8 if n_codes <= 1 << 8 else np.uint16 if n_codes <= 1 << 16 else np.uint32


def occurring(distinct: pa.Array, index: np.ndarray, missing: np.ndarray | None) -> tuple[pa.Array, np.ndarray]:
    """Only the values that some row has: not those of rows left out, nor the unused ones of a dictionary."""
    import pyarrow as pa

    occurs = np.zeros(len(distinct), dtype=bool)
    for start in range(0, len(index), BLOCK):
        block = slice(start, start + BLOCK)
        occurs[index[block] if missing is None else index[block][~missing[block]]] = True
        if occurs.all():
            return distinct, index
    if occurs.all():
        return distinct, index
    lookup = np.maximum(np.cumsum(occurs) - 1, 0).astype(np.uint32)
    return distinct.filter(pa.array(occurs)), lookup[index] if len(distinct) else index


def one_zero(distinct: pa.Array, index: np.ndarray) -> tuple[pa.Array, np.ndarray]:
    """Floats with one zero: which of 0.0 and -0.0 comes first would depend on the order of the rows."""
    import pyarrow as pa
    import pyarrow.compute as pc

    if not pa.types.is_floating(distinct.type):
        return distinct, index
    distinct = distinct.cast(pa.float32()) if pa.types.is_float16(distinct.type) else distinct
    zeros = np.flatnonzero(distinct.to_numpy(zero_copy_only=False) == 0)
    if len(zeros) == 0:
        return distinct, index
    recoded = pc.dictionary_encode(pc.add(distinct, pa.scalar(0.0, distinct.type)))  # -0.0 + 0.0 is 0.0
    return recoded.dictionary, recoded.indices.to_numpy()[index]
