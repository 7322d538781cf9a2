"""What a range of codes costs, in whole numbers: every compiler takes the same decision."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any

import numpy as np

FULL = 1 << 20
"""The price of saying nothing in the column with the largest weight."""

SMALL = 512
"""A column with no more codes gets a table of all pairs."""


@dataclass(frozen=True, eq=False)
class Price:
    """The price of one column: NCP times weight.

    Attributes
    ----------
    n : int
        Codes of the column.
    full : int
        The price of saying nothing.
    position : ndarray of int32, or None
        Of every code, in price units.
    tree_start, tree_end : ndarray of int32, shape (n_levels, n), or None
    node : ndarray of int32, shape (n_levels, n), or None
        What the ancestor at every level costs, where that is not its share of the leaves; there is a table then.
    own_null : int
        A range that ends in this code and holds others says nothing; -1 where there is none.
    """

    n: int
    full: int
    position: np.ndarray | None = None
    tree_start: np.ndarray | None = None
    tree_end: np.ndarray | None = None
    own_null: int = -1
    node: np.ndarray | None = None
    table: np.ndarray | None = field(default=None, init=False)

    def __post_init__(self) -> None:
        if self.n <= SMALL or self.node is not None:
            lo, hi = np.meshgrid(np.arange(self.n), np.arange(self.n), indexing="ij")
            prices = np.zeros((self.n, self.n), dtype=np.int32)
            ordered = lo <= hi
            prices[ordered] = self.of(lo[ordered], hi[ordered])
            object.__setattr__(self, "table", prices)

    def of(self, lo: np.ndarray, hi: np.ndarray) -> np.ndarray:
        """The price of the ranges ``lo..hi``, elementwise."""
        if self.table is not None:
            return self.table[lo, hi].astype(np.int64)
        if self.position is not None:
            price = self.position[hi].astype(np.int64) - self.position[lo]
        else:
            assert self.tree_start is not None
            assert self.tree_end is not None
            level = np.argmax(self.tree_start[:, lo] == self.tree_start[:, hi], axis=0)
            leaves = self.tree_end[level, lo].astype(np.int64) - self.tree_start[level, lo] + 1
            price = leaves * self.full // self.n if self.node is None else self.node[level, lo].astype(np.int64)
        price = np.where(lo == hi, 0, price)
        return np.where((hi == self.own_null) & (lo != hi), self.full, price)


@dataclass(frozen=True, eq=False)
class Prices:
    """The prices of all columns, and the stretches of codes that a tree sets apart.

    Attributes
    ----------
    columns : list of Price
    stretches : ndarray of int32, shape (n, 3)
        Column, first and last code of every inner or leaf node of the trees.
    """

    columns: list[Price]
    stretches: np.ndarray

    @property
    def arrays(self) -> tuple[Any, ...]:
        """As the compiled kernels take them."""
        numbers = [[p.n, 0 if p.tree_start is None else len(p.tree_start), p.full, p.own_null] for p in self.columns]
        return (
            tuple(p.table for p in self.columns),
            tuple(p.position for p in self.columns),
            tuple(p.tree_start for p in self.columns),
            tuple(p.tree_end for p in self.columns),
            np.array(numbers, dtype=np.int64),
            np.ascontiguousarray(self.stretches, dtype=np.int32),
        )

    def of_boxes(self, lo: np.ndarray, hi: np.ndarray) -> np.ndarray:
        """The price a row of boxes, shape (n_boxes, n_columns)."""
        return sum((p.of(lo[:, c], hi[:, c]) for c, p in enumerate(self.columns)), np.zeros(len(lo), dtype=np.int64))
