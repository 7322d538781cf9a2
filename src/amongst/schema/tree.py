"""The tree of one column: leaves in in-order, every node a contiguous range of leaf codes."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from typing import Any

import numpy as np


@dataclass(frozen=True, eq=False)
class Tree:
    """A hierarchy bound to the values it covers.

    Leaf code ``i`` stands for ``leaves[i]``. Level 0 is the leaves themselves, the last level has one
    node, the root. A leaf that hangs higher than others repeats itself on the levels below its parent,
    so every level partitions all the leaves.

    Attributes
    ----------
    leaves : list
        The value of every leaf code: str, int, float or datetime.date, all of one type.
    start, end : ndarray of int32, shape (n_levels, n_leaves)
        First and last leaf code (inclusive) of the ancestor of leaf ``i`` at ``level``.
    labels : list of dict
        ``labels[level][start_of_node]`` is the published name of that node, a str.
    cost : ndarray of float64, shape (n_levels, n_leaves), or None
        What saying the ancestor of leaf ``i`` at ``level`` costs, from 0 to 1, where nodes have weights
        (``node_weights.weighed``); without, it is its share of the leaves.
    parts : list of dict, or None
        ``parts[level][start_of_node]`` is how many nodes lie just below that node, also those that no value of the
        column lies in, where the recipe knows of such: parts of a range, months of a year. A node or all of them may
        be missing: then all that lies below is there.
    """

    leaves: list[Any]
    start: np.ndarray
    end: np.ndarray
    labels: list[dict[int, str]]
    cost: np.ndarray | None = None
    parts: list[dict[int, int]] | None = None

    @property
    def n_leaves(self) -> int:
        return len(self.leaves)

    @property
    def n_levels(self) -> int:
        return int(self.start.shape[0])

    @property
    def height(self) -> int:
        """The number of steps from a leaf to the root."""
        return self.n_levels - 1

    @cached_property
    def code_of_leaf(self) -> dict[Any, int]:
        return {leaf: code for code, leaf in enumerate(self.leaves)}

    def ancestor_level(self, lo: np.ndarray, hi: np.ndarray) -> np.ndarray:
        """The lowest level at which leaves ``lo`` and ``hi`` share a node, elementwise."""
        lo, hi = np.asarray(lo), np.asarray(hi)
        level = np.full(lo.shape, self.n_levels - 1, dtype=np.int64)
        for candidate in range(self.n_levels - 2, -1, -1):
            level[self.start[candidate][lo] == self.start[candidate][hi]] = candidate
        return level

    def widest_level(self, lo: np.ndarray, hi: np.ndarray) -> np.ndarray:
        """The highest level at which their lowest common ancestor still stands for no other leaf, elementwise."""
        level = self.ancestor_level(lo, hi)
        start, end = self.start[level, lo], self.end[level, lo]
        for candidate in range(1, self.n_levels):
            same = (self.start[candidate][lo] == start) & (self.end[candidate][lo] == end)
            level = np.where(same & (level < candidate), candidate, level)
        return level

    def ancestor_leaves(self, lo: np.ndarray, hi: np.ndarray) -> np.ndarray:
        """The number of leaves below the lowest common ancestor of ``lo`` and ``hi``, elementwise."""
        level = self.ancestor_level(lo, hi)
        return self.end[level, lo].astype(np.int64) - self.start[level, lo] + 1

    def ancestor_cost(self, lo: np.ndarray, hi: np.ndarray) -> np.ndarray:
        """What saying the lowest common ancestor of ``lo`` and ``hi`` costs, elementwise."""
        if self.cost is None:
            return self.ancestor_leaves(lo, hi) / self.n_leaves
        return self.cost[self.ancestor_level(lo, hi), lo]

    def label(self, level: int, leaf: int) -> str:
        """The published name of the ancestor of ``leaf`` at ``level``."""
        return self.labels[level][int(self.start[level, leaf])]
