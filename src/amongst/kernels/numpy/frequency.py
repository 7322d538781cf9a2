"""Frequency sets over packed keys, in numpy."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

FieldStep = tuple[int, int, int, np.ndarray]
"""A field of a key that changes: its word, shift and width in bits, and what each of its 2^width values becomes."""


def roll_up(
    keys: np.ndarray,
    weight: np.ndarray,
    keep: np.ndarray,
    steps: Sequence[FieldStep],
    most: int = -1,
    members: bool = False,
) -> tuple[np.ndarray, np.ndarray, np.ndarray | None]:
    """Change the fields of packed keys, and add up the weights of keys that became equal.

    Parameters
    ----------
    keys : ndarray of uint64, shape (n, n_words)
    weight : ndarray of uint32
    keep : ndarray of uint64, one a word
        The bits that stay as they are; the others are dropped.
    steps : sequence of (word, shift, width, table)
        The fields that change, by tables of uint32 with 2^width entries.
    most : int
        There will not be more classes than that; -1 where nobody knows.
    members : bool
        Also tell the class of every key.

    Returns
    -------
    keys : ndarray of uint64, shape (n_classes, n_words)
        In no promised order.
    count : ndarray of uint32
    class_of_key : ndarray of uint32, or None
    """
    moved = keys & keep
    for word, shift, width, table in steps:
        field = (keys[:, word] >> np.uint64(shift)) & np.uint64((1 << width) - 1)
        moved[:, word] |= table[field].astype(np.uint64) << np.uint64(shift)
    order = np.lexsort(moved.T)
    ordered = moved[order]
    begins = np.ones(len(order), dtype=bool)
    begins[1:] = (ordered[1:] != ordered[:-1]).any(axis=1)
    class_of_key = np.empty(len(order), dtype=np.uint32)
    class_of_key[order] = np.cumsum(begins) - 1
    n_classes = int(begins.sum())
    count = np.bincount(class_of_key, weights=weight, minlength=n_classes).astype(np.uint32)
    return ordered[begins], count, class_of_key if members else None


def rows_below(count: np.ndarray, k: int) -> int:
    """The rows of classes that have fewer than k."""
    return int(count[count < k].sum(dtype=np.int64))
