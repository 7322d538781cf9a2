"""Pays of rows such that no group is paid more than it loses: their sum is a loss that no grouping can go below."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from amongst.encode.coded import CodedColumn, CodedTable
from amongst.kernels.published_price import PublishedPrice
from amongst.kernels.search import project
from amongst.measure.ncp import ncp_of_published
from amongst.partition.partition import Partition
from amongst.partition.published_price import rule_of

MOST_RAISED = 4.0
"""A pay rises to at most so many times what it was."""


class Pays:
    """Pays that rise towards what the groups of a partition lose and are lowered again until no group is overpaid.

    Attributes
    ----------
    fair : ndarray of float64, or None
        The pays with the largest sum so far, in price units; None before any were found.
    told : list of int
        The columns that are looked at; the price of the others counts as nothing.
    """

    def __init__(
        self, table: CodedTable, prices: Sequence[PublishedPrice], codes: Sequence[np.ndarray], k: int
    ) -> None:
        self._table, self._prices, self._codes, self._k = table, prices, codes, k
        self.fair: np.ndarray | None = None
        self._last: np.ndarray | None = None
        self.told = [c for c, column in enumerate(table.columns) if _never_too_high(column, prices[c])]

    @property
    def sum(self) -> float:
        return 0.0 if self.fair is None else float(self.fair.sum())

    def rise(self, partition: Partition, budget: int) -> bool:
        """One turn; False where it takes more visits of rows than the budget."""
        if not self.told:
            return False
        per_column = self._price_of_groups(partition)
        size = partition.size_of_group
        self.told.sort(key=lambda c: -float((per_column[c] * size).sum()))
        # What a row of every group pays: its price; suppressed, the price of everything.
        full = float(sum(self._prices[c].full for c in self.told))
        own = np.append(np.sum([per_column[c] for c in self.told], axis=0), full)
        group = np.where(partition.group_of_row >= 0, partition.group_of_row, partition.n_groups)
        pay = np.minimum(self._raised(own, group), full)
        fair = project(self._prices, self._codes, self._order(), self._k, pay, budget)
        if fair is None:
            return False
        self._last = fair
        if float(fair.sum()) > self.sum:
            self.fair = fair
        return True

    def look_at_fewer(self) -> None:
        """Leave out the columns that lose least: there is less to look at, and less that rows can be paid."""
        self.told = self.told[: len(self.told) // 2]
        self._last = None

    def _raised(self, own: np.ndarray, group: np.ndarray) -> np.ndarray:
        """The last pays, more in groups that are paid less than they lose; at first what the groups lose."""
        if self._last is None:
            return own[group]
        size = np.bincount(group, minlength=len(own)).astype(np.float64)
        paid = np.bincount(group, weights=self._last, minlength=len(own))
        raised = np.where(paid > 0, own * size / np.maximum(paid, 1e-9), 1.0)
        return self._last * np.minimum(raised, MOST_RAISED)[group]

    def _price_of_groups(self, partition: Partition) -> dict[int, np.ndarray]:
        columns = self._table.columns
        return {
            c: ncp_of_published(columns[c], rule_of(columns[c]), partition, c) * self._prices[c].full for c in self.told
        }

    def _order(self) -> np.ndarray:
        """Columns priced by ranges last, and of those the one that loses most at the end: it is looked at exactly."""
        ranges = [c for c in self.told if self._prices[c].low is not None and not self._prices[c].as_set]
        others = [c for c in self.told if c not in ranges]
        return np.array(others + ranges[1:] + ranges[:1], dtype=np.uint32)


def _never_too_high(column: CodedColumn, price: PublishedPrice) -> bool:
    """Whether no group can pay less: one with nulls that match anything does, and a set that is priced as a range."""
    return column.wildcard < 0 and (price.as_set or not column.as_sets)
