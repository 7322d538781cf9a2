"""What one would expect of a release: every group spread evenly over what was published for it."""

from __future__ import annotations

import numpy as np


def spread_ranges(lo: np.ndarray, hi: np.ndarray, size: np.ndarray, edges: np.ndarray, step: float = 0.0) -> np.ndarray:
    """Rows expected in every bin when each group is uniform on its range.

    Parameters
    ----------
    lo, hi, size : ndarray, one a group
        The published bounds (both belong to the range) and the number of rows.
    edges : ndarray
        The n + 1 ascending edges of n bins; a bin holds its lower edge, the last one both.
        Rows outside of them are not counted.
    step : float
        How wide one value is: 1 for whole numbers, 0 for others.

    Examples
    --------
    >>> from amongst.report.spread import spread_ranges
    >>> spread_ranges([20, 30], [39, 30], [10, 4], [20, 30, 40], step=1).tolist()
    [5.0, 9.0]
    """
    lo = np.asarray(lo, dtype=np.float64)
    width = np.asarray(hi, dtype=np.float64) - lo + step
    size = np.asarray(size, dtype=np.float64)
    is_point = width <= 0
    divisor = np.where(is_point, 1.0, width)
    # One pass an edge, so that memory stays one number a group.
    below = np.empty(len(edges))
    for i, edge in enumerate(edges):
        share = np.clip((edge - lo) / divisor, 0.0, 1.0)
        at_end = i == len(edges) - 1
        share[is_point] = (lo[is_point] <= edge) if at_end else (lo[is_point] < edge)
        below[i] = share @ size
    return np.diff(below)


def spread_codes(lo: np.ndarray, hi: np.ndarray, size: np.ndarray, n_codes: int) -> np.ndarray:
    """Rows expected at every code when each group is uniform on the codes ``lo`` to ``hi``.

    Examples
    --------
    >>> from amongst.report.spread import spread_codes
    >>> spread_codes([0, 1], [1, 1], [10, 4], 3).tolist()
    [5.0, 9.0, 0.0]
    """
    lo = np.asarray(lo, dtype=np.int64)
    hi = np.asarray(hi, dtype=np.int64)
    height = np.asarray(size, dtype=np.float64) / (hi - lo + 1)
    rise = np.bincount(lo, weights=height, minlength=n_codes + 1)
    fall = np.bincount(hi + 1, weights=height, minlength=n_codes + 1)
    # The running sum of rises and falls leaves dust of 1e-13 where it returns to nothing.
    expected = np.cumsum(rise - fall)[:n_codes]
    return np.where(expected > 1e-9 * max(expected.max(initial=0.0), 1.0), expected, 0.0)
