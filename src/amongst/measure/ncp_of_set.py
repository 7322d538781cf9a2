"""NCP of values that are published as sets, each the same wherever it occurs (``Partition.set_of_code``)."""

from __future__ import annotations

import numpy as np

from amongst.encode.coded import CodedColumn


def ncp_of_set(column: CodedColumn, size: np.ndarray, last: np.ndarray, n_occurring: int) -> np.ndarray:
    """The penalty of sets of codes: the share of all values, 0 for one; 1 for all that occur, and with nulls.

    Parameters
    ----------
    size, last : ndarray of int
        How many codes every set has, and the largest.
    n_occurring : int
        How many codes occur, one that matches anything left out.
    """
    nothing_said = (size >= n_occurring) | (last == column.own_null)
    return np.where(size > 1, np.where(nothing_said, 1.0, size / max(column.n_codes, 1)), 0.0)


def ncp_of_code_sets(column: CodedColumn, set_of_code: np.ndarray, code: np.ndarray) -> np.ndarray:
    """The penalty of codes, each published as the set it belongs to."""
    codes = np.flatnonzero(set_of_code >= 0)
    codes = codes[codes != column.wildcard]
    if len(codes) == 0:
        return np.zeros(len(code))
    sets, index, size = np.unique(set_of_code[codes], return_inverse=True, return_counts=True)
    last = np.zeros(len(sets), dtype=np.int64)
    np.maximum.at(last, index.reshape(-1), codes)
    at = np.minimum(np.searchsorted(sets, set_of_code[code]), len(sets) - 1)
    known = sets[at] == set_of_code[code]  # a code that matches anything may be in a set of its own
    return np.where(known, ncp_of_set(column, size, last, len(codes))[at], 0.0)
