"""Frequency sets of several nodes of one family from one set, sharing the steps that they have in common."""

from __future__ import annotations

import math
from collections.abc import Sequence

from amongst.partition.frequency_sets import FrequencySets, NodeSet
from amongst.partition.lattice import Levels

SMALL = 10_000
"""A set of fewer classes is rolled up once for every node: steps in between would cost more than they save."""
LARGE, LARGE_COSTS = 1 << 18, 5
"""A set of more classes leaves the processor's cache while it is counted, and costs so many times as much a class."""


def count_together(
    sets: FrequencySets, family: tuple[int, ...], nodes: Sequence[Levels], source: NodeSet | None = None
) -> dict[Levels, NodeSet]:
    """The sets of some nodes of a family, from a set that all of them generalize or else from the table's tuples.

    Nodes are first counted at the most general node that they all generalize, their super-root, where that is so
    much smaller that it pays, and go on from there. Then they are divided by the level of a column, and so on.
    """
    found: dict[Levels, NodeSet] = {}
    work = [(source, list(nodes))] if nodes else []
    while work:
        source, group = work.pop()
        if len(group) > 1:
            source = _step(sets, family, group, source)
        if len(group) == 1 or (source is not None and source.n_classes < SMALL):
            found.update({node: _at(sets, family, node, source) for node in group})
        else:
            work += [(source, part) for part in _divide(sets, family, group)]
    return found


def _step(sets: FrequencySets, family: tuple[int, ...], group: list[Levels], source: NodeSet | None) -> NodeSet | None:
    """The super-root of a group if it pays, else what it would have been counted from."""
    super_root, below = lowest_common(group), source or sets.tuples
    if below.n_classes >= SMALL:
        if not pays(below.n_classes, sets.estimate(below, family, super_root), len(group)):
            return source
    elif source is not None:
        return source
    return _at(sets, family, super_root, source)


def lowest_common(nodes: Sequence[Levels]) -> Levels:
    """The most general node that all of them generalize."""
    return tuple(map(min, zip(*nodes, strict=True)))


def pays(n_before: int, n_between: int, n_nodes: int) -> bool:
    """Whether a step to a set of fewer classes costs less than it saves for the nodes above it."""
    step = n_before * (LARGE_COSTS if n_between > LARGE else 1)
    return step + n_nodes * n_between < n_nodes * n_before


def _at(sets: FrequencySets, family: tuple[int, ...], node: Levels, source: NodeSet | None) -> NodeSet:
    if source is None:
        return sets.scan(family, node)
    return source if node == source.levels else sets.rollup(source, node)


def _divide(sets: FrequencySets, family: tuple[int, ...], group: list[Levels]) -> list[list[Levels]]:
    """Two parts: the nodes that have a column at some level or above, and the others.

    The column and the level are those that promise the most: many nodes in the upper part, and few values left.
    """
    common = lowest_common(group)

    def promise(place: int, level: int) -> float:
        n_nodes = sets.n_nodes[family[place]]
        n_upper = sum(node[place] >= level for node in group)
        return n_upper * math.log(n_nodes[common[place]] / n_nodes[level])

    cuts = {(place, level) for node in group for place, level in enumerate(node) if level > common[place]}
    place, level = max(sorted(cuts), key=lambda cut: promise(*cut))
    return [[node for node in group if node[place] >= level], [node for node in group if node[place] < level]]
