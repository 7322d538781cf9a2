"""What a set of cuts costs, in whole numbers, and what no set with more cuts can go below."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Protocol

import numpy as np

from amongst import kernels
from amongst.encode.coded import CodedColumn, CodedTable
from amongst.kernels.cuts import LOST, LOST_LEFT, LOST_NOW, LOST_RIGHT, SQUARES, USEFUL
from amongst.measure.ncp import ncp_of_group
from amongst.measure.ncp_of_set import ncp_of_set
from amongst.partition.cut_table import CutColumn, CutTable

FINE = 1 << 30
"""Losses between 0 and 1 are counted in steps of this part, always rounded down."""
NEVER = np.iinfo(np.int64).max // 4


@dataclass(frozen=True, eq=False)
class Cells:
    """Cells of the finest grid below a node of the search, without the rows that the node suppresses.

    Attributes
    ----------
    atoms, weight : ndarray
        One tuple of every cell, and its rows.
    class_of_cell, size_of_class : ndarray
        By the cuts that are made.
    gone : int
        Rows that are suppressed.
    """

    atoms: np.ndarray
    weight: np.ndarray
    class_of_cell: np.ndarray
    size_of_class: np.ndarray
    gone: int


class Cost(Protocol):
    """A cost that falls with every cut, but for the rows that the cut suppresses.

    Attributes
    ----------
    of_lost_row : int
        What a suppressed row costs, at least what any other row does.
    free_cuts_pay : bool
        Whether a cut that changes no class can lower the cost.
    apart : ndarray of bool
        Cuts whose sides are kept apart in cells even where the cut is not made: their rows differ in price.
    """

    of_lost_row: int
    free_cuts_pay: bool
    apart: np.ndarray

    def now(self, cells: Cells, head: np.ndarray) -> np.ndarray:
        """What a row of every cell costs now, where that adds up over columns."""

    def floor(self, cells: Cells, head: np.ndarray, fine: np.ndarray) -> np.ndarray:
        """What a row of every cell costs at least, when no more than the fine cuts are made."""

    def total(self, cells: Cells, now: np.ndarray) -> int:
        """What the cuts made cost, suppressed rows included."""

    def totals(self, cells: Cells, head: np.ndarray, total: int, effects: np.ndarray) -> np.ndarray:
        """What they would cost with one more cut, for every cut."""

    def of_intervals(self, c: int, first: int, rows: np.ndarray) -> np.ndarray:
        """What the intervals of column c from one atom on cost, by their rows in every class, where columns add up."""

    def useless(self, effects: np.ndarray) -> np.ndarray:
        """Cuts without which no set of cuts is worse."""

    def shown(self, total: int) -> float:
        """As the measures show it."""


class Discernibility:
    """Every row costs the size of its class, a suppressed one the size of the table."""

    free_cuts_pay = False

    def __init__(self, table: CodedTable, cuts: CutTable, k: int) -> None:
        self.of_lost_row = table.n_input
        self.apart = np.zeros(cuts.n_cuts, dtype=bool)
        self._lost_before = table.n_input - table.n_rows
        self._k = k

    def now(self, cells: Cells, head: np.ndarray) -> np.ndarray:
        return np.zeros(len(cells.weight), dtype=np.int64)

    def floor(self, cells: Cells, head: np.ndarray, fine: np.ndarray) -> np.ndarray:
        return np.maximum(cells.weight, self._k).astype(np.int64)

    def total(self, cells: Cells, now: np.ndarray) -> int:
        return int(cells.size_of_class @ cells.size_of_class) + cells.gone * self.of_lost_row

    def totals(self, cells: Cells, head: np.ndarray, total: int, effects: np.ndarray) -> np.ndarray:
        return total - effects[SQUARES] + effects[LOST] * self.of_lost_row

    def of_intervals(self, c: int, first: int, rows: np.ndarray) -> np.ndarray:
        return np.asarray((rows * rows).sum(axis=0))

    def useless(self, effects: np.ndarray) -> np.ndarray:
        """Where both sides of every class that is split are too small, all its rows are better off unsplit."""
        return effects[USEFUL] == 0

    def shown(self, total: int) -> int:
        return total + self._lost_before * self.of_lost_row


class Certainty:
    """Every row costs the weighted mean of its NCP, a suppressed one 1."""

    free_cuts_pay = True

    def __init__(self, table: CodedTable, cuts: CutTable, k: int) -> None:
        weights = np.array([column.weight for column in table.columns])
        fulls = np.floor(FINE * weights / weights.sum()).astype(np.int64)
        self.of_lost_row = int(fulls.sum())
        self.apart = _before_unpriced(cuts)
        self._lost_before = table.n_input - table.n_rows
        self._n_input = table.n_input
        self._cuts = cuts
        self._k = k
        self._prices = [
            np.floor(penalties(column, own) * full).astype(np.int64)
            for column, own, full in zip(table.columns, cuts.columns, fulls, strict=True)
        ]

    def now(self, cells: Cells, head: np.ndarray) -> np.ndarray:
        price = np.zeros(len(cells.weight), dtype=np.int64)
        for c in range(len(self._prices)):
            price += self._of_atom(c, head)[cells.atoms[:, c]]
        return price

    def _of_atom(self, c: int, cuts: np.ndarray) -> np.ndarray:
        starts, ends = self._cuts.intervals(c, cuts)
        price = self._prices[c][starts, ends]
        price[self._cuts.columns[c].n_priced :] = 0
        return price

    def floor(self, cells: Cells, head: np.ndarray, fine: np.ndarray) -> np.ndarray:
        """A row in a cell that is too small is suppressed, or one of its intervals grows by its neighbour."""
        floor, step = self.now(cells, fine), np.full(len(cells.weight), NEVER)
        for c in range(len(self._prices)):
            np.minimum(step, self._step(c, head, fine)[cells.atoms[:, c]], out=step)
        floor += np.where(self._rows_of_cell(cells, fine) < self._k, step, 0)
        return np.minimum(floor, self.of_lost_row)

    def _rows_of_cell(self, cells: Cells, fine: np.ndarray) -> np.ndarray:
        """The rows of every cell, with those that were only kept apart."""
        if not (self.apart & ~fine).any():
            return cells.weight
        starts = [self._cuts.intervals(c, fine)[0][cells.atoms[:, c]].astype(np.uint32) for c in range(len(self._prices))]
        cell, _, rows = kernels.distinct(starts, cells.weight)
        return rows[cell]

    def _step(self, c: int, head: np.ndarray, fine: np.ndarray) -> np.ndarray:
        """What a row of every atom loses at least when a cut beside its interval is not made."""
        starts, ends = self._cuts.intervals(c, fine)
        price, own = self._prices[c], self._cuts.columns[c]
        open_ = np.append((fine & ~head)[self._cuts.of_column(c)], False)
        left, right = np.maximum(starts - 1, 0), np.minimum(ends + 1, own.n_atoms - 1)
        joins_left, joins_right = open_[starts - 1] & (starts > 0), open_[ends]
        one = np.where(joins_left, price[starts[left], ends] - price[starts, ends], NEVER)
        other = np.where(joins_right, price[starts, ends[right]] - price[starts, ends], NEVER)
        step = np.minimum(one, other)
        step[own.n_priced :] = np.where((joins_left | joins_right)[own.n_priced :], 0, NEVER)
        return step

    def total(self, cells: Cells, now: np.ndarray) -> int:
        return int(cells.weight.astype(np.int64) @ now) + cells.gone * self.of_lost_row

    def totals(self, cells: Cells, head: np.ndarray, total: int, effects: np.ndarray) -> np.ndarray:
        totals = total + effects[LOST] * self.of_lost_row - effects[LOST_NOW]
        for c, price in enumerate(self._prices):
            where, own = self._cuts.of_column(c), self._cuts.columns[c]
            starts, ends = (end[:-1] for end in self._cuts.intervals(c, head))
            at = np.arange(own.n_atoms - 1)
            rows = np.bincount(cells.atoms[:, c], weights=cells.weight, minlength=own.n_atoms).astype(np.int64)
            rows[own.n_priced :] = 0
            upto = np.append(0, np.cumsum(rows))
            left = upto[at + 1] - upto[starts] - effects[LOST_LEFT, where]
            right = upto[ends + 1] - upto[at + 1] - effects[LOST_RIGHT, where]
            whole = price[starts, ends]
            saved = (whole - price[starts, at]) * left + (whole - price[np.minimum(at + 1, ends), ends]) * right
            totals[where] -= np.where(ends > at, saved, 0)
        return totals

    def of_intervals(self, c: int, first: int, rows: np.ndarray) -> np.ndarray:
        of_atom = np.diff(rows.sum(axis=0), prepend=0)
        of_atom[max(self._cuts.columns[c].n_priced - first, 0) :] = 0
        return np.asarray(self._prices[c][first, first:] * np.cumsum(of_atom))

    def useless(self, effects: np.ndarray) -> np.ndarray:
        """None: rows that a cut does not lose are told more precisely."""
        return np.zeros(effects.shape[1], dtype=bool)

    def shown(self, total: int) -> float:
        return (total / FINE + self._lost_before) / self._n_input


def _before_unpriced(cuts: CutTable) -> np.ndarray:
    """The cuts between values and nulls that match anything."""
    before = np.zeros(cuts.n_cuts, dtype=bool)
    for c, column in enumerate(cuts.columns):
        before[cuts.of_column(c)][column.n_priced - 1 :] = 0 < column.n_priced < column.n_atoms
    return before


def penalties(column: CodedColumn, own: CutColumn) -> np.ndarray:
    """NCP of the interval from one atom to another, shape (n_atoms, n_atoms); 0 where it would end before it begins."""
    at, to = np.triu_indices(own.n_atoms)
    last = np.where((to >= own.n_priced) & (at < to), to - 1, to)  # a null that matches anything widens nothing
    lo, hi = own.first[at], own.last[last]
    table = np.zeros((own.n_atoms, own.n_atoms))
    if column.kind == "categorical":
        upto = np.append(0, np.cumsum(own.n_codes))
        table[at, to] = ncp_of_set(column, upto[last + 1] - upto[at], hi, upto[max(own.n_priced, 1)])
    else:
        table[at, to] = ncp_of_group(column, lo, hi)
    return table


COSTS: dict[str, type[Discernibility] | type[Certainty]] = {"dm": Discernibility, "gcp": Certainty}
