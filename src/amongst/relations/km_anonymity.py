"""k^m-anonymity: whoever knows a few codes of a person finds k persons who have them, or nobody."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from amongst.errors import BadOption
from amongst.models import Model
from amongst.models.numbers import whole

MOST_CODES = 3
"""Sets of more codes than this are not searched: their number grows with every code."""


@dataclass(frozen=True)
class KmAnonymity(Model):
    """Any m codes of a person are shared by k persons of the group, or by none.

    Persons of a group look alike in the persons' own columns (and in tables of which all is known). Codes are rows of
    the tables with ``known="codes"``: what their quasi-identifiers say. Together this is (k, k^m)-anonymity.

    Parameters
    ----------
    k : int
        How many persons.
    m : int
        How many codes may be known of one person, of all such tables together: 1 to 3.

    Examples
    --------
    >>> import amongst as am
    >>> am.KmAnonymity(11, m=2).words().startswith("Whoever knows up to 2 codes of a person finds at least 11 persons")
    True
    """

    k: int
    m: int = 2
    name = "km-anonymity"
    symbol = "k"
    many_tables = True

    def __post_init__(self) -> None:
        whole(self.k, "k", 1, "KmAnonymity(10, m=2)")
        whole(self.m, "m", 1, "KmAnonymity(10, m=2)")
        if self.m > MOST_CODES:
            found, fix = f"m = {self.m}", f"use m <= {MOST_CODES}, or known = all for what is known whole"
            raise BadOption("So many codes cannot be looked at together.", found=found, fix=fix)

    @property
    def smallest_group(self) -> int:
        return self.k

    def words(self, people: bool = False) -> str:
        codes = "1 code" if self.m == 1 else f"up to {self.m} codes"
        return (
            f"Whoever knows {codes} of a person finds at least {self.k} persons of a group who have them, or none "
            f"(k = {self.k}, m = {self.m})."
        )

    def to_dict(self) -> dict[str, object]:
        return {"model": self.name, "k": self.k, "m": self.m}


def asks_codes(model: Any) -> bool:
    """Whether a model asks how many persons share codes."""
    return getattr(model, "name", "") == KmAnonymity.name and not isinstance(model, type)


def codes_asked(models: Sequence[Any]) -> KmAnonymity | None:
    """What is asked of codes, the most of all models; None where nothing is."""
    asked = [model for model in models if asks_codes(model)]
    if not asked:
        return None
    return KmAnonymity(max(one.k for one in asked), max(one.m for one in asked))
