"""Rows far from the middle of their group: without them the others would lose so much less that it pays."""

from __future__ import annotations

import numpy as np

from amongst.encode.coded import CodedTable
from amongst.partition.partition import Partition
from amongst.partition.pricing import prices_of


def far_rows(table: CodedTable, partition: Partition, most: int, fewest: int, *, together: bool) -> np.ndarray:
    """The rows that win most when they are left out, each charged in full: at most so many.

    The middle of a group is the median of every column. Its rows are put in the order of what a group of the row and
    the middle would lose, and for every number of rows at the end of it the loss without them is compared with that of
    all. Groups that win most for a row left out come first. Ties go by what the rows and groups are, not their place.

    Parameters
    ----------
    most : int
        Rows that may be left out.
    fewest : int
        Rows that every group keeps.
    together : bool
        Whether equal rows are left out together.

    Returns
    -------
    ndarray of bool, one a row
    """
    prices, n_rows = prices_of(table), table.n_rows
    far = np.zeros(n_rows, dtype=bool)
    if most <= 0:
        return far
    group = partition.group_of_row.astype(np.int64)
    size = np.bincount(group, minlength=partition.n_groups)
    begin = np.cumsum(size) - size
    codes = np.stack([column.astype(np.int64) for column in table.codes], axis=1)
    middle = np.empty((partition.n_groups, table.n_qi), dtype=np.int64)
    for c in range(table.n_qi):
        in_group = codes[np.lexsort((codes[:, c], group)), c]
        middle[:, c] = in_group[begin + (size - 1) // 2]
    off = prices.of_boxes(np.minimum(codes, middle[group]), np.maximum(codes, middle[group]))
    row_at = np.lexsort((*reversed(codes.T), off, group))
    codes, group = codes[row_at], group[row_at]
    n_kept = np.arange(n_rows) - begin[group] + 1  # where this row is the last that is kept
    lo, hi = _boxes_so_far(codes, group)
    full = sum(price.full for price in prices.columns)
    loss = n_kept * prices.of_boxes(lo, hi) + (size[group] - n_kept) * full
    wins = loss[begin[group] + size[group] - 1] - loss
    n_far = size[group] - n_kept
    possible = (wins > 0) & (n_kept >= fewest) & (n_far <= most)
    if together:
        possible[:-1] &= (codes[1:] != codes[:-1]).any(axis=1)
    wins = np.where(possible, wins, 0)
    most_won = np.maximum.reduceat(wins, begin)
    last = np.full(partition.n_groups, -1, dtype=np.int64)
    chosen = np.flatnonzero(possible & (wins == most_won[group]))
    last[group[chosen]] = chosen  # the one that leaves out fewest comes last
    which = np.flatnonzero(last >= 0)
    per_row = most_won[which] / n_far[last[which]]
    ends = np.concatenate([partition.lo[which].T, partition.hi[which].T])
    which = which[np.lexsort((*ends[::-1], -per_row))]
    which = which[np.cumsum(n_far[last[which]]) <= most]
    kept_of_group = size.copy()
    kept_of_group[which] -= n_far[last[which]]
    far[row_at[n_kept > kept_of_group[group]]] = True
    return far


def _boxes_so_far(codes: np.ndarray, group: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """The smallest and largest code of every column from the first row of a group up to each; groups ascend."""
    apart = (group * (int(codes.max(initial=0)) + 1))[:, None]
    return np.minimum.accumulate(codes - apart) + apart, np.maximum.accumulate(codes + apart) - apart
