"""Intervals of equal width: 5 years, 10 years, 20 years."""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import dataclass
from fractions import Fraction
from itertools import pairwise
from typing import Any

import numpy as np

from amongst.errors import BadHierarchy
from amongst.schema.assemble import MORE_THAN_CAN_BE_COUNTED, Level, assemble
from amongst.schema.problem import Problem, raise_all, values_are
from amongst.schema.recipes.numbers import exact, is_number, number_array, plain, sorted_numbers
from amongst.schema.tree import Tree
from amongst.schema.value_text import text_of


@dataclass(frozen=True)
class Intervals:
    """Half-open intervals that start at ``origin``; every width is a multiple of the one before."""

    widths: tuple[int | float, ...]
    origin: int | float = 0

    def __post_init__(self) -> None:
        object.__setattr__(self, "widths", tuple(plain(width) for width in self.widths))
        object.__setattr__(self, "origin", plain(self.origin))
        raise_all(BadHierarchy, "These intervals cannot be a hierarchy.", self._problems())

    def _problems(self) -> list[Problem]:
        if not self.widths:
            return [Problem("no widths", "give a width for every level, such as [5, 10, 20]")]
        numbers = [*self.widths, self.origin]
        if not all(is_number(number) and math.isfinite(number) for number in numbers) or min(self.widths) <= 0:
            return [Problem("a width or origin that is no finite number, or a width that is not above 0")]
        problems = []
        for i, (narrow, wide) in enumerate(pairwise(self.widths), start=1):
            ratio = exact(wide) / exact(narrow)
            if ratio.denominator != 1 or ratio == 1:
                text = f"levels {i} and {i + 1} do not merge: {wide} is not {narrow} times 2, 3, 4 ..."
                problems.append(Problem(text, "let every width be a multiple of the one before"))
        return problems

    def bind(self, values: list[Any], kind: str) -> Tree:
        leaves = sorted_numbers(values, kind)
        whole = all(isinstance(number, int) for number in [*leaves, *self.widths, self.origin])
        index = _whole_index(self, leaves) if whole else _exact_index(self, leaves)
        # A coarse index is a division of the finest one, so that the levels merge by construction.
        ratios = [int(exact(width) / exact(self.widths[0])) for width in self.widths]
        levels, below = [], int(self.widths[0]) if whole else MORE_THAN_CAN_BE_COUNTED
        for width, ratio, finer in zip(self.widths, ratios, [None, *ratios], strict=False):
            n_parts = below if finer is None else ratio // finer
            levels.append(_level(index // ratio, width, self.origin, whole=whole, n_parts=n_parts))
        problems = [] if whole else _vanished(self, leaves, index)
        top = index // ratios[-1]
        return assemble(leaves, levels, problems, below_root=int(top[-1] - top[0]) + 1 if len(leaves) else 0)

    def to_dict(self) -> dict[str, Any]:
        fields: dict[str, Any] = {"intervals": list(self.widths)}
        return fields if self.origin == 0 else {**fields, "origin": self.origin}

    def describe(self) -> str:
        return "intervals of " + ", ".join(text_of(width) for width in self.widths)

    def public_dict(self) -> dict[str, Any]:
        return self.to_dict()


def _whole_index(recipe: Intervals, leaves: list[Any]) -> np.ndarray:
    numbers = number_array(leaves)
    if max(abs(recipe.origin), recipe.widths[-1]) >= 1 << 61:
        numbers = numbers.astype(object)  # beyond what int64 computes with
    return (numbers - recipe.origin) // recipe.widths[0]


def _exact_index(recipe: Intervals, leaves: list[Any]) -> np.ndarray:
    """The interval of every number, as decided by the bounds that the labels show.

    Dividing floats may put 0.3 below the bound 0.3; so the division only guesses, and the bounds, each
    the float nearest to its exact value, decide.
    """
    width, origin = exact(recipe.widths[0]), exact(recipe.origin)
    numbers = number_array(leaves)
    if numbers.dtype == np.int64 and np.abs(numbers).max(initial=0) < 1 << 53:
        numbers = numbers.astype(np.float64)
    if numbers.dtype != np.float64:
        return _slow_index(leaves, width, origin)
    with np.errstate(over="ignore"):
        guess = np.floor((numbers - float(origin)) / float(width))
    if np.abs(guess).max(initial=0) >= 1 << 50:  # beyond it the guess may be wrong by more than one
        return _slow_index(leaves, width, origin)
    index = guess.astype(np.int64)
    index -= numbers < _lower_bounds(index, width, origin)
    index += numbers >= _lower_bounds(index + 1, width, origin)
    return index


def _slow_index(leaves: list[Any], width: Fraction, origin: Fraction) -> np.ndarray:
    return np.array([math.floor((exact(value) - origin) / width) for value in leaves], dtype=object)


def _lower_bounds(index: np.ndarray, width: Fraction, origin: Fraction) -> np.ndarray:
    lower = _lower_bound(width, origin)
    distinct, which = np.unique(index, return_inverse=True)
    return np.array([lower(i) for i in distinct.tolist()], dtype=np.float64)[which]


def _lower_bound(width: Fraction, origin: Fraction) -> Callable[[int], float]:
    """The bound below interval ``i``: Python rounds the quotient of two ints to the nearest float."""
    bottom = math.lcm(width.denominator, origin.denominator)
    step, first = int(width * bottom), int(origin * bottom)
    return lambda i: (first + step * i) / bottom


def _vanished(recipe: Intervals, leaves: list[Any], index: np.ndarray) -> list[Problem]:
    """Values that do not lie between the bounds that their label would show: floats there are further apart."""
    lower = _lower_bound(exact(recipe.widths[0]), exact(recipe.origin))
    ends = [int(index.min()), int(index.max())] if len(index) else [0]
    if max(map(abs, ends)) < 1 << 44 and max(abs(lower(i)) for i in ends) < 1 << 53:
        return []
    bounds = {i: (exact(lower(i)), exact(lower(i + 1))) for i in set(index.tolist())}
    n = sum(not bounds[i][0] <= exact(leaf) < bounds[i][1] for i, leaf in zip(index.tolist(), leaves, strict=True))
    if n == 0:
        return []
    text = values_are(n, "too large for intervals so narrow")
    return [Problem(text, "use a wider first interval", {"count": n})]


def _level(index: np.ndarray, width: int | float, origin: int | float, *, whole: bool, n_parts: int) -> Level:
    lower = _lower_bound(exact(width), exact(origin))

    def label(first: int, last: int) -> str:
        i = int(index[first])
        if whole:
            first_number, last_number = origin + width * i, origin + width * (i + 1) - 1
            return f"[{first_number}-{last_number}]" if width > 1 else str(first_number)
        return f"[{lower(i)!r}-{lower(i + 1)!r}["

    return Level(index, label, lambda first, last: n_parts)
