"""Splitting regions, vectors of tree nodes, into the children of one of their nodes: all regions at once."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property

import numpy as np

from amongst import kernels
from amongst.partition.trees.forest import Forest
from amongst.partition.trees.node_groups import lowest_nodes

NEARLY = 1e-9


@dataclass(frozen=True, eq=False)
class Regions:
    """Disjoint regions of the space of quasi-identifiers.

    Attributes
    ----------
    tuples : ndarray of int64
        The tuples that are looked at.
    region_of_tuple : ndarray of int64
        The region of each of them, from 0.
    nodes : ndarray of int64, shape (n_regions, n_columns)
    """

    forest: Forest
    tuples: np.ndarray
    region_of_tuple: np.ndarray
    nodes: np.ndarray

    @cached_property
    def loss_of_tuple(self) -> np.ndarray:
        """What the rows of every tuple lose in their region."""
        nodes = self.nodes[self.region_of_tuple]
        return sum(
            (
                self.forest.rows_that_lose[c][self.tuples] * (self.forest.weight[c] * tree.penalty[nodes[:, c]])
                for c, tree in enumerate(self.forest.trees)
            ),
            np.zeros(len(self.tuples)),
        )

    @property
    def n_regions(self) -> int:
        return len(self.nodes)


@dataclass(frozen=True, eq=False)
class Split:
    """Every region split by the children of its node in one column.

    Attributes
    ----------
    part_of_tuple, region_of_part, child_of_part, rows_of_part : ndarray
    n_parts, n_kept, n_lost : ndarray, one a region
        Parts that have rows, those with at least k, and rows in the others.
    saved : ndarray of float64, one a region
        The loss that it saves, in rows, when parts of fewer than k rows are suppressed.
    complete : ndarray of bool, one a region
        Whether the parts are all that its node has, so that together they cover what it covered.
    """

    part_of_tuple: np.ndarray
    region_of_part: np.ndarray
    child_of_part: np.ndarray
    rows_of_part: np.ndarray
    n_parts: np.ndarray
    n_kept: np.ndarray
    n_lost: np.ndarray
    saved: np.ndarray
    complete: np.ndarray

    @property
    def allowed(self) -> np.ndarray:
        """Regions where the split tells something and every part has at least k rows."""
        return (self.n_parts > 1) & (self.n_lost == 0)

    @property
    def allowed_at_a_loss(self) -> np.ndarray:
        return (self.n_kept > 0) & (self.n_lost > 0)


def regions_of(forest: Forest, tuples: np.ndarray, region_of_tuple: np.ndarray, n_regions: int) -> Regions:
    """Regions as small as their tuples allow: what lies beside has no rows, and is a region of its own."""
    return Regions(forest, tuples, region_of_tuple, lowest_nodes(forest, tuples, region_of_tuple, n_regions))


def split(regions: Regions, c: int, k: int) -> Split:
    """Split every region in column c."""
    forest, tuples, region = regions.forest, regions.tuples, regions.region_of_tuple
    tree = forest.trees[c]
    node = regions.nodes[region, c]
    child = tree.child_of(node, forest.tuples.codes[c][tuples])
    rows = forest.tuples.count[tuples]
    part, first, rows_of_part = kernels.distinct([region.astype(np.uint32), child.astype(np.uint32)], rows)
    owner, small = region[first], rows_of_part < k
    saved = forest.rows_that_lose[c][tuples] * (forest.weight[c] * (tree.penalty[node] - tree.penalty[child]))
    if small.any():
        gone = small[part]
        saved[gone] = regions.loss_of_tuple[gone] - rows[gone]
    n = regions.n_regions
    return Split(
        part_of_tuple=part,
        region_of_part=owner,
        child_of_part=child[first],
        rows_of_part=rows_of_part,
        n_parts=np.bincount(owner, minlength=n),
        n_kept=np.bincount(owner[~small], minlength=n),
        n_lost=np.bincount(owner[small], weights=rows_of_part[small], minlength=n).astype(np.int64),
        saved=np.bincount(region, weights=saved, minlength=n),
        complete=np.bincount(owner, minlength=n) == tree.n_parts[regions.nodes[:, c]],
    )


def saved_next(regions: Regions, c: int, made: Split, k: int, *, complete: bool = False) -> np.ndarray:
    """For every region, split in column c, what the best further split of each of its parts would save.

    With ``complete`` only splits into all parts of a node count.
    """
    worth = made.allowed & made.complete if complete else made.allowed | made.allowed_at_a_loss
    live = np.flatnonzero((worth[made.region_of_part] & (made.rows_of_part >= 2 * k))[made.part_of_tuple])
    if len(live) == 0:
        return np.zeros(regions.n_regions)
    nodes = regions.nodes[made.region_of_part]
    nodes[:, c] = made.child_of_part
    parts = Regions(regions.forest, regions.tuples[live], made.part_of_tuple[live].astype(np.int64), nodes)
    best = np.zeros(len(nodes))
    for other in range(regions.forest.n_columns):
        further = split(parts, other, k)
        allowed = further.allowed & further.complete if complete else further.allowed
        best = np.maximum(best, np.where(allowed, further.saved, 0.0))
    return np.bincount(made.region_of_part, weights=best, minlength=regions.n_regions)


def choose_splits(regions: Regions, k: int, spare: int) -> tuple[np.ndarray, list[Split]]:
    """The column that every region is split in, -1 for those that stay; the splits of all columns.

    The split that saves most, with what the next one would save, is taken. One that suppresses rows must save
    something by itself and be better than one that suppresses none; as long as ``spare`` rows are left for
    that, those that save most for every row go first.
    """
    free, free_column = np.full(regions.n_regions, -np.inf), np.full(regions.n_regions, -1)
    costly, costly_column = free.copy(), free_column.copy()
    n_lost = np.zeros(regions.n_regions, dtype=np.int64)
    splits = []
    for c in range(regions.forest.n_columns):
        made = split(regions, c, k)
        score = made.saved + saved_next(regions, c, made, k)
        better = made.allowed & (score > free + NEARLY)
        free[better], free_column[better] = score[better], c
        better = made.allowed_at_a_loss & (made.n_lost <= spare) & (made.saved > NEARLY) & (score > costly + NEARLY)
        costly[better], costly_column[better], n_lost[better] = score[better], c, made.n_lost[better]
        splits.append(made)
    extra = np.where(costly_column >= 0, costly, 0.0) - np.maximum(free, 0.0)
    ranked = np.flatnonzero(extra > NEARLY)
    ranked = ranked[np.argsort(-extra[ranked] / n_lost[ranked], kind="stable")]
    taken = ranked[np.cumsum(n_lost[ranked]) <= spare]
    column = free_column
    column[taken] = costly_column[taken]
    return column, splits
