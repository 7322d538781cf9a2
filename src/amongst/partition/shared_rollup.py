"""Frequency sets of several nodes of one family from one set, sharing the steps that they have in common."""

from __future__ import annotations

import math
from collections.abc import Sequence

from amongst.partition.frequency_sets import FrequencySets, NodeSet
from amongst.partition.lattice import Levels

SMALL = 2_000
"""A set of fewer classes is rolled up once for every node: steps in between would cost more than they save."""
LARGE, LARGE_COSTS = 1 << 18, 5
"""A set of more classes leaves the processor's cache while it is counted, and costs so many times as much a class."""


def roll_up_together(sets: FrequencySets, source: NodeSet, nodes: Sequence[Levels]) -> dict[Levels, NodeSet]:
    """The sets of some nodes that all generalize ``source``.

    Nodes are first rolled up to the most general node that they all generalize, where that makes the set so much
    smaller that it pays, and go on from there. Then they are divided by the level of a column, and so on.
    """
    found: dict[Levels, NodeSet] = {}
    work = [(source, list(nodes))]
    while work:
        source, group = work.pop()
        if len(group) == 1 or source.n_classes < SMALL:
            found.update({node: _at(sets, source, node) for node in group})
            continue
        common = lowest_common(group)
        if pays(source.n_classes, sets.estimate(source, source.columns, common), len(group)):
            source = _at(sets, source, common)
        work += [(source, part) for part in _divide(sets, source, group)]
    return found


def lowest_common(nodes: Sequence[Levels]) -> Levels:
    """The most general node that all of them generalize."""
    return tuple(map(min, zip(*nodes, strict=True)))


def pays(n_before: int, n_between: int, n_nodes: int) -> bool:
    """Whether a step to a set of fewer classes costs less than it saves for the nodes above it."""
    step = n_before * (LARGE_COSTS if n_between > LARGE else 1)
    return step + n_nodes * n_between < n_nodes * n_before


def _at(sets: FrequencySets, source: NodeSet, node: Levels) -> NodeSet:
    return source if node == source.levels else sets.rollup(source, node)


def _divide(sets: FrequencySets, source: NodeSet, group: list[Levels]) -> list[list[Levels]]:
    """Two parts: the nodes that have a column at some level or above, and the others.

    The column and the level are those that promise the most: many nodes in the upper part, and few values left.
    """
    common = lowest_common(group)

    def promise(place: int, level: int) -> float:
        n_nodes = sets.n_nodes[source.columns[place]]
        n_upper = sum(node[place] >= level for node in group)
        return n_upper * math.log(n_nodes[common[place]] / n_nodes[level])

    cuts = {(place, level) for node in group for place, level in enumerate(node) if level > common[place]}
    place, level = max(sorted(cuts), key=lambda cut: promise(*cut))
    return [[node for node in group if node[place] >= level], [node for node in group if node[place] < level]]
