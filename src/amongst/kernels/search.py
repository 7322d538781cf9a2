"""The search by pools: a few groups that are near are made anew, again and again, while the loss falls."""

from __future__ import annotations

from collections.abc import Callable, Sequence

import numpy as np

from amongst.kernels.conditions import Conditions
from amongst.kernels.loader import compiled
from amongst.kernels.published_price import PublishedPrice
from amongst.kernels.threads import n_threads

_search = compiled("_search")


def is_compiled() -> bool:
    """Whether there is a compiled search at all."""
    return _search is not None


def can_search(conditions: Conditions) -> bool:
    """Whether there is a compiled search, and it knows all the conditions."""
    return is_compiled() and conditions.compiled and conditions.weight is None


def pool_search(
    prices: Sequence[PublishedPrice],
    codes: Sequence[np.ndarray],
    k: int,
    group_of_row: np.ndarray,
    *,
    rounds: int,
    first: int = 0,
    visits: int = -1,
    seconds: float = -1.0,
    conditions: Conditions | None = None,
    pay: np.ndarray | None = None,
    tick: Callable[[int, int], bool | None] | None = None,
) -> tuple[np.ndarray, int, int, int]:
    """Rounds of pools, on all cores, from a grouping that holds; the best that was seen.

    A round divides all groups into leaves of near ones, and in every leaf takes 2 or more that are near: their rows are
    clustered anew from one row after the other, then moved and swapped. What comes out depends on the number of rounds
    alone: a longer search goes on where a shorter one ended.

    Parameters
    ----------
    rounds : int
        The most rounds.
    first : int
        The number of the first of them: a search that goes on has other lots than the one before.
    visits : int
        Prices looked up: no round is begun after so many; -1 for any number.
    seconds : float
        No round is begun after so many; -1 for any number.
    conditions : Conditions, optional
        What every group must hold besides its size.
    pay : ndarray of int64, optional
        For every row, such that no group is paid more than it loses: pools are made around groups that lose much more.
    tick : callable, optional
        Told (rounds done, loss) now and then; False stops.

    Returns
    -------
    group_of_row : ndarray of int32
    rounds : int
        How many were done.
    visits : int
        How many prices they looked up.
    loss : int
        In price units.
    """
    assert _search is not None
    group = np.array(group_of_row, dtype=np.int32)
    columns = tuple(price.arrays(own) for price, own in zip(prices, codes, strict=True))
    arrays = None if conditions is None or conditions.only_size else conditions.arrays
    limits = (rounds, visits, seconds)
    done, visited, loss = _search.search(columns, k, arrays, group, first, *limits, n_threads(), tick, pay)
    return group, done, visited, loss


def project(
    prices: Sequence[PublishedPrice],
    codes: Sequence[np.ndarray],
    order: np.ndarray,
    k: int,
    pay: np.ndarray,
    budget: int,
) -> np.ndarray | None:
    """Pays of rows lowered until in every box the mean of the k largest is at most the price of the box.

    ``order`` lists the columns that are looked at; the price of the others counts as nothing. Of columns priced by
    ranges the one at the end is looked at exactly, the others by windows of some widths. None where that would take
    more visits than the budget.
    """
    if _search is None:
        return None
    fair = np.zeros(len(pay))
    columns = tuple(price.arrays(own) for price, own in zip(prices, codes, strict=True))
    pay = np.ascontiguousarray(pay, dtype=np.float64)
    return fair if _search.project(columns, order, k, pay, fair, budget) else None
