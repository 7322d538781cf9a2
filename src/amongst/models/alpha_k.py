"""(alpha, k)-anonymity: groups of k rows in which no sensitive value has more than a share alpha."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import Any

from amongst.models.numbers import column_name, of_column, real, whole


@dataclass(frozen=True)
class AlphaK:
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
    monotone = True

    def __post_init__(self) -> None:
        real(self.alpha, "alpha", "AlphaK(0.5, 10)", above=0, most=1)
        whole(self.k, "k", 1, "AlphaK(0.5, 10)")
        column_name(self.column)

    @property
    def asked(self) -> float:
        return self.alpha

    @property
    def smallest_group(self) -> int:
        """No smaller group can hold it."""
        return max(self.k, math.ceil(1 / self.alpha - 1e-9))

    def words(self, people: bool = False) -> str:
        """What the model asks for, in a sentence: of rows, or of people where these are counted."""
        return (
            f"Every group has at least {self.k} {'people' if people else 'rows'}, and no value "
            f"{of_column(self.column, 'any')} has more than "
            f"{self.alpha:g} of them (alpha = {self.alpha:g})."
        )

    def to_dict(self) -> dict[str, Any]:
        fields: dict[str, Any] = {"model": self.name, "alpha": self.alpha, "k": self.k}
        return fields | ({} if self.column is None else {"column": self.column})
