"""What a kernel needs to know of one column besides its codes."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

FIXED_POINT = 1 << 30
"""Normalized widths are integers in [0, FIXED_POINT]: the same cut is chosen by every compiler."""


@dataclass(frozen=True, eq=False)
class Axis:
    """How wide a range of codes is, and where its tree allows a cut.

    Attributes
    ----------
    n_codes : int
        How many codes stand for values; for a column measured by its tree, the leaves.
    position : ndarray of int64, or None
        Of every code, in [0, FIXED_POINT]; None for a column measured by its tree.
    tree_start, tree_end : ndarray of int32, shape (n_levels, n_codes), or None
        First and last leaf of the ancestor at every level.
    weight : int
        How much width in this column counts, in fixed point.
    own_null : int
        The code of a null that is a value of its own, or -1.
    wildcard : int
        The code that matches anything (larger than all others), or -1.
    """

    n_codes: int
    position: np.ndarray | None = None
    tree_start: np.ndarray | None = None
    tree_end: np.ndarray | None = None
    weight: int = 1
    own_null: int = -1
    wildcard: int = -1

    @property
    def n_levels(self) -> int:
        return 0 if self.tree_start is None else int(self.tree_start.shape[0])

    def ancestor_level(self, lo: int, hi: int) -> int:
        """The lowest level at which two leaves share a node."""
        assert self.tree_start is not None
        return int(np.argmax(self.tree_start[:, lo] == self.tree_start[:, hi]))

    def width(self, lo: int, hi: int) -> int:
        """The weighted normalized width of the codes lo..hi, an integer."""
        if lo >= hi:
            return 0
        if hi == self.own_null:
            return FIXED_POINT * self.weight
        if self.position is not None:
            return int(self.position[hi] - self.position[lo]) * self.weight
        assert self.tree_start is not None
        assert self.tree_end is not None
        level = self.ancestor_level(lo, hi)
        leaves = int(self.tree_end[level, lo]) - int(self.tree_start[level, lo]) + 1
        return leaves * FIXED_POINT // self.n_codes * self.weight
