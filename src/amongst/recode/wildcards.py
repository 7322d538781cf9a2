"""Nulls that match anything: such a row publishes its null, the rest of its group what the group publishes."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from amongst.encode.coded import CodedTable
from amongst.encode.frequency import frequency_set
from amongst.recode.published import PublishedColumn

if TYPE_CHECKING:
    from amongst.partition.partition import Partition


def split_by_null(
    columns: dict[str, list[PublishedColumn]], table: CodedTable, partition: Partition
) -> tuple[dict[str, list[PublishedColumn]], np.ndarray, int]:
    """Divide every group by where its rows are null in columns that match anything.

    The parts publish what their group publishes, and null where they are null. What a group publishes is
    worked out from the whole group before, so that its parts still fit each other.

    Returns
    -------
    columns, group_of_row, n_groups
        As before, with the parts in place of the groups.
    """
    kept = np.flatnonzero(partition.group_of_row >= 0)
    wild = [column for column in table.columns if column.wildcard >= 0]
    marks = [(column.codes[kept] == column.wildcard).astype(np.uint8) for column in wild]
    parts = frequency_set([partition.group_of_row[kept].astype(np.uint32), *marks])
    group_of_part = parts.codes[0].astype(np.int64)
    null_in_part = {column.name: mark == 1 for column, mark in zip(wild, parts.codes[1:], strict=True)}
    divided = {
        name: [_divide(column, group_of_part, null_in_part.get(name)) for column in made]
        for name, made in columns.items()
    }
    part_of_row = np.full(len(partition.group_of_row), -1, dtype=np.int32)
    part_of_row[kept] = parts.tuple_of_row
    return divided, part_of_row, parts.n_tuples


def _divide(column: PublishedColumn, group_of_part: np.ndarray, null_in_part: np.ndarray | None) -> PublishedColumn:
    import pyarrow as pa

    value_of_part = column.value_of_group[group_of_part]
    if null_in_part is None or not null_in_part.any():
        return PublishedColumn(column.name, column.values, value_of_part)
    nulls = np.flatnonzero(column.values.is_null().to_numpy(zero_copy_only=False))
    values, null = column.values, int(nulls[0]) if len(nulls) else len(column.values)
    if not len(nulls):
        values = pa.concat_arrays([values, pa.nulls(1, values.type)])
    return PublishedColumn(column.name, values, np.where(null_in_part, null, value_of_part))
