"""k-map: every published combination fits at least k people of a population table."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any

from amongst.models.numbers import whole
from amongst.models.population import population_fields


@dataclass(frozen=True)
class KMap:
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
    monotone = True
    smallest_group = 1

    def __post_init__(self) -> None:
        whole(self.k, "k", 1, "KMap(5, population)")

    @property
    def asked(self) -> float:
        return self.k

    def words(self) -> str:
        """What the model asks for, in a sentence."""
        return (
            f"Every published combination of quasi-identifiers fits at least {self.k} people of the population "
            f"(k = {self.k})."
        )

    def to_dict(self) -> dict[str, Any]:
        return {"model": self.name, "k": self.k} | population_fields(self.population)
