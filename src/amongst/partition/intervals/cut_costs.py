"""What a set of cuts costs, in whole numbers, and what no set with more cuts can go below."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Protocol

import numpy as np

from amongst.encode.coded import CodedTable
from amongst.kernels.cuts import LOST, SQUARES, USEFUL
from amongst.partition.intervals.cut_table import CutTable


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
        """What the intervals of column c that begin at one atom cost, without the other columns.

        ``rows`` has those of every class (by the other columns) and interval.
        """

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
        return np.asarray(total - effects[SQUARES] + effects[LOST] * self.of_lost_row)

    def of_intervals(self, c: int, first: int, rows: np.ndarray) -> np.ndarray:
        return np.asarray((rows * rows).sum(axis=0))

    def useless(self, effects: np.ndarray) -> np.ndarray:
        """Where both sides of every class that is split are too small, its rows are better off unsplit."""
        return np.asarray(effects[USEFUL] == 0)

    def shown(self, total: int) -> int:
        return total + self._lost_before * self.of_lost_row
