"""Numbers and times beyond what a float tells apart: whole numbers of a unit, or fractions."""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction
from typing import Any

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc

from amongst.published.labels import parse

EXACT = 1 << 53
"""Whole numbers up to here are exact as a float."""
_LONG = r"[0-9](?:\.?[0-9]){15,}|:[0-9]{2}\.[0-9]"
_NUMBER = r"-?[0-9]{1,15}\.[0-9]{1,20}|-?[0-9]{1,15}"
_SHOWN = rf"^(?:(?P<value>{_NUMBER})|\[(?P<lo>{_NUMBER})-(?P<hi>{_NUMBER})\])$"
_PER_DAY = {"s": 86_400, "ms": 86_400 * 10**3, "us": 86_400 * 10**6, "ns": 86_400 * 10**9}


def beyond_floats(texts: pa.Array) -> bool:
    """Whether some text has so many digits, or so small a part of a second, that a float may not hold it.

    Numbers that a float was written as are held, with all of their digits: of a float there is one shortest text, and
    floats lie as these do.
    """
    long = texts.filter(pc.match_substring_regex(texts, _LONG))
    return len(long) > 0 and not _are_floats(long)


def _are_floats(texts: pa.Array) -> bool:
    """Whether all texts are numbers, or ranges of two, that are written as their floats are."""
    # Where a text has another shape, flatten() makes all parts null; a part that is not there is empty.
    parts = [pc.if_else(pc.equal(part, ""), None, part) for part in pc.extract_regex(texts, pattern=_SHOWN).flatten()]
    read = [pc.equal(part.cast(pa.float64()).cast(pa.string()), part) for part in parts]
    value, lo, hi = (same.fill_null(False) for same in read)
    return bool(pc.all(pc.or_(value, pc.and_(lo, hi))).as_py())


def whole_numbers(values: pa.Array, texts: pa.Array, kind: str) -> tuple[np.ndarray, int] | None:
    """The values as whole numbers or fractions, and how many of them are one (of dates: one day); None for floats."""
    of = values.type
    if pa.types.is_integer(of):
        return values.to_numpy(zero_copy_only=False), 1
    if pa.types.is_timestamp(of):
        return values.cast(pa.int64()).to_numpy(zero_copy_only=False), _PER_DAY[of.unit]
    if pa.types.is_decimal(of):
        return _objects([Fraction(value) for value in values.to_pylist()]), 1
    if pa.types.is_floating(of) or pa.types.is_temporal(of) or not beyond_floats(texts):
        return None
    places: list[Any] = [parse(text, kind, exact=True).lo for text in texts.to_pylist()]
    return None if None in places else (_objects([Fraction(place) for place in places]), 1)


def apart(line: np.ndarray, per: int) -> np.ndarray:
    """How far ascending numbers lie above the first of them: floats where these are exact, else fractions."""
    if len(line) == 0:
        return np.zeros(0)
    first = Fraction(int(line[0])) if line.dtype != object else line[0]
    span = (int(line[-1]) if line.dtype != object else line[-1]) - first
    if line.dtype != object and span < EXACT:
        return (line - line[0]).astype(np.float64) / per
    return _objects([(Fraction(int(one)) if line.dtype != object else one) - first for one in line]) / per


def ranks(*lists: Sequence[Any]) -> list[np.ndarray]:
    """Numbers of any length as their ranks among all of them, as floats; NaN for None."""
    numbers = sorted({number for one in lists for number in one if number is not None})
    rank: dict[Any, float] = {number: float(i) for i, number in enumerate(numbers)} | {None: np.nan}
    return [np.array([rank[number] for number in one], dtype=np.float64) for one in lists]


def _objects(numbers: list[Fraction]) -> np.ndarray:
    found = np.empty(len(numbers), dtype=object)
    found[:] = numbers
    return found
