"""delta-presence: nobody learns much about whether a person of the population is in the data."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any

from amongst.errors import BadOption
from amongst.models.numbers import real
from amongst.models.population import population_fields


@dataclass(frozen=True)
class DeltaPresence:
    """For everybody in the population, the chance of being in the data lies between two bounds.

    Nergiz, Atzori, Clifton, *Hiding the Presence of Individuals from Shared Databases*, SIGMOD 2007. The chance is
    the rows of a published combination over the people of the population whom it fits.

    Parameters
    ----------
    lower, upper : float
        From 0 to 1. A lower bound above 0 also asks that everybody in the population fits some published row.
    population : path, pandas, polars or pyarrow table
        One row a person, with columns of the same names as the quasi-identifiers; the people of the data are in it.

    Examples
    --------
    >>> import amongst as am
    >>> am.DeltaPresence(0.0, 0.5, "voters.csv").words()
    'For everybody in the population the chance of being in the data is 0 to 0.5 (delta = 0.5).'
    """

    lower: float
    upper: float
    population: Any = field(compare=False, repr=False)
    name = "delta-presence"
    symbol = "delta"
    monotone = True
    smallest_group = 1

    def __post_init__(self) -> None:
        for name in ("lower", "upper"):
            real(getattr(self, name), name, "DeltaPresence(0.0, 0.5, population)", least=0, most=1)
        if self.lower > self.upper:
            raise BadOption(
                "The lower bound lies above the upper one.",
                found=f"lower = {self.lower:g}, upper = {self.upper:g}",
                fix="give the smaller one first",
            )

    @property
    def asked(self) -> float:
        return self.upper

    def words(self) -> str:
        """What the model asks for, in a sentence."""
        return (
            f"For everybody in the population the chance of being in the data is {self.lower:g} to {self.upper:g} "
            f"(delta = {self.upper:g})."
        )

    def to_dict(self) -> dict[str, Any]:
        fields: dict[str, Any] = {"model": self.name, "lower": self.lower, "upper": self.upper}
        return fields | population_fields(self.population)
