"""One's own notion of minimality among full-domain generalizations: prices of levels, or any function of them."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any

import numpy as np

from amongst.errors import BadOption

Choice = str | Mapping[str, Sequence[float]] | Callable[[dict[str, int]], float]
"""The name of a measure, a price for every level of some columns, or a function of the levels of all columns."""


class OwnLoss:
    """What a generalization costs by the user's own measure; smaller is better, and rows left out cost nothing more.

    Paper: LeFevre, DeWitt, Ramakrishnan, *Incognito*, SIGMOD 2005, section 2.1: "users would want the flexibility to
    introduce their own, possibly application-specific, notions of minimality", such as that sex stay intact even if
    zip codes are generalized more.

    With prices, a column that has none costs its level, as in Samarati's height. A function is called once for every
    generalization that holds, with the level of every column by its name.
    """

    exact_without_counting = True

    def __init__(self, columns: Sequence[str], heights: Sequence[int], own: Any) -> None:
        self.columns = list(columns)
        self._function = own if callable(own) else None
        self._prices = [] if callable(own) else _prices(self.columns, heights, own)

    def bound(self, node: Sequence[int]) -> float:
        """The cost of one generalization."""
        if self._function is None:
            return float(sum(own[level] for own, level in zip(self._prices, node, strict=True)))
        cost = self._function(dict(zip(self.columns, map(int, node), strict=True)))
        if isinstance(cost, bool) or not isinstance(cost, (int, float, np.number)) or np.isnan(cost):
            raise BadOption(
                "A measure of one's own must give a number for every generalization.",
                found=f"{type(cost).__name__} for one of them",
                fix="return a number; the smallest is chosen",
            )
        return float(cost)

    def bounds(self, nodes: np.ndarray) -> np.ndarray:
        """The same for many."""
        return np.array([self.bound(node) for node in nodes.tolist()], dtype=np.float64)

    def of(self, counted: Any, k: int) -> float:
        """The same for a generalization that was counted."""
        return self.bound(counted.levels)


def _prices(columns: Sequence[str], heights: Sequence[int], own: Mapping[str, Sequence[float]]) -> list[list[float]]:
    unknown = sorted(set(own) - set(columns))
    if unknown:
        raise BadOption(
            "Levels are priced of columns that are not recoded.",
            found="not among the quasi-identifiers: " + ", ".join(unknown),
            fix="price levels of: " + ", ".join(columns),
        )
    found = []
    for name, height in zip(columns, heights, strict=True):
        prices = list(own.get(name, range(height + 1)))
        if len(prices) <= height or not all(_is_price(price) for price in prices):
            raise BadOption(
                f"The levels of {name!r} need a price each.",
                found=f"{len(prices)} prices for {height + 1} levels, or a price that is no number",
                fix=f"give {height + 1} numbers, from the values up to *",
            )
        found.append([float(price) for price in prices])
    return found


def _is_price(price: Any) -> bool:
    return isinstance(price, (int, float)) and not isinstance(price, bool) and bool(np.isfinite(price))
