"""Splitting by what cuts tell of a target, without a compiler; of classes by the rules of target_split.h."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import NamedTuple

import numpy as np

from amongst.kernels.conditions import Conditions
from amongst.kernels.numpy.conditions import hold
from amongst.kernels.price import Price, Prices

TRIES = 32
ROUNDED = 8


Gains = Callable[[np.ndarray, np.ndarray, int], np.ndarray]
"""Told the rows of a group, the place of the code of each, and how many codes: what every cut between two tells."""


class Cut(NamedTuple):
    gain: int
    width: int
    even: int
    column: int
    last_left: int


def target_split(
    prices: Prices,
    codes: Sequence[np.ndarray],
    classes: np.ndarray,
    n_log_n: np.ndarray,
    k: int,
    conditions: Conditions | None,
) -> np.ndarray:
    """By the information on classes."""
    return _split(prices, codes, _by_information(classes.astype(np.int64), n_log_n), k, conditions)


def deviance_split(
    prices: Prices, codes: Sequence[np.ndarray], scores: np.ndarray, k: int, conditions: Conditions | None
) -> np.ndarray:
    """By the squared deviance of numbers from their mean."""
    return _split(prices, codes, _by_deviance(scores.astype(np.float64)), k, conditions)


def _by_information(classes: np.ndarray, n_log_n: np.ndarray) -> Gains:
    def entropy(counts: np.ndarray) -> np.ndarray:
        return np.asarray(n_log_n[counts.sum(axis=-1)] - n_log_n[counts].sum(axis=-1))

    def gains(rows: np.ndarray, place: np.ndarray, n_codes: int) -> np.ndarray:
        own = classes[rows]
        count = np.zeros((n_codes, int(own.max()) + 1), dtype=np.int64)
        np.add.at(count, (place, own), 1)
        left, total = np.cumsum(count, axis=0)[:-1], count.sum(axis=0)
        return np.asarray(entropy(total) - entropy(left) - entropy(total - left))

    return gains


def _by_deviance(scores: np.ndarray) -> Gains:
    """Sums are whole numbers that a double holds; squares over counts are rounded alike on every machine."""

    def gains(rows: np.ndarray, place: np.ndarray, n_codes: int) -> np.ndarray:
        left = np.cumsum(np.bincount(place, scores[rows], n_codes))
        n_left = np.cumsum(np.bincount(place, minlength=n_codes))
        total, n, left, n_left = left[-1], n_left[-1], left[:-1], n_left[:-1]
        right, n_right = total - left, n - n_left
        fallen = left * left / n_left + right * right / n_right - total * total / n
        return np.asarray(fallen.astype(np.int64))

    return gains


def _split(
    prices: Prices, codes: Sequence[np.ndarray], gains: Gains, k: int, conditions: Conditions | None
) -> np.ndarray:
    table = np.stack([column.astype(np.int64) for column in codes], axis=1)
    group = np.zeros(len(table), dtype=np.int32)
    stack, n_groups = [np.arange(len(table))], 0
    while stack:
        rows = stack.pop()
        cut = _best(prices, table, gains=gains, rows=rows, k=k, conditions=conditions) if len(rows) >= 2 * k else None
        if cut is None:
            group[rows] = n_groups
            n_groups += 1
        else:
            left = table[rows, cut.column] <= cut.last_left
            stack += [rows[~left], rows[left]]
    return group


def _best(
    prices: Prices, table: np.ndarray, gains: Gains, rows: np.ndarray, k: int, conditions: Conditions | None
) -> Cut | None:
    for anywhere in (False, True):
        found = [
            _cuts(price, c, table[:, c], gains=gains, rows=rows, k=k, anywhere=anywhere, only_best=conditions is None)
            for c, price in enumerate(prices.columns)
        ]
        for cut in _in_order(found, conditions is None):
            left = table[rows, cut.column] <= cut.last_left
            if conditions is None or (hold(conditions, rows[left]) and hold(conditions, rows[~left])):
                return cut
    return None


def _in_order(found: list[list[Cut]], only_best: bool) -> list[Cut]:
    """The cuts that gain most, and after them the most even cut of every column, the widest first."""
    by_gain = sorted((cut for cuts in found for cut in cuts), key=lambda cut: (-cut.gain, -cut.width, -cut.even))
    if only_best:
        return by_gain[:1]
    most_even = [max(cuts, key=lambda cut: cut.even) for cuts in found if cuts]
    return by_gain[:TRIES] + sorted(most_even, key=lambda cut: -cut.width)


def _cuts(
    price: Price,
    c: int,
    column: np.ndarray,
    gains: Gains,
    rows: np.ndarray,
    k: int,
    anywhere: bool,
    only_best: bool,
) -> list[Cut]:
    """The cuts of one column that keep k rows on both sides: all, or the best."""
    codes, place = np.unique(column[rows], return_inverse=True)
    if len(codes) < 2:
        return []
    place = place.reshape(-1)
    n_left = np.cumsum(np.bincount(place))[:-1]
    even = np.minimum(n_left, len(rows) - n_left)
    allowed = even >= k
    if price.position is None and price.tree_start is not None and not anywhere:
        level = int(np.argmax(price.tree_start[:, codes[0]] == price.tree_start[:, codes[-1]]))
        child = price.tree_start[level - 1]
        allowed &= child[codes[:-1]] != child[codes[1:]]
    if not allowed.any():
        return []
    gain = np.maximum(gains(rows, place, len(codes)), 0) >> ROUNDED
    chosen = np.flatnonzero(allowed)
    if only_best:
        chosen = chosen[np.lexsort((-even[chosen], -gain[chosen]))[:1]]
    width = int(price.of(codes[:1], codes[-1:])[0])
    return [Cut(int(gain[i]), width, int(even[i]), c, int(codes[i])) for i in chosen.tolist()]
