"""Covering the tuples by classes of ever less specific full-domain generalizations, the cheapest first."""

from __future__ import annotations

from collections.abc import Callable, Iterator

import numpy as np

from amongst import kernels
from amongst.encode.frequency import FrequencySet
from amongst.measure.at_levels import LevelLoss
from amongst.partition.frequency_sets import FrequencySets

LEAST_NODES, MOST_NODES = 2_000, 20_000
TUPLES_LOOKED_AT = 400_000_000
"""So many generalizations are looked at, fewer where tuples are many; evenly spread where there are more."""
MOST_SORTED = 1 << 20
"""A larger lattice is not sorted by loss; nodes are drawn from it."""
SEED = 20_000


def cover(
    tuples: FrequencySet, sets: FrequencySets, k: int, progress: Callable[[int, int], None] | None = None
) -> np.ndarray:
    """The group of every tuple, from 0 with gaps; -1 for fewer than k rows that are left at the end.

    At every generalization in turn, each class that still has k rows becomes a group and its rows are done
    with. Of those that lose the same, the one that groups most rows when the first of them is looked at goes
    first.
    """
    group_of_tuple = np.full(tuples.n_tuples, -1, dtype=np.int64)
    n_groups = 0
    left = _Left(tuples, sets.maps, np.arange(tuples.n_tuples))
    blocks = nodes_by_loss(sets, max(LEAST_NODES, min(MOST_NODES, TUPLES_LOOKED_AT // tuples.n_tuples)))
    for n_done, block in enumerate(blocks):
        for node in _most_rows_first(block, left, k):
            part, _, rows_of_part = kernels.distinct(left.at(node), left.rows)
            enough = rows_of_part >= k
            taken = enough[part] & (left.rows > 0)
            if taken.any():
                group_of_tuple[left.tuples[taken]] = n_groups + part[taken]
                n_groups += len(rows_of_part)
                left = left.without(taken)
        if progress is not None:
            progress(n_done, len(blocks))
        if left.n_tuples == 0:
            break
    return group_of_tuple


def _most_rows_first(block: np.ndarray, left: _Left, k: int) -> np.ndarray:
    """The nodes of a block in order, without those that group none: later there are only fewer tuples."""
    if len(block) == 1:
        return block
    counts = [kernels.distinct(left.at(node), left.rows)[2] for node in block]
    n_rows = np.array([int(rows[rows >= k].sum()) for rows in counts])
    in_order = np.argsort(-n_rows, kind="stable")
    return block[in_order[n_rows[in_order] > 0]]


class _Left:
    """The tuples that have no group yet, with the numbers of their nodes at every level."""

    def __init__(self, every: FrequencySet, maps: list[list[np.ndarray]], tuples: np.ndarray) -> None:
        self.every, self.maps, self.tuples = every, maps, tuples
        self.rows = every.count[tuples]
        self.n_tuples = len(tuples)
        self._numbers = [
            [kernels.look_up(own[tuples], number) for number in of_level]
            for own, of_level in zip(every.codes, maps, strict=True)
        ]

    def at(self, node: np.ndarray) -> list[np.ndarray]:
        return [numbers[level] for numbers, level in zip(self._numbers, node, strict=True)]

    def without(self, taken: np.ndarray) -> _Left:
        """Tuples that are taken get no rows; when they are many, the arrays are made anew without them."""
        self.rows[taken] = 0
        self.n_tuples -= int(taken.sum())
        if self.n_tuples > 0.9 * len(self.tuples):
            return self
        return _Left(self.every, self.maps, self.tuples[self.rows > 0])


def nodes_by_loss(sets: FrequencySets, most: int) -> list[np.ndarray]:
    """At most so many nodes of the lattice in blocks of equal loss, the least loss first, the top last."""
    lattice = sets.lattice
    if lattice.n_nodes <= MOST_SORTED:
        nodes = np.stack(np.unravel_index(np.arange(lattice.n_nodes), lattice.shape), axis=1)
    else:
        nodes = np.stack([*_draw(sets, most)])
    loss = np.round(LevelLoss(sets, "gcp").bounds(nodes), 12)
    order = np.lexsort([*reversed(nodes.T), nodes.sum(axis=1), loss])
    if len(order) > most:
        order = order[np.linspace(0, len(order) - 1, most).astype(np.int64)]
    blocks = np.split(nodes[order], np.flatnonzero(np.diff(loss[order])) + 1)
    return [*blocks, np.array([lattice.heights])]


def _draw(sets: FrequencySets, n_nodes: int) -> Iterator[np.ndarray]:
    """Nodes from all heights, the same ones for the same heights."""
    lots = np.random.default_rng(SEED)
    heights = np.array(sets.heights)
    for share in np.linspace(0, 1, n_nodes):
        yield lots.binomial(heights, share)
