"""One cut through every column's tree, the same for the whole table, and the classes it makes."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from amongst import kernels
from amongst.partition.trees.forest import Forest

Cuts = list[np.ndarray]
"""For every column the node that each of its codes is recoded to: disjoint nodes that cover all codes."""


@dataclass(frozen=True, eq=False)
class Step:
    """One node of a cut replaced by its children.

    Attributes
    ----------
    c, node : int
    gain : float
        By how many rows' worth the loss of the table shrinks, with what the newly suppressed rows lose taken
        off.
    n_suppressed : int
        Rows that are suppressed afterwards, in all.
    tuples, part_of_tuple : ndarray
        The tuples below the node, and the class that each falls into, counted from 0.
    rows_of_part : ndarray
    """

    c: int
    node: int
    gain: float
    n_suppressed: int
    tuples: np.ndarray
    part_of_tuple: np.ndarray
    rows_of_part: np.ndarray


@dataclass(frozen=True, eq=False)
class Undo:
    """What a step overwrote."""

    step: Step
    class_of_tuple: np.ndarray
    kept: np.ndarray
    loss_of_tuple: np.ndarray
    total: float
    n_suppressed: int


class SubtreeRecoding:
    """Cuts, the classes they make, and which of them are too small: a state that a search walks through.

    Attributes
    ----------
    cuts : list of ndarray
    class_of_tuple : ndarray of uint32
    kept : ndarray of bool
        Whether a tuple is in a class of at least k rows.
    loss_of_tuple : ndarray of float64
        What the rows of a tuple lose if they are kept: the sum of their weighted NCP.
    total : float
        The loss of the table in rows: 1 for a suppressed row.
    """

    def __init__(self, forest: Forest, cuts: Cuts, k: int, most_suppressed: int) -> None:
        self.forest, self.k, self.most_suppressed = forest, k, most_suppressed
        self.cuts = [cut.copy() for cut in cuts]
        tuples = forest.tuples
        nodes = [cut[own] for cut, own in zip(cuts, tuples.codes, strict=True)]
        self.class_of_tuple, _, rows = kernels.distinct([own.astype(np.uint32) for own in nodes], tuples.count)
        self.n_classes = len(rows)
        self.kept = rows[self.class_of_tuple] >= k
        self.n_suppressed = int(tuples.count[~self.kept].sum())
        self.loss_of_tuple = np.zeros(tuples.n_tuples)
        for c, own in enumerate(nodes):
            self.loss_of_tuple += forest.rows_that_lose[c] * (forest.weight[c] * forest.trees[c].penalty[own])
        self.total = float(self.loss_of_tuple[self.kept].sum()) + self.n_suppressed

    @property
    def holds(self) -> bool:
        return self.n_suppressed <= self.most_suppressed

    def try_step(self, c: int, node: int) -> Step | None:
        """What replacing a node by its children would do; None when it would suppress too many rows.

        The answer None stays: further steps only make classes smaller. The node need not be in the cut: for
        one below it, this is what its own tuples would undergo.
        """
        forest, tree, where = self.forest, self.forest.trees[c], self.forest.below(c, node)
        order = forest.by_code[c]
        tuples, codes, rows = order.tuples[where], order.codes[where], order.rows[where]
        if len(tuples) == 0:
            return Step(
                c=c,
                node=node,
                gain=0.0,
                n_suppressed=self.n_suppressed,
                tuples=tuples,
                part_of_tuple=tuples,
                rows_of_part=tuples,
            )
        child = tree.at_depth[tree.depth[node] + 1]
        parts = [self.class_of_tuple[tuples], kernels.look_up(codes, child.astype(np.uint32))]
        part, first, rows_of_part = kernels.distinct(parts, rows)
        small = rows_of_part < self.k
        if self.n_suppressed and small.any():
            small &= self.kept[tuples[first]]
        n_suppressed = self.n_suppressed + int(rows_of_part[small].sum())
        if n_suppressed > self.most_suppressed:
            return None
        saved = order.weighed[where] * kernels.look_up(codes, tree.penalty[node] - tree.penalty[child])
        if n_suppressed:
            goes = small[part]
            saved = np.where(goes, self.loss_of_tuple[tuples] - rows, saved)
            saved = saved[self.kept[tuples]]
        return Step(
            c=c,
            node=node,
            gain=float(saved.sum()),
            n_suppressed=n_suppressed,
            tuples=tuples,
            part_of_tuple=part,
            rows_of_part=rows_of_part,
        )

    def take(self, step: Step) -> Undo:
        """Replace a node of a cut by its children."""
        forest, tree, tuples = self.forest, self.forest.trees[step.c], step.tuples
        undo = Undo(
            step,
            self.class_of_tuple[tuples],
            self.kept[tuples],
            self.loss_of_tuple[tuples],
            self.total,
            self.n_suppressed,
        )
        codes = slice(int(tree.start[step.node]), int(tree.end[step.node]) + 1)
        child = tree.at_depth[tree.depth[step.node] + 1]
        self.cuts[step.c][codes] = child[codes]
        order, where = forest.by_code[step.c], forest.below(step.c, step.node)
        saved = tree.penalty[step.node] - tree.penalty[child[order.codes[where]]]
        self.loss_of_tuple[tuples] -= order.weighed[where] * saved
        self.class_of_tuple[tuples] = self.n_classes + step.part_of_tuple
        self.n_classes += len(step.rows_of_part)
        self.kept[tuples] &= (step.rows_of_part >= self.k)[step.part_of_tuple]
        self.total -= step.gain
        self.n_suppressed = step.n_suppressed
        return undo

    def back(self, undo: Undo) -> None:
        """Take a step back; the last one first."""
        tree, tuples = self.forest.trees[undo.step.c], undo.step.tuples
        self.cuts[undo.step.c][int(tree.start[undo.step.node]) : int(tree.end[undo.step.node]) + 1] = undo.step.node
        self.class_of_tuple[tuples], self.kept[tuples] = undo.class_of_tuple, undo.kept
        self.loss_of_tuple[tuples] = undo.loss_of_tuple
        self.total, self.n_suppressed = undo.total, undo.n_suppressed
        self.n_classes -= len(undo.step.rows_of_part)

    def inner_nodes(self) -> list[tuple[int, int]]:
        """The nodes of the cuts that have children: column and node."""
        inner = []
        for c, (cut, tree) in enumerate(zip(self.cuts, self.forest.trees, strict=True)):
            inner += [(c, int(node)) for node in np.unique(cut) if not tree.is_leaf[node]]
        return inner


def at_roots(forest: Forest) -> Cuts:
    """The most general recoding."""
    return [np.zeros(tree.n_codes, dtype=np.int64) for tree in forest.trees]


def cuts_at_levels(forest: Forest, number_of_code: Sequence[np.ndarray]) -> Cuts:
    """A full-domain generalization as cuts, from the number of the node that each code belongs to."""
    cuts = []
    for tree, number in zip(forest.trees, number_of_code, strict=True):
        first, last = np.searchsorted(number, number), np.searchsorted(number, number, side="right") - 1
        cuts.append(tree.lowest_above(first, last))
    return cuts
