"""Weights on the nodes of a tree: what saying a node costs, where not every leaf and every node counts the same."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace

import numpy as np

from amongst.errors import BadHierarchy
from amongst.schema.tree import Tree

MOST_WEIGHTED = 4096
"""Leaves of a tree with weights: what every pair of values costs is kept in a table."""

FIX = "give every node a weight of 0 or more that does not make it cost more than the one above it"


def weights_from(told: Mapping[str, float]) -> tuple[tuple[str, float], ...]:
    """Weights by the names of their nodes, checked."""
    if not isinstance(told, Mapping):
        raise BadHierarchy("Weights of nodes are a table.", found="something else", fix="write { Europe = 0.5 }")
    odd = [w for w in told.values() if not isinstance(w, (int, float)) or isinstance(w, bool) or not 0 <= w < np.inf]
    if odd:
        raise BadHierarchy("Weights of nodes are numbers.", found=f"{len(odd)} of {len(told)} are none", fix=FIX)
    return tuple((str(name), float(weight)) for name, weight in told.items())


def weighed(tree: Tree, weights: tuple[tuple[str, float], ...], kind: str, *, listed: bool) -> Tree:
    """The tree with what every node costs.

    Paper
        Xu, Wang, Pei, Wang, Shi, Fu, *Utility-Based Anonymization Using Local Recoding*, KDD 2006, section 3: the
        penalty size(u)/|A| extended by weights on internal nodes, for the more important leaves and for the structure
        of the tree. Its details are left out there.
    Choices
        The weight of a leaf is how many leaves it counts for in all nodes above it; that of an inner node multiplies
        what the node itself costs. The root says nothing and costs 1; a leaf costs 0.
    """
    if kind != "categorical":
        raise BadHierarchy(
            "Weights of nodes are for categories: what a range of numbers, dates or ordered values costs is its width.",
            found=f"weights in a column of kind {kind}",
            fix='give it kind = "categorical", or leave the weights out',
        )
    if tree.n_leaves > MOST_WEIGHTED:
        raise BadHierarchy(
            f"A tree with weights has at most {MOST_WEIGHTED:,} leaves.",
            found=f"{tree.n_leaves:,}",
            fix="leave them out",
        )
    factor = np.ones(tree.start.shape)
    leaf = np.ones(tree.n_leaves)
    n_unknown = 0
    for name, weight in weights:
        at = [
            (level, first) for level, labels in enumerate(tree.labels) for first, own in labels.items() if own == name
        ]
        n_unknown += not at
        for level, first in at:
            last = int(tree.end[level, first])
            if last > first:
                factor[level, first : last + 1] = weight
            else:
                leaf[first] = weight
    inner = tree.end > tree.start
    upto = np.append(0.0, np.cumsum(leaf))
    cost = np.where(inner, factor * (upto[tree.end + 1] - upto[tree.start]) / max(upto[-1], 1e-300), 0.0)
    problems = [f"{n_unknown} of {len(weights)} weights name no node of the tree"] if n_unknown and listed else []
    if tree.n_leaves > 1 and (upto[-1] <= 0 or abs(float(cost[-1].max()) - 1) > 1e-9):
        problems.append("the root, which says nothing and costs 1, has another weight")
    falls = np.diff(cost, axis=0) < -1e-12
    if falls.any():
        n_nodes = len({(int(level), int(tree.start[level, at])) for level, at in np.argwhere(falls)})
        problems.append(f"{n_nodes} nodes cost more than the one above them")
    if problems:
        raise BadHierarchy("The weights of the nodes do not fit the tree.", found=problems, fix=FIX)
    return replace(tree, cost=cost)
