"""A table whose values can only be kept or suppressed: hierarchies cut down to leaves and root."""

from __future__ import annotations

from dataclasses import replace

from amongst.encode.coded import CodedColumn, CodedTable
from amongst.schema.tree import Tree


def flat_table(table: CodedTable) -> CodedTable:
    """The same codes under trees of two levels: the values, and all of them together."""
    return replace(table, columns=[_flat(column) for column in table.columns])


def _flat(column: CodedColumn) -> CodedColumn:
    tree = column.tree
    if tree is None or column.position is not None:  # its width is not counted in leaves
        return replace(column, tree=None)
    ends = [0, tree.height]
    labels, cost = [tree.labels[0], tree.labels[-1]], None if tree.cost is None else tree.cost[ends]
    return replace(column, tree=Tree(tree.leaves, tree.start[ends], tree.end[ends], labels, cost))
