"""From groups to the published table."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace
from functools import cached_property
from typing import TYPE_CHECKING

import numpy as np

from amongst import kernels
from amongst.brief import Brief
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
class Published(Brief):
    """The published table.

    Attributes
    ----------
    table : pyarrow.Table
        Quasi-identifiers dictionary-encoded; rows sorted by published values.
    size_of_class : ndarray of int64
        How many rows publish the same quasi-identifiers. A row with a null that matches anything publishes the null:
        it is not of the class of those that it fits.
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
    told = decide(schema, table, partition, form)
    others = {name: original.column(name) for name in schema.published if schema[name].role != "quasi"}
    size_of_class, laid_others = lay_out(told.class_of_row, told.n_classes, others)
    laid: dict[str, pa.Array] = {}
    for name in original.column_names:
        if name in told.columns:
            for column in told.columns[name]:
                laid[column.name] = _lay(column, size_of_class)
        elif name in others:
            laid[name] = laid_others[name]
    return Published(pa.table(laid), size_of_class, told.class_of_row, told.n_classes, others)


@dataclass(frozen=True, eq=False)
class Decided(Brief):
    """What every class publishes, and the class of every coded row.

    Attributes
    ----------
    columns : dict of str to list of PublishedColumn
        For every quasi-identifier what stands for it; ``value_of_group`` has an entry for every class, in order.
    class_of_row : ndarray of int32
        -1 for a row that is suppressed.
    """

    columns: dict[str, list[PublishedColumn]]
    class_of_row: np.ndarray
    n_classes: int


def decide(schema: Schema, table: CodedTable, partition: Partition, form: str = "labels") -> Decided:
    """Groups that publish the same are one class; classes are sorted by what they publish."""
    columns = published_columns(table, partition, schema, form)
    group_of_row, n_groups = partition.group_of_row, partition.n_groups
    if any(column.wildcard >= 0 for column in table.columns):
        columns, group_of_row, n_groups = split_by_null(columns, table, partition)
    keys = [column.value_of_group for made in columns.values() for column in made]
    class_of_group, group_of_class = classes(keys, n_groups)
    by_class = {
        name: [replace(column, value_of_group=column.value_of_group[group_of_class]) for column in made]
        for name, made in columns.items()
    }
    return Decided(by_class, _through(class_of_group, group_of_row), len(group_of_class))


def _through(class_of_group: np.ndarray, group_of_row: np.ndarray) -> np.ndarray:
    if group_of_row.min(initial=0) >= 0:
        return kernels.gather(class_of_group, group_of_row.view(np.uint32))
    return np.where(group_of_row >= 0, class_of_group[group_of_row], np.int32(-1))


def _lay(column: PublishedColumn, size_of_class: np.ndarray) -> pa.Array:
    """One published column over all rows: runs, since rows are sorted by class."""
    import pyarrow as pa

    value_of_class = column.value_of_group
    if pa.types.is_string(column.values.type):
        return runs(column.values, value_of_class, size_of_class)
    return column.values.take(pa.array(np.repeat(value_of_class, size_of_class)))
