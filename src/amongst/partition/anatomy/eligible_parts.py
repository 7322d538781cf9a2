"""A line of rows in parts, each of which can still be divided into groups of l different values."""

from __future__ import annotations

import numpy as np

CUTS = (1 / 2, 3 / 8, 5 / 8, 1 / 4, 3 / 4)
"""Where a part is cut in two, as a share of its rows: the first that leaves both sides eligible."""
MOST_CELLS = 1 << 23
"""So many counters are held at a time."""


def eligible_parts(value_at: np.ndarray, n_values: int, l: int) -> np.ndarray:  # noqa: E741
    """Cut a line of rows in two again and again, as long as both sides stay eligible.

    A part of n rows is eligible when no value has more than n / l of them (Ghinita et al., section 2.3).

    Parameters
    ----------
    value_at : ndarray
        The sensitive value of every row along the line.

    Returns
    -------
    first : ndarray of int64
        Where every part begins, ascending.
    """
    first, end = np.zeros(1, dtype=np.int64), np.array([len(value_at)], dtype=np.int64)
    done: list[np.ndarray] = []
    while len(first):
        middle = _cut(value_at, n_values, l, first, end)
        whole = middle < 0
        done.append(first[whole])
        first, middle, end = first[~whole], middle[~whole], end[~whole]
        first, end = np.concatenate([first, middle]), np.concatenate([middle, end])
        by_place = np.argsort(first, kind="stable")
        first, end = first[by_place], end[by_place]
    return np.sort(np.concatenate(done))


def _cut(value_at: np.ndarray, n_values: int, l: int, first: np.ndarray, end: np.ndarray) -> np.ndarray:  # noqa: E741
    """Where to cut every part; -1 for those that stay whole."""
    found = np.full(len(first), -1, dtype=np.int64)
    for share in CUTS:
        open_ = np.flatnonzero(found < 0)
        middle = first[open_] + np.rint((end[open_] - first[open_]) * share).astype(np.int64)
        long_enough = np.minimum(middle - first[open_], end[open_] - middle) >= l
        open_, middle = open_[long_enough], middle[long_enough]
        if not len(open_):
            continue
        halves = np.stack([first[open_], middle, end[open_]], axis=1)
        good = _eligible(value_at, n_values, l, halves)
        found[open_[good]] = middle[good]
    return found


def _eligible(value_at: np.ndarray, n_values: int, l: int, halves: np.ndarray) -> np.ndarray:  # noqa: E741
    """Whether both halves of every part are eligible; ``halves`` are first, middle and end."""
    good = np.empty(len(halves), dtype=bool)
    n_at_once = max(1, MOST_CELLS // (2 * n_values))
    for start in range(0, len(halves), n_at_once):
        some = halves[start : start + n_at_once]
        size = np.diff(some, axis=1).reshape(-1)
        upto = np.cumsum(size)
        half_at = np.repeat(np.arange(len(size)), size)
        # The rows of these halves one after the other, without the gaps between the parts.
        row_at = np.arange(upto[-1]) + np.repeat(some[:, :2].reshape(-1) - (upto - size), size)
        count = np.bincount(half_at * n_values + value_at[row_at], minlength=len(size) * n_values)
        most = count.reshape(len(size), n_values).max(axis=1)
        good[start : start + n_at_once] = (most * l <= size).reshape(-1, 2).all(axis=1)
    return good
