"""Certified: how far a grouping is, at most, above the least that any grouping can lose."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from amongst.encode.coded import CodedTable
from amongst.errors import BadOption
from amongst.partition.partition import Partition
from amongst.partition.pays import Pays
from amongst.partition.published_price import published_loss, published_prices

ROUNDS = 4
LITTLE = 1.005
"""Rounds end before that number where one more made the bound no more times higher than this."""

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
    exceeds its price shrinks; in groups that are paid less than they lose, pays rise again; and so on, until there is
    little more to win or ``rounds`` were done.
    """
    if not isinstance(rounds, int) or isinstance(rounds, bool) or not 1 <= rounds <= 1000:
        raise BadOption("The rounds must be a whole number from 1 on.", found=f"rounds = {rounds!r}", fix="use 4")
    loss = published_loss(table, partition)
    if partition.n_groups and int(partition.size_of_group.min()) < k:
        return LeastLoss(loss, 0.0, k)  # cells told under k of every few columns are no groups of k rows
    prices, codes = published_prices(table)
    pays = Pays(table, prices, codes, k)
    pays.told = [c for c in pays.told if _published_by_the_schema(table, partition, c)]
    done = 0
    while pays.told and done < rounds:
        before = pays.sum
        if pays.rise(partition, budget):
            done += 1
        elif pays.fair is None:
            pays.look_at_fewer()
        else:
            break
        if before > 0 and pays.sum < LITTLE * before:
            break
    least = pays.sum * SURE / (table.n_rows * sum(price.full for price in prices))
    return LeastLoss(loss, min(least, loss), k)


def _published_by_the_schema(table: CodedTable, partition: Partition, c: int) -> bool:
    """Whether no method of this kind publishes a column for less: by sets of its own, or by nodes beside a grid."""
    column = table.columns[c]
    by_sets = partition.sets_of(c) is not None and not column.as_sets
    return not by_sets and not (partition.publishes_nodes and column.grid is not None)
