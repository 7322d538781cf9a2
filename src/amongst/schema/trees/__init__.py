"""Trees that everybody needs, as small facts: what stands above a code or a name."""

from __future__ import annotations

import re
from bisect import bisect_right
from collections.abc import Callable
from functools import cache

from amongst.schema.trees import countries, icd_10, us_places

Above = tuple[str, ...]
"""What stands above a value, from near to far; the root is left out."""


def above_icd_10(code: str) -> Above | None:
    """The three characters, the block and the chapter of a diagnosis: ``E11.-``, ``E10-E14``, ``E00-E90``."""
    found = re.fullmatch(r"([A-Z]\d[0-9A-Z])(?:\.?[0-9A-Z]{1,4})?[+*!]?", code.strip().upper())
    if found is None:
        return None
    category = found[1]
    block, chapter = _range_of(category, _ranges(icd_10.BLOCKS)), _range_of(category, _ranges(icd_10.CHAPTERS))
    return None if chapter is None else (f"{category}.-", block or chapter, chapter)


def above_country(name: str) -> Above | None:
    """The sub-region and region of a country, by its name or code."""
    folded = " ".join(name.replace("-", " ").replace("_", " ").lower().split())
    code = countries.ALSO.get(folded, name.strip().upper())
    part = _of_countries().get(code) or _of_countries().get(folded)
    return None if part is None else (part, _region(countries.REGIONS, part))


def above_state(name: str) -> Above | None:
    """The division and region of a state of the USA, by its name or letters."""
    part = _of_states().get(" ".join(name.replace("-", " ").replace("_", " ").lower().split()))
    return None if part is None else (part, _region(us_places.REGIONS, part))


def above_zip(code: str) -> Above | None:
    """The first three digits of a ZIP code, the state, its division and region."""
    if not re.fullmatch(r"\d{5}(-\d{4})?|\d{3}", code):
        return None
    state = _state_of_zip().get(code[:3])
    parts = None if state is None else above_state(state)
    return None if state is None or parts is None else (f"{code[:3]}**", state, *parts)


KNOWN: dict[str, tuple[Callable[[str], Above | None], int, str]] = {
    "icd-10": (above_icd_10, 3, "diagnoses of ICD-10: three characters, blocks, chapters"),
    "countries": (above_country, 2, "countries by name or ISO code: sub-regions and regions of the United Nations"),
    "us-states": (above_state, 2, "states of the USA: divisions and regions of the Census Bureau"),
    "us-zip": (above_zip, 4, "ZIP codes: three digits, states, divisions and regions"),
}
"""By name: what stands above a value, how many levels that is, and in words."""


def knows(name: str, values: list[str]) -> bool:
    """Whether a tree has a place for all of some texts."""
    above = KNOWN[name][0]
    return all(above(value) is not None for value in values)


def _region(regions: dict[str, tuple[str, ...]], part: str) -> str:
    return next(region for region, parts in regions.items() if part in parts)


@cache
def _ranges(listed: str) -> tuple[tuple[str, ...], tuple[str, ...]]:
    pairs = sorted(one.split("-") for one in listed.split())
    return tuple(pair[0] for pair in pairs), tuple(pair[1] for pair in pairs)


def _range_of(code: str, ranges: tuple[tuple[str, ...], tuple[str, ...]]) -> str | None:
    first, last = ranges
    place = bisect_right(first, code) - 1
    return f"{first[place]}-{last[place]}" if place >= 0 and code[:3] <= last[place] else None


@cache
def _of_countries() -> dict[str, str]:
    found: dict[str, str] = {}
    for part, listed in countries.COUNTRIES.items():
        for one in listed.split("; "):
            two, three, name = one.split(" ", 2)
            plain = " ".join(name.replace("-", " ").lower().split())
            found |= {two: part, three: part, plain: part, plain.split(",")[0]: part}
    return found


@cache
def _of_states() -> dict[str, str]:
    found: dict[str, str] = {}
    for part, listed in us_places.STATES.items():
        for one in listed.split("; "):
            letters, name = one.split(" ", 1)
            found |= {letters.lower(): part, name.lower(): part}
    return found


@cache
def _state_of_zip() -> dict[str, str]:
    found: dict[str, str] = {}
    for one in us_places.ZIP3.split(", "):
        area, state = one.split(" ")
        first, _, last = area.partition("-")
        found |= {f"{number:03}": state for number in range(int(first), int(last or first) + 1)}
    return found
