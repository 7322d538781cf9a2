"""Splitting by gain without a compiler; the rules are those of gain_split.h."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import pairwise

import numpy as np

from amongst.kernels.conditions import Conditions
from amongst.kernels.numpy.conditions import hold
from amongst.kernels.price import Prices

TRIES = 32
"""Of the cuts that gain most so many are tried where sides must hold conditions."""


def price_of(prices: Prices, table: np.ndarray, rows: np.ndarray) -> int:
    """The price a row of the smallest box that holds some rows."""
    own = table[rows]
    return int(prices.of_boxes(own.min(axis=0)[None, :], own.max(axis=0)[None, :])[0])


def split(
    prices: Prices,
    table: np.ndarray,
    rows: np.ndarray,
    k: int,
    conditions: Conditions | None = None,
    divides: bool = True,
) -> Iterator[np.ndarray]:
    """Divide rows into parts of at least k, the left part of every cut first."""
    stack = [rows]
    while stack:
        own = stack.pop()
        loss = price_of(prices, table, own) * len(own)
        inside = _best(prices, table, own, k, loss, conditions) if len(own) >= 2 * k and loss > 0 else None
        if inside is not None:
            stack += [own[~inside], own[inside]]
            continue
        halves = None
        if divides and conditions is not None and not conditions.only_size and len(own) >= 2 * k and loss > 0:
            halves = _halve_every_value(prices, table, own, k, loss, conditions)
        if halves is None:
            yield own
        else:
            stack += [halves[1], halves[0]]


def _halve_every_value(
    prices: Prices, table: np.ndarray, rows: np.ndarray, k: int, loss: int, conditions: Conditions
) -> tuple[np.ndarray, np.ndarray] | None:
    most, best = -1, None
    d = table.shape[1]
    values = [test.codes[rows] for test in conditions.tests]
    for c in range(d):
        columns = [table[rows, (c + q) % d] for q in range(d)]
        order = np.lexsort([rows, *reversed(columns), *reversed(values)])
        left, right = _deal_halves(rows[order], [own[order] for own in values])
        if len(left) < k or len(right) < k:
            continue
        gain = loss - sum(price_of(prices, table, part) * len(part) for part in (left, right))
        if gain > most and hold(conditions, left) and hold(conditions, right):
            most, best = gain, (left, right)
    return best


def _deal_halves(rows: np.ndarray, values: list[np.ndarray]) -> tuple[np.ndarray, np.ndarray]:
    """The first half of every value's rows, and the second; of an odd number the larger half in turn left and right."""
    starts = np.ones(len(rows), dtype=bool)
    starts[1:] = np.any([own[1:] != own[:-1] for own in values], axis=0) if values else False
    edges = [*np.flatnonzero(starts).tolist(), len(rows)]
    goes_left, larger_left = np.zeros(len(rows), dtype=bool), True
    for first, end in pairwise(edges):
        half = (end - first) // 2
        if (end - first) % 2:
            half += larger_left
            larger_left = not larger_left
        goes_left[first : first + half] = True
    return rows[goes_left], rows[~goes_left]


def _best(
    prices: Prices, table: np.ndarray, rows: np.ndarray, k: int, loss: int, conditions: Conditions | None
) -> np.ndarray | None:
    gains = []
    for c in range(table.shape[1]):
        own = table[rows, c]
        codes = np.unique(own)
        if len(codes) < 2:
            continue
        cuts = [own <= code for code in codes[:-1]]
        for column, first, last in prices.stretches.tolist():
            if column == c:
                inside = (own >= first) & (own <= last)
                if inside.any() and not inside[own == codes[0]].any() and not inside[own == codes[-1]].any():
                    cuts.append(inside)
        for inside in cuts:
            n_in = int(inside.sum())
            if n_in < k or len(rows) - n_in < k:
                continue
            gain = loss - sum(price_of(prices, table, part) * len(part) for part in (rows[inside], rows[~inside]))
            if gain >= 0:
                gains.append((gain, inside))
    gains.sort(key=lambda one: -one[0])
    for _, inside in gains[:TRIES]:
        if conditions is None or conditions.only_size:
            return inside
        if hold(conditions, rows[inside]) and hold(conditions, rows[~inside]):
            return inside
    return None
