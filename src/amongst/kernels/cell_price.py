"""What a published cell loses, in whole numbers: the loss metric LM of one cell."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any

import numpy as np

FULL = 1 << 20
"""The price of saying nothing in the column with the largest weight."""

SMALL = 256
"""A column with no more codes gets a table of all pairs."""


@dataclass(frozen=True, eq=False)
class CellPrice:
    """The price of the codes lo..hi of one column (MultiRelational k-Anonymity, definition 7).

    A node of a tree costs (leaves below it - 1) / (leaves - 1), a range its width over the whole width.

    Attributes
    ----------
    n : int
        Codes of the column, a null that is a value of its own included.
    full : int
        The price of saying nothing.
    position : ndarray of int32, or None
        Of every code of a range column, in price units.
    tree_start, tree_end : ndarray of int32, shape (n_levels, n), or None
        First and last leaf of the ancestor at every level; the last level is the root.
    own_null : int
        In a range column: a range that ends in this code and holds others says nothing; -1 where there is none.
    label_lo, label_hi : ndarray of int32, or None
        What is published for the ends of a range: codes with the same number publish the same.
    """

    n: int
    full: int
    position: np.ndarray | None = None
    tree_start: np.ndarray | None = None
    tree_end: np.ndarray | None = None
    own_null: int = -1
    label_lo: np.ndarray | None = None
    label_hi: np.ndarray | None = None
    table: np.ndarray | None = field(default=None, init=False)

    def __post_init__(self) -> None:
        if self.n <= SMALL:
            lo, hi = np.meshgrid(np.arange(self.n), np.arange(self.n), indexing="ij")
            prices = np.zeros((self.n, self.n), dtype=np.int32)
            prices[lo <= hi] = self.of(lo[lo <= hi], hi[lo <= hi])
            object.__setattr__(self, "table", prices)

    def of(self, lo: np.ndarray, hi: np.ndarray) -> np.ndarray:
        """The price of the ranges ``lo..hi``, elementwise."""
        if self.table is not None:
            return self.table[lo, hi].astype(np.int64)
        if self.position is not None:
            price = self.position[hi].astype(np.int64) - self.position[lo]
            return np.where(lo == hi, 0, np.where(hi == self.own_null, self.full, price))
        assert self.tree_start is not None
        assert self.tree_end is not None
        level = np.argmax(self.tree_start[:, lo] == self.tree_start[:, hi], axis=0)
        width = self.tree_end[level, lo].astype(np.int64) - self.tree_start[level, lo]
        return width * self.full // max(self.n - 1, 1)

    def label(self, lo: int, hi: int) -> tuple[int, int]:
        """Two ranges that publish the same have the same label."""
        if self.position is not None:
            assert self.label_lo is not None
            assert self.label_hi is not None
            if hi == self.own_null and lo != hi:
                return -1, -1
            return int(self.label_lo[lo]), int(self.label_hi[hi])
        assert self.tree_start is not None
        assert self.tree_end is not None
        level = int(np.argmax(self.tree_start[:, lo] == self.tree_start[:, hi]))
        return int(self.tree_start[level, lo]), int(self.tree_end[level, lo])

    @property
    def arrays(self) -> tuple[Any, ...]:
        """As the compiled kernels take it."""
        arrays = (self.table, self.position, self.tree_start, self.tree_end, self.label_lo, self.label_hi)
        n_levels = 0 if self.tree_start is None else len(self.tree_start)
        return (*arrays, self.n, n_levels, self.full, self.own_null)
