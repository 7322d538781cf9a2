"""(alpha, k)-anonymity: groups of k rows in which no sensitive value has more than a share alpha."""

from __future__ import annotations

import math
from dataclasses import dataclass

from amongst.models.card import Card, Field
from amongst.models.model import Model
from amongst.models.numbers import column_name, of_column, real, whole


@dataclass(frozen=True)
class AlphaK(Model):
    """Groups of at least k rows, in which no sensitive value has more than a share alpha of the rows.

    Wong, Li, Fu, Wang, *(alpha, k)-Anonymity*, KDD 2006, for every value of the column.

    Parameters
    ----------
    alpha : float
        The largest share, above 0 and up to 1.
    k : int
        The smallest size of a group.
    column : str, optional
        The sensitive column; left out, every sensitive column, each for itself.

    Examples
    --------
    >>> import amongst as am
    >>> am.AlphaK(0.5, 10).words()
    'Every group has at least 10 rows, and no value of any sensitive column has more than 0.5 of them (alpha = 0.5).'
    """

    alpha: float
    k: int
    column: str | None = None
    name = "alpha-k"
    symbol = "alpha"
    place = 60
    typed = (("--alpha", "alpha"), ("--k", "k"))
    larger_asks_more = False
    counts = "values"
    condition = "largest-share"
    caveat = (
        "(alpha, k)-anonymity bounds how sure one can be of a single value. It does not see that values may mean "
        "nearly the same, nor that a share of alpha may be far above that in the table."
    )
    card = Card(
        title="(alpha, k)-anonymity",
        means="Groups of k, in which no sensitive value has more than a share alpha.",
        leaves_open="rare values: a share of alpha may still be far above the share in the table.",
        fields=(Field("alpha", "alpha", 0.01, 1, 0.05, whole=False), Field("k", "k", 1, None)),
        first={"alpha": 0.5, "k": 10},
    )

    def __post_init__(self) -> None:
        real(self.alpha, "alpha", "AlphaK(0.5, 10)", above=0, most=1)
        whole(self.k, "k", 1, "AlphaK(0.5, 10)")
        column_name(self.column)

    @property
    def smallest_group(self) -> int:
        return max(self.k, math.ceil(1 / self.alpha - 1e-9))

    @property
    def asks_nothing(self) -> bool:
        return self.alpha >= 1 and self.k <= 1

    @property
    def largest_share(self) -> float | None:
        return self.alpha

    def words(self, people: bool = False) -> str:
        return (
            f"Every group has at least {self.k} {'people' if people else 'rows'}, and no value "
            f"{of_column(self.column, 'any')} has more than "
            f"{self.alpha:g} of them (alpha = {self.alpha:g})."
        )

    def easier(self, best: float) -> str:
        return f"use alpha >= {math.ceil(best * 1000) / 1000}"
