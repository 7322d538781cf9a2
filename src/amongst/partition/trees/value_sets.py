"""A recoding of values to sets, column by column: what it loses, and who shares a class."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from amongst import kernels
from amongst.encode.coded import CodedTable
from amongst.partition.intervals.cut_table import CutTable
from amongst.partition.trees.set_ways import Ways


class ValueSets:
    """A state of the search.

    Attributes
    ----------
    targets : list of ndarray
        For every column where each of its values (atoms of the table) goes; equal targets are one set.
    """

    def __init__(self, table: CodedTable, cuts: CutTable, ways: Sequence[Ways], k: int) -> None:
        self.cuts, self.ways, self.k = cuts, ways, k
        weights = np.array([column.weight for column in table.columns])
        self._weighed_rows = [
            np.bincount(cuts.atoms[:, c], weights=cuts.weight, minlength=own.n_atoms) * share
            for c, (own, share) in enumerate(zip(cuts.columns, weights / weights.sum(), strict=True))
        ]
        self.targets = [way.alone() for way in ways]

    @property
    def n_columns(self) -> int:
        return len(self.ways)

    def loss_of(self, c: int, target: np.ndarray) -> float:
        """What a column loses with these targets: the sum of NCP over the rows, times its weight."""
        return float(self._weighed_rows[c] @ self.ways[c].penalties(target))

    def loss(self) -> float:
        """The same over all columns; the weights add up to 1."""
        return sum(self.loss_of(c, target) for c, target in enumerate(self.targets))

    def classes(self) -> tuple[list[np.ndarray], np.ndarray, np.ndarray]:
        """The targets of every class in every column, the class of every tuple, the rows of every class."""
        shown = [self._shown(c) for c in range(self.n_columns)]
        class_of_tuple, first, rows = kernels.distinct(shown, self.cuts.weight)
        return [own[first] for own in shown], class_of_tuple, rows

    def contexts(self, c: int) -> np.ndarray:
        """Rows of every value of a column in every combination of the other columns' targets."""
        cuts = self.cuts
        others = [self._shown(other) for other in range(self.n_columns) if other != c]
        context, first, _ = kernels.distinct(others or [np.zeros(len(cuts.weight), dtype=np.uint32)])
        rows = np.zeros((len(first), cuts.columns[c].n_atoms), dtype=np.int64)
        np.add.at(rows, (context, cuts.atoms[:, c]), cuts.weight)
        return rows

    def _shown(self, c: int) -> np.ndarray:
        return kernels.gather(self.targets[c].astype(np.uint32), self.cuts.atoms[:, c].astype(np.uint32))
