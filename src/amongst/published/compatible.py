"""How many rows each row cannot be told from, where a null matches anything."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from amongst.published.tally import one_key

_BLOCK = 1 << 22


def compatible_rows(codes: Sequence[np.ndarray], wild: Sequence[np.ndarray], size: np.ndarray) -> np.ndarray:
    """For every distinct row the rows that agree with it in every key, or are wild there, or it is.

    Parameters
    ----------
    codes : sequence of ndarray of int, one array a key
    wild : sequence of ndarray of bool
        Where the key matches anything.
    size : ndarray of int or float
        How many rows each distinct row stands for, or what they weigh.

    Notes
    -----
    This is the sense that statistical disclosure control gives to missing keys: the relation is not
    transitive, so rows do not fall into classes, and every row has a count of its own.

    Rows with the same pattern of wild keys are treated at once: two patterns are compared on the keys
    that neither of them has wild, by one grouping. With P patterns over n distinct rows that takes about
    P squared groupings; where P is so large that looking at all pairs is cheaper, that is done instead.
    """
    varied = [c for c, where in enumerate(wild) if where.any()]
    if not varied or len(size) == 0:
        return size.copy()
    marks = np.stack([wild[c] for c in varied], axis=1)
    patterns, pattern_of_row = np.unique(marks, axis=0, return_inverse=True)
    pattern_of_row = pattern_of_row.reshape(-1)
    if _groupings_cost(len(patterns), len(size)) > len(codes) * len(size) ** 2:
        return _all_pairs(codes, wild, size)
    return _by_pattern(codes, varied, patterns, pattern_of_row, size)


def _groupings_cost(n_patterns: int, n_rows: int) -> int:
    """In comparisons of two cells: sorting a row costs some 200 of them, starting a grouping 50,000."""
    return 200 * n_patterns * n_rows + 50_000 * n_patterns**2


def _by_pattern(
    codes: Sequence[np.ndarray],
    varied: list[int],
    patterns: np.ndarray,
    pattern_of_row: np.ndarray,
    size: np.ndarray,
) -> np.ndarray:
    count = np.zeros(len(size), dtype=size.dtype)
    rows_of_pattern = [np.flatnonzero(pattern_of_row == p) for p in range(len(patterns))]
    for p, rows in enumerate(rows_of_pattern):
        for q, others in enumerate(rows_of_pattern[: p + 1]):
            hidden = {varied[v] for v in np.flatnonzero(patterns[p] | patterns[q])}
            both = np.concatenate([rows, others])
            shared = [code[both] for c, code in enumerate(codes) if c not in hidden]
            key = np.unique(one_key(shared, len(both)), return_inverse=True)[1].reshape(-1)
            here, there = key[: len(rows)], key[len(rows) :]
            count[rows] += _total(there, size[others], key)[here]
            if p != q:
                count[others] += _total(here, size[rows], key)[there]
    return count


def _total(part: np.ndarray, size: np.ndarray, key: np.ndarray) -> np.ndarray:
    """The sizes of a part summed by key, for every key there is."""
    return np.bincount(part, weights=size, minlength=int(key.max()) + 1).astype(size.dtype)


def _all_pairs(codes: Sequence[np.ndarray], wild: Sequence[np.ndarray], size: np.ndarray) -> np.ndarray:
    n = len(size)
    count = np.empty(n, dtype=size.dtype)
    step = max(1, _BLOCK // n)
    for at in range(0, n, step):
        rows = slice(at, at + step)
        fits = np.ones((len(size[rows]), n), dtype=bool)
        for code, where in zip(codes, wild, strict=True):
            fits &= (code[rows, None] == code) | where[rows, None] | where
        count[rows] = fits @ size
    return count
