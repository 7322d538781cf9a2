"""Breadth-first search over a graph of generalizations, lowest first (Incognito, section 3.1.1)."""

from __future__ import annotations

import heapq
from collections.abc import Callable
from dataclasses import dataclass
from functools import cached_property

import numpy as np

from amongst.errors import BadOption
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

    Parameters
    ----------
    first : callable
        Gives the frequency set of a root.
    marking : {"all", "direct"}
        When a node holds, all its generalizations are known to hold; "direct" marks only those one step up, as
        the paper's figure 8 does, and looks at the others again when it meets them.
    rollup : bool
        Take a node's frequency set from that of the failed node below it; else ``first`` gives it.

    Returns
    -------
    safe : ndarray of bool
        The candidates that hold.
    n_searched : int
        How many frequency sets were looked at.
    """
    refuse_unknown_marking(marking)
    lattice = graph.lattice
    marked, failed, queued = lattice.nothing(), lattice.nothing(), lattice.nothing()
    queue: list[tuple[int, Levels, Levels | None]] = [(sum(root), root, None) for root in graph.roots()]
    heapq.heapify(queue)
    for _, root, _ in queue:
        queued[root] = True
    kept: dict[Levels, NodeSet] = {}
    waiting: dict[Levels, int] = {}
    n_searched = 0
    while queue:
        node_height, node, below = heapq.heappop(queue)
        source = None
        if below in kept:
            source = kept[below]
            waiting[below] -= 1
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
        parents = [parent for parent in lattice.parents(node) if not queued[parent]]
        for parent in parents:
            queued[parent] = True
            heapq.heappush(queue, (node_height + 1, parent, node))
        if rollup and parents:
            kept[node], waiting[node] = found, len(parents)
    return graph.candidates & ~failed, n_searched


def _mark(marked: np.ndarray, node: Levels, lattice: Lattice, marking: str) -> None:
    if marking == "all":
        mark_above(marked, node)
        return
    marked[node] = True
    for parent in lattice.parents(node):
        marked[parent] = True


def refuse_unknown_marking(marking: str) -> None:
    if marking not in MARKINGS:
        raise BadOption(
            "There is no such marking.", found=f"marking = {marking!r}", fix="use one of: " + ", ".join(MARKINGS)
        )
