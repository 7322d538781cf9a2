"""What the numeric recipes share: which values are numbers, in which order, and settings that are numbers."""

from __future__ import annotations

import math
from collections.abc import Iterable
from decimal import Decimal
from fractions import Fraction
from typing import Any

import numpy as np

from amongst.errors import BadHierarchy
from amongst.schema.problem import Problem, raise_all, values_are


def is_number(value: Any) -> bool:
    return isinstance(value, (int, float, Decimal)) and not isinstance(value, bool)


def exact(number: Any) -> Fraction:
    """The number that its text says: 0.1 is one tenth here, as the user meant it."""
    return Fraction(str(number)) if isinstance(number, float) else Fraction(number)


def plain(number: Any) -> Any:
    """5.0 as 5, so that equal settings are equal and labels of whole numbers stay short."""
    return int(number) if isinstance(number, float) and number.is_integer() else number


def sorted_numbers(values: list[Any], kind: str) -> list[Any]:
    """The values in the column's order: as given for an ordered column, ascending otherwise."""
    problems = [] if set(map(type, values)) <= {int} else _not_finite_numbers(values)
    raise_all(BadHierarchy, "The hierarchy is for numbers.", problems)
    return list(values) if kind == "ordered" else sorted(values)


def _not_finite_numbers(values: list[Any]) -> list[Problem]:
    n_wrong = sum(not is_number(value) for value in values)
    n_infinite = sum(is_number(value) and not math.isfinite(value) for value in values)
    problems = []
    if n_wrong:
        text = values_are(n_wrong, "not numbers", "not a number")
        problems.append(Problem(text, "read the column as numbers, or use another hierarchy", {"count": n_wrong}))
    if n_infinite:
        text = values_are(n_infinite, "not finite")
        problems.append(Problem(text, "replace NaN and infinity, or make them nulls", {"count": n_infinite}))
    return problems


def number_array(values: Iterable[Any]) -> np.ndarray:
    """Numbers as an array that computes without overflow: int64, float64, or Python objects."""
    values = list(values)
    if all(isinstance(value, float) for value in values):
        return np.array(values, dtype=np.float64)
    # Half of int64's range leaves room for an origin and a width.
    if all(isinstance(value, int) for value in values) and max(map(abs, values), default=0) < 1 << 61:
        return np.array(values, dtype=np.int64)
    array = np.empty(len(values), dtype=object)
    array[:] = values
    return array
