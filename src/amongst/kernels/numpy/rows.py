"""The kernels in numpy: what runs where there is no compiler, and what the compiled ones must equal."""

from __future__ import annotations

from collections.abc import Callable, Sequence

import numpy as np

from amongst.kernels.axis import Axis
from amongst.kernels.conditions import Conditions
from amongst.kernels.numpy.frequency import roll_up as roll_up  # part of this module's face
from amongst.kernels.numpy.frequency import rows_below as rows_below
from amongst.kernels.numpy.mondrian import mondrian as _mondrian

NAME = "numpy"


def distinct(
    columns: Sequence[np.ndarray], weight: np.ndarray | None = None
) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """The frequency set: distinct rows in order of first appearance.

    With a weight a row, the weights are added up instead of the rows.

    Returns
    -------
    tuple_of_row : ndarray of uint32
    first_row : ndarray of uint32
        The first row that has the tuple.
    count : ndarray of uint32
    """
    key = np.zeros(len(columns[0]), dtype=np.int64)
    for column in columns:
        size = int(column.max(initial=0)) + 1
        if int(key.max(initial=0)) > (2**62) // size:
            key = np.unique(key, return_inverse=True)[1].reshape(-1)
        key = key * size + column
    _, first_row, inverse, count = np.unique(key, return_index=True, return_inverse=True, return_counts=True)
    by_first = np.argsort(first_row, kind="stable")
    rank = np.empty(len(by_first), dtype=np.uint32)
    rank[by_first] = np.arange(len(by_first), dtype=np.uint32)
    if weight is not None:
        count = np.bincount(inverse.reshape(-1), weights=weight, minlength=len(count))
    return rank[inverse.reshape(-1)], first_row[by_first].astype(np.uint32), count[by_first].astype(np.uint32)


def mondrian(
    columns: Sequence[np.ndarray],
    weight: np.ndarray | None,
    axes: Sequence[Axis],
    k: int,
    *,
    cuts: int,
    relaxed: bool,
    conditions: Conditions | None = None,
    tick: Callable[[int, int], None] | None = None,
) -> tuple[np.ndarray, np.ndarray, np.ndarray, int]:
    """Greedy multidimensional partitioning of weighted rows.

    Parameters
    ----------
    columns : sequence of ndarray of uint8, uint16 or uint32
    weight : ndarray of uint32, or None for 1 each (relaxed takes None only)
    axes : one a column
    k : the least weight of a group
    cuts : 0 between any two codes, 1 between children of a tree node before that, 2 only between children, 3 only above
        the median, 4 only above the median of the widest column that keeps k
    relaxed : divide the rows of the median value over both sides
    conditions : what both sides of every cut must hold besides, over the rows
    tick : called now and then with (weight done, weight in all)

    Returns
    -------
    group_of_row : ndarray of int32
    lo, hi : ndarray of uint32, shape (n_groups, n_columns)
        The box of every group.
    n_alone : int
        Rows of weight 1 that equal no other row of their group: not to be used when relaxed.
    """
    if k < 1:
        raise ValueError("k must be at least 1")
    if relaxed and weight is not None:
        raise ValueError("relaxed partitioning takes no weights")
    group, lo, hi = _mondrian(
        columns, weight, axes=axes, k=k, cuts=cuts, relaxed=relaxed, conditions=conditions, tick=tick
    )
    by_tuple = distinct([group.astype(np.uint32), *columns])
    total = np.bincount(by_tuple[0], weights=weight)
    return group, lo, hi, int((total == 1).sum())


def order_by_class(class_of_row: np.ndarray, n_classes: int) -> tuple[np.ndarray, np.ndarray]:
    """Rows sorted by class, keeping their order within one; rows of class -1 are left out.

    Returns
    -------
    row_at : ndarray of uint32
    first_of_class : ndarray of int64, n_classes + 1 long
    """
    kept = np.flatnonzero(class_of_row >= 0)
    row_at = kept[np.argsort(class_of_row[kept], kind="stable")].astype(np.uint32)
    first_of_class = np.zeros(n_classes + 1, dtype=np.int64)
    np.cumsum(np.bincount(class_of_row[kept], minlength=n_classes), out=first_of_class[1:])
    return row_at, first_of_class


def sort_within(row_at: np.ndarray, first_of_class: np.ndarray, keys: Sequence[np.ndarray]) -> np.ndarray:
    """Within every class, the rows sorted by the keys in turn."""
    if not keys:
        return row_at
    class_at = np.repeat(np.arange(len(first_of_class) - 1), np.diff(first_of_class))
    return row_at[np.lexsort([key[row_at] for key in reversed(keys)] + [class_at])]


def gather(values: np.ndarray, row_at: np.ndarray) -> np.ndarray:
    """``values[row_at]``."""
    return np.asarray(values[row_at])


def look_up(index: np.ndarray, table: np.ndarray) -> np.ndarray:
    """``table[index]``, for a table that is small."""
    return np.asarray(table[index])


def repeat(values: np.ndarray, times: np.ndarray) -> np.ndarray:
    """``values[i]``, ``times[i]`` times each."""
    return np.repeat(values, times)


def count_pairs(class_of_row: np.ndarray, key_of_row: np.ndarray, n_classes: int, n_keys: int) -> np.ndarray:
    """How many rows have every pair of class and key, shape (n_classes, n_keys); class -1 is left out."""
    kept = class_of_row >= 0
    pair = class_of_row[kept].astype(np.int64) * n_keys + key_of_row[kept]
    return np.bincount(pair, minlength=n_classes * n_keys).astype(np.uint32).reshape(n_classes, n_keys)
