"""Splitting by gain without a compiler; the rules are those of gain_split.h."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np

from amongst.kernels.conditions import Conditions
from amongst.kernels.price import Prices
from amongst.kernels.reference_conditions import hold

TRIES = 32
"""Of the cuts that gain most so many are tried where sides must hold conditions."""


def price_of(prices: Prices, table: np.ndarray, rows: np.ndarray) -> int:
    """The price a row of the smallest box that holds some rows."""
    own = table[rows]
    return int(prices.of_boxes(own.min(axis=0)[None, :], own.max(axis=0)[None, :])[0])


def split(
    prices: Prices, table: np.ndarray, rows: np.ndarray, k: int, conditions: Conditions | None = None
) -> Iterator[np.ndarray]:
    """Divide rows into parts of at least k, the left part of every cut first."""
    stack = [rows]
    while stack:
        own = stack.pop()
        loss = price_of(prices, table, own) * len(own)
        inside = _best(prices, table, own, k, loss, conditions) if len(own) >= 2 * k and loss > 0 else None
        if inside is None:
            yield own
        else:
            stack += [own[~inside], own[inside]]


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
