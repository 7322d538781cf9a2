"""Places for the leaves of a tree on a line of 2^bits: every node of the tree takes cells of its own."""

from __future__ import annotations

import numpy as np


def leaf_places(tree_start: np.ndarray, count: np.ndarray, bits: int) -> np.ndarray:
    """The place of every leaf, so that whatever shares the leading bits shares an ancestor, as low as can be.

    Children of a node are taken by falling count, and divided in two parts of about equal count again and
    again, a bit each time (as Shannon and Fano did for messages): frequent values part early. Leaves that
    are still together when the bits are used up share a place.

    Parameters
    ----------
    tree_start : ndarray of int32, shape (n_levels, n_leaves)
        The first leaf of the ancestor of every leaf, from the leaves up to the root.
    count : ndarray of int64, one a leaf
    """
    before = np.concatenate([[0], np.cumsum(count)])
    n = tree_start.shape[1]
    place = np.zeros(n, dtype=np.uint16)
    root = np.array([[0, n]])
    stack = [(len(tree_start) - 1, root, 0, 0)]
    while stack:
        level, nodes, prefix, depth = stack.pop()
        if len(nodes) == 1 and level > 0:
            level, nodes = _children(tree_start, before, level, *nodes[0].tolist())
        if len(nodes) == 1 or depth == bits:
            for first, end in nodes.tolist():
                place[first:end] = prefix << (bits - depth)
            continue
        cut = _middle(before[nodes[:, 1]] - before[nodes[:, 0]])
        stack.append((level, nodes[:cut], prefix << 1, depth + 1))
        stack.append((level, nodes[cut:], prefix << 1 | 1, depth + 1))
    return place


def _children(tree_start: np.ndarray, before: np.ndarray, level: int, first: int, end: int) -> tuple[int, np.ndarray]:
    """The nodes below, at the highest level where there is more than one: most frequent first."""
    while level > 0:
        level -= 1
        own = tree_start[level, first:end]
        starts = own[np.concatenate([[True], own[1:] != own[:-1]])].astype(np.int64)
        if len(starts) > 1:
            break
    nodes = np.stack([starts, np.append(starts[1:], end)], axis=1)
    size = before[nodes[:, 1]] - before[nodes[:, 0]]
    return level, nodes[np.argsort(-size, kind="stable")]


def _middle(count: np.ndarray) -> int:
    """Where to cut so that both parts, none of them empty, count about the same."""
    left = np.cumsum(count)
    return int(np.argmin(np.abs(2 * left[:-1] - left[-1]))) + 1
