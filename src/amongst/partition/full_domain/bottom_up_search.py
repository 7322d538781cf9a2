"""Exhaustive bottom-up search of the lattice, with and without rollup: what Incognito is compared with."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np

from amongst.partition.ask import Ask
from amongst.partition.frequency_sets import FrequencySets
from amongst.partition.full_domain.graph_search import Graph, search_graph
from amongst.partition.method import Method
from amongst.partition.papers import INCOGNITO


def bottom_up_search(
    sets: FrequencySets,
    ask: Ask,
    *,
    rollup: bool = True,
    marking: str = "all",
    progress: Callable[[int, int], None] | None = None,
) -> tuple[np.ndarray, int]:
    """Every full-domain generalization that satisfies the models, from the bottom of the lattice.

    Paper
        LeFevre, DeWitt, Ramakrishnan, *Incognito*, SIGMOD 2005, section 2.2.
    Guarantees
        As ``incognito``.
    Choices
        As ``incognito``.
    Departures
        As ``incognito``: breadth-first, that is by height, with ``marking="direct"`` only.
    Cost
        Looks at nearly every node that does not hold. ``rollup=False`` counts each from the tuples.
    """
    family = tuple(range(ask.lattice.n_columns))
    graph = Graph(family, ask.lattice.everything())
    n_looked = 0

    def holds(found):  # type: ignore[no-untyped-def]
        nonlocal n_looked
        n_looked += 1
        if progress is not None and n_looked % 64 == 0:
            progress(n_looked, ask.lattice.n_nodes)
        return ask.holds(found)

    return search_graph(graph, sets, holds, lambda node: sets.scan(family, node), marking=marking, rollup=rollup)


METHOD = Method(
    name="bottom-up-search",
    family="full_domain",
    place=50,
    search=bottom_up_search,
    takes="monotone models",
    recoding="global",
    words="One level per column: finds all that hold by looking at the lattice from the bottom.",
    paper=f"{INCOGNITO}, section 2.2",
    decides_on="counts",
    finds_all=True,
    minimal="levels",
)
