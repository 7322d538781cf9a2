"""Which kind a quasi-identifier seems to have, and which hierarchy would suit it."""

from __future__ import annotations

import math
import re
from typing import Any

from amongst.schema.hierarchy import Hierarchy
from amongst.schema.profile import Profile
from amongst.schema.trees import knows
from amongst.schema.value_evidence import digits_of

FEWEST_IN_TREE = 4
MOST_IN_TREE = 20_000
NUTS = re.compile(
    "(?:A[LT]|B[EG]|C[HYZ]|D[EK]|E[ELS]|F[IR]|H[RU]|I[EST]|L[ITUV]|M[EKT]|N[LO]|P[LT]|R[OS]|S[EIK]|TR|UK|XK)[0-9A-Z]{1,3}"
)
"""The form of NUTS codes: the letters of a country (EL is Greece), and up to three digits or letters."""
WITH_DIGIT = 0.8
"""The share of NUTS codes that have a digit: those of France alone may have none, and ITEM has the form too."""

Idea = tuple[str, Hierarchy | None, Hierarchy | None, list[str]]
"""Kind, a hierarchy to use, a hierarchy to consider, reasons."""


def suggest_hierarchy(about: Profile) -> Idea:
    """The kind of a quasi-identifier, and a hierarchy: for codes to use, for others to consider.

    Numbers and dates need none: they are published as ranges.
    """
    kind = about.kind or "categorical"
    if kind == "date":
        return kind, None, _dates(about), []
    if kind == "numeric":
        if about.whole and _is_postal(about):
            return _whole_codes(about)
        return kind, None, _intervals(about), []
    hierarchy, reasons = _codes(about)
    return kind, hierarchy, _areas(about), reasons


def _areas(about: Profile) -> Hierarchy | None:
    """The tree of ZIP codes: codes of five digits are posted in other countries too, so the name must say it."""
    if about.values is None or not about.text or "zip" not in about.name.lower():
        return None
    return Hierarchy.known("us-zip") if about.n_distinct and knows("us-zip", about.values.to_pylist()) else None


def _is_postal(about: Profile) -> bool:
    return about.by_name is not None and about.by_name.subject == "a postal code"


def _whole_codes(about: Profile) -> Idea:
    """Postal codes that were read as numbers: their leading zeros are gone, their digits still count."""
    import pyarrow.compute as pc

    ends = pc.min_max(about.values).as_py()
    if ends["min"] is None or ends["min"] < 0:
        return "numeric", None, None, []
    n = max(len(str(ends["max"])), 2)
    return "categorical", Hierarchy.digits(n), None, ["codes, not quantities: masked digit by digit"]


def _codes(about: Profile) -> tuple[Hierarchy | None, list[str]]:
    if about.values is None or not about.text:
        return None, []
    n_digits = digits_of(about.values)
    if n_digits is not None and n_digits <= 20:
        return Hierarchy.digits(n_digits), [f"codes of {n_digits} digits: masked from the right"]
    tree = _built_in(about)
    if tree is not None:
        return Hierarchy.known(tree), [f"all values are in a tree that is built in ({tree})"]
    if about.by_value is not None and about.by_value.subject == "postal codes":
        return Hierarchy.prefix([4, 2]), ["postal codes: their first characters are kept"]
    if about.by_value is not None and about.by_value.subject == "dates":
        return None, ["dates written as text: as YYYY-MM-DD they would be read as dates and published as ranges"]
    return None, []


def _built_in(about: Profile) -> str | None:
    """The tree that has a place for every value; of two or three values that may be chance."""
    if about.values is None or not FEWEST_IN_TREE <= about.n_distinct <= MOST_IN_TREE:
        return None
    values = about.values.to_pylist()
    found = next((name for name in ("us-states", "countries", "icd-10") if knows(name, values)), None)
    return "nuts" if found is None and not about.mostly_different and _looks_like_nuts(values) else found


def _looks_like_nuts(values: list[str]) -> bool:
    """Whether all texts have the form of NUTS codes, and most a digit."""
    with_digit = sum(any(sign.isdigit() for sign in value) for value in values)
    return with_digit >= WITH_DIGIT * len(values) and all(NUTS.fullmatch(value) for value in values)


def _dates(about: Profile) -> Hierarchy:
    from pyarrow import types

    return Hierarchy.dates(*(["day"] if types.is_timestamp(about.type) else []), "month", "quarter", "year")


def _intervals(about: Profile) -> Hierarchy | None:
    """Widths of 5, 10, 20 for ages; else about twenty steps over the range, then wider ones."""
    import pyarrow.compute as pc

    ends: dict[str, Any] = pc.min_max(about.values).as_py() if about.n_distinct else {"min": None}
    known = ends["min"] is not None and not about.n_not_finite
    largest = float(max(abs(ends["min"]), abs(ends["max"]))) if known else 0.0
    if about.by_name is not None and about.by_name.subject == "age":
        return Hierarchy.intervals([5, 10, 20]) if _can_be_told(largest, 5) else None
    if not known or ends["max"] == ends["min"]:
        return None
    width = _round_width(float(ends["max"] - ends["min"]) / 20, about.whole)
    if width is None or not _can_be_told(largest, width):
        return None
    return Hierarchy.intervals([width, 2 * width, 4 * width])


def _can_be_told(largest: float, width: float) -> bool:
    """Whether floats as large as the values are closer together than the bounds of intervals so wide."""
    return math.isfinite(largest) and 8 * math.ulp(largest) < width


def _round_width(width: float, whole: bool) -> float | None:
    """The next of 1, 2, 5, 10, 20 ... that is not below ``width``; at least 2 for whole numbers."""
    if not math.isfinite(width) or width < 1e-12:
        return None
    power = math.floor(math.log10(width))
    steps = [float(f"{digit}e{power}") for digit in (1, 2, 5, 10)]
    rounded = next((step for step in steps if step >= width), steps[-1])
    return max(round(rounded), 2) if whole else rounded
