"""Cells under k on every few columns: from everything as one, values and nodes are told where that still holds."""

from __future__ import annotations

import heapq
from collections.abc import Callable, Sequence
from math import comb
from typing import Any

import numpy as np

from amongst.encode.coded import CodedTable
from amongst.errors import BadOption
from amongst.kernels.few_columns import put_back
from amongst.models import Model, group_size
from amongst.partition.cells.range_trees import tightened, with_range_trees
from amongst.partition.feasible import refuse_small_table
from amongst.partition.partition import Partition
from amongst.partition.trees.forest import Forest
from amongst.partition.trees.node_groups import group_by_nodes

MOST_CHOICES = 100_000
"""So many choices of m columns are looked at; proving what is published takes as many."""
EVENNESS = (4.0, 2.0, 8.0)
"""How much more a node counts that divides its rows evenly. A label of few rows leaves nothing else to tell of them, so
that the order by gain alone lost twice as much on tables of 40 columns."""
ONE_ORDER = 400_000
"""Of larger tables, in cells, only the first order is tried."""


def tell_few_columns(
    table: CodedTable,
    models: Sequence[Model],
    nodes: str,
    progress: Callable[[int, int], None] | None,
) -> Partition:
    """Labels for every cell, such that those of any m columns are shared by k rows.

    Everything begins as the root. A node is told for the rows below it that publish its parent, first where the gain is
    large and what is told and what is left are both many: to those of them for which, on every choice of columns, both
    have k rows. Of the orders tried, what loses least in the end is published. Numbers, dates and ordered values
    without a hierarchy are told as ranges, where nodes may be told at all (see ``range_trees``).
    """
    few: list[Any] = [model for model in models if model.counts == "subsets" and not model.asks_nothing]
    asked = [(model.k, model.m) for model in few]
    refuse_small_table(table, group_size(models))
    _refuse_many(table, asked)
    with_ranges = table if nodes == "flat" else with_range_trees(table, group_size(models))
    forest = Forest(with_ranges)
    small = forest.tuples.n_tuples * forest.n_columns <= ONE_ORDER
    least = max((k for k, _ in asked), default=1)
    tried = [_Labels(forest, evenness, least) for evenness in (EVENNESS if small else EVENNESS[:1])]
    for one in tried:
        one.tell(asked, progress)
    told = min(tried, key=lambda one: one.loss)
    node, group = np.unique(told.node, axis=1, return_inverse=True)
    found = group_by_nodes(forest, group.reshape(-1), node.T, {"told": told.n_told}, nodes)
    return tightened(table, with_ranges, found)


def _refuse_many(table: CodedTable, asked: Sequence[tuple[int, int]]) -> None:
    for _, m in asked:
        choices = comb(table.n_qi, min(m, table.n_qi))
        if choices > MOST_CHOICES:
            raise BadOption(
                "There are too many choices of columns to look at.",
                found=f"{choices:,} choices of m = {m} of {table.n_qi} columns; at most {MOST_CHOICES:,} are looked at",
                fix="use a smaller m, fewer quasi-identifiers, or k-anonymity",
                choices=choices,
            )


class _Labels:
    """What every tuple publishes so far, and the nodes that may be told next.

    Attributes
    ----------
    node : ndarray of int64, shape (n_columns, n_tuples)
    open : list
        A heap of (-worth, column, node).
    """

    def __init__(self, forest: Forest, evenness: float, least: int) -> None:
        self.forest, self.evenness, self.least = forest, evenness, least
        self.rows = np.ascontiguousarray(forest.tuples.count, dtype=np.uint32)
        shape = (forest.n_columns, forest.tuples.n_tuples)
        self.node = np.zeros(shape, dtype=np.int64)
        self.open: list[tuple[float, int, int]] = []
        self.n_told = 0
        self._labels: list[dict[int, int]] = []
        self._label = np.zeros(shape, dtype=np.uint32)
        self._parent: list[dict[int, int]] = [{} for _ in forest.trees]
        self._upto = [
            _up_to_code(codes, self.rows, tree.n_codes)
            for codes, tree in zip(forest.tuples.codes, forest.trees, strict=True)
        ]
        for c in range(forest.n_columns):
            self._labels.append({0: 0})
            self._offer(c, 0, np.arange(forest.tuples.n_tuples))

    @property
    def loss(self) -> float:
        """What all rows lose."""
        forest = self.forest
        return sum(
            float(weight * (losing @ tree.penalty[node]))
            for weight, losing, tree, node in zip(
                forest.weight, forest.rows_that_lose, forest.trees, self.node, strict=True
            )
        )

    def tell(self, asked: Sequence[tuple[int, int]], progress: Callable[[int, int], None] | None) -> None:
        """Try all nodes."""
        n_tried = 0
        while self.open:
            self.try_next(asked)
            n_tried += 1
            if progress is not None:
                progress(n_tried, n_tried + len(self.open))

    def try_next(self, asked: Sequence[tuple[int, int]]) -> None:
        """Tell the node that is worth most to whom it can be told."""
        _, c, node = heapq.heappop(self.open)
        tree = self.forest.trees[c]
        members = np.flatnonzero((self.node[c] == self._parent[c][node]) | (self.node[c] == node))
        codes = self.forest.tuples.codes[c][members]
        has = self.node[c, members] == node
        inside = np.where(has, 2, (codes >= tree.start[node]) & (codes <= tree.end[node])).astype(np.uint8)
        before = -1
        while before != (before := int((inside == 1).sum())):
            for k, m in asked:
                inside = put_back(self._label, self.rows, members, inside, column=c, k=k, m=m)
        told = members[inside == 1]
        if len(told) == 0:
            return
        self.node[c, told] = node
        self._label[c, told] = self._labels[c].setdefault(node, len(self._labels[c]))
        self.n_told += 1
        self._offer(c, node, told)

    def _offer(self, c: int, node: int, tuples: np.ndarray) -> None:
        """The children of a node that some tuples publish may be told of them."""
        tree, codes = self.forest.trees[c], self.forest.tuples.codes[c][tuples]
        rows = _up_to_code(codes, self.rows[tuples], tree.n_codes)
        losing = _up_to_code(codes, self.forest.rows_that_lose[c][tuples], tree.n_codes)
        for child in tree.children(node).tolist():
            first, last = int(tree.start[child]), int(tree.end[child]) + 1
            own, others = rows[last] - rows[first], rows[-1] - rows[last] + rows[first]
            if own == 0 or self._upto[c][last] - self._upto[c][first] < self.least:
                continue  # nobody publishes its parent, or fewer than k rows are below it
            gain = self.forest.weight[c] * (losing[last] - losing[first]) * (tree.penalty[node] - tree.penalty[child])
            smaller = min(own, others) if others else own
            self._parent[c][child] = node
            heapq.heappush(self.open, (-float(gain * smaller**self.evenness), c, child))


def _up_to_code(codes: np.ndarray, weight: np.ndarray, n_codes: int) -> np.ndarray:
    """The weight below every code, and of all of them."""
    return np.concatenate([[0.0], np.bincount(codes, weights=weight, minlength=n_codes).cumsum()])
