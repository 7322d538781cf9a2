"""Columns of names in a hierarchy that is not known here: of a label only its own name is certain."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import product

import numpy as np

from amongst.query.cells import Cells
from amongst.query.nulls import Nulls


@dataclass(frozen=True)
class NameSet:
    """Some names, or all but these. A ``certain`` one holds no value, or all of them, whatever its label."""

    names: frozenset[str]
    negated: bool = False
    certain: bool = False


@dataclass(frozen=True, eq=False)
class LooseLabels:
    """Labels that may be values or nodes: two that differ may still overlap.

    Attributes
    ----------
    names : list of tuple of str
        What every label names: itself, the members of a set, nothing where it says nothing.
    plain : ndarray of bool
        The label is one name: it is in a set of names for sure if its name is.
    size : ndarray of int64
        The rows of every label, to guess from what a label without a name stands for.
    nulls : Nulls
    """

    names: list[tuple[str, ...]]
    plain: np.ndarray
    size: np.ndarray
    nulls: Nulls

    @property
    def n_labels(self) -> int:
        return len(self.names)

    def cells(self, sets: Sequence[NameSet], null_truth: np.ndarray) -> Cells:
        """Divide by which sets a value is in. A value may be in any of them, unless its label's name says so."""
        truths = np.array([*product([False, True], repeat=len(sets))], dtype=bool).reshape(1 << len(sets), len(sets))
        named = np.array([[self._part(names, one) for names in self.names] for one in sets])
        named = named.reshape(len(sets), self.n_labels)
        told = named[:, self._speaking()]
        guess = told @ self._weights() if told.shape[1] else np.full(len(sets), 0.5)
        # A name that is in the set is inside for sure; one that is not may be a node above or below one that is.
        sure = np.array(
            [[self.plain[i] and self._in(i, one) for i in range(self.n_labels)] for one in sets], dtype=bool
        )
        sure = sure.reshape(len(sets), self.n_labels)
        share, can = np.ones((len(truths) + 1, self.n_labels)), np.ones((len(truths) + 1, self.n_labels), dtype=bool)
        silent = ~self._speaking()
        for s, one in enumerate(sets):
            inside = np.where(silent & (not one.certain), guess[s], named[s])
            inside = 1 - inside if one.negated else inside
            share[:-1] *= np.where(truths[:, s, None], inside, 1 - inside)
            can[:-1] &= (truths[:, s, None] != one.negated) | ~sure[s]
            if one.certain:
                can[:-1] &= truths[:, s, None] == one.negated
        share[:-1] *= 1 - self.nulls.share
        can[:-1] &= ~self.nulls.sure
        share[-1], can[-1] = self.nulls.share, self.nulls.can
        null = np.append(np.zeros(len(truths), dtype=bool), True)
        nothing = np.full(share.shape, np.nan)
        return Cells(
            truth=np.concatenate([truths, null_truth[None, :]]),
            share=share,
            can=can,
            null=null,
            lo=nothing,
            hi=nothing,
            mean=nothing,
        )

    def _speaking(self) -> np.ndarray:
        return np.array([len(names) > 0 for names in self.names], dtype=bool)

    def _weights(self) -> np.ndarray:
        size = self.size[self._speaking()].astype(np.float64)
        return size / size.sum() if size.sum() else np.full(len(size), 1 / max(len(size), 1))

    def _part(self, names: tuple[str, ...], one: NameSet) -> float:
        return sum(name in one.names for name in names) / len(names) if names else 0.0

    def _in(self, label: int, one: NameSet) -> bool:
        return self.names[label][0] in one.names
