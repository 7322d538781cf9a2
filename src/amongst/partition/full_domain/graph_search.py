"""Breadth-first search over a graph of generalizations, lowest first (Incognito, section 3.1.1)."""

from __future__ import annotations

import heapq
from collections.abc import Callable
from dataclasses import dataclass
from functools import cached_property

import numpy as np

from amongst.errors import refuse_unknown_word
from amongst.partition.frequency_sets import FrequencySets, NodeSet
from amongst.partition.lattice import Lattice, Levels, as_tuples, mark_above, minimal
from amongst.partition.method import MARKINGS


@dataclass(frozen=True, eq=False)
class Graph:
    """The candidates over one family of columns, an upward-closed set of nodes."""

    family: tuple[int, ...]
    candidates: np.ndarray

    @property
    def lattice(self) -> Lattice:
        return Lattice(tuple(size - 1 for size in self.candidates.shape))

    def roots(self) -> list[Levels]:
        """The candidates that generalize no other one."""
        return self._roots

    @cached_property
    def _roots(self) -> list[Levels]:
        return as_tuples(minimal(self.candidates))


def search_graph(
    graph: Graph,
    sets: FrequencySets,
    holds: Callable[[NodeSet], bool],
    first: Callable[[Levels], NodeSet],
    *,
    marking: str = "all",
    rollup: bool = True,
) -> tuple[np.ndarray, int]:
    """Decide every candidate.

    The queue is in the order of levels, column by column, and not of height as in figure 8. What a node generalizes
    comes before it either way, so the same nodes are looked at and the same hold. But by height the sets of all failed
    nodes of a height wait for those above, and here a set waits only for the nodes one level up in its last generalized
    column or in a later one: with a single root there is never more than one set a column, and one.

    Parameters
    ----------
    first : callable
        Gives the frequency set of a root.
    marking : {"all", "direct"}
        When a node holds, all its generalizations are known to hold; "direct" marks only those one step up, as
        the paper's figure 8 does, in its order, and looks at the others again when it meets them.
    rollup : bool
        Take a node's frequency set from that of a failed node below it; else ``first`` gives it.

    Returns
    -------
    safe : ndarray of bool
        The candidates that hold.
    n_searched : int
        How many frequency sets were looked at.
    """
    refuse_unknown_marking(marking)
    lattice, by_height = graph.lattice, marking == "direct"
    marked, failed, queued = lattice.nothing(), lattice.nothing(), lattice.nothing()
    queue: list[tuple[int, Levels, Levels | None]] = []

    def add(node: Levels, below: Levels | None) -> None:
        queued[node] = True
        heapq.heappush(queue, (sum(node) if by_height else 0, node, below))

    for root in graph.roots():
        add(root, None)
    kept: dict[Levels, NodeSet] = {}
    waiting: dict[Levels, set[Levels]] = {}
    n_searched = 0
    while queue:
        _, node, below = heapq.heappop(queue)
        source = None
        if below in kept:
            source = kept[below]
            waiting[below].discard(node)
            if not waiting[below]:  # nobody else is rolled up from it: these sets are most of the memory
                del kept[below], waiting[below]
        if marked[node]:
            continue
        found = first(node) if source is None else sets.rollup(source, node)
        del source
        n_searched += 1
        if holds(found):
            _mark(marked, node, lattice, marking)
            continue
        failed[node] = True
        rolled_up = set()
        for parent in lattice.parents(node):
            if by_height and queued[parent]:
                continue
            source_of_parent = node if by_height else _below(graph.candidates, parent)
            if source_of_parent == node:
                rolled_up.add(parent)
            if not queued[parent]:
                add(parent, source_of_parent)
        if rollup and rolled_up:
            kept[node], waiting[node] = found, rolled_up
    return graph.candidates & ~failed, n_searched


def _below(candidates: np.ndarray, node: Levels) -> Levels | None:
    """The candidate that a node is rolled up from: one level below in the last column where there is one. Where
    nothing below the node holds it has failed, and is the last of those that did."""
    for c in range(len(node) - 1, -1, -1):
        below = (*node[:c], node[c] - 1, *node[c + 1 :])
        if node[c] and candidates[below]:
            return below
    return None


def _mark(marked: np.ndarray, node: Levels, lattice: Lattice, marking: str) -> None:
    if marking == "all":
        mark_above(marked, node)
        return
    marked[node] = True
    for parent in lattice.parents(node):
        marked[parent] = True


def refuse_unknown_marking(marking: str) -> None:
    refuse_unknown_word("There is no such marking.", "marking", marking, MARKINGS)
