"""The kernels in one dimension, compiled or in numpy: keys on a curve, their order, the best runs."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from amongst.kernels.loader import compiled
from amongst.kernels.numpy import hilbert as reference_hilbert
from amongst.kernels.numpy import intervals as reference_intervals
from amongst.kernels.price import Prices

_one_dimensional = compiled("_one_dimensional")

MOST_COLUMNS = 2048
MOST_DIMENSIONS = 64


class Intervals:
    """The dynamic program of optimal 1-D k-anonymity, fed with sorted tuples block by block.

    Between blocks it keeps what the last 2k-2 rows need, so the input may be a stream. What a block returns
    is what the way back needs (``begins_of_runs``): a number a row, to be kept in memory or on disk.

    Parameters
    ----------
    k : int
        Runs have k to 2k-1 rows.
    prices : Prices, or None
        A run costs its rows times the price of its box; with None, times the distance between its ends.
    """

    def __init__(self, k: int, prices: Prices | None = None) -> None:
        self.k = k
        self.prices = prices
        self.loss = 0
        wide = prices is not None and len(prices.columns) > MOST_COLUMNS
        self._reference = reference_intervals.Intervals(k, prices) if _one_dimensional is None or wide else None
        if self._reference is None:
            self._program = _one_dimensional.intervals(k, *(() if prices is None else prices.arrays[:5]))

    def feed(self, what: Sequence[np.ndarray] | np.ndarray, count: np.ndarray) -> np.ndarray:
        """The next tuples: codes (a column each) or int64 positions on the line, and the rows of each.

        Returns
        -------
        length_of_last : ndarray of uint8, uint16 or uint32
            For every row, how long the last run is in the best division of all rows up to it; 0 where there
            is none. Of equally good divisions the one whose last run is shorter.
        """
        dtype = np.min_scalar_type(2 * self.k - 1)
        if self._reference is not None:
            length = self._reference.feed(what, count)
            self.loss = self._reference.loss
            return length.astype(dtype)
        count = np.ascontiguousarray(count, dtype=np.uint32)
        length = np.empty(int(count.sum(dtype=np.int64)), dtype=np.uint32)
        own = _as_uint32(list(what)) if self.prices is not None else np.ascontiguousarray(what, dtype=np.int64)
        self.loss = _one_dimensional.feed(self._program, own, count, length)
        return length.astype(dtype)


def begins_of_runs(length_of_last: Sequence[np.ndarray]) -> np.ndarray:
    """The way back through what ``Intervals.feed`` returned: where the runs of the best division begin."""
    end = sum(map(len, length_of_last))
    first, found = end, []
    for length in reversed(length_of_last):
        first -= len(length)
        if _one_dimensional is None:
            begins, end = reference_intervals.walk_back(length, first, end)
        else:
            begins = np.empty(len(length), dtype=np.int64)
            n, end = _one_dimensional.walk_back(length, first, end, begins)
            begins = begins[:n]
        found.append(begins)
    return np.concatenate([np.empty(0, dtype=np.int64), *found])[::-1]


def deal(tuple_of_row: np.ndarray, place_of_tuple: np.ndarray, group_at: np.ndarray) -> np.ndarray:
    """The group of every row; rows of a tuple take its places from ``place_of_tuple`` on, in their order."""
    if _one_dimensional is None:
        return reference_intervals.deal(tuple_of_row, place_of_tuple, group_at)
    group_of_row = np.empty(len(tuple_of_row), dtype=np.int32)
    group_at = np.ascontiguousarray(group_at, dtype=np.int32)
    _one_dimensional.deal(tuple_of_row, place_of_tuple.astype(np.uint32), group_at, group_of_row)
    return group_of_row


def hilbert_keys(coordinates: Sequence[np.ndarray], bits: int) -> np.ndarray:
    """Places on the Hilbert curve, shape (n, n_words): the most significant word first, bits from the top.

    Parameters
    ----------
    coordinates : sequence of ndarray of uint16
        One a dimension, each below 2^bits.
    """
    if _one_dimensional is None:
        return reference_hilbert.hilbert_keys(coordinates, bits)
    keys = np.empty((len(coordinates[0]), reference_hilbert.n_words(len(coordinates), bits)), dtype=np.uint64)
    _one_dimensional.hilbert_keys(tuple(np.ascontiguousarray(x, dtype=np.uint16) for x in coordinates), bits, keys)
    return keys


def sort_keys(keys: np.ndarray) -> np.ndarray:
    """The items in the order of their keys, shape (n, n_words); equal keys keep their order."""
    if _one_dimensional is None:
        return reference_hilbert.sort_keys(keys)
    order = np.empty(len(keys), dtype=np.uint32)
    _one_dimensional.sort_keys(np.ascontiguousarray(keys, dtype=np.uint64), keys.shape[1], order)
    return order


def nearest(
    places: Sequence[np.ndarray], codes: Sequence[np.ndarray], centres: Sequence[np.ndarray]
) -> tuple[np.ndarray, np.ndarray]:
    """The nearest centre of every tuple, the first of several, and the square of its distance.

    Parameters
    ----------
    places : sequence of ndarray of uint16
        A dimension each: the place of every code, below 4096.
    codes : sequence of ndarray
        A dimension each, one a tuple.
    centres : sequence of ndarray of uint16
        A dimension each: the place of every centre.
    """
    if _one_dimensional is None or len(codes) > MOST_DIMENSIONS:
        return reference_hilbert.nearest(places, codes, centres)
    centre, square = (np.empty(len(codes[0]), dtype=np.uint32) for _ in range(2))
    own, other = (tuple(np.ascontiguousarray(x, dtype=np.uint16) for x in part) for part in (places, centres))
    _one_dimensional.nearest(own, _as_uint32(codes), other, centre, square)
    return centre, square


def _as_uint32(codes: Sequence[np.ndarray]) -> tuple[np.ndarray, ...]:
    return tuple(np.ascontiguousarray(column, dtype=np.uint32) for column in codes)
