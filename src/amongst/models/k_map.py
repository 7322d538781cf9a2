"""k-map: every published combination fits at least k people of a population table."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

from amongst.models.card import Card, Field
from amongst.models.model import Model
from amongst.models.numbers import whole

if TYPE_CHECKING:
    import numpy as np


@dataclass(frozen=True)
class KMap(Model):
    """Every published combination of quasi-identifiers fits at least k rows of a larger table.

    It is weaker than k-anonymity: a row may be alone in the release, as long as k people of the population could be
    meant (Sweeney, *k-anonymity*, 2002). It relies on the intruder not knowing who of the population is in the data.

    Parameters
    ----------
    k : int
    population : path, pandas, polars or pyarrow table
        One row a person, with columns of the same names as the quasi-identifiers.

    Examples
    --------
    >>> import amongst as am
    >>> am.KMap(5, "voters.csv").words()
    'Every published combination of quasi-identifiers fits at least 5 people of the population (k = 5).'
    """

    k: int
    population: Any = field(compare=False, repr=False)
    name = "k-map"
    symbol = "k"
    place = 90
    typed = (("--k-map", "k"), ("--population", "population"))
    letter_of_another = True
    counts = "population"
    survives_more_rows = True
    caveat = (
        "k-map counts people of the population, not of the release: somebody can be alone in the release. Who knows "
        "that a person is in the data is not held off."
    )
    card = Card(
        title="k-map",
        means="Every published combination fits at least k people of a population, even where it is alone in the "
        "release.",
        leaves_open="an intruder who knows who of the population is in the data.",
        fields=(Field("k", "k", 1, None),),
        first={"k": 10},
    )

    def __post_init__(self) -> None:
        whole(self.k, "k", 1, "KMap(5, population)")

    @property
    def asks_nothing(self) -> bool:
        return self.k <= 1

    def words(self, people: bool = False) -> str:
        return (
            f"Every published combination of quasi-identifiers fits at least {self.k} people of the population "
            f"(k = {self.k})."
        )

    def breaks(
        self, *, fewest: np.ndarray, most: np.ndarray, fit_fewest: np.ndarray, fit_most: np.ndarray
    ) -> np.ndarray:
        """Too few people fit."""
        return fit_fewest < self.k
