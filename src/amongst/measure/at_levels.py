"""Loss of a full-domain generalization, from its levels and its frequency set."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Protocol

import numpy as np

from amongst.encode.coded import CodedColumn, CodedTable
from amongst.measure.ncp import ncp_of_group


class Counted(Protocol):
    """A frequency set over all columns: one code a column and a count for every class."""

    levels: tuple[int, ...]
    codes: list[np.ndarray]
    count: np.ndarray
    class_of_member: np.ndarray


class Sets(Protocol):
    """What holds the tuples and the level maps of a table."""

    table: CodedTable
    maps: list[list[np.ndarray]]


def _penalty(column: CodedColumn, number: np.ndarray) -> np.ndarray:
    """NCP of every code when its node at a level is published."""
    if len(np.unique(number)) == 1 and len(number) > 1:
        return np.ones(len(number))  # everything together: nothing is said
    first = np.unique(number, return_index=True)[1][number]
    last = (len(number) - 1 - np.unique(number[::-1], return_index=True)[1])[number]
    return ncp_of_group(column, first, last)


def _loss_metric(column: CodedColumn, number: np.ndarray) -> np.ndarray:
    if column.position is not None:
        return _penalty(column, number)
    size = np.bincount(number)[number]
    return (size - 1) / max(len(number) - 1, 1)


def _precision(column: CodedColumn, number: np.ndarray, share: float) -> np.ndarray:
    return np.full(len(number), share)


def _entropy(count_of_code: np.ndarray, number: np.ndarray) -> np.ndarray:
    """Bits lost when a code is told only by its node: log2 of how many rows share the node over how many share the code."""
    together = np.bincount(number, weights=count_of_code)[number]
    with np.errstate(divide="ignore", invalid="ignore"):
        return np.where(count_of_code > 0, np.log2(together / np.maximum(count_of_code, 1)), 0.0)


MEASURES: dict[str, str] = {
    "gcp": "global certainty penalty, with the columns' weights",
    "lm": "loss metric: leaves or width, mean over columns, with the columns' weights",
    "precision": "share of the way up each hierarchy, with the columns' weights (1 - Prec)",
    "entropy": "non-uniform entropy: bits lost per cell",
    "height": "sum of the levels, with the columns' weights (Samarati)",
    "dm": "discernibility: sum of squared class sizes",
    "c_avg": "average class size over k, k left out",
}


class LevelLoss:
    """One measure over the nodes of a lattice; smaller is better.

    For gcp, lm, precision and entropy the loss is a sum over columns and rows, so a table of the mean loss of every
    column at every level gives it without counting; a suppressed row counts as if all its cells were gone.
    """

    def __init__(self, sets: Sets, measure: str) -> None:
        self.measure = measure
        self.sets = sets
        table = sets.table
        self.n_rows = table.n_rows
        weights = np.array([column.weight for column in table.columns])
        self.weights = weights / weights.sum()
        self.exact_without_counting = measure in ("gcp", "lm", "precision", "entropy", "height")
        self._counts = [np.bincount(c.codes, minlength=len(m[0])) for c, m in zip(table.columns, sets.maps, strict=True)]
        self._penalties = [self._of_levels(c) for c in range(table.n_qi)] if self.exact_without_counting else []
        self._means = [
            np.array([count @ penalty / self.n_rows for penalty in of_level])
            for count, of_level in zip(self._counts, self._penalties, strict=True)
        ] if self._penalties else []

    def _of_levels(self, c: int) -> list[np.ndarray]:
        column, maps = self.sets.table.columns[c], self.sets.maps[c]
        height = max(len(maps) - 1, 1)
        by_name: dict[str, Callable[[int, np.ndarray], np.ndarray]] = {
            "gcp": lambda level, number: _penalty(column, number),
            "lm": lambda level, number: _loss_metric(column, number),
            "precision": lambda level, number: _precision(column, number, level / height),
            "height": lambda level, number: np.full(len(number), float(level)),
            "entropy": lambda level, number: _entropy(self._counts[c], number),
        }
        return [by_name[self.measure](level, number) for level, number in enumerate(maps)]

    def bound(self, node: Sequence[int]) -> float:
        """The loss if nothing were suppressed: never above the loss."""
        if not self._means:
            return 0.0
        means = [self._means[c][level] for c, level in enumerate(node)]
        return float(np.dot(means, self._column_weights))

    def bounds(self, nodes: np.ndarray) -> np.ndarray:
        """The same for many nodes at once."""
        if not self._means:
            return np.zeros(len(nodes))
        return sum((self._column_weights[c] * self._means[c][nodes[:, c]] for c in range(len(self._means))), np.zeros(len(nodes)))

    @property
    def _column_weights(self) -> np.ndarray:
        if self.measure == "height":
            return self.weights * len(self.weights)
        return self.weights if self.measure != "entropy" else np.full(len(self.weights), 1 / len(self.weights))

    def of(self, counted: Counted, kept: np.ndarray) -> float:
        """The loss of a node whose classes that are not kept are suppressed."""
        count = counted.count.astype(np.float64)
        gone = float(count[~kept].sum())
        if self.measure == "dm":
            return float((count[kept] ** 2).sum() + gone * self.n_rows)
        if self.measure == "c_avg":
            return float(count[kept].sum() / max(int(kept.sum()), 1)) if kept.any() else np.inf
        total = self.bound(counted.levels) * self.n_rows
        if gone == 0 or self.measure == "height":
            return total / self.n_rows
        return (total + self._added_by_suppression(counted, kept)) / self.n_rows

    def _added_by_suppression(self, counted: Counted, kept: np.ndarray) -> float:
        """What the suppressed rows lose beyond what their levels lose."""
        tuples = self.sets.tuples  # type: ignore[attr-defined]
        suppressed = np.flatnonzero(~kept[counted.class_of_member])
        weight = tuples.count[suppressed].astype(np.float64)
        added = 0.0
        for c, level in enumerate(counted.levels):
            code = tuples.codes[c][suppressed]
            worst = self._penalties[c][-1] if self.measure == "entropy" else np.ones(len(self._penalties[c][0]))
            added += self._column_weights[c] * float(weight @ (worst[code] - self._penalties[c][level][code]))
        return added
