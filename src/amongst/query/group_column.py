"""A column of which only the values of every group are published, with their counts, as Anatomy does."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from amongst.query.cells import Cells
from amongst.query.question import Condition, Literal
from amongst.query.read_column import Asked


@dataclass(frozen=True, eq=False)
class GroupColumn:
    """The label of a row is its group; which row of the group has which value is not known.

    Attributes
    ----------
    values_column : Asked
        The values themselves, as a column in which each stands for itself.
    group, value, count : ndarray of int64
        One entry for every value that occurs in a group: the group's number, the value's, and how often.
    n_groups : int
    """

    name: str
    values_column: Asked
    group: np.ndarray
    value: np.ndarray
    count: np.ndarray
    n_groups: int
    loose = False

    @property
    def n_labels(self) -> int:
        return self.n_groups + 1

    @property
    def sort(self) -> str:
        return self.values_column.sort

    @property
    def whole(self) -> bool:
        return self.values_column.whole

    def said(self, place: float) -> Literal:
        return self.values_column.said(place)

    def values(self) -> list[Literal] | None:
        return self.values_column.values()

    def cells(self, conditions: Sequence[Condition]) -> Cells:
        of_value = self.values_column.cells(conditions)
        shape = (len(of_value.truth), self.n_labels)
        share, can = np.zeros(shape), np.zeros(shape, dtype=bool)
        lo, hi, mean = np.full(shape, np.nan), np.full(shape, np.nan), np.full(shape, np.nan)
        size = np.bincount(self.group, self.count, self.n_groups)
        for cell in range(len(of_value.truth)):
            inside = of_value.can[cell][self.value]
            group, count = self.group[inside], self.count[inside]
            found = np.bincount(group, count, self.n_groups)
            share[cell, :-1], can[cell, :-1] = found / np.maximum(size, 1), found > 0
            place = of_value.lo[cell][self.value][inside]
            lowest, highest = np.full(self.n_groups, np.inf), np.full(self.n_groups, -np.inf)
            with np.errstate(invalid="ignore"):  # names have no places
                np.minimum.at(lowest, group, place)
                np.maximum.at(highest, group, of_value.hi[cell][self.value][inside])
            there = found > 0
            lo[cell, :-1], hi[cell, :-1] = np.where(there, lowest, np.nan), np.where(there, highest, np.nan)
            total = np.bincount(group, count * np.nan_to_num(place), self.n_groups)
            mean[cell, :-1] = np.where(there, total / np.maximum(found, 1), np.nan)
        # A row that is not in the release may have any value.
        for made, known in ((share, of_value.share), (can, of_value.can), (lo, of_value.lo), (hi, of_value.hi)):
            made[:, -1] = known[:, -1]
        mean[:, -1] = of_value.mean[:, -1]
        return Cells(truth=of_value.truth, share=share, can=can, null=of_value.null, lo=lo, hi=hi, mean=mean)

    def counts_in(self, cells: Cells) -> np.ndarray:
        """How many rows of every group have a value in every cell."""
        size = np.append(np.bincount(self.group, self.count, self.n_groups), 0)
        return np.rint(cells.share * size)

    def means(self) -> np.ndarray:
        """The mean of every group's values; not a number for names, where some are missing, and for no group."""
        known = self.values_column.cells([])
        place = known.mean[0][self.value] if known.mean.shape[0] > 1 else np.full(len(self.value), np.nan)
        total = np.bincount(self.group, self.count * place, self.n_groups)
        return np.append(total / np.maximum(np.bincount(self.group, self.count, self.n_groups), 1), np.nan)
