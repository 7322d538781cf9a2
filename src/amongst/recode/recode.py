"""From groups to the published table."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING

import numpy as np

from amongst import kernels
from amongst.encode.coded import CodedTable
from amongst.errors import BadOption
from amongst.recode.lay_out import lay_out, runs
from amongst.recode.order import classes, row_order
from amongst.recode.published import FORMS, PublishedColumn, published_columns
from amongst.recode.wildcards import split_by_null
from amongst.schema.schema import Schema

if TYPE_CHECKING:
    import pyarrow as pa

    from amongst.partition.partition import Partition


@dataclass(frozen=True, eq=False)
class Published:
    """The published table.

    Attributes
    ----------
    table : pyarrow.Table
        Quasi-identifiers dictionary-encoded; rows sorted by published values.
    size_of_class : ndarray of int64
        How many rows publish the same quasi-identifiers. A null that matches anything counts as what its group
        publishes: its rows fit each other.
    row_at : ndarray of uint32
        The coded row of every published row; of rows that are equal in everything published any may stand for
        another. Worked out when it is asked for, and never written.
    """

    table: pa.Table
    size_of_class: np.ndarray
    class_of_row: np.ndarray
    n_classes: int
    others: Mapping[str, pa.ChunkedArray]

    @cached_property
    def row_at(self) -> np.ndarray:
        return row_order(self.class_of_row, self.n_classes, self.others)[0]


def refuse_unknown_form(form: str) -> None:
    """Raise for a form that ranges cannot have."""
    if form not in FORMS:
        fix = "use one of: " + ", ".join(FORMS)
        raise BadOption(f"There is no form {form!r}.", found=f"form = {form!r}", fix=fix)


def recode(
    original: pa.Table, schema: Schema, table: CodedTable, partition: Partition, form: str = "labels"
) -> Published:
    """Replace the quasi-identifiers of every row by what its group publishes.

    Identifiers and suppressed rows are gone. Columns keep the order of the original table.
    """
    import pyarrow as pa

    refuse_unknown_form(form)
    if table.kept_rows is not None:
        original = original.take(pa.array(table.kept_rows))
    columns = published_columns(table, partition, schema, form)
    group_of_row, n_groups = partition.group_of_row, partition.n_groups
    size_of_fitting = None
    if any(column.wildcard >= 0 for column in table.columns):
        size_of_fitting = _sizes(columns, partition)
        columns, group_of_row, n_groups = split_by_null(columns, table, partition)
    keys = [column.value_of_group for made in columns.values() for column in made]
    class_of_group, group_of_class = classes(keys, n_groups)
    others = {name: original.column(name) for name in schema.published if schema[name].role != "quasi"}
    class_of_row = _through(class_of_group, group_of_row)
    size_of_class, laid_others = lay_out(class_of_row, len(group_of_class), others)
    laid: dict[str, pa.Array] = {}
    for name in original.column_names:
        if name in columns:
            for column in columns[name]:
                laid[column.name] = _lay(column, group_of_class, size_of_class)
        elif name in others:
            laid[name] = laid_others[name]
    sizes = size_of_class if size_of_fitting is None else size_of_fitting
    return Published(pa.table(laid), sizes, class_of_row, len(group_of_class), others)


def _sizes(columns: dict[str, list[PublishedColumn]], partition: Partition) -> np.ndarray:
    """The sizes of the classes that whole groups make."""
    keys = [column.value_of_group for made in columns.values() for column in made]
    class_of_group, group_of_class = classes(keys, partition.n_groups)
    sizes = np.bincount(class_of_group, weights=partition.size_of_group, minlength=len(group_of_class))
    return sizes.astype(np.int64)


def _through(class_of_group: np.ndarray, group_of_row: np.ndarray) -> np.ndarray:
    if group_of_row.min(initial=0) >= 0:
        return kernels.gather(class_of_group, group_of_row.view(np.uint32))
    return np.where(group_of_row >= 0, class_of_group[group_of_row], np.int32(-1))


def _lay(column: PublishedColumn, group_of_class: np.ndarray, size_of_class: np.ndarray) -> pa.Array:
    """One published column over all rows: runs, since rows are sorted by class."""
    import pyarrow as pa

    value_of_class = column.value_of_group[group_of_class]
    if pa.types.is_string(column.values.type):
        return runs(column.values, value_of_class, size_of_class)
    return column.values.take(pa.array(np.repeat(value_of_class, size_of_class)))
