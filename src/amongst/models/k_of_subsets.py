"""k on every few columns: whoever knows m quasi-identifiers of a person finds at least k rows."""

from __future__ import annotations

from dataclasses import dataclass

from amongst.models.card import Card, Field
from amongst.models.model import Model
from amongst.models.numbers import whole


@dataclass(frozen=True)
class KOfSubsets(Model):
    """Every combination of published values of any m quasi-identifiers stands for at least k rows.

    For tables with many quasi-identifiers, of which nobody knows more than m about a person. k-anonymity on all
    columns holds it too, and asks for more.

    Parameters
    ----------
    k : int
    m : int
        How many quasi-identifiers an intruder may know; with as many as there are, this is k-anonymity.

    Examples
    --------
    >>> import amongst as am
    >>> am.KOfSubsets(5, m=2).words()
    'Any 2 published quasi-identifiers of a row are shared with at least 4 others (k = 5).'
    """

    k: int
    m: int
    name = "k-of-subsets"
    symbol = "k"
    place = 80
    letter_of_another = True
    counts = "subsets"
    survives_more_rows = True
    survives_suppression = False  # what is suppressed is missing in the classes of fewer columns
    caveat = "k on every few quasi-identifiers assumes that nobody knows more of them about a person."
    card = Card(
        title="k of every few columns",
        means="Whoever knows m of the columns finds at least k rows. For tables with many columns.",
        leaves_open="somebody who knows more than m columns of a person.",
        fields=(Field("k", "k", 1, None), Field("m", "m", 1, None)),
        first={"k": 10, "m": 2},
    )

    def __post_init__(self) -> None:
        whole(self.k, "k", 1, "KOfSubsets(5, m=2)")
        whole(self.m, "m", 1, "KOfSubsets(5, m=2)")

    @property
    def group_size(self) -> int:
        """k on all columns is k on any of them; a method that can look at fewer asks for less."""
        return self.k

    @property
    def asks_nothing(self) -> bool:
        return self.k <= 1

    def words(self, people: bool = False) -> str:
        return (
            f"Any {self.m} published quasi-identifiers of a {'person' if people else 'row'} are shared with at least "
            f"{self.k - 1} others (k = {self.k})."
        )
