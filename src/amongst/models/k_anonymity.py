"""k-anonymity: every published combination of quasi-identifiers stands for at least k rows."""

from __future__ import annotations

from dataclasses import dataclass

from amongst.models.card import Card, Field
from amongst.models.model import Model
from amongst.models.numbers import whole


@dataclass(frozen=True)
class KAnonymity(Model):
    """Every row shares its published quasi-identifiers with at least k - 1 others.

    Parameters
    ----------
    k : int
        The smallest size a group may have.

    Examples
    --------
    >>> import amongst as am
    >>> am.KAnonymity(10).words()
    'Every row shares its published quasi-identifiers with at least 9 others (k = 10).'
    """

    k: int
    name = "k-anonymity"
    symbol = "k"
    place = 10
    typed = (("--k", "k"),)
    many_tables = True
    survives_more_rows = True
    card = Card(
        title="k-anonymity",
        means="Nobody can be told from at least k − 1 others by the columns that others may know.",
        leaves_open="what the others have in common: if all k share a diagnosis, it is known of each of them.",
        fields=(Field("k", "k", 1, None),),
        first={"k": 10},
        common=True,
    )

    def __post_init__(self) -> None:
        whole(self.k, "k", 1, "KAnonymity(10)")

    @property
    def smallest_group(self) -> int:
        return self.k

    @property
    def asks_nothing(self) -> bool:
        return self.k <= 1

    def words(self, people: bool = False) -> str:
        if self.k == 1:
            return f"No {'person' if people else 'row'} needs to share published quasi-identifiers (k = 1)."
        others = "1 other" if self.k == 2 else f"{self.k - 1} others"
        if people:
            return f"Everybody shares all published quasi-identifiers with at least {others} (k = {self.k})."
        return f"Every row shares its published quasi-identifiers with at least {others} (k = {self.k})."
