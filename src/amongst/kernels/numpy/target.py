"""Splitting by information without a compiler; the rules are those of target_split.h."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

import numpy as np

from amongst.kernels.conditions import Conditions
from amongst.kernels.numpy.conditions import hold
from amongst.kernels.price import Price, Prices

TRIES = 32
ROUNDED = 8


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
    table = np.stack([column.astype(np.int64) for column in codes], axis=1)
    group = np.zeros(len(table), dtype=np.int32)
    stack, n_groups = [np.arange(len(table))], 0
    while stack:
        rows = stack.pop()
        cut = (
            _best(prices, table, classes=classes, n_log_n=n_log_n, rows=rows, k=k, conditions=conditions)
            if len(rows) >= 2 * k
            else None
        )
        if cut is None:
            group[rows] = n_groups
            n_groups += 1
        else:
            left = table[rows, cut.column] <= cut.last_left
            stack += [rows[~left], rows[left]]
    return group


def _best(
    prices: Prices,
    table: np.ndarray,
    classes: np.ndarray,
    n_log_n: np.ndarray,
    rows: np.ndarray,
    k: int,
    conditions: Conditions | None,
) -> Cut | None:
    for anywhere in (False, True):
        found = [
            _cuts(price, c, own=table[rows, c], classes=classes[rows], n_log_n=n_log_n, k=k, anywhere=anywhere)
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
    price: Price, c: int, own: np.ndarray, classes: np.ndarray, n_log_n: np.ndarray, k: int, anywhere: bool
) -> list[Cut]:
    """Every cut of one column that keeps k rows on both sides."""
    codes, place = np.unique(own, return_inverse=True)
    if len(codes) < 2:
        return []
    n_classes = int(classes.max()) + 1
    count = np.zeros((len(codes), n_classes), dtype=np.int64)
    np.add.at(count, (place.reshape(-1), classes.astype(np.int64)), 1)
    left, total = np.cumsum(count, axis=0)[:-1], count.sum(axis=0)
    n_left, n = left.sum(axis=1), len(own)
    even = np.minimum(n_left, n - n_left)

    def entropy(counts: np.ndarray) -> np.ndarray:
        return np.asarray(n_log_n[counts.sum(axis=-1)] - n_log_n[counts].sum(axis=-1))

    gain = np.maximum(entropy(total) - entropy(left) - entropy(total - left), 0) >> ROUNDED
    allowed = even >= k
    if price.position is None and price.tree_start is not None and not anywhere:
        level = int(np.argmax(price.tree_start[:, codes[0]] == price.tree_start[:, codes[-1]]))
        child = price.tree_start[level - 1]
        allowed &= child[codes[:-1]] != child[codes[1:]]
    width = int(price.of(codes[:1], codes[-1:])[0])
    return [Cut(int(gain[i]), width, int(even[i]), c, int(codes[i])) for i in np.flatnonzero(allowed).tolist()]
