"""The first cuts of strict Mondrian on codes that are larger than memory, by counting."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field

import numpy as np

from amongst.engines.parts.code_file import CodeFile
from amongst.kernels.axis import Axis
from amongst.kernels.cut_order import Cut, Histogram, cuts_in_order
from amongst.partition.mondrian.top_cuts import ends, goes_left

Counts = list[np.ndarray]
"""How many rows of a node have every code, column by column."""
Holds = Callable[["CutTree", "Node", Cut], bool]
"""Whether both sides of a cut hold what is asked beyond k; may read the codes."""


@dataclass(eq=False)
class Node:
    """A box of the space: cut in two, or a part.

    Attributes
    ----------
    counts : list of ndarray, or None
        Until its cut is chosen.
    box : (lo, hi), or None
        Of a part that is one group, as it has no allowable cut.
    """

    n_rows: int
    counts: Counts | None = None
    cut: Cut | None = None
    sides: tuple[Node, Node] | None = None
    box: tuple[list[int], list[int]] | None = None
    number: int = -1


@dataclass(eq=False)
class CutTree:
    """The cuts that were made, and the parts they left, in the order in which the kernel would come to them."""

    codes: CodeFile
    axes: Sequence[Axis]
    root: Node
    parts: list[Node] = field(default_factory=list)

    def number_parts(self) -> None:
        """From left to right."""
        stack = [self.root]
        while stack:
            node = stack.pop()
            if node.sides is None:
                node.number = len(self.parts)
                self.parts.append(node)
            else:
                stack += reversed(node.sides)

    def part_of(self, records: np.ndarray) -> np.ndarray:
        """The part of every record."""
        part = np.empty(len(records), dtype=np.uint16)
        for node, rows in self.routed(records):
            if node.sides is None:
                part[rows] = node.number
        return part

    def routed(self, records: np.ndarray) -> Iterator[tuple[Node, np.ndarray]]:
        """Every node that some of the records come to, and which of them do; a node before its sides."""
        stack = [(self.root, np.arange(len(records)))]
        while stack:
            node, rows = stack.pop()
            yield node, rows
            if node.sides is not None and len(rows):
                assert node.cut is not None
                left = goes_left(records[f"c{node.cut.column}"][rows], node.cut, self.axes)
                stack += [(node.sides[1], rows[~left]), (node.sides[0], rows[left])]


def cut_until_fits(
    codes: CodeFile,
    counts: Counts,
    axes: Sequence[Axis],
    k: int,
    cuts: int,
    most_rows: int,
    holds: Holds | None = None,
    say: Callable[[int], None] | None = None,
) -> CutTree:
    """Cut a table until every part has at most ``most_rows`` rows, or is a group.

    Paper
        LeFevre, DeWitt, Ramakrishnan, *Mondrian Multidimensional K-Anonymity*, ICDE 2006, section 4: a cut needs no
        more than the frequency sets of single columns.
    Guarantees
        The cuts are those that the kernel makes of the whole table, so that the kernel on every part makes the groups
        that it makes of the whole.
    Choices
        The nodes of one depth are counted in one pass over the codes; rows are not moved until all cuts are made.
    Cost
        A pass over the codes for every depth but the first, whose counts are known from encoding; memory for the
        counts of all codes, for every node that is counted.

    Parameters
    ----------
    counts : list of ndarray
        Of the whole table.
    most_rows : int
        What fits into memory with the kernel.
    holds : callable, optional
        What is asked beyond k.
    """
    tree = CutTree(codes, axes, Node(codes.n_rows, counts))
    todo = [tree.root] if codes.n_rows > most_rows else []
    while todo:
        too_large = []
        for node in todo:
            _divide(tree, node, k, cuts, holds)
            if node.sides is not None:
                too_large += [side for side in node.sides if side.n_rows > most_rows]
        todo = too_large
        if todo:
            _count(tree, todo)
        if say is not None:
            say(len(todo))
    tree.number_parts()
    return tree


def _divide(tree: CutTree, node: Node, k: int, cuts: int, holds: Holds | None) -> None:
    """Choose the cut of a node as the kernel does; a node without one is a group."""
    assert node.counts is not None
    histograms = [histogram_of(count) for count in node.counts[: len(tree.axes)]]
    lo, hi = ends(histograms, tree.axes)
    if node.n_rows >= 2 * k:
        for cut in cuts_in_order(lo, hi, tree.axes, k, cuts, histograms.__getitem__):
            if holds is None or holds(tree, node, cut):
                n_left = _n_left(histograms[cut.column], cut, tree.axes)
                node.cut, node.sides = cut, (Node(n_left), Node(node.n_rows - n_left))
                node.counts = None
                return
    node.box, node.counts = (lo, hi), None


def histogram_of(count: np.ndarray) -> Histogram:
    """The codes that occur."""
    codes = np.flatnonzero(count)
    return Histogram(codes, count[codes])


def _n_left(histogram: Histogram, cut: Cut, axes: Sequence[Axis]) -> int:
    return int(histogram.counts[goes_left(histogram.codes, cut, axes)].sum())


def _count(tree: CutTree, nodes: list[Node]) -> None:
    """One pass over the codes for all nodes that are still too large."""
    n_codes = [axis.n_codes + 1 for axis in tree.axes]
    for node in nodes:
        node.counts = [np.zeros(n, dtype=np.int64) for n in n_codes]
    for block in tree.codes.blocks():
        for node, rows in tree.routed(block):
            if node.counts is not None and len(rows):
                for c, count in enumerate(node.counts):
                    count += np.bincount(block[f"c{c}"][rows], minlength=len(count))
