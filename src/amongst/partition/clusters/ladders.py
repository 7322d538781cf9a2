"""The ladders of a sweep: for every column its steps from fine to coarse, and what they cost."""

from __future__ import annotations

import math
from dataclasses import dataclass

import numpy as np

from amongst import kernels
from amongst.encode import CodedTable, FrequencySet
from amongst.encode.coded import CodedColumn
from amongst.kernels.price import Prices
from amongst.partition.frequency_sets import level_maps

RATIO = 1.35
"""Each window is so much wider than the one before."""


Node = tuple[int, ...]
"""A level of every column but the window column, and the number of a width."""


@dataclass(frozen=True, eq=False)
class Ladder:
    """The steps of one column: what every code becomes at every level, a key of every tuple, and the mean loss."""

    maps: list[np.ndarray]
    keys: list[np.ndarray]
    radix: list[int]
    loss: np.ndarray

    def level_of(self, low: np.ndarray, high: np.ndarray) -> np.ndarray:
        """The lowest level at which both ends of a range of codes are alike, and so all between them."""
        return np.argmax(np.stack([number[low] == number[high] for number in self.maps]), axis=0)


@dataclass(frozen=True, eq=False)
class Steps:
    """The lattice of all steps: a ladder for every column but one, and the widths of that one.

    Attributes
    ----------
    columns : list of int
        The columns of the ladders.
    window : int
        The window column, or -1.
    position : ndarray of int32, or None
        Of every tuple in the window column, in price units.
    """

    columns: list[int]
    ladders: list[Ladder]
    window: int
    widths: np.ndarray
    width_loss: np.ndarray
    position: np.ndarray | None

    @property
    def shape(self) -> Node:
        return (*[len(ladder.keys) for ladder in self.ladders], len(self.widths))

    @property
    def n_nodes(self) -> int:
        return math.prod(self.shape)

    @property
    def losses(self) -> list[np.ndarray]:
        """The mean loss of every level of every column; that of a step is their sum."""
        return [*[ladder.loss for ladder in self.ladders], self.width_loss]

    def at(self, node: Node) -> tuple[list[np.ndarray], np.ndarray, int]:
        """The keys of the tuples at a step, their radix, and the width."""
        pairs = list(zip(self.ladders, node[:-1], strict=True))
        keys = [ladder.keys[level] for ladder, level in pairs]
        radix = np.array([ladder.radix[level] for ladder, level in pairs], dtype=np.int64)
        return keys, radix, int(self.widths[node[-1]])


def steps_of(table: CodedTable, tuples: FrequencySet, prices: Prices) -> Steps:
    """The lattice of a table."""
    window = window_column(table)
    columns = [c for c in range(table.n_qi) if c != window]
    ladders = [_ladder(table, tuples, prices, c) for c in columns]
    return Steps(columns, ladders, window, *_windows(table, tuples, prices, window))


def window_column(table: CodedTable) -> int:
    """The numeric or date column with the most values, or -1."""
    numeric = [
        c for c, column in enumerate(table.columns) if column.kind in ("numeric", "date") and column.null_code is None
    ]
    return max(numeric, key=lambda c: (table.columns[c].n_values, -c), default=-1)


def _ladder(table: CodedTable, tuples: FrequencySet, prices: Prices, c: int) -> Ladder:
    column, price = table.columns[c], prices.columns[c]
    maps = level_maps(column) if column.position is None or column.tree is not None else _bins(column)
    count = np.bincount(tuples.codes[c], weights=tuples.count, minlength=price.n)
    losses = []
    for number in maps:
        occurs = np.flatnonzero(count)
        first = np.full(int(number.max()) + 1, price.n)
        last = np.zeros(int(number.max()) + 1, dtype=np.int64)
        np.minimum.at(first, number[occurs], occurs)
        np.maximum.at(last, number[occurs], occurs)
        losses.append(float(count[occurs] @ price.of(first[number[occurs]], last[number[occurs]])))
    keys = [kernels.look_up(tuples.codes[c], number) for number in maps]
    radix = [int(number.max()) + 1 for number in maps]
    return Ladder(maps, keys, radix, np.array(losses) / tuples.count.sum())


def _bins(column: CodedColumn) -> list[np.ndarray]:
    """Bins of 1, 2, 4, ... neighbouring codes, for ordered columns without a tree; nulls stay apart until the last."""
    n = column.n_values + (column.null_code is not None)
    codes = np.arange(n)
    bins = [codes >> shift for shift in range(max(n - 1, 1).bit_length() + 1)]
    if column.null_code is not None:
        bins = [np.where(codes == column.null_code, own.max() + 1, own) for own in bins] + [np.zeros(n, dtype=np.int64)]
    return [own.astype(np.uint32) for own in bins]


def _windows(
    table: CodedTable, tuples: FrequencySet, prices: Prices, window: int
) -> tuple[np.ndarray, np.ndarray, np.ndarray | None]:
    """The widths of the window column in price units, what they cost, and the position of every tuple."""
    if window < 0:
        return np.zeros(1, dtype=np.int64), np.zeros(1), None
    price = prices.columns[window]
    assert price.position is not None
    gaps = np.diff(np.unique(price.position))
    least = max(int(gaps.min(initial=price.full)), price.full // 4096, 1)
    n_steps = int(np.ceil(np.log(max(price.full / least, 1.0)) / np.log(RATIO))) + 1
    widths = np.unique(
        np.concatenate([[0], np.rint(least * RATIO ** np.arange(n_steps)), [price.full]]).astype(np.int64)
    )
    widths = widths[widths <= price.full]
    return widths, widths.astype(np.float64) * 0.8, price.position[tuples.codes[window]]
