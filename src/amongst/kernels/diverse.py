"""The 1-D l-diversity heuristic, compiled or in Python: groups of rows with different values from a sorted line."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass

import numpy as np

from amongst.kernels.loader import compiled
from amongst.kernels.numpy import diverse as reference_diverse
from amongst.kernels.price import Prices

_diverse = compiled("_diverse")

MOST_COLUMNS = 64


@dataclass(frozen=True, eq=False)
class DiverseLine:
    """Rows in their order on a line, and again by their sensitive value.

    Attributes
    ----------
    codes : sequence of ndarray, a column each
        Of the tuples.
    tuple_at : ndarray of uint32
        The tuple of every place on the line.
    place : ndarray of uint32
        The places of the first value in ascending order, then those of the second, and so on.
    first : ndarray of int64
        Where the places of every value begin; one more at the end.
    prices : Prices
    position : ndarray of int64, or None
        Of every tuple on the line, where extents are compared and not prices.
    as_printed : bool
        Fall back to the most frequent values, and let one row more join a group, as figures 8 and 9 of the paper do.
    """

    codes: Sequence[np.ndarray]
    tuple_at: np.ndarray
    place: np.ndarray
    first: np.ndarray
    prices: Prices
    position: np.ndarray | None = None
    as_printed: bool = False


def diverse_runs(
    line: DiverseLine,
    l: int,  # noqa: E741
    tick: Callable[[int, int], None] | None = None,
) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """Groups of at least l rows with different values; no value may have more than 1/l of all rows.

    Returns
    -------
    group_at : ndarray of int32
        The group of every place.
    lo, hi : ndarray of uint32, shape (n_groups, n_columns)
        The smallest and largest codes of every group.
    """
    if _diverse is None or len(line.codes) > MOST_COLUMNS:
        return reference_diverse.diverse_runs(line, l, tick)
    n, d = len(line.tuple_at), len(line.codes)
    group_at = np.empty(n, dtype=np.int32)
    lo, hi = (np.empty((n // max(l, 1), d), dtype=np.uint32) for _ in range(2))
    n_groups = _diverse.diverse_runs(
        tuple(np.ascontiguousarray(column, dtype=np.uint32) for column in line.codes),
        *line.prices.arrays[:5],
        np.ascontiguousarray(line.tuple_at, dtype=np.uint32),
        np.ascontiguousarray(line.place, dtype=np.uint32),
        np.ascontiguousarray(line.first, dtype=np.int64),
        None if line.position is None else np.ascontiguousarray(line.position, dtype=np.int64),
        l,
        line.as_printed,
        group_at,
        lo,
        hi,
        tick,
    )
    return group_at, lo[:n_groups], hi[:n_groups]


Refill = Callable[[int], tuple[np.ndarray, np.ndarray, np.ndarray | None]]
"""Some next rows of a value: their places on the line, their codes (one row each), and their positions."""


def diverse_stream(
    prices: Prices,
    count: np.ndarray,
    l: int,  # noqa: E741
    refill: Refill,
    *,
    by_position: bool = False,
    tick: Callable[[int, int], None] | None = None,
) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """What ``diverse_runs`` gives, of a line of which only some rows of every value are in memory at a time.

    Parameters
    ----------
    count : ndarray
        How many rows have every value.
    refill : callable
        Asked for a value whose rows are used up; the rows of a value come in the order of the line.
    """
    if _diverse is None or len(prices.columns) > MOST_COLUMNS:
        return reference_diverse.diverse_runs(_gathered(prices, count, refill, by_position), l, tick)
    n, d = int(count.sum()), len(prices.columns)
    group_at = np.empty(n, dtype=np.int32)
    lo, hi = (np.empty((n // max(l, 1), d), dtype=np.uint32) for _ in range(2))

    def checked(value: int) -> tuple[np.ndarray, np.ndarray, np.ndarray | None]:
        place, codes, position = refill(value)
        return (
            np.ascontiguousarray(place, dtype=np.uint32),
            np.ascontiguousarray(codes, dtype=np.uint32),
            None if position is None else np.ascontiguousarray(position, dtype=np.int64),
        )

    n_groups = _diverse.diverse_stream(
        *prices.arrays[:5],
        np.ascontiguousarray(count, dtype=np.uint32),
        l,
        by_position,
        False,
        checked,
        group_at,
        lo,
        hi,
        tick,
    )
    return group_at, lo[:n_groups], hi[:n_groups]


def _gathered(prices: Prices, count: np.ndarray, refill: Refill, by_position: bool) -> DiverseLine:
    """The whole line: without a compiler it is held in memory."""
    n = int(count.sum())
    codes = np.empty((n, len(prices.columns)), dtype=np.uint32)
    position = np.empty(n, dtype=np.int64) if by_position else None
    places = []
    for value, left in enumerate(count.tolist()):
        while left > 0:
            place, own, at = refill(value)
            codes[place] = own
            if position is not None and at is not None:
                position[place] = at
            places.append(place)
            left -= len(place)
    first = np.concatenate([[0], np.cumsum(count, dtype=np.int64)])
    place = np.concatenate([np.empty(0, dtype=np.uint32), *places]).astype(np.uint32)
    return DiverseLine(list(codes.T), np.arange(n, dtype=np.uint32), place, first, prices, position)


def join_runs(lo: np.ndarray, hi: np.ndarray, size: np.ndarray, prices: Prices, k: int) -> np.ndarray:
    """The run of every group, when groups that follow each other are joined until all have k rows, with least loss.

    Parameters
    ----------
    lo, hi : ndarray of uint32, shape (n_groups, n_columns)
    size : ndarray of uint32
        The rows of every group; no fewer than k in all.
    """
    if _diverse is None or lo.shape[1] > MOST_COLUMNS:
        return reference_diverse.join_runs(lo, hi, size, prices, k)
    run_of_group = np.empty(len(size), dtype=np.int32)
    boxes = (np.ascontiguousarray(end, dtype=np.uint32) for end in (lo, hi))
    _diverse.join_runs(*boxes, *prices.arrays[:5], np.ascontiguousarray(size, dtype=np.uint32), k, run_of_group)
    return run_of_group
