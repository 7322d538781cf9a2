"""Groups whose cells are recoded together, and moving tuples between them."""

from __future__ import annotations

import numpy as np

from amongst.partition.trees.forest import Forest

NEARLY = 1e-9
CELLS_TRIED = 30_000_000
"""Groups are dissolved on trial until about so many cells have been looked at."""


class CellGroups:
    """Groups of tuples with the span of their codes in every column, nulls that match anything left out.

    Attributes
    ----------
    group_of_tuple : ndarray of int64
    lo, hi : ndarray of int64, shape (n_columns, n_groups)
        The smallest and the largest code; crossed where a group has none.
    losing : ndarray of float64, shape (n_columns, n_groups)
        The rows that lose something when the column is generalized.
    cost : ndarray of float64
        What the rows of every group lose; infinite for a group that is gone.
    """

    def __init__(self, forest: Forest, group_of_tuple: np.ndarray) -> None:
        self.forest = forest
        placed = np.flatnonzero(group_of_tuple >= 0)
        self.group_of_tuple = np.full(len(group_of_tuple), -1, dtype=np.int64)
        numbers = np.unique(group_of_tuple[placed], return_inverse=True)
        self.group_of_tuple[placed] = numbers[1].reshape(-1)
        self.n_groups = len(numbers[0])
        shape = (forest.n_columns, self.n_groups)
        self.lo, self.hi, self.losing = np.empty(shape, np.int64), np.empty(shape, np.int64), np.empty(shape)
        order = placed[np.argsort(self.group_of_tuple[placed], kind="stable")]
        first = np.searchsorted(self.group_of_tuple[order], np.arange(self.n_groups))
        self._codes = [_spans(forest, c) for c in range(forest.n_columns)]
        for c, (low, high) in enumerate(self._codes):
            self.lo[c] = np.minimum.reduceat(low[order], first)
            self.hi[c] = np.maximum.reduceat(high[order], first)
            self.losing[c] = np.add.reduceat(forest.rows_that_lose[c][order], first)
        self.cost = self._cost(self.lo, self.hi, self.losing)

    @property
    def total(self) -> float:
        return float(self.cost[np.isfinite(self.cost)].sum())

    def nodes(self) -> np.ndarray:
        """The lowest nodes above every group, shape (n_groups, n_columns)."""
        return np.stack([self._node(c, self.lo[c], self.hi[c]) for c in range(self.forest.n_columns)], axis=1)

    def place(self, tuples: np.ndarray, at_most: float = np.inf) -> bool:
        """Put each tuple where it adds least; undone, and False, when that comes to ``at_most`` or more."""
        before: list[tuple[int, int, np.ndarray, np.ndarray, np.ndarray, float]] = []
        added = 0.0
        for one in tuples.tolist():
            lo, hi, losing = self._with(one)
            cost = self._cost(lo, hi, losing)
            extra = np.where(np.isfinite(self.cost), cost - self.cost, np.inf)
            group = int(np.argmin(extra))
            added += float(extra[group])
            if added >= at_most - NEARLY:
                for _, group, *was in reversed(before):
                    self.lo[:, group], self.hi[:, group], self.losing[:, group], self.cost[group] = was
                return False
            was = (
                self.lo[:, group].copy(),
                self.hi[:, group].copy(),
                self.losing[:, group].copy(),
                float(self.cost[group]),
            )
            before.append((one, group, *was))
            self.lo[:, group], self.hi[:, group], self.losing[:, group] = (
                lo[:, group],
                hi[:, group],
                losing[:, group],
            )
            self.cost[group] = cost[group]
        for one, group, *_ in before:
            self.group_of_tuple[one] = group
        return True

    def dissolve(self) -> int:
        """Divide groups among the others wherever that loses less, costly rows first; how many are gone."""
        rows = np.bincount(self.group_of_tuple, weights=self.forest.tuples.count, minlength=self.n_groups)
        spare, n_gone = CELLS_TRIED // (self.n_groups * self.forest.n_columns), 0
        for group in np.argsort(-self.cost / rows, kind="stable").tolist():
            cost = float(self.cost[group])
            if spare <= 0 or cost <= NEARLY or n_gone == self.n_groups - 1:
                break
            members = np.flatnonzero(self.group_of_tuple == group)
            spare -= len(members)
            self.cost[group] = np.inf
            if self.place(members, cost):
                n_gone += 1
            else:
                self.cost[group] = cost
        return n_gone

    def _with(self, one: int) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
        low = np.array([codes[0][one] for codes in self._codes])[:, None]
        high = np.array([codes[1][one] for codes in self._codes])[:, None]
        rows = np.array([rows[one] for rows in self.forest.rows_that_lose])[:, None]
        return np.minimum(self.lo, low), np.maximum(self.hi, high), self.losing + rows

    def _cost(self, lo: np.ndarray, hi: np.ndarray, losing: np.ndarray) -> np.ndarray:
        cost = np.zeros(self.n_groups)
        for c, tree in enumerate(self.forest.trees):
            cost += self.forest.weight[c] * losing[c] * tree.penalty[self._node(c, lo[c], hi[c])]
        return cost

    def _node(self, c: int, lo: np.ndarray, hi: np.ndarray) -> np.ndarray:
        """A group in which all rows match anything publishes that: the last code."""
        last = self.forest.trees[c].n_codes - 1
        nothing = lo > hi
        return self.forest.trees[c].lowest_above(np.where(nothing, last, lo), np.where(nothing, last, hi))


def _spans(forest: Forest, c: int) -> tuple[np.ndarray, np.ndarray]:
    """The code of every tuple as a span: crossed for the code that matches anything."""
    code = forest.tuples.codes[c].astype(np.int64)
    wild = code == forest.table.columns[c].wildcard
    return np.where(wild, forest.trees[c].n_codes, code), np.where(wild, -1, code)
