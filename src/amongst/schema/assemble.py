"""Levels, given as the node of every leaf, become a Tree: every node a contiguous range of leaves."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from itertools import pairwise
from typing import Any

import numpy as np

from amongst.errors import BadHierarchy
from amongst.schema.problem import Problem, are, count, raise_all
from amongst.schema.tree import Tree
from amongst.schema.value_text import texts_of

ROOT = "*"
MORE_THAN_CAN_BE_COUNTED = 1 << 62
"""Parts of a node that are too many to be listed: the numbers between 0.1 and 0.2."""
DOES_NOT_FIT = "The hierarchy does not fit the values of the column."


@dataclass(frozen=True)
class Level:
    """One level above the leaves.

    ``node_of_leaf`` tells nodes apart by any hashable numbers or texts; ``label(first, last)`` names
    the node that reaches from leaf ``first`` to leaf ``last``; ``parts(first, last)`` counts the nodes
    just below it, also those that no value of the column lies in. Where it is left out nobody knows of any others.
    """

    node_of_leaf: np.ndarray
    label: Callable[[int, int], str]
    parts: Callable[[int, int], int] | None = None


def assemble(
    leaves: list[Any], levels: Sequence[Level], extra: Sequence[Problem] = (), root: str = ROOT, below_root: int = 0
) -> Tree:
    """The tree over ``leaves`` in their order, with a root on top; all problems are raised at once.

    ``below_root`` counts the nodes below the root as ``Level.parts`` does.
    """
    firsts = [np.arange(len(leaves)), *[_first_of_runs(level.node_of_leaf) for level in levels]]
    problems = [*extra, *_scattered(levels, firsts), *_not_merging(firsts)]
    raise_all(BadHierarchy, DOES_NOT_FIT, problems)
    tree = _tree(leaves, firsts, levels, root)
    if any(level.parts is not None for level in levels):
        tree = replace(
            tree, parts=[{}, *(_parts(tree, i + 1, level) for i, level in enumerate(levels)), {0: below_root}]
        )
    raise_all(BadHierarchy, DOES_NOT_FIT, _named_as_others(tree))
    return tree


def _parts(tree: Tree, at: int, level: Level) -> dict[int, int]:
    """How many nodes lie just below every node of a level, by its first leaf."""
    return {} if level.parts is None else {a: level.parts(a, int(tree.end[at, a])) for a in tree.labels[at]}


def _named_as_others(tree: Tree) -> list[Problem]:
    """Labels that are the text of a value elsewhere: a reader would take one for the other."""
    leaf_of_text = {text: leaf for leaf, text in tree.labels[0].items()}
    problems = []
    for i, labels in enumerate(tree.labels[1:-1], start=1):
        named = ((first, leaf_of_text[label]) for first, label in labels.items() if label in leaf_of_text)
        n_wrong = sum(not first <= leaf <= tree.end[i, first] for first, leaf in named)
        if n_wrong:
            text = f"level {i}: {are(n_wrong, 'label')} also the text of a value that is not below it"
            fix = "give the label a name that no value has"
            problems.append(Problem(text, fix, {"problem": "label of a value", "level": i, "count": n_wrong}))
    return problems


def _first_of_runs(node_of_leaf: np.ndarray) -> np.ndarray:
    if len(node_of_leaf) == 0:
        return np.zeros(0, dtype=np.int64)
    return np.append(0, np.flatnonzero(node_of_leaf[1:] != node_of_leaf[:-1]) + 1)


def _scattered(levels: Sequence[Level], firsts: list[np.ndarray]) -> list[Problem]:
    """Nodes whose leaves are not next to each other in the column's order."""
    problems = []
    for i, (level, first) in enumerate(zip(levels, firsts[1:], strict=True), start=1):
        head = level.node_of_leaf[first]
        if np.all(head[1:] > head[:-1]):
            continue  # the usual case, and quick to see
        n_scattered = sum(n > 1 for n in Counter(head.tolist()).values())
        if n_scattered:
            text = f"level {i}: the values of {count(n_scattered, 'label')} are not next to each other in order"
            fix = 'use kind = "categorical", or labels for values that follow each other'
            problems.append(Problem(text, fix, {"problem": "order", "level": i, "count": n_scattered}))
    return problems


def _not_merging(firsts: list[np.ndarray]) -> list[Problem]:
    """Boundaries of a level that the level below does not have: there a node would be cut in two."""
    problems = []
    for i, (lower, upper) in enumerate(pairwise(firsts[1:]), start=1):
        n_cut = int(np.sum(~np.isin(upper, lower)))
        if n_cut:
            text = f"levels {i} and {i + 1} do not merge: {count(n_cut, 'label')} of level {i} would be cut"
            fix = "let every level join whole labels of the level below"
            problems.append(Problem(text, fix, {"problem": "merge", "level": i, "count": n_cut}))
    return problems


def _tree(leaves: list[Any], firsts: list[np.ndarray], levels: Sequence[Level], root: str) -> Tree:
    n_leaves = len(leaves)
    firsts = [*firsts, np.zeros(min(n_leaves, 1), dtype=np.int64)]
    start = np.empty((len(firsts), n_leaves), dtype=np.int32)
    end = np.empty_like(start)
    labels: list[dict[int, str]] = [dict(enumerate(texts_of(leaves)))]
    for i, first in enumerate(firsts):
        last = np.append(first[1:], n_leaves) - 1 if n_leaves else first
        start[i] = np.repeat(first, last - first + 1)
        end[i] = np.repeat(last, last - first + 1)
        if 0 < i <= len(levels):
            name = levels[i - 1].label
            labels.append({a: name(a, b) for a, b in zip(first.tolist(), last.tolist(), strict=True)})
    labels.append({0: root} if n_leaves else {})
    return Tree(leaves=leaves, start=start, end=end, labels=labels)


def in_order(leaf_rank: np.ndarray, node_levels: Sequence[np.ndarray]) -> np.ndarray:
    """Leaf positions in in-order: siblings stand by the smallest rank of a leaf below them.

    ``node_levels`` holds the node number of every leaf, from the level above the leaves to the top.
    """
    keys = [leaf_rank]
    for node_of_leaf in node_levels:
        smallest = np.full(int(node_of_leaf.max(initial=-1)) + 1, np.iinfo(np.int64).max)
        np.minimum.at(smallest, node_of_leaf, leaf_rank)
        keys.append(smallest[node_of_leaf])
    return np.lexsort(keys)
