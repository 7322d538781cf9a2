"""Hiding small counts: nothing that a report says of the input rests on fewer rows than the threshold.

A cell with few rows is merged with others until the sum is large enough. Blanking it instead would not do:
the total is known, so one blank is found by subtraction. What is shown is then rounded to multiples of
the threshold, because the release holds exact counts too and a difference can be as telling as a count.
"""

from __future__ import annotations

import numpy as np


def coarsen(counts: np.ndarray, k: int, *, ordered: bool = False) -> np.ndarray:
    """The cell every bin is shown in, so that no cell has fewer than ``k`` rows.

    Parameters
    ----------
    counts : ndarray
        Rows in every bin.
    k : int
        The smallest count that may be shown.
    ordered : bool
        Merge only neighbours, as on a number line. Otherwise everything rare goes into one last cell,
        with the smallest of the others where the rare ones are fewer than ``k`` together.

    Returns
    -------
    ndarray of int
        ``cell_of_bin``; cells count from 0. All -1 when there are fewer than ``k`` rows in all.

    Examples
    --------
    >>> from amongst.report.coarsen import coarsen
    >>> coarsen([50, 3, 40, 2, 60], 10).tolist()
    [0, 2, 2, 2, 1]
    >>> coarsen([50, 3, 40, 2, 60], 10, ordered=True).tolist()
    [0, 1, 1, 2, 2]
    """
    counts = np.asarray(counts, dtype=np.float64)
    k = max(int(k), 1)
    if counts.sum() < k:
        return np.full(len(counts), -1, dtype=np.int64)
    return _merge_neighbours(counts, k) if ordered else _pool_rare(counts, k)


def add_up(counts: np.ndarray, cell_of_bin: np.ndarray) -> np.ndarray:
    """The count of every cell."""
    shown = cell_of_bin >= 0
    return np.bincount(cell_of_bin[shown], weights=np.asarray(counts, dtype=np.float64)[shown])


def round_counts(counts: np.ndarray, k: int) -> np.ndarray:
    """Counts to the nearest multiple of ``k``; halves go up, so that nothing from ``k`` on becomes 0."""
    k = max(int(k), 1)
    # The small term keeps an expected count of 14.999999 where the exact 15 is.
    return np.floor(np.asarray(counts, dtype=np.float64) / k + 0.5 + 1e-9) * k


def _merge_neighbours(counts: np.ndarray, k: int) -> np.ndarray:
    # A cell is closed as soon as it has k rows. What is left at the end joins the last cell.
    cell_of_bin = np.empty(len(counts), dtype=np.int64)
    cell, n_rows = 0, 0.0
    for b, count in enumerate(counts.tolist()):
        cell_of_bin[b] = cell
        n_rows += count
        if n_rows >= k:
            cell, n_rows = cell + 1, 0.0
    return np.minimum(cell_of_bin, cell - 1)


def _pool_rare(counts: np.ndarray, k: int) -> np.ndarray:
    rare = counts < k
    if rare.any() and counts[rare].sum() < k:
        frequent = np.flatnonzero(~rare)
        if len(frequent):
            rare[frequent[np.argmin(counts[frequent])]] = True
    n_frequent = int((~rare).sum())
    cell_of_bin = np.full(len(counts), n_frequent, dtype=np.int64)
    cell_of_bin[~rare] = np.arange(n_frequent)
    return cell_of_bin
