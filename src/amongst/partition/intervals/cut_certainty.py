"""GCP as the cost of a set of cuts."""

from __future__ import annotations

import numpy as np

from amongst import kernels
from amongst.encode.coded import CodedColumn, CodedTable
from amongst.kernels.cuts import LOST, LOST_LEFT, LOST_NOW, LOST_RIGHT
from amongst.measure.ncp import ncp_of_group
from amongst.measure.ncp_of_set import ncp_of_set
from amongst.partition.intervals.cut_costs import Cells
from amongst.partition.intervals.cut_table import CutColumn, CutTable

FINE = 1 << 30
"""Losses between 0 and 1 are counted in steps of this part, always rounded down."""
NEVER = np.iinfo(np.int64).max // 4
"""More than anything costs, and can be added to it."""


class Certainty:
    """Every row costs the weighted mean of its NCP, a suppressed one 1.

    Categories are priced as the sets they are published as, a null that matches anything costs nothing.
    """

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
            np.floor(_penalties(column, own) * full).astype(np.int64)
            for column, own, full in zip(table.columns, cuts.columns, fulls, strict=True)
        ]

    def now(self, cells: Cells, head: np.ndarray) -> np.ndarray:
        price = np.zeros(len(cells.weight), dtype=np.int64)
        for c, own in enumerate(self._cuts.columns):
            starts, ends = self._cuts.intervals(c, head)
            price_of_atom = self._prices[c][starts, ends]
            price_of_atom[own.n_priced :] = 0
            price += price_of_atom[cells.atoms[:, c]]
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
        first_atom = [self._cuts.intervals(c, fine)[0].astype(np.uint32) for c in range(len(self._prices))]
        starts = [first[cells.atoms[:, c]] for c, first in enumerate(first_atom)]
        cell, _, rows = kernels.distinct(starts, cells.weight)
        return np.asarray(rows[cell])

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
        totals = np.asarray(total + effects[LOST] * self.of_lost_row - effects[LOST_NOW])
        for c in range(len(self._prices)):
            totals[self._cuts.of_column(c)] -= self._saved(c, cells, head, effects)
        return totals

    def _saved(self, c: int, cells: Cells, head: np.ndarray, effects: np.ndarray) -> np.ndarray:
        """What every cut of a column saves in that column, for the rows that are not lost."""
        own, price, where = self._cuts.columns[c], self._prices[c], self._cuts.of_column(c)
        starts, ends = (end[:-1] for end in self._cuts.intervals(c, head))
        rows = np.bincount(cells.atoms[:, c], weights=cells.weight, minlength=own.n_atoms)
        rows[own.n_priced :] = 0
        upto = np.append(0, np.cumsum(rows.astype(np.int64)))
        at = np.arange(own.n_atoms - 1)
        left = upto[at + 1] - upto[starts] - effects[LOST_LEFT, where]
        right = upto[ends + 1] - upto[at + 1] - effects[LOST_RIGHT, where]
        now, then_left, then_right = (
            price[starts, ends],
            price[starts, at],
            price[np.minimum(at + 1, ends), ends],
        )
        return np.where(ends > at, (now - then_left) * left + (now - then_right) * right, 0)

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


def _penalties(column: CodedColumn, own: CutColumn) -> np.ndarray:
    """NCP of the intervals from one atom to another, shape (n_atoms, n_atoms); 0 below the diagonal."""
    at, to = np.triu_indices(own.n_atoms)
    last = np.where((to >= own.n_priced) & (at < to), to - 1, to)  # what matches anything widens nothing
    lo, hi = own.first[at], own.last[last]
    table = np.zeros((own.n_atoms, own.n_atoms))
    if column.kind == "categorical":
        upto = np.append(0, np.cumsum(own.n_codes))
        table[at, to] = ncp_of_set(column, upto[last + 1] - upto[at], hi, int(upto[max(own.n_priced, 1)]))
    else:
        table[at, to] = ncp_of_group(column, lo, hi)
    return table
