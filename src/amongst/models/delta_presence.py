"""delta-presence: nobody learns much about whether a person of the population is in the data."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

from amongst.errors import BadOption
from amongst.models.card import Card, Field
from amongst.models.model import Model
from amongst.models.numbers import real

if TYPE_CHECKING:
    import numpy as np


@dataclass(frozen=True)
class DeltaPresence(Model):
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
    place = 95
    typed = (("--delta-presence", "lower", "upper"), ("--population", "population"))
    letter_of_another = True
    larger_asks_more = False
    counts = "population"
    needs_classes = True
    caveat = "delta-presence hides who is in the data. It does not hide what the rows of a group have in common."
    card = Card(
        title="delta-presence",
        means="Nobody learns much about whether somebody of a population is in the data at all.",
        leaves_open="what is said about those who are known to be in it.",
        fields=(
            Field("lower", "at least", 0, 1, 0.05, whole=False),
            Field("upper", "at most", 0, 1, 0.05, whole=False),
        ),
        first={"lower": 0.0, "upper": 0.5},
    )

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

    @property
    def asks_nothing(self) -> bool:
        return self.lower <= 0 and self.upper >= 1

    @property
    def everybody_must_fit(self) -> bool:
        return self.lower > 0

    def words(self, people: bool = False) -> str:
        return (
            f"For everybody in the population the chance of being in the data is {self.lower:g} to {self.upper:g} "
            f"(delta = {self.upper:g})."
        )

    def breaks(
        self, *, fewest: np.ndarray, most: np.ndarray, fit_fewest: np.ndarray, fit_most: np.ndarray
    ) -> np.ndarray:
        """Being in the data is too likely, or not likely enough."""
        too_likely = most > self.upper * fit_fewest + 1e-9
        return too_likely | (fewest < self.lower * fit_most - 1e-9)
