"""Columns of names: categories, by the codes of their leaves."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from amongst.query.cells import Cells, merge_truths
from amongst.query.nulls import Nulls


@dataclass(frozen=True, eq=False)
class NameLabels:
    """What the labels of a column of names say: runs of codes, one or more a label.

    Codes follow the tree where there is one, so that a node is one run. Where it is not known which values there
    are, the last code stands for all that nobody named.

    Attributes
    ----------
    owner, first, last : ndarray of int64, one a run
        The label that the run belongs to, and the codes it goes from and to.
    expected : ndarray of bool, one a code
        The codes that count in estimates: all but that of values that nobody named.
    nulls : Nulls
    """

    owner: np.ndarray
    first: np.ndarray
    last: np.ndarray
    expected: np.ndarray
    nulls: Nulls

    @property
    def n_labels(self) -> int:
        return len(self.nulls.can)

    def cells(self, masks: Sequence[np.ndarray], null_truth: np.ndarray) -> Cells:
        """Divide the codes by the conditions ``masks``, each with a truth for every code."""
        truth_of_code = np.array(masks, dtype=bool).reshape(len(masks), len(self.expected)).T
        truth, cell_of_code, null = merge_truths(truth_of_code, null_truth)
        shape = (len(truth), self.n_labels)
        share, can = np.zeros(shape), np.zeros(shape, dtype=bool)
        whole = self._count(self.expected)
        for cell in range(len(truth) - 1):
            inside = cell_of_code == cell
            can[cell] = self._count(inside) > 0
            with np.errstate(invalid="ignore", divide="ignore"):
                share[cell] = np.where(whole > 0, self._count(inside & self.expected) / whole, can[cell])
        # Where nothing is expected every cell that can be is as good as another.
        total = share[:-1].sum(axis=0)
        share[:-1] *= np.where(total > 1, 1 / np.maximum(total, 1), 1.0) * (1 - self.nulls.share)
        share[-1], can[-1] = self.nulls.share, self.nulls.can
        nothing = np.full(shape, np.nan)
        return Cells(truth=truth, share=share, can=can, null=null, lo=nothing, hi=nothing, mean=nothing)

    def _count(self, codes: np.ndarray) -> np.ndarray:
        """How many of these codes every label has."""
        upto = np.concatenate([[0], np.cumsum(codes)])
        return np.bincount(self.owner, upto[self.last + 1] - upto[self.first], self.n_labels)
