"""From classes of tuples with one node a column to a partition."""

from __future__ import annotations

from typing import Any

import numpy as np

from amongst import kernels
from amongst.partition.partition import Partition
from amongst.partition.trees.forest import Forest


def group_by_nodes(
    forest: Forest,
    class_of_tuple: np.ndarray,
    node_of_class: np.ndarray,
    facts: dict[str, Any],
    nodes: str = "hierarchy",
) -> Partition:
    """The partition whose groups are the classes, each publishing its nodes.

    Parameters
    ----------
    class_of_tuple : ndarray of int
        From 0, every number used; -1 for tuples that are suppressed.
    node_of_class : ndarray of int, shape (n_classes, n_columns)
    """
    lo, hi = np.empty(node_of_class.shape, dtype=np.uint32), np.empty(node_of_class.shape, dtype=np.uint32)
    for c, tree in enumerate(forest.trees):
        lo[:, c], hi[:, c] = tree.lo[node_of_class[:, c]], tree.hi[node_of_class[:, c]]
    tuples = forest.tuples
    group_of_row = kernels.gather(class_of_tuple.astype(np.int32), tuples.tuple_of_row)
    facts = {**facts, "tuples": tuples.n_tuples, "uniques": int((tuples.count == 1).sum())}
    return Partition(group_of_row, lo, hi, facts=facts, nodes=nodes)


def lowest_nodes(forest: Forest, tuples: np.ndarray, class_of_tuple: np.ndarray, n_classes: int) -> np.ndarray:
    """For every class the lowest nodes that are above all of its tuples, shape (n_classes, n_columns)."""
    order = np.argsort(class_of_tuple, kind="stable")
    first = np.searchsorted(class_of_tuple[order], np.arange(n_classes))
    in_order = tuples[order]
    nodes = np.empty((n_classes, forest.n_columns), dtype=np.int64)
    for c, tree in enumerate(forest.trees):
        code = forest.tuples.codes[c][in_order]
        nodes[:, c] = tree.lowest_above(np.minimum.reduceat(code, first), np.maximum.reduceat(code, first))
    return nodes
