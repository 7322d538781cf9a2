"""The kernels of utility-based anonymization without a compiler: the same decisions, one part at a time."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from amongst.kernels.numpy.weighed import TICK_EVERY, Tick, WeighedGroups, pair_prices
from amongst.kernels.price import Prices


def top_down(
    prices: Prices,
    codes: Sequence[np.ndarray],
    count: np.ndarray,
    tuple_of_row: np.ndarray,
    k: int,
    *,
    enough: int,
    rounds: int,
    by_increase: bool,
    window: int,
    tick: Tick | None = None,
) -> np.ndarray:
    """See ``utility.top_down``."""
    table, weight = np.stack([column.astype(np.int64) for column in codes], axis=1), count.astype(np.int64)
    part = np.zeros(len(table), dtype=np.int64)
    stack, n_parts, done = [np.arange(len(table))], 0, 0
    while stack:
        own = stack.pop()
        inside = (
            None
            if weight[own].sum() <= enough or len(own) < 2
            else _near_first(prices, table[own], rounds, by_increase)
        )
        if inside is None:
            part[own] = n_parts
            n_parts += 1
            done += int(weight[own].sum())
            if tick is not None and n_parts % TICK_EVERY == 0:
                tick(done, int(weight.sum()))
        else:
            stack += [own[~inside], own[inside]]
    groups = WeighedGroups(prices, table, weight, part, k)
    groups.raise_all(lambda g: groups.beside(g, window), True, tick)
    return groups.label(tuple_of_row)


def _near_first(prices: Prices, rows: np.ndarray, rounds: int, by_increase: bool) -> np.ndarray | None:
    """Which rows go with the first of two seeds; None where no two rows differ."""
    u, v, apart = 0, 0, 0
    for turn in range(rounds):
        far = pair_prices(prices, rows[u], rows)
        v = int(np.argmax(far))
        same, apart = int(far[v]) == apart, int(far[v])
        if same or turn + 1 == rounds:
            break
        u, v = v, u
    if apart == 0:
        return None
    return _by_increase(prices, rows, u, v) if by_increase else far < pair_prices(prices, rows[v], rows)


def _by_increase(prices: Prices, rows: np.ndarray, u: int, v: int) -> np.ndarray:
    lo, hi = rows[[u, v]], rows[[u, v]]
    price = np.zeros(2, dtype=np.int64)
    inside = np.zeros(len(rows), dtype=bool)
    for i, row in enumerate(rows):
        wider_lo, wider_hi = np.minimum(lo, row), np.maximum(hi, row)
        wider = prices.of_boxes(wider_lo, wider_hi)
        more = wider - price
        inside[i] = i == u or (i != v and more[0] < more[1])
        side = 0 if inside[i] else 1
        lo[side], hi[side], price[side] = wider_lo[side], wider_hi[side], wider[side]
    return inside


def bottom_up(
    prices: Prices,
    codes: Sequence[np.ndarray],
    count: np.ndarray,
    tuple_of_row: np.ndarray,
    k: int,
    *,
    window: int,
    tick: Tick | None = None,
) -> np.ndarray:
    """See ``utility.bottom_up``."""
    table = np.stack([column.astype(np.int64) for column in codes], axis=1)
    groups = WeighedGroups(prices, table, count, np.arange(len(table)), k)
    near = _neighbours(table, window) if window else None
    groups.raise_all(lambda g: groups.all(g) if near is None else groups.near(g, near), False, tick)
    return groups.label(tuple_of_row)


def _neighbours(table: np.ndarray, window: int) -> np.ndarray:
    """Tuples beside each tuple when all are sorted by all columns, with every column last in turn."""
    n, d = table.shape
    near = []
    for turn in range(d):
        order = np.lexsort([np.arange(n)] + [table[:, (turn + q) % d] for q in range(d, 0, -1)])
        place = np.argsort(order)
        near += [order[np.clip(place + step, 0, n - 1)] for step in range(-window, window + 1) if step]
    return np.stack(near, axis=1)


def kth_nearest(
    prices: Prices,
    codes: Sequence[np.ndarray],
    count: np.ndarray,
    k: int,
    asked: np.ndarray,
    *,
    tick: Tick | None = None,
) -> np.ndarray:
    """See ``utility.kth_nearest``."""
    table = np.stack([column.astype(np.int64) for column in codes], axis=1)
    price = np.full(len(asked), -1, dtype=np.int64)
    for i, t in enumerate(asked.tolist()):
        far = pair_prices(prices, table[t], table)
        far[t] = 0
        order = np.argsort(far, kind="stable")
        enough = np.flatnonzero(np.cumsum(count[order].astype(np.int64)) >= k)
        if len(enough):
            price[i] = far[order[enough[0]]]
        if tick is not None and i % TICK_EVERY == 0:
            tick(i, len(asked))
    return price
