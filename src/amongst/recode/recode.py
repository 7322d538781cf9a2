"""From groups to the published table."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from amongst import kernels
from amongst.encode.coded import CodedTable
from amongst.errors import BadOption
from amongst.partition.partition import Partition
from amongst.recode.order import classes, row_order
from amongst.recode.published import FORMS, PublishedColumn, published_columns
from amongst.recode.wildcards import split_by_null
from amongst.schema.schema import Schema

if TYPE_CHECKING:
    import pyarrow as pa


@dataclass(frozen=True, eq=False)
class Published:
    """The published table.

    Attributes
    ----------
    table : pyarrow.Table
        Quasi-identifiers dictionary-encoded; rows sorted by published values.
    size_of_class : ndarray of int64
        How many rows publish the same quasi-identifiers.
    """

    table: pa.Table
    size_of_class: np.ndarray


def recode(original: pa.Table, schema: Schema, table: CodedTable, partition: Partition, form: str = "labels") -> Published:
    """Replace the quasi-identifiers of every row by what its group publishes.

    Identifiers and suppressed rows are gone. Columns keep the order of the original table.
    """
    if form not in FORMS:
        raise BadOption(f"There is no form {form!r}.", found=f"form = {form!r}", fix="use one of: " + ", ".join(FORMS))
    if table.kept_rows is not None:
        original = original.take(_arrow(table.kept_rows))
    columns = published_columns(table, partition, schema, form)
    group_of_row, n_groups = partition.group_of_row, partition.n_groups
    if any(column.wildcard >= 0 for column in table.columns):
        columns, group_of_row, n_groups = split_by_null(columns, table, partition)
    keys = [column.value_of_group for made in columns.values() for column in made]
    class_of_group, group_of_class = classes(keys, n_groups)
    others = {name: original.column(name) for name in schema.published if schema[name].role != "quasi"}
    class_of_row = _through(class_of_group, group_of_row)
    row_at, first_of_class = row_order(class_of_row, len(group_of_class), list(others.values()))
    size_of_class = np.diff(first_of_class)
    laid: dict[str, pa.Array] = {}
    for name in original.column_names:
        if name in columns:
            for column in columns[name]:
                laid[column.name] = _lay(column, group_of_class, size_of_class)
        elif name in others:
            laid[name] = _take(others[name], row_at)
    import pyarrow as pa

    return Published(pa.table(laid), size_of_class)


def _through(class_of_group: np.ndarray, group_of_row: np.ndarray) -> np.ndarray:
    if group_of_row.min(initial=0) >= 0:
        return kernels.gather(class_of_group, group_of_row.view(np.uint32))
    return np.where(group_of_row >= 0, class_of_group[group_of_row], np.int32(-1))


def _lay(column: PublishedColumn, group_of_class: np.ndarray, size_of_class: np.ndarray) -> pa.Array:
    """One published column over all rows: runs, since rows are sorted by class."""
    import pyarrow as pa

    value_of_class = column.value_of_group[group_of_class]
    if pa.types.is_string(column.values.type):
        used, index = np.unique(value_of_class, return_inverse=True)
        values = column.values.take(_arrow(used))
        indices = np.repeat(index.reshape(-1).astype(np.int32), size_of_class)
        if values.null_count == 0:
            return pa.DictionaryArray.from_arrays(pa.array(indices), values)
        gone = values.is_null().to_numpy(zero_copy_only=False)
        return pa.DictionaryArray.from_arrays(pa.array(indices, mask=gone[indices]), values)
    return column.values.take(_arrow(np.repeat(value_of_class, size_of_class)))


def _take(column: pa.ChunkedArray, row_at: np.ndarray) -> pa.Array:
    """The rows of a column; a dictionary keeps only the values that are still there."""
    import pyarrow as pa

    if pa.types.is_dictionary(column.type):
        array = column.unify_dictionaries().combine_chunks()
        array = array.chunk(0) if isinstance(array, pa.ChunkedArray) else array
        return _dictionary_take(array, row_at)
    array = column.combine_chunks()
    array = array.chunk(0) if isinstance(array, pa.ChunkedArray) else array
    fast = array.null_count == 0 and (pa.types.is_integer(array.type) or pa.types.is_floating(array.type))
    return pa.array(kernels.gather(array.to_numpy(), row_at)) if fast else array.take(_arrow(row_at))


def _dictionary_take(array: pa.DictionaryArray, row_at: np.ndarray) -> pa.DictionaryArray:
    import pyarrow as pa

    missing = array.indices.is_null().to_numpy(zero_copy_only=False)[row_at] if array.null_count else None
    indices = kernels.gather(array.indices.fill_null(0).to_numpy(zero_copy_only=False), row_at)
    used = np.bincount(indices if missing is None else indices[~missing], minlength=len(array.dictionary)) > 0
    values = array.dictionary
    if not used.all():
        indices = (np.cumsum(used) - 1).clip(0)[indices].astype(np.int32)
        values = values.filter(pa.array(used))
    return pa.DictionaryArray.from_arrays(pa.array(indices, mask=missing), values, ordered=array.type.ordered)


def _arrow(rows: np.ndarray) -> pa.Array:
    import pyarrow as pa

    return pa.array(rows)
