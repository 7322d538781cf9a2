"""k-anonymity: every published combination of quasi-identifiers stands for at least k rows."""

from __future__ import annotations

from dataclasses import dataclass

from amongst.models.numbers import whole


@dataclass(frozen=True)
class KAnonymity:
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
    monotone = True

    def __post_init__(self) -> None:
        whole(self.k, "k", 1, "KAnonymity(10)")

    @property
    def asked(self) -> float:
        return self.k

    @property
    def smallest_group(self) -> int:
        return self.k

    def words(self, people: bool = False) -> str:
        """What the model asks for, in a sentence: of rows, or of people where these are counted."""
        if self.k == 1:
            return f"No {'person' if people else 'row'} needs to share published quasi-identifiers (k = 1)."
        others = "1 other" if self.k == 2 else f"{self.k - 1} others"
        if people:
            return f"Everybody shares all published quasi-identifiers with at least {others} (k = {self.k})."
        return f"Every row shares its published quasi-identifiers with at least {others} (k = {self.k})."

    def to_dict(self) -> dict[str, object]:
        return {"model": self.name, "k": self.k}
