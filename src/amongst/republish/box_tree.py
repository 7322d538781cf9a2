"""A tree of boxes over the quasi-identifiers: every release of a series publishes boxes of this one tree."""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from typing import Any

import numpy as np

from amongst.encode.coded import CodedColumn, CodedTable
from amongst.encode.encode import numbers
from amongst.recode.labels import text_of
from amongst.schema.tree import Tree


@dataclass
class Node:
    """A box: what it publishes in every column, and how it is divided.

    Attributes
    ----------
    ends : dict of str to list
        Of columns published as ranges the smallest and the largest value seen in it, as text.
    names : dict of str to str
        Of columns published as nodes of a hierarchy the name of the node.
    column : str, or None
        By which it is divided; None for a leaf.
    threshold : float, or None
        What is at most this goes to the first part, all else to the second.
    parts : list of int
        The numbers of its parts.
    part_of_name : dict of str to int
        Where it is divided by a hierarchy: the name of every node below, and its part.
    """

    ends: dict[str, list[str]]
    names: dict[str, str]
    column: str | None = None
    threshold: float | None = None
    parts: list[int] = field(default_factory=list)
    level: int = -1
    part_of_name: dict[str, int] = field(default_factory=dict)

    def to_dict(self) -> dict[str, Any]:
        return dict(vars(self))


@dataclass
class BoxTree:
    """The boxes, the root first, parts after their whole."""

    nodes: list[Node]

    @property
    def leaves(self) -> list[int]:
        return [number for number, node in enumerate(self.nodes) if not node.parts]

    def parent_of_node(self) -> np.ndarray:
        """-1 for the root."""
        parent = np.full(len(self.nodes), -1, dtype=np.int64)
        for number, node in enumerate(self.nodes):
            parent[node.parts] = number
        return parent

    def tokens(self, number: int) -> dict[str, Any]:
        """What a box publishes, as a saved recoding tells it."""
        node = self.nodes[number]
        return {
            **{name: {"range": ends} for name, ends in node.ends.items()},
            **{name: {"node": label} for name, label in node.names.items()},
        }

    def leaf_of_row(self, table: CodedTable) -> np.ndarray:
        """Where every row belongs; -1 where a division by hierarchy does not know the value: no box has it."""
        columns = {column.name: column for column in table.columns}
        value = {name: _line(column) for name, column in columns.items() if column.tree is None}
        found = np.zeros(table.n_coded, dtype=np.int64)
        stack = [(0, np.arange(table.n_coded))]
        while stack:
            number, rows = stack.pop()
            node = self.nodes[number]
            if node.column is None:
                found[rows] = number
            elif node.threshold is not None:
                left = value[node.column][columns[node.column].codes[rows]] <= node.threshold
                stack += [(node.parts[0], rows[left]), (node.parts[1], rows[~left])]
            else:
                part = self._part_of_code(columns[node.column], node)[columns[node.column].codes[rows]]
                found[rows[part < 0]] = -1
                stack += [(own, rows[part == own]) for own in node.parts]
        return found

    @staticmethod
    def _part_of_code(column: CodedColumn, node: Node) -> np.ndarray:
        tree = column.tree
        assert tree is not None
        level = min(node.level, tree.height)
        names = [tree.label(level, leaf) for leaf in range(tree.n_leaves)]
        return np.array([node.part_of_name.get(name, -1) for name in names], dtype=np.int64)

    def without_ends(self) -> BoxTree:
        """The same boxes, of which nothing was published."""
        return BoxTree([replace(node, ends={}) for node in self.nodes])

    def widened(self, table: CodedTable, leaf_of_row: np.ndarray) -> BoxTree:
        """Every box as wide as its rows and those that it had; rows of leaf -1 are in none."""
        nodes = [replace(node, ends=dict(node.ends)) for node in self.nodes]
        parent, there = self.parent_of_node(), leaf_of_row >= 0
        for column in table.columns:
            if column.tree is not None:
                continue
            texts, line = text_of(column.values).to_pylist(), _line(column)
            place = dict(zip(texts, line.tolist(), strict=True))
            lo, hi = np.full(len(nodes), np.iinfo(np.int64).max), np.full(len(nodes), -1)
            codes = column.codes[there].astype(np.int64)
            np.minimum.at(lo, leaf_of_row[there], codes)
            np.maximum.at(hi, leaf_of_row[there], codes)
            for number in range(len(nodes) - 1, 0, -1):
                lo[parent[number]] = min(lo[parent[number]], lo[number])
                hi[parent[number]] = max(hi[parent[number]], hi[number])
            for number in np.flatnonzero(hi >= 0).tolist():
                ends = nodes[number].ends
                first, last = ends.get(column.name, [texts[lo[number]], texts[hi[number]]])
                if _known(place, column, first) > line[lo[number]]:
                    first = texts[lo[number]]
                if _known(place, column, last) < line[hi[number]]:
                    last = texts[hi[number]]
                ends[column.name] = [first, last]
        return BoxTree(nodes)


def _known(place: dict[str, float], column: CodedColumn, text: str) -> float:
    if text not in place:
        import pyarrow as pa

        place[text] = float(numbers(pa.array([text]).cast(column.values.type))[0])
    return place[text]


def _line(column: CodedColumn) -> np.ndarray:
    return numbers(column.values)


SCALES = (0.4, 0.6, 1.6, 2.5)
"""By how much a column is made to count more or less, to find the order of cuts that loses least in the end."""
MOST_GROWN = 40
SIZES = (1.0, 1.0, 1.5, 2.0)
"""How large the boxes are by which a tree is judged, beside the least, which counts twice."""
ENOUGH = 40_000
"""So many rows tell which order of cuts is best."""


def grow(table: CodedTable, least: int) -> BoxTree:
    """The tree of least loss over some orders of cuts: what pays at once is not what pays in the end.

    Later months publish larger boxes than the first one, so a tree is as good as its boxes of several sizes are.

    Cost
        Up to some 40 trees, of a sample where there are many rows.
    """
    some = _sample(table)
    few = max(round(least * some.n_coded / table.n_coded), 2)
    weights = [1.0] * table.n_qi
    loss, n_grown = _loss(grow_once(some, few), some, few), 1
    better = True
    while better and n_grown < MOST_GROWN:
        better = False
        for c in range(table.n_qi):
            for scale in SCALES:
                tried = [one * scale if c == own else one for own, one in enumerate(weights)]
                found = _loss(grow_once(_weighed(some, tried), few), some, few)
                n_grown += 1
                if found < loss - 1e-9:
                    loss, weights, better = found, tried, True
    return grow_once(_weighed(table, weights), least)


def _weighed(table: CodedTable, weights: list[float]) -> CodedTable:
    columns = [replace(one, weight=one.weight * own) for one, own in zip(table.columns, weights, strict=True)]
    return replace(table, columns=columns)


def _sample(table: CodedTable) -> CodedTable:
    """Every so manieth row in an order that the input has no say in, where there are more than enough."""
    if table.n_coded <= ENOUGH:
        return table
    rows = np.lexsort([column.codes for column in table.columns])[:: -(-table.n_coded // ENOUGH)]
    columns = [replace(column, codes=column.codes[rows]) for column in table.columns]
    return replace(table, columns=columns, n_input=len(rows), kept_rows=None, sensitive={})


def _loss(tree: BoxTree, table: CodedTable, least: int) -> float:
    """What a row loses in the mean: in the boxes of least loss that have so many rows, and in larger ones."""
    loss, parent, n = loss_of_nodes(tree, table), tree.parent_of_node(), len(tree.nodes)
    n_rows = np.bincount(tree.leaf_of_row(table), minlength=n)
    for x in range(n - 1, 0, -1):
        n_rows[parent[x]] += n_rows[x]
    found = []
    for times in SIZES:
        lost = n_rows * loss
        for x in range(n - 1, -1, -1):
            parts = tree.nodes[x].parts
            if parts and n_rows[parts].min() >= times * least:
                lost[x] = min(lost[x], lost[parts].sum())
        found.append(lost[0] / table.n_coded)
    return float(np.mean(found))


def loss_of_nodes(tree: BoxTree, table: CodedTable) -> np.ndarray:
    """The weighted NCP of every box."""
    whole = sum(column.weight for column in table.columns)
    loss = np.zeros(len(tree.nodes))
    for column in table.columns:
        if column.tree is None:
            place = dict(zip(text_of(column.values).to_pylist(), _line(column).tolist(), strict=True))
            ends = [[_known(place, column, end) for end in node.ends.get(column.name, ())] for node in tree.nodes]
            ends = [one or [column.lowest] * 2 for one in ends]  # a box that nobody is in
            span = max(column.span, max(hi for _, hi in ends) - min(lo for lo, _ in ends))
            own = np.array([hi - lo for lo, hi in ends]) / span if span > 0 else np.zeros(len(ends))
        else:
            cost: dict[str, float] = {}
            for level in range(column.tree.n_levels):
                for start, name in column.tree.labels[level].items():
                    cost.setdefault(name, float(_size(column.tree, level, np.array([start]))[0] / column.tree.n_leaves))
            own = np.array([cost.get(node.names[column.name], 0.0) for node in tree.nodes])
        loss += column.weight / whole * own
    return loss


def grow_once(table: CodedTable, least: int) -> BoxTree:
    """Divide the rows as long as every part has at least so many of them, each time where the loss falls most.

    Choices
        Numbers and dates are cut in two, hierarchies into all the nodes of the next level that have rows. A box that no
        single cut helps is cut by the widest column all the same.
    """
    texts = {column.name: text_of(column.values).to_pylist() for column in table.columns if column.tree is None}
    nodes = [_node(table, np.arange(table.n_coded), {}, texts)]
    stack = [
        (0, np.arange(table.n_coded), {column.name: column.tree.height for column in table.columns if column.tree})
    ]
    while stack:
        number, rows, levels = stack.pop()
        found = _best_cut(table, rows, levels, least)
        if found is None:
            continue
        c, threshold, part_of_row, level = found
        column, node = table.columns[c], nodes[number]
        node.column, node.threshold, node.level = column.name, threshold, level
        below = {**levels, column.name: level} if threshold is None else levels
        for part in range(int(part_of_row.max()) + 1):
            own = rows[part_of_row == part]
            node.parts.append(len(nodes))
            nodes.append(_node(table, own, below, texts))
            if threshold is None:
                assert column.tree is not None
                node.part_of_name[column.tree.label(level, int(column.codes[own[0]]))] = len(nodes) - 1
            stack.append((len(nodes) - 1, own, below))
    return BoxTree(nodes)


def _node(table: CodedTable, rows: np.ndarray, levels: dict[str, int], texts: dict[str, list[str]]) -> Node:
    ends, names = {}, {}
    for column in table.columns:
        codes = column.codes[rows]
        if column.tree is not None:
            names[column.name] = column.tree.label(levels.get(column.name, column.tree.height), int(codes[0]))
        else:
            ends[column.name] = [texts[column.name][int(end)] for end in (codes.min(), codes.max())]
    return Node(ends, names)


Cut = tuple[int, float | None, np.ndarray, int]


def _best_cut(table: CodedTable, rows: np.ndarray, levels: dict[str, int], least: int) -> Cut | None:
    if len(rows) < 2 * least:
        return None
    best: tuple[float, Cut] | None = None
    for c, column in enumerate(table.columns):
        codes = column.codes[rows]
        cut = _by_number(column, codes, least) if column.tree is None else _by_level(column, codes, levels, least)
        if cut is not None and (best is None or cut[0] > best[0]):
            best = cut[0], (c, cut[1], cut[2], cut[3])
    return None if best is None else best[1]


def _by_number(column: CodedColumn, codes: np.ndarray, least: int) -> tuple[float, float, np.ndarray, int] | None:
    """The cut of which both sides together lose least: the gain, the threshold, and the side of every row."""
    line = _line(column)[codes.astype(np.int64)]
    order = np.sort(line)
    n = len(order)
    ends = np.flatnonzero(order[1:] > order[:-1]) + 1
    ends = ends[(ends >= least) & (n - ends >= least)]
    if len(ends) == 0 or column.span <= 0:
        return None
    loss = (order[ends - 1] - order[0]) * ends + (order[-1] - order[ends]) * (n - ends)
    at = int(ends[np.argmin(loss)])
    threshold = float((order[at - 1] + order[at]) / 2)
    gain = column.weight * ((order[-1] - order[0]) * n - float(loss.min())) / column.span
    return gain, threshold, (line > threshold).astype(np.int64), -1


def _by_level(
    column: CodedColumn, codes: np.ndarray, levels: dict[str, int], least: int
) -> tuple[float, None, np.ndarray, int] | None:
    tree = column.tree
    assert tree is not None
    now = levels[column.name]
    for level in range(now - 1, -1, -1):
        names, part = np.unique(tree.start[level][codes], return_inverse=True)
        if len(names) < 2:
            continue
        size = np.bincount(part.reshape(-1))
        if size.min() < least:
            return None
        before = _size(tree, now, codes[:1])[0]
        after = float((_size(tree, level, names) * size).sum())
        return column.weight * (before * len(codes) - after) / tree.n_leaves, None, part.reshape(-1), level
    return None


def _size(tree: Tree, level: int, leaves: np.ndarray) -> np.ndarray:
    """What saying the nodes above some leaves costs, counted in leaves; 0 for a leaf itself."""
    start, end = tree.start[level][leaves], tree.end[level][leaves]
    below = end - start + 1 if tree.cost is None else tree.cost[level][leaves] * tree.n_leaves
    return np.where(end > start, below, 0)
