"""Where the values of a column may go: to any set, or to a node above them."""

from __future__ import annotations

import numpy as np

from amongst.encode.coded import CodedColumn
from amongst.measure.ncp_of_set import ncp_of_set
from amongst.partition.intervals.cut_table import CutColumn
from amongst.partition.trees.code_tree import CodeTree, code_tree

Move = tuple[np.ndarray, int]
"""Values of one set that go elsewhere together, and their new target."""


class FreeSets:
    """Any set of values is published as what it is: ``{a,b}``.

    The target of a value is a number that it shares with the other values of its set.
    """

    def __init__(self, column: CodedColumn, own: CutColumn) -> None:
        self._column, self._own = column, own
        self._n_codes = np.where(np.arange(own.n_atoms) < own.n_priced, own.n_codes, 0)

    def alone(self) -> np.ndarray:
        """The targets when every value stays itself."""
        return np.arange(self._own.n_atoms)

    def merged(self, target: np.ndarray, one: int, other: int) -> np.ndarray:
        """The targets when two sets become one."""
        return np.where(target == max(one, other), min(one, other), target)

    def penalties(self, target: np.ndarray) -> np.ndarray:
        """NCP of every value."""
        own, n_priced = self._own, self._own.n_priced
        size = np.bincount(target, weights=self._n_codes, minlength=own.n_atoms).astype(np.int64)
        last = np.zeros(own.n_atoms, dtype=np.int64)
        np.maximum.at(last, target[:n_priced], own.last[:n_priced])
        penalty = ncp_of_set(self._column, size, last, int(self._n_codes.sum()))[target]
        penalty[n_priced:] = 0.0
        return np.asarray(penalty)

    def moves(self, target: np.ndarray) -> list[Move]:
        """Single values go to any other set, or to one of their own as the first values of a set do."""
        found: list[Move] = []
        for number in np.unique(target):
            members = np.flatnonzero(target == number)
            if len(members) > 1:
                unused = int(np.setdiff1d(self.alone(), target)[0])
                others = [*np.setdiff1d(target, [number]).tolist(), unused]
                found += [(members[i : i + 1], to) for i in range(len(members)) for to in others]
                found += [(members[:i], unused) for i in range(2, len(members) - 1)]
        return found


class NodesAbove:
    """A value is published as itself or as a node above it; other values below that node need not be.

    The target of a value is the number of its node.
    """

    def __init__(self, column: CodedColumn, own: CutColumn) -> None:
        self.tree: CodeTree = code_tree(column)
        self._own = own

    def alone(self) -> np.ndarray:
        """The targets when every value stays itself."""
        return self.tree.lowest_above(self._own.first, self._own.last)

    def merged(self, target: np.ndarray, one: int, other: int) -> np.ndarray:
        """The targets when the values of two nodes go to the lowest node above both."""
        start = np.sort(self.tree.start[[one, other]])
        end = np.sort(self.tree.end[[one, other]])
        both = self.tree.lowest_above(start[:1], end[1:])[0]
        return np.where((target == one) | (target == other), both, target)

    def penalties(self, target: np.ndarray) -> np.ndarray:
        """NCP of every value."""
        penalty = self.tree.penalty[target]
        penalty[self._own.n_priced :] = 0.0
        return np.asarray(penalty)

    def moves(self, target: np.ndarray) -> list[Move]:
        """Single values go to a lower node, and so do all values of a node that are below a lower one."""
        found: list[Move] = []
        lowest, depth, first = self.alone(), self.tree.depth, self._own.first
        for atom in np.flatnonzero(target != lowest):
            above = self.tree.at_depth[depth[target[atom]] + 1 : depth[lowest[atom]] + 1, first[atom]]
            for node in above.tolist():
                below = self.tree.at_depth[depth[node], first] == node
                together = np.flatnonzero(below & (target == target[atom]))
                found.append((np.array([atom]), node))
                if len(together) > 1 and together[0] == atom:
                    found.append((together, node))
        return found


Ways = FreeSets | NodesAbove
