"""Samarati's binary search on height: the generalizations of least height that hold."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np

from amongst.partition.ask import Ask
from amongst.partition.frequency_sets import FrequencySets
from amongst.partition.lattice import Levels
from amongst.partition.method import Method
from amongst.partition.papers import INCOGNITO


def samarati(
    sets: FrequencySets, ask: Ask, *, progress: Callable[[int, int], None] | None = None
) -> tuple[np.ndarray, int]:
    """The generalizations of minimal height that satisfy the models.

    Paper
        Samarati's algorithm as LeFevre, DeWitt, Ramakrishnan, *Incognito*, SIGMOD 2005, section 2.2, describe it.
    Guarantees
        No generalization of smaller height holds. All of that height that hold are given.
    Choices
        A height is left at the first node that holds, in order of levels. The least height is then looked at in
        full, so that a measure can choose among its nodes.
    Departures
        The original stops at the first node of the least height.
    Cost
        O(log h) heights, each with all its nodes when none holds.
    """
    lattice, family = ask.lattice, tuple(range(ask.lattice.n_columns))
    answer: dict[Levels, bool] = {}

    def holds(node: Levels) -> bool:
        if node not in answer:
            answer[node] = ask.holds(sets.scan(family, node))
            if progress is not None:
                progress(len(answer), lattice.n_nodes)
        return answer[node]

    low, high = 0, sum(lattice.heights)  # none holds below low; if any holds, one does at high
    while low < high:
        middle = (low + high) // 2
        if any(holds(node) for node in lattice.at_height(middle)):
            high = middle
        else:
            low = middle + 1
    safe = lattice.nothing()
    for node in lattice.at_height(low):
        safe[node] = holds(node)
    return safe, len(answer)


METHOD = Method(
    name="samarati",
    family="full_domain",
    place=30,
    search=samarati,
    takes="monotone models",
    recoding="global",
    words="One level per column: the least height that holds, by binary search.",
    paper=f"{INCOGNITO}, section 2.2",
    decides_on="counts",
)
