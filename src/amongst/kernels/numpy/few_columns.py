"""k on every few columns: which tuples can get a finer label of one column."""

from __future__ import annotations

from itertools import combinations

import numpy as np

MOVES = 1


def put_back(
    labels: np.ndarray, rows: np.ndarray, members: np.ndarray, inside: np.ndarray, *, column: int, k: int, m: int
) -> np.ndarray:
    """Which of the members that were to get a finer label of a column still get it, marked as in ``inside``.

    Members are put back, first those that come first, until on every m - 1 other columns every class of those that get
    or have it, and every class of those that do not, has no rows or at least k.

    Parameters
    ----------
    labels : ndarray of uint32, shape (n_columns, n_tuples)
        What every tuple publishes now.
    rows : ndarray of uint32
        How many rows every tuple has.
    members : ndarray of int64
        The tuples that publish one label of the column or the finer one; on every m columns they are in classes of k
        rows.
    inside : ndarray of uint8, one a member
        1: it is to get the finer label; 2: it has it.
    """
    own, weight = labels[:, members], rows[members].astype(np.int64)
    others = [c for c in range(len(labels)) if c != column and len(members) and (own[c] != own[c, 0]).any()]
    inside = inside.astype(np.uint8)
    for size in dict.fromkeys([min(m - 1, 1), m - 1]):
        changed = True
        while changed and (inside == MOVES).any():
            changed = False
            for chosen in combinations(others, min(size, len(others))):
                changed |= _put_back(_classes(own[list(chosen)], len(members)), weight, inside, k)
                if not (inside == MOVES).any():
                    return inside
    return inside


def _classes(labels: np.ndarray, n: int) -> np.ndarray:
    if len(labels) == 0:
        return np.zeros(n, dtype=np.int64)
    return np.unique(labels, axis=1, return_inverse=True)[1].reshape(-1)


def _put_back(own: np.ndarray, weight: np.ndarray, inside: np.ndarray, k: int) -> bool:
    n_classes = int(own.max(initial=-1)) + 1
    outside, moves, fixed = (
        np.bincount(own, weights=weight * (inside == mark), minlength=n_classes).astype(np.int64) for mark in range(3)
    )
    within = moves + fixed
    fails = (moves > 0) & ((within < k) | ((outside > 0) & (outside < k)))
    if not fails.any():
        return False
    back = np.where((within < k) | (within + outside < 2 * k), moves, k - outside) * fails
    one = np.flatnonzero(inside == MOVES)
    one = one[np.argsort(own[one], kind="stable")]
    before = np.cumsum(weight[one]) - weight[one]
    first = np.searchsorted(own[one], own[one])
    inside[one[before - before[first] < back[own[one]]]] = 0
    return True
