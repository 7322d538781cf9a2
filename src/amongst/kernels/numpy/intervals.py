"""The best runs of sorted rows without a compiler: the same program, row by row."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from amongst.kernels.price import Prices

NONE = 1 << 62
"""More than any loss."""

MOST_PRICES = 1 << 20
"""So many at once, to bound the memory."""


class Intervals:
    """See ``one_dimensional.Intervals``."""

    def __init__(self, k: int, prices: Prices | None) -> None:
        if k < 1:
            raise ValueError("k must be 1 or more")
        self.k, self.prices = k, prices
        self.best = np.zeros(1, dtype=np.int64)
        self.rows = np.empty((0, 1 if prices is None else len(prices.columns)), dtype=np.int64)

    @property
    def loss(self) -> int:
        return int(self.best[-1])

    def feed(self, what: Sequence[np.ndarray] | np.ndarray, count: np.ndarray) -> np.ndarray:
        """See ``one_dimensional.Intervals.feed``."""
        tuples = np.stack(
            [np.asarray(column, dtype=np.int64) for column in ([what] if self.prices is None else what)],
            axis=1,
        )
        count = np.asarray(count).astype(np.int64)
        if len(tuples) != len(count) or (count < 1).any():
            raise ValueError("every tuple needs a count of 1 or more")
        self._check(tuples)
        rows = np.repeat(tuples, count, axis=0)
        step = max(1, MOST_PRICES // self.k)
        parts = [self._feed(rows[i : i + step]) for i in range(0, len(rows), step)]
        return np.concatenate([np.empty(0, dtype=np.uint32), *parts])

    def _check(self, tuples: np.ndarray) -> None:
        if self.prices is not None:
            if (tuples >= [price.n for price in self.prices.columns]).any():
                raise IndexError("an index points past the end")
            return
        line = np.concatenate([self.rows[-1:, 0], tuples[:, 0]])
        if (np.diff(line, prepend=0) < 0).any() or (line > (1 << 61) // (2 * self.k)).any():
            raise ValueError("positions must ascend from 0, and not be too large")

    def _feed(self, rows: np.ndarray) -> np.ndarray:
        k, seen = self.k, len(self.rows)
        self.rows = np.concatenate([self.rows, rows])
        cost = self._cost(seen)
        best = np.concatenate(
            [np.full(max(0, 2 * k - 1 - len(self.best)), NONE), self.best, np.empty(len(rows), np.int64)]
        )
        length = np.zeros(len(rows), dtype=np.uint32)
        for i in range(len(rows)):
            ends = best[i : i + k][::-1] + cost[i]  # the shortest run first
            at = int(np.argmin(ends))
            best[i + 2 * k - 1] = min(int(ends[at]), NONE)
            length[i] = k + at if ends[at] < NONE else 0
        self.best = best[-(2 * k - 1) :]
        self.rows = self.rows[max(0, len(self.rows) - (2 * k - 2)) :]
        return length

    def _cost(self, seen: int) -> np.ndarray:
        """What runs of k to 2k-1 rows cost that end in every new row; 0 where they begin before the first."""
        k, n = self.k, len(self.rows)
        cost = np.zeros((n - seen, k), dtype=np.int64)
        lo, hi = self.rows.copy(), self.rows.copy()
        for length in range(2, 2 * k):
            if length > n:
                break
            np.minimum(lo[length - 1 :], self.rows[: n - length + 1], out=lo[length - 1 :])
            np.maximum(hi[length - 1 :], self.rows[: n - length + 1], out=hi[length - 1 :])
            first = max(seen, length - 1)
            if length >= k:
                cost[first - seen :, length - k] = length * self._price(lo[first:], hi[first:])
        return cost

    def _price(self, lo: np.ndarray, hi: np.ndarray) -> np.ndarray:
        return hi[:, 0] - lo[:, 0] if self.prices is None else self.prices.of_boxes(lo, hi)


def walk_back(length: np.ndarray, first: int, end: int) -> tuple[np.ndarray, int]:
    """Where the runs of a block begin, the last one first; and where the last one found begins."""
    begins = []
    while end > first:
        own = int(length[end - 1 - first])
        if not 0 < own <= end:
            raise ValueError("a length is no run of rows")
        end -= own
        begins.append(end)
    return np.array(begins, dtype=np.int64), end


def deal(tuple_of_row: np.ndarray, place_of_tuple: np.ndarray, group_at: np.ndarray) -> np.ndarray:
    """See ``one_dimensional.deal``."""
    group_of_row = np.empty(len(tuple_of_row), dtype=np.int32)
    group_of_row[np.argsort(place_of_tuple[tuple_of_row], kind="stable")] = group_at
    return group_of_row
