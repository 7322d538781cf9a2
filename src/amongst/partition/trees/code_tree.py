"""The tree of a column over its codes: every node once, with what publishing it loses."""

from __future__ import annotations

from dataclasses import dataclass
from itertools import pairwise

import numpy as np

from amongst.encode.coded import CodedColumn
from amongst.measure.ncp import ncp_of_group
from amongst.partition.frequency_sets import level_maps

MANY = 1 << 40
"""As many empty parts as need be told apart."""


@dataclass(frozen=True, eq=False)
class CodeTree:
    """The nodes of a hierarchy as ranges of codes.

    Levels whose node covers the same codes are one node here. A column without a hierarchy has its values and
    one node above them; a null that matches anything hangs from a root of its own, as in ``level_maps``.

    Attributes
    ----------
    start, end : ndarray of int64, one a node
        The first and the last code below it. Nodes are numbered from the root, a parent before its children.
    depth : ndarray of int64
        Steps from the root.
    at_depth : ndarray of int64, shape (n_depths, n_codes)
        The node above every code at every depth; a leaf repeats itself further down.
    lo, hi : ndarray of int64
        What a group publishes for the node: its codes without the one that matches anything.
    penalty : ndarray of float64
        NCP of the node.
    n_parts : ndarray of int64
        How many nodes lie just below it, also those that no value lies in, where the hierarchy knows of such: then that
        is more than its children. A leaf is its own part.
    """

    start: np.ndarray
    end: np.ndarray
    depth: np.ndarray
    at_depth: np.ndarray
    lo: np.ndarray
    hi: np.ndarray
    penalty: np.ndarray
    n_parts: np.ndarray

    @property
    def n_nodes(self) -> int:
        return len(self.start)

    @property
    def n_codes(self) -> int:
        return int(self.at_depth.shape[1])

    @property
    def is_leaf(self) -> np.ndarray:
        return self.start == self.end

    def children(self, node: int) -> np.ndarray:
        """The nodes one step below; none below a leaf."""
        if self.start[node] == self.end[node]:
            return np.empty(0, dtype=np.int64)
        return np.unique(self.at_depth[self.depth[node] + 1, self.start[node] : self.end[node] + 1])

    def child_of(self, node: np.ndarray, code: np.ndarray) -> np.ndarray:
        """The child of each node that is above each code, elementwise; a leaf is its own child."""
        below = np.minimum(self.depth[node] + 1, len(self.at_depth) - 1)
        return np.asarray(self.at_depth[below, code])

    def lowest_above(self, lo: np.ndarray, hi: np.ndarray) -> np.ndarray:
        """The lowest node that is above both codes, elementwise."""
        node = np.zeros(len(lo), dtype=np.int64)
        for of_code in self.at_depth[1:]:
            shared = of_code[lo] == of_code[hi]
            node[shared] = of_code[lo[shared]]
        return node


def code_tree(column: CodedColumn) -> CodeTree:
    """The tree of a column over its codes."""
    ends = [_ends(number) for number in level_maps(column)]
    n_codes = len(ends[0][0])
    keys = [start * n_codes + (n_codes - 1 - end) for start, end in ends]  # from left to right, wider before narrower
    nodes = np.unique(np.concatenate(keys))
    start, end = nodes // n_codes, n_codes - 1 - nodes % n_codes
    at_depth, depth = _by_depth([np.searchsorted(nodes, key) for key in reversed(keys)], len(nodes))
    lo, hi = start, end
    if column.wildcard >= 0:
        hi = np.where((hi == column.wildcard) & (lo < hi), hi - 1, hi)
    return CodeTree(
        start=start,
        end=end,
        depth=depth,
        at_depth=at_depth,
        lo=lo,
        hi=hi,
        penalty=ncp_of_group(column, lo, hi),
        n_parts=_n_parts(column, at_depth, nodes),
    )


def _n_parts(column: CodedColumn, at_depth: np.ndarray, nodes: np.ndarray) -> np.ndarray:
    """How many parts every node has: its children, and more where the hierarchy has parts without a value.

    A node may stand for several levels, where those in between have one part that is not empty: the empty ones count.
    """
    count = np.ones(len(nodes), dtype=np.int64)
    for above, below in pairwise(at_depth):
        parents, n = np.unique(np.unique(np.stack([above, below]), axis=1)[0], return_counts=True)
        count[parents] = n
    tree = column.tree
    if tree is None or tree.parts is None:
        return count
    n_codes = at_depth.shape[1]
    for level, parts in enumerate(tree.parts):
        if parts:
            first, known = (np.array(list(one), dtype=np.int64) for one in (parts.keys(), parts.values()))
            end = tree.end[level, first].astype(np.int64)
            below = np.unique(tree.start[level - 1])
            there = np.searchsorted(below, end, "right") - np.searchsorted(below, first)
            missing = np.maximum(known - there, 0)
            count[np.searchsorted(nodes, first * n_codes + (n_codes - 1 - end))] += np.minimum(missing, MANY)
    return count


def _ends(number: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """The first and last code of the node that each code belongs to at one level."""
    first = np.flatnonzero(np.diff(number, prepend=number[0] - 1.0))
    size = np.diff(np.append(first, len(number)))
    return np.repeat(first, size), np.repeat(first + size - 1, size)


def _by_depth(node_of_code: list[np.ndarray], n_nodes: int) -> tuple[np.ndarray, np.ndarray]:
    """From the levels, highest first, to the nodes at every depth, and the depth of every node."""
    here = np.zeros(len(node_of_code[0]), dtype=np.int64)
    depth_of_node = np.zeros(n_nodes, dtype=np.int64)
    at_depth = np.zeros((len(node_of_code), len(here)), dtype=np.int64)
    codes = np.arange(len(here))
    for above, own in pairwise(node_of_code):
        here = here + (own != above)
        at_depth[here, codes] = own
        depth_of_node[own] = here
    leaf = node_of_code[-1]
    for depth in range(len(at_depth)):
        at_depth[depth, here < depth] = leaf[here < depth]
    return at_depth[: int(depth_of_node.max()) + 1], depth_of_node
