"""k on every few columns: whoever knows m quasi-identifiers of a person finds at least k rows."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from amongst.models.numbers import whole


@dataclass(frozen=True)
class KOfSubsets:
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
    monotone = True
    smallest_group = 1

    def __post_init__(self) -> None:
        whole(self.k, "k", 1, "KOfSubsets(5, m=2)")
        whole(self.m, "m", 1, "KOfSubsets(5, m=2)")

    @property
    def asked(self) -> float:
        return self.k

    def words(self, people: bool = False) -> str:
        """What the model asks for, in a sentence: of rows, or of people where these are counted."""
        return (
            f"Any {self.m} published quasi-identifiers of a {'person' if people else 'row'} are shared with at least "
            f"{self.k - 1} others "
            f"(k = {self.k})."
        )

    def to_dict(self) -> dict[str, Any]:
        return {"model": self.name, "k": self.k, "m": self.m}
