"""The loop that the Incognito algorithms share: families of one column, then of two, and so on."""

from __future__ import annotations

import math
from collections.abc import Callable

import numpy as np

from amongst.errors import BadOption
from amongst.partition.ask import Ask
from amongst.partition.frequency_sets import FrequencySets, NodeSet
from amongst.partition.full_domain.graph_search import Graph, search_graph
from amongst.partition.lattice import Lattice, Levels, candidates, families

FirstSet = Callable[[Levels], NodeSet]
Progress = Callable[[int, int], None]


MOST_FAMILIES, MOST_DECIDED = 1 << 15, 1 << 26
"""More sets of columns, or nodes over all of them, are not gone through."""


def a_priori(
    sets: FrequencySets,
    ask: Ask,
    first_of: Callable[[Graph], FirstSet],
    *,
    marking: str = "all",
    progress: Progress | None = None,
) -> tuple[np.ndarray, int]:
    """Decide the whole lattice by deciding it for ever larger sets of columns (Incognito, figure 8).

    ``first_of`` tells how the roots of a graph get their frequency sets: this is all that the variants differ in.

    Returns
    -------
    safe : ndarray of bool, of the lattice's shape
    n_searched : int
    """
    refuse_many_families(ask.lattice)
    n_columns, shape = ask.lattice.n_columns, ask.lattice.shape
    safe: dict[tuple[int, ...], np.ndarray] = {}
    n_searched, n_done = 0, 0
    for size in range(1, n_columns + 1):
        decided = {}
        for family in families(n_columns, size):
            graph = Graph(family, candidates(safe, family, shape))
            decided[family], n = search_graph(graph, sets, ask.holds, first_of(graph), marking=marking)
            n_searched += n
            n_done += 1
            if progress is not None:
                progress(n_done, (1 << n_columns) - 1)
        safe = decided
    return safe[tuple(range(n_columns))], n_searched


def refuse_many_families(lattice: Lattice) -> None:
    """Raise where nobody could wait for all sets of columns."""
    n_families = 1 << lattice.n_columns
    n_decided = math.prod(size + 1 for size in lattice.shape)
    if n_families <= MOST_FAMILIES and n_decided <= MOST_DECIDED:
        return
    raise BadOption(
        "The columns are too many to search every set of them.",
        found=f"{n_families:,} sets of {lattice.n_columns} columns, with {n_decided:,} generalizations; "
        f"at most {MOST_FAMILIES:,} with {MOST_DECIDED:,} are searched",
        fix='use method="full-domain-optimum", which looks for the best one alone, or "datafly", which climbs one path',
        n_families=n_families,
    )
