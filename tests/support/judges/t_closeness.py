"""The earth mover's distance of every class to the table: all alike, along a line, up and down a tree."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from typing import Any

import amongst as am
from judges import SLACK, Published, in_every_class

Shares = Mapping[Any, float]


def holds(model: am.TCloseness, published: Published) -> bool:
    return in_every_class(model, published, lambda seen: apart(seen.own, seen.usual, seen.distance) <= model.t + SLACK)


def apart(own: Shares, usual: Shares, distance: Any) -> float:
    """By a distance as ``Published`` has it; what is missing comes last in an order, and below the root of a tree."""
    if distance == "equal":
        return equal(own, usual)
    if distance == "ordered":
        values = sorted(value for value in usual if value is not None)
        return ordered(own, usual, [*values, *([None] if None in usual else [])])
    paths = dict(distance)
    if None in usual:
        some = next(iter(paths.values()))
        paths[None] = (*[None] * (len(some) - 1), some[-1])
    return hierarchical(own, usual, paths)


def equal(own: Shares, usual: Shares) -> float:
    return sum(abs(own.get(value, 0) - p) for value, p in usual.items()) / 2


def ordered(own: Shares, usual: Shares, values: Sequence[Any]) -> float:
    """Earth moved from each value to the next; ``values`` in order."""
    carried = total = 0.0
    for value in values[:-1]:
        carried += own.get(value, 0) - usual.get(value, 0)
        total += abs(carried)
    return total / (len(values) - 1) if len(values) > 1 else 0.0


def hierarchical(own: Shares, usual: Shares, paths: Mapping[Any, Sequence[Any]]) -> float:
    """Flow through the tree: every edge carries what its subtree has too much, and costs half a step of height.

    ``paths`` has for every leaf its ancestors from the leaf itself to the root, one a level. The distance of two
    leaves is the height of their lowest common ancestor over that of the tree, which is half the way between them.
    """
    height = len(next(iter(paths.values()))) - 1
    cost = 0.0
    for level in range(height):
        extra: Counter[Any] = Counter()
        for leaf, path in paths.items():
            extra[path[level]] += own.get(leaf, 0) - usual.get(leaf, 0)  # type: ignore[assignment]
        cost += sum(map(abs, extra.values())) / (2 * height)
    return cost
