"""The tuples of a table under the trees of its columns: what every recoding by hierarchy starts from."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property

import numpy as np

from amongst.encode.coded import CodedTable
from amongst.encode.frequency import FrequencySet, tuples_of
from amongst.partition.trees.code_tree import CodeTree, code_tree


@dataclass(frozen=True, eq=False)
class InOrder:
    """The tuples in the order of one column's codes.

    Attributes
    ----------
    tuples, codes, rows : ndarray
        The tuple at every place, its code, how many rows it has.
    weighed : ndarray of float64
        Its rows that lose, times the weight of the column.
    first : ndarray of int64
        Where every code begins.
    """

    tuples: np.ndarray
    codes: np.ndarray
    rows: np.ndarray
    weighed: np.ndarray
    first: np.ndarray


class Forest:
    """A table as its distinct tuples, with one tree a column.

    Attributes
    ----------
    table : CodedTable
    trees : list of CodeTree
    tuples : FrequencySet
    weight : ndarray of float64
        The weights of the columns, which add up to 1.
    rows_that_lose : list of ndarray of float64
        For every column and tuple how many rows lose something when their cell is generalized: all of them,
        but for a null that matches anything, which is published as it is.
    """

    def __init__(self, table: CodedTable) -> None:
        self.table = table
        self.trees: list[CodeTree] = [code_tree(column) for column in table.columns]
        self.tuples: FrequencySet = tuples_of(table).in_order()
        weights = np.array([column.weight for column in table.columns], dtype=np.float64)
        self.weight = weights / weights.sum()
        rows = self.tuples.count.astype(np.float64)
        self.rows_that_lose = [
            rows if column.wildcard < 0 else np.where(own == column.wildcard, 0.0, rows)
            for column, own in zip(table.columns, self.tuples.codes, strict=True)
        ]

    @property
    def n_columns(self) -> int:
        return len(self.trees)

    @property
    def n_rows(self) -> int:
        return self.table.n_rows

    @cached_property
    def by_code(self) -> list[InOrder]:
        """For every column the tuples in the order of their codes: those below a node lie side by side."""
        return [self._in_order(c) for c in range(self.n_columns)]

    def _in_order(self, c: int) -> InOrder:
        own = self.tuples.codes[c]
        at = np.argsort(own, kind="stable")
        first = np.searchsorted(own[at], np.arange(self.trees[c].n_codes + 1))
        return InOrder(at, own[at], self.tuples.count[at], self.rows_that_lose[c][at] * self.weight[c], first)

    def below(self, c: int, node: int) -> slice:
        """Where the tuples below a node of a column lie in ``by_code[c]``."""
        tree, first = self.trees[c], self.by_code[c].first
        return slice(int(first[tree.start[node]]), int(first[tree.end[node] + 1]))
