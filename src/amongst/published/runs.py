"""Rows as numbers that can be compared, and runs of equal rows collapsed to one.

A release is sorted by what it publishes, so equal rows are neighbours: one comparison with the row
before, column by column, leaves a row for every class. Any other order is only slower, never wrong,
because the rows that remain are grouped afterwards.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
import pyarrow as pa

from amongst.errors import BadInput
from amongst.published.layout import Leaf
from amongst.published.meaning import in_digits, is_text, needs_digits

NULL = -1
_INTEGER_OF_WIDTH = {8: pa.int8(), 16: pa.int16(), 32: pa.int32(), 64: pa.int64()}


@dataclass(frozen=True, eq=False)
class Comparable:
    """One leaf of a batch as an array in which equal numbers mean equal cells.

    Attributes
    ----------
    values : ndarray
        Indices into ``dictionary`` with -1 for a missing cell; or the bits of numbers and times.
    dictionary : pyarrow.Array, optional
        The texts. They may repeat or hold a null: two indices can still mean the same.
    missing : ndarray of bool, optional
        Where cells are missing, for leaves without a dictionary.
    type : pyarrow.DataType
        What the bits, or the texts, are.
    """

    values: np.ndarray
    type: pa.DataType
    dictionary: pa.Array | None = None
    missing: np.ndarray | None = None

    def take(self, rows: np.ndarray) -> Comparable:
        missing = None if self.missing is None else self.missing[rows]
        return Comparable(self.values[rows], self.type, self.dictionary, missing)


def comparable(batch: pa.RecordBatch, leaf: Leaf) -> Comparable:
    """One leaf of a batch, ready to compare."""
    array = batch.column(leaf.column)
    if leaf.field is not None:
        # flatten() gives a struct's own nulls to its fields.
        array = array.flatten()[array.type.get_field_index(leaf.field)]
    if pa.types.is_dictionary(array.type) and not is_text(array.type.value_type):
        array = array.dictionary_decode()
    if needs_digits(array.type):
        return _indices(in_digits(array))
    if pa.types.is_dictionary(array.type):
        return _indices(array)
    if pa.types.is_floating(array.type):
        return _float_bits(array)
    if pa.types.is_boolean(array.type):
        return _bits(array.cast(pa.int8()), pa.bool_())
    if _is_fixed(array.type):
        return _bits(array, array.type)
    return _indices(_as_text(array, leaf).dictionary_encode())


def collapse(columns: list[Comparable], n_rows: int) -> tuple[np.ndarray, np.ndarray]:
    """The first row of every run of equal rows, and how many rows the run has."""
    starts = np.zeros(n_rows, dtype=bool)
    starts[:1] = True
    differs = starts[1:]
    for column in columns:
        np.logical_or(differs, column.values[1:] != column.values[:-1], out=differs)
        if column.missing is not None:
            np.logical_or(differs, column.missing[1:] != column.missing[:-1], out=differs)
    heads = np.flatnonzero(starts)
    return heads, np.diff(np.append(heads, n_rows))


def _is_fixed(of: pa.DataType) -> bool:
    return pa.types.is_integer(of) or (pa.types.is_temporal(of) and not pa.types.is_interval(of))


def _as_text(array: pa.Array, leaf: Leaf) -> pa.Array:
    if pa.types.is_string(array.type) or pa.types.is_large_string(array.type):
        return array
    try:
        return array.cast(pa.large_string())
    except (pa.ArrowInvalid, pa.ArrowNotImplementedError):
        raise BadInput(
            f"Column '{leaf.column}' has a type that cannot be compared.",
            found=f"Arrow type {array.type}",
            fix="publish text, numbers, dates, or structs of lower and upper",
        ) from None


def _indices(array: pa.DictionaryArray) -> Comparable:
    indices = array.indices
    if indices.type != pa.int32():
        indices = indices.cast(pa.int32())
    if indices.null_count:
        indices = indices.fill_null(NULL)
    return Comparable(indices.to_numpy(), array.type.value_type, array.dictionary)


def _bits(array: pa.Array, of: pa.DataType) -> Comparable:
    array = array.view(_INTEGER_OF_WIDTH[array.type.bit_width])
    missing = array.is_null().to_numpy(zero_copy_only=False) if array.null_count else None
    values = (array.fill_null(0) if array.null_count else array).to_numpy(zero_copy_only=False)
    return Comparable(values, of, None, missing)


def _float_bits(array: pa.Array) -> Comparable:
    """Floats by their bits, but the two zeros are one value, and all that is not a number another."""
    if pa.types.is_float16(array.type):
        array = array.cast(pa.float32())
    missing = array.is_null().to_numpy(zero_copy_only=False) if array.null_count else None
    floats = (array.fill_null(0) if array.null_count else array).to_numpy(zero_copy_only=False)
    floats = floats + floats.dtype.type(0)  # -0.0 + 0.0 is 0.0
    floats[np.isnan(floats)] = np.nan
    return Comparable(floats.view(f"i{floats.itemsize}"), array.type, None, missing)
