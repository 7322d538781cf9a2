"""What every class publishes, and how rows find their class: decided once, carried out where the rows live."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property
from typing import TYPE_CHECKING, Any

import numpy as np

from amongst import kernels
from amongst.brief import Brief
from amongst.encode.coded import CodedColumn, CodedTable
from amongst.read.formats.codes import Codes
from amongst.recode.order import classes, row_order
from amongst.recode.published import PublishedColumn, published_columns
from amongst.recode.stream import class_table
from amongst.recode.wildcards import split_by_null

if TYPE_CHECKING:
    import pyarrow as pa

    from amongst.partition.partition import Partition
    from amongst.request import Request
    from amongst.schema.column import Column


@dataclass(frozen=True, eq=False, kw_only=True)
class RecodingPlan(Brief):
    """What is published of a table: one table, or two that a group number links.

    Attributes
    ----------
    made : dict of str to list of PublishedColumn
        For every quasi-identifier what stands for it; ``value_of_group`` has an entry for every class, in order.
    class_of_row : ndarray of int32
        The class of every coded row; -1 where it is suppressed.
    n_classes : int
    count : ndarray, or None
        How many rows every coded row stands for; None: one each.
    others : list of str
        The columns that are published as they are. Rows of a class are sorted by them, in this order, nulls last.
    columns : list of str
        All published columns in their order.
    table : pyarrow.Table
        Where rows are in memory all that is published, sorted, with quasi-identifiers dictionary-encoded; elsewhere
        its columns without a row.
    sensitive : pyarrow.Table, or None
        A second table: the group number, the sensitive value, and how many rows of the group have it.
    kept : mapping of str to pyarrow.ChunkedArray
        Of rows in memory the columns that are published as they are, in the order of the coded rows.
    texts : mapping of str to pyarrow.ChunkedArray
        Of columns that are published as they are and were read by a form: the cells of ``table`` as they were written.
    forms : mapping of str to Reads
        Of quasi-identifiers that were read by a form: that in which the rows that stay are written.
    quasi : list of str
        Elsewhere, the columns that tell rows apart: the quasi-identifiers, and what else the method looked at. A row
        is published when its values of these are in ``tuples``; nulls equal nulls. All other rows are suppressed.
    tuples : pyarrow.Table, or None
        The columns of ``quasi`` in their original types, and CLASS (int32). Where ``divided``, also FIRST and LAST
        (int64): the rows of a tuple, numbered from 0 in the order of ``others`` and then in any order, with a number
        in FIRST..LAST (both included) are of that class; a tuple then has one entry for each of its classes.
    divided : bool
    node_of_value : dict of str to pyarrow.Table, or None
        Where rows are told apart by the nodes that their values belong to, not by the values: for every column of
        ``quasi`` the columns "value" and "node" (int64); ``tuples`` then has nodes.
    found_by
        Whatever else a store finds the class of its rows by; None where ``tuples`` tell it.
    anew : tuple of str
        Of ``others``, columns that are published under new numbers: where the rows live they have other values.
    """

    made: Mapping[str, Sequence[PublishedColumn]]
    class_of_row: np.ndarray
    n_classes: int
    count: np.ndarray | None = None
    others: list[str]
    columns: list[str]
    table: pa.Table = None
    sensitive: pa.Table | None = None
    kept: Mapping[str, pa.ChunkedArray] = field(default_factory=dict, repr=False)
    texts: Mapping[str, pa.ChunkedArray] = field(default_factory=dict, repr=False)
    forms: Mapping[str, Any] = field(default_factory=dict)
    quasi: list[str] = field(default_factory=list)
    tuples: pa.Table = None
    divided: bool = False
    node_of_value: dict[str, pa.Table] | None = None
    found_by: Any = None
    anew: tuple[str, ...] = ()

    @cached_property
    def classes(self) -> pa.Table:
        """What every class publishes, in the order in which classes are sorted: entry i is class i."""
        return class_table(self.made)

    @cached_property
    def size_of_class(self) -> np.ndarray:
        """How many rows publish the same quasi-identifiers. A row with a null that matches anything publishes the
        null: it is not of the class of those that it fits."""
        own, count = self.class_of_row, self.count
        if own.min(initial=0) < 0:
            kept = own >= 0
            own, count = own[kept], None if count is None else count[kept]
        return np.bincount(own, weights=count, minlength=self.n_classes).astype(np.int64)

    @cached_property
    def n_published(self) -> int:
        """How many rows there must be in the end; anything else means that the table changed meanwhile."""
        return int(self.size_of_class.sum())

    @cached_property
    def row_at(self) -> np.ndarray:
        """The coded row of every published row in memory; of rows that are equal in everything published any may
        stand for another. Never written."""
        return row_order(self.class_of_row, self.n_classes, self.kept)[0]

    def labelled(self, labels: Mapping[str, str], format: str) -> dict[str, Any]:
        """What published columns are about, by the names they are published under, for a file of this format."""
        made = {column.name: name for name, own in self.made.items() for column in own}
        named = {shown: labels.get(made.get(shown, shown)) for shown in self.columns}
        return {shown: Codes(format, label=label) for shown, label in named.items() if label}

    @property
    def link(self) -> str:
        """The column that both tables have."""
        assert self.sensitive is not None
        return str(self.sensitive.column_names[0])


def plan_recoding(
    table: CodedTable,
    partition: Partition,
    request: Request,
    fields: pa.Schema,
    stays: Sequence[np.ndarray] | None = None,
) -> RecodingPlan:
    """Groups that publish the same are one class; classes are sorted by what they publish.

    Identifiers are gone; other columns keep the order that they have in ``fields``. ``stays`` says which codes of every
    column rows that stay have, where the coded rows do not tell it.
    """
    import pyarrow as pa

    table = named_by_rows_that_stay(table, partition, request, stays)
    made = published_columns(table, partition, request.schema, request.form)
    group_of_row, n_groups = partition.group_of_row, partition.n_groups
    if any(column.wildcard >= 0 for column in table.columns):
        made, group_of_row, n_groups = split_by_null(made, table, partition)
    keys = [column.value_of_group for own in made.values() for column in own]
    class_of_group, group_of_class = classes(keys, n_groups)
    by_class = {
        name: [replace(column, value_of_group=column.value_of_group[group_of_class]) for column in own]
        for name, own in made.items()
    }
    others = request.others
    shown: dict[str, pa.DataType] = {}
    for name in fields.names:
        shown |= {column.name: column.values.type for column in by_class.get(name, ())}
        shown |= {name: fields.field(name).type} if name in others else {}
    return RecodingPlan(
        made=by_class,
        class_of_row=_through(class_of_group, group_of_row),
        n_classes=len(group_of_class),
        count=table.count,
        others=others,
        columns=list(shown),
        table=pa.schema(list(shown.items())).empty_table(),
    )


def named_by_rows_that_stay(
    table: CodedTable, partition: Partition, request: Request, stays: Sequence[np.ndarray] | None
) -> CodedTable:
    """The codes with nodes whose names tell of nobody who is left out."""

    def there(c: int, column: CodedColumn) -> np.ndarray:
        if stays is not None:
            return stays[c]
        return np.bincount(column.codes[partition.group_of_row >= 0], minlength=column.n_values + 1) > 0

    columns = [
        column if column.tree is None else named_by(column, request.schema[column.name], there(c, column))
        for c, column in enumerate(table.columns)
    ]
    return replace(table, columns=columns)


def named_by(column: CodedColumn, rule: Column, stays: np.ndarray) -> CodedColumn:
    """The column with nodes that are named by its codes that stay (True), where values of the table name them."""
    if column.tree is None or rule.hierarchy is None or rule.order is not None:  # an order is asked for
        return column
    return replace(column, tree=rule.hierarchy.named_by(column.tree, stays[: column.tree.n_leaves]))


def _through(class_of_group: np.ndarray, group_of_row: np.ndarray) -> np.ndarray:
    if group_of_row.min(initial=0) >= 0:
        return kernels.gather(class_of_group, group_of_row.view(np.uint32))
    return np.where(group_of_row >= 0, class_of_group[group_of_row], np.int32(-1))
