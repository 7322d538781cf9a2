"""The kernels of utility-based anonymization: compiled where they can be, else in Python."""

from __future__ import annotations

from collections.abc import Callable, Sequence

import numpy as np

from amongst.kernels.loader import compiled
from amongst.kernels.numpy import utility as reference
from amongst.kernels.numpy.as_printed import AsPrinted
from amongst.kernels.price import Prices

_utility = compiled("_utility")

MOST_COLUMNS = 2048

Tick = Callable[[int, int], None]


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
    """Groups of rows: tuples drawn apart by two seeds again and again, then light parts merged or helped out.

    Parameters
    ----------
    codes, count : of every distinct tuple
    tuple_of_row : ndarray of uint32
    enough : int
        A part of no more rows is not divided.
    rounds : int
        How often the farthest tuple is looked for.
    by_increase : bool
        Assign to the part whose box grows by the lower price, not to the nearer seed.
    window : int
        How many parts on each side, in the order of the tree, a light part may turn to.

    Returns
    -------
    group_of_row : ndarray of int32
    """
    if _utility is None or len(codes) > MOST_COLUMNS:
        return reference.top_down(
            prices,
            codes,
            count,
            tuple_of_row,
            k,
            enough=enough,
            rounds=rounds,
            by_increase=by_increase,
            window=window,
            tick=tick,
        )
    group = np.zeros(len(tuple_of_row), dtype=np.int32)
    tuples = (_as_uint32(codes), *prices.arrays[:5], _uint32(count), _uint32(tuple_of_row))
    _utility.top_down(*tuples, k, enough, rounds, by_increase, window, group, tick)
    return group


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
    """Groups of rows: the lightest group joins the nearest, again and again, until every group weighs k.

    Parameters
    ----------
    codes, count : of every distinct tuple
    tuple_of_row : ndarray of uint32
    window : int
        How many neighbours on each side, in each of the d sorted orders, a tuple knows; 0 for all tuples.

    Returns
    -------
    group_of_row : ndarray of int32
    """
    if _utility is None or len(codes) > MOST_COLUMNS:
        return reference.bottom_up(prices, codes, count, tuple_of_row, k, window=window, tick=tick)
    group = np.zeros(len(tuple_of_row), dtype=np.int32)
    _utility.bottom_up(
        _as_uint32(codes), *prices.arrays[:5], _uint32(count), _uint32(tuple_of_row), k, window, group, tick
    )
    return group


def kth_nearest(
    prices: Prices,
    codes: Sequence[np.ndarray],
    count: np.ndarray,
    k: int,
    asked: np.ndarray,
    *,
    tick: Tick | None = None,
) -> np.ndarray:
    """The pair price within which each tuple asked for has k rows, itself included; -1 where there are fewer.

    Returns
    -------
    price : ndarray of int64
    """
    if _utility is None or len(codes) > MOST_COLUMNS:
        return reference.kth_nearest(prices, codes, count, k, asked, tick=tick)
    price = np.zeros(len(asked), dtype=np.int64)
    _utility.kth_nearest(_as_uint32(codes), *prices.arrays[:5], _uint32(count), k, _uint32(asked), price, tick)
    return price


def as_printed(
    prices: Prices, codes: Sequence[np.ndarray], k: int, *, rounds: int, tick: Tick | None = None
) -> np.ndarray:
    """Groups of rows by figures 3 (bottom-up, ``rounds=0``) or 4 (top-down) of the paper, as they are printed.

    Parameters
    ----------
    codes : of every row, not of every tuple
        The order of the rows decides where the paper leaves it open.
    rounds : int
        How often the farthest row is looked for.

    Returns
    -------
    group_of_row : ndarray of int32
    """
    if _utility is None or len(codes) > MOST_COLUMNS:
        table = np.stack([column.astype(np.int64) for column in codes], axis=1)
        method = AsPrinted(prices, table, k, tick)
        return method.top_down(rounds) if rounds else method.bottom_up()
    group = np.zeros(len(codes[0]), dtype=np.int32)
    _utility.as_printed(_as_uint32(codes), *prices.arrays[:5], k, rounds, group, tick)
    return group


def _uint32(items: np.ndarray) -> np.ndarray:
    return np.ascontiguousarray(items, dtype=np.uint32)


def _as_uint32(codes: Sequence[np.ndarray]) -> tuple[np.ndarray, ...]:
    return tuple(_uint32(column) for column in codes)
