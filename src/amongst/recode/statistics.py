"""Mean and median of a group, as further columns (Mondrian, figure 8)."""

from __future__ import annotations

import numpy as np

from amongst import kernels
from amongst.encode.coded import CodedColumn
from amongst.encode.encode import numbers
from amongst.partition.partition import Partition


def statistic_of_group(column: CodedColumn, partition: Partition, statistic: str) -> np.ndarray:
    """The mean or the median of a numeric column in every group; NaN where a group has no value."""
    value_of_code = numbers(column.values)
    usable = (partition.group_of_row >= 0) & (column.codes < column.n_values)
    group, code = partition.group_of_row[usable], column.codes[usable]
    count = np.bincount(group, minlength=partition.n_groups)
    with np.errstate(invalid="ignore", divide="ignore"):
        if statistic == "mean":
            return np.bincount(group, weights=value_of_code[code], minlength=partition.n_groups) / count
        return _median(value_of_code, group, code, count)


def _median(value_of_code: np.ndarray, group: np.ndarray, code: np.ndarray, count: np.ndarray) -> np.ndarray:
    by_code = np.argsort(code, kind="stable").astype(np.uint32)
    at, first = kernels.order_by_class(group[by_code], len(count))
    values = value_of_code[code[by_code[at]]]
    full = np.flatnonzero(count)
    median = np.full(len(count), np.nan)
    begin = first[:-1][full]
    low, high = begin + (count[full] - 1) // 2, begin + count[full] // 2
    median[full] = (values[low] + values[high]) / 2
    return median
