"""The lattice of full-domain generalizations: one level for every column."""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import combinations, product

import numpy as np

Levels = tuple[int, ...]


@dataclass(frozen=True)
class Lattice:
    """All vectors of levels up to the given heights (Incognito, section 2).

    A node is a tuple with a level a column; its height is their sum. A set of nodes is a boolean array of the
    lattice's shape.
    """

    heights: Levels

    @property
    def shape(self) -> Levels:
        return tuple(height + 1 for height in self.heights)

    @property
    def n_nodes(self) -> int:
        return math.prod(self.shape)

    @property
    def n_columns(self) -> int:
        return len(self.heights)

    def everything(self) -> np.ndarray:
        return np.ones(self.shape, dtype=bool)

    def nothing(self) -> np.ndarray:
        return np.zeros(self.shape, dtype=bool)

    def parents(self, node: Levels) -> Iterator[Levels]:
        """The direct generalizations: one column one level up."""
        for c, height in enumerate(self.heights):
            if node[c] < height:
                yield (*node[:c], node[c] + 1, *node[c + 1 :])

    def at_height(self, height: int) -> list[Levels]:
        """The nodes whose levels add up to ``height``, in order."""
        return [node for node in self._in_order() if sum(node) == height]

    def _in_order(self) -> Iterator[Levels]:
        return product(*(range(size) for size in self.shape))


def mark_above(nodes: np.ndarray, node: Levels) -> None:
    """Add a node and everything more general to a set of nodes."""
    nodes[tuple(slice(level, None) for level in node)] = True


def mark_below(nodes: np.ndarray, node: Levels) -> None:
    """Add a node and everything more specific to a set of nodes."""
    nodes[tuple(slice(0, level + 1) for level in node)] = True


def minimal(nodes: np.ndarray) -> np.ndarray:
    """The nodes of an upward-closed set that generalize no other node of it: the roots of its graph."""
    lowest = nodes.copy()
    for axis in range(nodes.ndim):
        below = np.zeros_like(nodes)
        upper = [slice(None)] * nodes.ndim
        lower = [slice(None)] * nodes.ndim
        upper[axis], lower[axis] = slice(1, None), slice(None, -1)
        below[tuple(upper)] = nodes[tuple(lower)]
        lowest &= ~below
    return lowest


def as_tuples(nodes: np.ndarray) -> list[Levels]:
    """A set of nodes as a list, in order."""
    return [tuple(node) for node in np.argwhere(nodes).tolist()]


def families(n_columns: int, size: int) -> list[tuple[int, ...]]:
    """The subsets of that many columns."""
    return list(combinations(range(n_columns), size))


def candidates(safe: dict[tuple[int, ...], np.ndarray], family: Sequence[int], shape: Levels) -> np.ndarray:
    """Nodes over a family whose every projection onto one column less is safe (the join and prune of section 3.1.2).

    The safe sets are upward-closed, and so is the result: two candidates with an edge between them in the
    lattice have one in the candidate graph too.
    """
    nodes = np.ones(tuple(shape[c] for c in family), dtype=bool)
    for axis in range(len(family)):
        smaller = (*family[:axis], *family[axis + 1 :])
        if smaller:
            nodes &= np.expand_dims(safe[smaller], axis)
    return nodes
