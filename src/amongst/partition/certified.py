"""Certified: how far a grouping is, at most, above the least that any grouping can lose."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from amongst.encode.coded import CodedTable
from amongst.errors import BadOption
from amongst.kernels.published_price import PublishedPrice
from amongst.kernels.search import project
from amongst.measure.ncp import ncp_of_published
from amongst.partition.partition import Partition
from amongst.partition.published_price import published_loss, published_prices, rule_of

ROUNDS = 4
BUDGET = 1_000_000_000
"""Visits of rows that one round may take; with more, the columns that lose least are left out."""

CHEAP = 5_000_000
"""The same for a report that was not asked for the bound."""

SURE = 1 - 1e-9
"""What rounding may have added to a sum of pays."""


@dataclass(frozen=True)
class LeastLoss:
    """What no grouping can lose less than.

    Attributes
    ----------
    loss : float
        What the release loses: weighted GCP.
    least : float
        What no grouping of the published rows and the suppressed ones with groups of ``k`` can go below.
    k : int
    """

    loss: float
    least: float
    k: int

    @property
    def gap(self) -> float:
        """How far the loss is above the least at most, as a share of the least; infinite where that is 0."""
        if self.loss <= self.least:
            return 0.0
        return self.loss / self.least - 1 if self.least > 0 else float("inf")

    def words(self) -> str:
        """One sentence for a report."""
        if self.least <= 0:
            return f"It is not known how far the loss of {self.loss:.4f} is above the least any grouping can lose."
        return (
            f"The loss of {self.loss:.4f} is at most {np.ceil(self.gap * 1000) / 10:.1f} % above the least any "
            f"grouping with k = {self.k} can lose ({self.least:.4f})."
        )


def least_loss(
    table: CodedTable, partition: Partition, k: int, *, rounds: int = ROUNDS, budget: int = BUDGET
) -> LeastLoss:
    """The bound that the groups of a partition prove; more rounds never make it lower.

    Every row gets a pay, such that no possible group is paid more than it loses: then the sum of all pays is a loss
    that no grouping can go below. Pays begin with what rows lose in the partition; where a box is paid too much, what
    exceeds its price shrinks; in groups that are paid less than they lose, pays rise again; and so on.
    """
    if not isinstance(rounds, int) or isinstance(rounds, bool) or not 1 <= rounds <= 1000:
        raise BadOption("The rounds must be a whole number from 1 on.", found=f"rounds = {rounds!r}", fix="use 4")
    loss = published_loss(table, partition)
    prices, codes = published_prices(table)
    all_full = sum(price.full for price in prices)
    per_column = [_mean_price(table, partition, c) * price.full for c, price in enumerate(prices)]
    told = [c for c, column in enumerate(table.columns) if column.wildcard < 0]
    told.sort(key=lambda c: -per_column[c])
    kept = partition.group_of_row >= 0
    group = np.where(kept, partition.group_of_row, partition.n_groups)
    # What a row of every group pays: its price, by the columns that are looked at; suppressed, the price of everything.
    best = 0.0
    while told:
        price = _price_of_groups(table, partition, prices, told)
        full = float(sum(prices[c].full for c in told))
        own = np.append(price, full)
        size = np.bincount(group, minlength=len(own)).astype(np.float64)
        pay = own[group]
        order = _order(prices, told)
        ended = True
        for _ in range(rounds):
            fair = project(prices, codes, order, k, np.minimum(pay, full), budget)
            if fair is None:
                ended = False
                break
            best = max(best, float(fair.sum()))
            paid = np.bincount(group, weights=fair, minlength=len(own))
            raised = np.where(paid > 0, own * size / np.maximum(paid, 1e-9), 1.0)
            pay = fair * np.minimum(raised, 4.0)[group]
        if ended:
            break
        told = told[: len(told) // 2]
    least = best * SURE / (table.n_rows * all_full)
    return LeastLoss(loss, min(least, loss), k)


def _mean_price(table: CodedTable, partition: Partition, c: int) -> float:
    size = partition.size_of_group
    column = table.columns[c]
    return float(size @ ncp_of_published(column, rule_of(column), partition, c)) / max(int(size.sum()), 1)


def _price_of_groups(
    table: CodedTable, partition: Partition, prices: list[PublishedPrice], told: list[int]
) -> np.ndarray:
    price = np.zeros(partition.n_groups)
    for c in told:
        column = table.columns[c]
        price += ncp_of_published(column, rule_of(column), partition, c) * prices[c].full
    return price


def _order(prices: list[PublishedPrice], told: list[int]) -> np.ndarray:
    """Columns priced by ranges last, and of those the one that loses most at the end: it is looked at exactly."""
    ranges = [c for c in told if prices[c].low is not None and not prices[c].as_set]
    others = [c for c in told if c not in ranges]
    return np.array(others + ranges[1:] + ranges[:1], dtype=np.uint32)
