"""The first cuts of strict Mondrian, from counts that the executors make; the kernel does the rest, part by part."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

import numpy as np

from amongst.engines.spark.count import N
from amongst.engines.spark.plain_errors import spoken
from amongst.kernels.axis import Axis
from amongst.kernels.cut_order import Cut, Histogram, by_width, cuts_in_order
from amongst.partition.mondrian.large_counts import MOST_ROWS
from amongst.partition.mondrian.top_cuts import goes_left

if TYPE_CHECKING:
    from pyspark.sql import Column, DataFrame


@dataclass(eq=False)
class Node:
    """A box of the space: cut in two, or a part.

    Attributes
    ----------
    is_group : bool
        Whether it is too large for a kernel, and has no allowable cut.
    number : int
        Of a part, from left to right: the order in which the kernel would come to it.
    """

    n_rows: int
    n_tuples: int
    cut: Cut | None = None
    sides: tuple[Node, Node] | None = None
    is_group: bool = False
    number: int = -1


@dataclass(eq=False)
class Counted:
    """What was counted of one node: its box, and for some columns how many rows and tuples have every code."""

    lo: list[int]
    hi: list[int]
    rows: dict[int, Histogram] = field(default_factory=dict)
    tuples: dict[int, Histogram] = field(default_factory=dict)


class CutTree:
    """Cuts a frequency set of codes until every part has at most ``most_tuples`` tuples, or is a group.

    Paper
        LeFevre, DeWitt, Ramakrishnan, *Mondrian Multidimensional K-Anonymity*, ICDE 2006, section 4: a cut needs no
        more than the frequency sets of single columns.
    Guarantees
        The cuts are those that the kernel makes of the whole table, so that the kernel on every part makes the groups
        that it makes of the whole.
    Cost
        For every depth a pass for the boxes of its nodes, and one for the widest column of each; a node without an
        allowable cut there takes one more for each further column.

    Parameters
    ----------
    frame : DataFrame
        Codes q0, q1, ... and how many rows have them in n.
    """

    def __init__(self, frame: DataFrame, axes: Sequence[Axis], k: int, cuts: int, most_tuples: int) -> None:
        from pyspark.sql import functions as F

        self.frame, self.axes, self.k, self.cuts, self.most_tuples = frame, axes, k, cuts, most_tuples
        with spoken("The combinations cannot be counted"):
            asked = frame.agg(F.sum(N).alias("rows"), F.count(F.lit(1)).alias("tuples"))
            seen = asked.toArrow().to_pylist()[0]
        self.root = Node(int(seen["rows"]), int(seen["tuples"]))
        todo = [self.root] if self._too_large(self.root) else []
        while todo:
            self._cut(todo)
            todo = [side for node in todo for side in node.sides or () if self._too_large(side)]
        self.parts: list[Node] = []
        self._number(self.root)

    def _too_large(self, node: Node) -> bool:
        return node.n_tuples > self.most_tuples or node.n_rows > MOST_ROWS

    def _number(self, root: Node) -> None:
        stack = [root]
        while stack:
            node = stack.pop()
            if node.sides is None:
                node.number = len(self.parts)
                self.parts.append(node)
            else:
                stack += reversed(node.sides)

    def part_column(self) -> Column:
        """The number of the part that a tuple is in."""
        return self._route({id(node): node.number for node in self.parts})

    def _route(self, number_of_node: dict[int, int]) -> Column:
        """The number of the node that a tuple comes to; null where it has none."""
        from pyspark.sql import functions as F

        def column(node: Node) -> Column:
            if id(node) in number_of_node:
                return F.lit(number_of_node[id(node)])
            if node.sides is None or node.cut is None:
                return F.lit(None).cast("int")
            return F.when(self._goes_left(node.cut), column(node.sides[0])).otherwise(column(node.sides[1]))

        return column(self.root)

    def _goes_left(self, cut: Cut) -> Column:
        from pyspark.sql import functions as F

        code, wildcard = F.col(f"q{cut.column}"), self.axes[cut.column].wildcard
        left = code <= cut.last_left
        return left if wildcard < 0 else F.when(code == wildcard, F.lit(cut.wildcards_left)).otherwise(left)

    def _cut(self, nodes: list[Node]) -> None:
        """Choose the cuts of the nodes of one depth as the kernel does; a node without one is a group."""
        routed = self.frame.withColumn("node", self._route({id(node): i for i, node in enumerate(nodes)}))
        routed = routed.where("node is not null")
        counted = self._boxes(routed, len(nodes))
        widest = {i: order[0] for i, one in enumerate(counted) if (order := by_width(one.lo, one.hi, self.axes))}
        self._count_codes(routed, counted, widest)
        for i, (node, one) in enumerate(zip(nodes, counted, strict=True)):

            def histogram_of(column: int, i: int = i, one: Counted = one) -> Histogram:
                if column not in one.rows:
                    self._count_codes(routed, counted, {i: column})
                return one.rows[column]

            cut = None
            if node.n_rows >= 2 * self.k:
                cut = next(cuts_in_order(one.lo, one.hi, self.axes, self.k, self.cuts, histogram_of), None)
            if cut is None:
                node.is_group = True
                continue
            left = Node(self._left(one.rows[cut.column], cut), self._left(one.tuples[cut.column], cut))
            node.cut, node.sides = cut, (left, Node(node.n_rows - left.n_rows, node.n_tuples - left.n_tuples))

    def _left(self, histogram: Histogram, cut: Cut) -> int:
        return int(histogram.counts[goes_left(histogram.codes, cut, self.axes)].sum())

    def _boxes(self, routed: DataFrame, n_nodes: int) -> list[Counted]:
        with spoken("The combinations cannot be counted"):
            boxes = routed.groupBy("node").agg(*box_columns(self.axes)).toArrow().to_pylist()
        at = {one["node"]: one for one in boxes}
        return [
            Counted([at[i][f"lo{c}"] for c in range(len(self.axes))], [at[i][f"hi{c}"] for c in range(len(self.axes))])
            for i in range(n_nodes)
        ]

    def _count_codes(self, routed: DataFrame, counted: list[Counted], column_of_node: dict[int, int]) -> None:
        """How many rows and tuples of some nodes have every code of one column of theirs."""
        from pyspark.sql import functions as F

        if not column_of_node:
            return
        code = F.lit(None).cast("int")
        for i, c in column_of_node.items():
            code = F.when(F.col("node") == i, F.col(f"q{c}")).otherwise(code)
        with spoken("The combinations cannot be counted"):
            found = routed.select("node", code.alias("code"), N).where("code is not null").groupBy("node", "code")
            table = found.agg(F.sum(N).alias("rows"), F.count(F.lit(1)).alias("tuples")).toArrow()
        node, codes = table.column("node").to_numpy(), table.column("code").to_numpy().astype(np.int64)
        rows, tuples = table.column("rows").to_numpy(), table.column("tuples").to_numpy()
        for i, c in column_of_node.items():
            own = np.flatnonzero(node == i)
            own = own[np.argsort(codes[own])]
            counted[i].rows[c] = Histogram(codes[own], rows[own])
            counted[i].tuples[c] = Histogram(codes[own], tuples[own])


def box_columns(axes: Sequence[Axis]) -> list[Column]:
    """The least and greatest code of every column; one that matches anything only where there is no other."""
    from pyspark.sql import functions as F

    made: list[Column] = []
    for c, axis in enumerate(axes):
        code = F.col(f"q{c}")
        tame = code if axis.wildcard < 0 else F.when(code != axis.wildcard, code)
        nothing = F.lit(axis.wildcard)
        made.append(F.coalesce(F.min(tame), nothing).alias(f"lo{c}"))
        made.append(F.coalesce(F.max(tame), nothing).alias(f"hi{c}"))
    return made
