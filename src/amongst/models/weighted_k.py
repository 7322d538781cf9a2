"""k in the population: the rows of a class stand for at least k people, by their sampling weights."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from amongst.models.card import Card, Field
from amongst.models.model import Model
from amongst.models.numbers import column_name, real

if TYPE_CHECKING:
    from amongst.schema.schema import Schema


@dataclass(frozen=True)
class WeightedK(Model):
    """The weights of every class add up to at least k: so many people of the population look like its rows.

    A row of a sample with weight 250 stands for 250 people. Whoever looks for somebody who may or may not be in the
    sample finds at least k people of the population who could be meant. What is missing or negative counts as nothing.

    Parameters
    ----------
    k : float
        People of the population.
    column : str, optional
        The column of weights; left out, the one with role "weight", and without such a role every sensitive number.

    Examples
    --------
    >>> import amongst as am
    >>> am.WeightedK(1000).words()
    'The rows of every group stand for at least 1000 people of the population (k = 1000 by weights).'
    """

    k: float
    column: str | None = None
    name = "weighted-k"
    symbol = "k"
    place = 85
    letter_of_another = True
    counts = "values"
    of_kinds = ("numeric",)
    condition = "weighed"
    caveat = (
        "k by weights is of the population as the weights describe it. Whoever knows that somebody is in the sample "
        "needs k of its rows."
    )
    card = Card(
        title="k in the population",
        means="The sampling weights of every group add up to at least k people.",
        leaves_open="somebody who is known to be in the sample.",
        fields=(Field("k", "people", 1, None),),
        first={"k": 10},
    )

    def __post_init__(self) -> None:
        real(self.k, "k", "WeightedK(1000)", least=0)
        column_name(self.column)

    @property
    def survives_more_rows(self) -> bool:
        return True

    @property
    def asks_nothing(self) -> bool:
        return self.k <= 0

    def columns_in(self, schema: Schema) -> list[str]:
        if self.column is None and schema.weight is not None:
            return [schema.weight]
        return super().columns_in(schema)

    def words(self, people: bool = False) -> str:
        return (
            f"The rows of every group stand for at least {self.k:g} people of the population (k = {self.k:g} by "
            "weights)."
        )
