"""What a group costs a row by what it publishes, in whole numbers: ranges, cells of a grid, nodes, sets of values."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any

import numpy as np

SMALL = 512
"""A column with no more codes gets a table of all pairs."""

MOST_IN_SET = 4096
"""A column published as sets with more codes is priced as a range of its order, or as nodes of its tree."""


@dataclass(frozen=True, eq=False)
class PublishedPrice:
    """One column: NCP times weight.

    Attributes
    ----------
    n : int
        Codes of the column, a null included.
    full : int
        The price of saying nothing.
    low, high : ndarray of int32, or None
        Where the range that is published for a code begins and ends, in price units.
    start, node : ndarray of int32, shape (n_levels, n), or None
        The first leaf of the node above every code, and what the node costs; the last level is the root.
    own_null : int
        What holds this code and others says nothing; -1 where there is none.
    as_set : bool
        What is published are the values, and their number is what it costs, beside ``of_all``.
    """

    n: int
    full: int
    low: np.ndarray | None = None
    high: np.ndarray | None = None
    start: np.ndarray | None = None
    node: np.ndarray | None = None
    own_null: int = -1
    as_set: bool = False
    of_all: int = 0
    table: np.ndarray | None = field(default=None, init=False)

    def __post_init__(self) -> None:
        if self.n <= SMALL and not self.as_set:
            lo, hi = np.meshgrid(np.arange(self.n), np.arange(self.n), indexing="ij")
            prices = np.zeros((self.n, self.n), dtype=np.int32)
            prices[lo <= hi] = self.of(lo[lo <= hi], hi[lo <= hi])
            object.__setattr__(self, "table", prices)

    def of(self, lo: np.ndarray, hi: np.ndarray) -> np.ndarray:
        """The price of the codes ``lo..hi``, elementwise."""
        if self.table is not None:
            return self.table[lo, hi].astype(np.int64)
        if self.low is not None:
            assert self.high is not None
            price = np.minimum(self.high[hi].astype(np.int64) - self.low[lo], self.full)
        else:
            assert self.start is not None
            assert self.node is not None
            level = np.argmax(self.start[:, lo] == self.start[:, hi], axis=0)
            price = self.node[level, lo].astype(np.int64)
        return np.where(hi == self.own_null, np.where(lo == hi, 0, self.full), price)

    def arrays(self, codes: np.ndarray) -> tuple[Any, ...]:
        """As the compiled kernel takes a column."""
        n_levels = 0 if self.start is None else len(self.start)
        codes = np.ascontiguousarray(codes, dtype=np.uint32)
        parts = (self.table, self.low, self.high, self.start, self.node)
        return (codes, *parts, self.n, n_levels, self.full, self.own_null, self.of_all if self.as_set else 0)
