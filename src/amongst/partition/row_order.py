"""Rows in an order of their own before they are grouped: the order of the input has no say."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

import numpy as np

from amongst import kernels
from amongst.encode.coded import CodedColumn, CodedTable
from amongst.encode.frequency import tuples_of
from amongst.partition.lots import Lots
from amongst.partition.partition import Partition
from amongst.recode.order import keys_of
from amongst.schema.schema import Schema

if TYPE_CHECKING:
    import pyarrow as pa


def drawn_rows(table: CodedTable, original: pa.Table, schema: Schema, unit: str | None) -> np.ndarray:
    """Rows by their quasi-identifiers, equal ones as drawn; the lots fall on rows sorted by everything else too.

    A method that divides equal rows has to put one of them here and the other there. Were that the order of the input,
    the same rows would give another release; were it the order of their sensitive values, low ones would go here and
    high ones there. So lots are drawn, and these follow from the table itself (see ``Lots``): rows that are equal in
    all that is published, and belong to the same person, make the same release whichever of them goes where.
    """
    import pyarrow as pa

    names = [name for name in schema.published if schema[name].role != "quasi"]
    others = {name: original.column(name) for name in (*names, *([] if unit is None else [unit]))}
    if table.kept_rows is not None:
        kept = pa.array(table.kept_rows)
        others = {name: column.take(kept) for name, column in others.items()}
    tuples, keys = tuples_of(table).in_order(), keys_of(others)
    in_tuples, first = kernels.order_by_class(tuples.tuple_of_row.view(np.int32), tuples.n_tuples)
    row_at = kernels.sort_within(in_tuples, first, keys)
    lot = np.empty(table.n_coded, dtype=np.uint64)
    lot[row_at] = Lots(0, [_halves(key[row_at]) for key in (*table.codes, *keys)]).draw("rows", table.n_coded)
    return kernels.sort_within(row_at, first, [lot])


def as_they_were(partition: Partition, row_at: np.ndarray) -> Partition:
    """Groups of rows in this order, for the rows in the order that they had."""
    group_of_row = np.empty_like(partition.group_of_row)
    group_of_row[row_at] = partition.group_of_row
    return replace(partition, group_of_row=group_of_row)


def _halves(key: np.ndarray) -> np.ndarray:
    """Numbers of 64 bits as twice as many of 32, so that none of their bits is lost in a digest."""
    return key.view(np.uint32) if key.dtype.itemsize == 8 else key


def rows_of(table: CodedTable, row_at: np.ndarray) -> CodedTable:
    """These rows of the table, in this order, with the same codes; people are numbered anew, by their first row."""

    def of(column: CodedColumn) -> CodedColumn:
        return replace(column, codes=kernels.gather(column.codes, row_at))

    return replace(
        table,
        columns=[of(column) for column in table.columns],
        sensitive={name: of(column) for name, column in table.sensitive.items()},
        target=None if table.target is None else of(table.target),
        unit=None if table.unit is None else kernels.distinct([kernels.gather(table.unit, row_at)])[0],
        kept_rows=row_at if table.kept_rows is None else table.kept_rows[row_at],
    )
