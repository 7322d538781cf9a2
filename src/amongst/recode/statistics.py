"""Mean and median of a group, as further columns (Mondrian, figure 8)."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from amongst import kernels
from amongst.encode.coded import CodedColumn
from amongst.encode.encode import as_spelled, numbers

if TYPE_CHECKING:
    from amongst.partition.partition import Partition


def statistic_of_group(column: CodedColumn, partition: Partition, statistic: str) -> np.ndarray:
    """The mean or the median of a numeric column in every group; NaN where a group has no value."""
    values, first = _values_by_group(column, partition)
    figures = np.full(partition.n_groups, np.nan)
    full = np.flatnonzero(np.diff(first))
    if len(full) == 0:
        return figures
    begin, end = first[:-1][full], first[1:][full]
    with np.errstate(over="ignore"):
        if statistic == "mean":
            found = np.add.reduceat(values, begin) / (end - begin)
        else:
            found = (values[begin + (end - begin - 1) // 2] + values[begin + (end - begin) // 2]) / 2
    # Rounding must not lead out of the group's range.
    figures[full] = np.clip(found, values[begin], values[end - 1])
    return figures


def _values_by_group(column: CodedColumn, partition: Partition) -> tuple[np.ndarray, np.ndarray]:
    """The values of every group one after another, ascending, and where each group begins.

    Ascending, so that sums are rounded in the same way whatever the order of the input.
    """
    usable = (partition.group_of_row >= 0) & (column.codes < column.n_values)
    group, code = partition.group_of_row[usable], column.codes[usable]
    if partition.count is not None:
        group, code = np.repeat(group, partition.count[usable]), np.repeat(code, partition.count[usable])
    by_code = np.argsort(code, kind="stable").astype(np.uint32)
    at, first = kernels.order_by_class(group[by_code], partition.n_groups)
    return numbers(as_spelled(column.values))[code[by_code[at]]], first
