"""Loss of a full-domain generalization, from its levels and its frequency set."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace
from typing import Any, Protocol

import numpy as np

from amongst.encode.coded import CodedColumn
from amongst.encode.node_ends import ends_of_node
from amongst.measure.ncp import ncp_of_group


class Counted(Protocol):
    """A frequency set over all columns."""

    @property
    def levels(self) -> tuple[int, ...]: ...
    def rows_below(self, k: int) -> int: ...
    def rows_below_by_node(self, k: int) -> list[np.ndarray]: ...
    def kept_classes(self, k: int) -> tuple[int, int]: ...


class Sets(Protocol):
    """What knows the columns, their level maps, and how many rows have every code."""

    @property
    def table(self) -> Any: ...
    @property
    def maps(self) -> list[list[np.ndarray]]: ...
    def rows_by_code(self) -> list[np.ndarray]: ...
    def rows_below_by_code(self, found: Any, k: int) -> list[np.ndarray]: ...


def _penalty(column: CodedColumn, number: np.ndarray) -> np.ndarray:
    """NCP of every code when its node at a level is published; a null that matches anything is published as it was."""
    penalty = ncp_of_group(column, *ends_of_node(number, column.wildcard))[number]
    if column.wildcard >= 0:
        penalty[column.wildcard] = 0.0
    return penalty


def _loss_metric(column: CodedColumn, number: np.ndarray) -> np.ndarray:
    if column.position is not None or column.tree is None:
        return _penalty(column, number)
    penalty = _penalty(replace(column, tree=replace(column.tree, cost=None)), number)  # LM counts leaves
    n = column.tree.n_leaves
    return np.maximum(penalty * n - 1, 0) / max(n - 1, 1)


def _precision(column: CodedColumn, number: np.ndarray, share: float) -> np.ndarray:
    return np.full(len(number), share)


def _entropy(count_of_code: np.ndarray, number: np.ndarray) -> np.ndarray:
    """Bits lost when a code is told only by its node: log2 of the rows of the node over those of the code."""
    together = np.bincount(number, weights=count_of_code)[number]
    with np.errstate(divide="ignore", invalid="ignore"):
        return np.where(count_of_code > 0, np.log2(together / np.maximum(count_of_code, 1)), 0.0)


BOUNDED = ("gcp", "lm", "precision", "entropy", "height")
"""The measures that a sum over columns bounds from below, without counting."""


class LevelLoss:
    """One measure over the nodes of a lattice; smaller is better.

    For gcp, lm, precision and entropy the loss is a sum over columns and rows, so a table of the mean loss of every
    column at every level gives it without counting; a suppressed row counts as if all its cells were gone, and so
    does one that a rule for nulls left out (for gcp, lm, precision and dm, as in the release's own figures).
    """

    def __init__(self, sets: Sets, measure: str) -> None:
        self.measure = measure
        self.sets = sets
        table = sets.table
        self.n_rows, self.n_input = table.n_rows, table.n_input
        weights = np.array([column.weight for column in table.columns])
        self.weights = weights / weights.sum()
        self.exact_without_counting = measure in BOUNDED
        self._counts = sets.rows_by_code()
        self._penalties = [self._of_levels(c) for c in range(len(table.columns))] if self.exact_without_counting else []
        self._terms = [
            [float(weight * ((count * penalty).sum() / self.n_rows)) for penalty in of_level]
            for weight, count, of_level in zip(self._column_weights, self._counts, self._penalties, strict=False)
        ]
        # Where a null matches anything, codes of one node lose differently.
        self._by_node = all(column.wildcard < 0 for column in table.columns)
        self._excess = self._excess_of_node() if self._by_node else []

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
        # Added up in the order of the columns, as in bounds: equal losses must be equal to the last bit.
        return float(
            self._of_input(sum((of_level[level] for of_level, level in zip(self._terms, node, strict=False)), 0.0))
        )

    def bounds(self, nodes: np.ndarray) -> np.ndarray:
        """The same for many nodes at once."""
        terms = (np.array(of_level)[nodes[:, c]] for c, of_level in enumerate(self._terms))
        return np.asarray(self._of_input(sum(terms, np.zeros(len(nodes)))))

    def _of_input(self, mean: Any) -> Any:
        """From the mean over the coded rows to that over the input, whose other rows were left out."""
        if self.measure in ("entropy", "height") or self.n_rows == self.n_input:
            return mean
        return (mean * self.n_rows + self.n_input - self.n_rows) / self.n_input

    @property
    def _column_weights(self) -> np.ndarray:
        if self.measure == "height":
            return self.weights * len(self.weights)
        return self.weights if self.measure != "entropy" else np.full(len(self.weights), 1 / len(self.weights))

    def of(self, counted: Counted, k: int) -> float:
        """The loss of a node whose classes of fewer than k are suppressed."""
        gone = counted.rows_below(k)
        if self.measure in ("dm", "c_avg"):
            n_kept, squares = counted.kept_classes(k)
            if self.measure == "dm":
                return float(squares + (gone + self.n_input - self.n_rows) * self.n_input)
            return (self.n_rows - gone) / n_kept if n_kept else np.inf
        loss = self.bound(counted.levels)
        return loss + self.added_by_suppression(counted, k) if gone else loss

    def added_by_suppression(self, counted: Counted, k: int) -> float:
        """What the rows in classes of fewer than k lose beyond what their levels lose, as a share of the loss.

        Never less at a more specific node: more rows are suppressed there, and each had more to lose.
        """
        if self.measure == "height":
            return 0.0
        if self._by_node:
            rows, excess = counted.rows_below_by_node(k), self._excess
        else:
            rows, excess = self.sets.rows_below_by_code(counted, k), self._excess_of_code()
        added = 0.0
        for c, level in enumerate(counted.levels):
            added += self._column_weights[c] * float(rows[c] @ excess[c][level][: len(rows[c])])
        return added / (self.n_rows if self.measure == "entropy" else self.n_input)

    def _excess_of_code(self) -> list[list[np.ndarray]]:
        """For every column and level, what each code loses when it is suppressed and not only generalized."""
        worst = [
            of_level[-1] if self.measure == "entropy" else np.ones(len(of_level[0])) for of_level in self._penalties
        ]
        return [
            [np.maximum(most - penalty, 0.0) for penalty in of_level]
            for most, of_level in zip(worst, self._penalties, strict=True)
        ]

    def _excess_of_node(self) -> list[list[np.ndarray]]:
        """The same for every node; the codes of a node that occur lose alike."""
        found = []
        for maps, of_level in zip(self.sets.maps, self._excess_of_code(), strict=False):
            found.append([np.zeros(int(number.max(initial=0)) + 1) for number in maps])
            for number, excess, of_node in zip(maps, of_level, found[-1], strict=True):
                np.maximum.at(of_node, number, excess)
        return found
