"""Hierarchies in which one child of a node stands against all others, so that a rare child keeps nothing together."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING, Any

import numpy as np

from amongst.harden.halves import halved
from amongst.schema.column import Column
from amongst.schema.hierarchy import Hierarchy
from amongst.schema.schema import Schema
from amongst.schema.tree import Tree
from amongst.schema.value_text import text_of

if TYPE_CHECKING:
    from amongst.encode.coded import CodedColumn
    from amongst.release import Release

MOST_APART = 24
"""So many children of a node are set apart, the commonest; the rest stays together."""


def finer_schema(release: Release) -> Schema:
    """The schema of a release with hierarchies that can be split in two wherever there is something to split."""
    schema = release.schema
    changed = {
        column.name: _finer(
            schema[column.name], column, release.counts_of_values(column), text=release.store.cells_tell_types
        )
        for column in release.coded.columns
    }
    return Schema({**schema, **changed})


def _finer(rule: Column, column: CodedColumn, count: np.ndarray, *, text: bool) -> Column:
    """The rule with a made hierarchy; numbers of a ``text`` file are whole where those of all coded rows are."""
    bare = replace(rule, publish=None, grid=None, statistic=())
    if rule.kind == "numeric":
        assert column.position is not None
        whole = column.is_whole or (text and bool((column.position == np.floor(column.position)).all()))
        return replace(bare, hierarchy=Hierarchy.edges(halved(column.position, count, whole=whole)))
    if rule.kind == "date":
        return replace(bare, hierarchy=rule.hierarchy or Hierarchy.dates("month", "quarter", "year", "decade"))
    if rule.kind == "ordered":
        return replace(bare, hierarchy=rule.hierarchy or Hierarchy.fanout(2))
    tree = column.tree
    if tree is None:
        values = [value for value in column.values.to_pylist() if value is not None]
        tree = Hierarchy.flat().tree(values, rule.kind)
    n = len(tree.leaves)
    return replace(bare, hierarchy=apart(tree, np.pad(count, (0, max(n - len(count), 0)))[:n]))


def apart(tree: Tree, count: np.ndarray) -> Hierarchy:
    """The same hierarchy with nodes in between: of several children the commonest stands against all others.

    What stands for the others is called after what they are not: ``all but White``. Which children are the commonest
    is all that the new nodes tell of the data.

    Parameters
    ----------
    tree : Tree
        The column's own.
    count : ndarray of int64
        How many rows have every leaf.
    """
    upto = np.concatenate([[0], np.cumsum(count)])
    whole = _below(tree, tree.n_levels - 1, 0, upto, "")
    return Hierarchy.nested(whole) if isinstance(whole, dict) else Hierarchy.flat()


def _below(tree: Tree, level: int, leaf: int, upto: np.ndarray, name: str) -> Any:
    """What lies below a node: a leaf, or a mapping of what its children are called to what lies below them."""
    last = int(tree.end[level, leaf])
    starts = np.array([leaf])
    while level > 0:
        starts = np.unique(tree.start[level - 1, leaf : last + 1])
        if len(starts) > 1:
            break
        level -= 1  # a node with one child repeats it
    if level == 0:
        return text_of(tree.leaves[leaf])
    rows = {int(at): int(upto[int(tree.end[level - 1, at]) + 1] - upto[at]) for at in starts}
    children = []
    for at in sorted(rows, key=lambda at: (-rows[at], at)):
        label = tree.label(level - 1, at)
        children.append((label, _below(tree, level - 1, at, upto, label)))
    return _one_against_others(children, name)


def _one_against_others(children: list[tuple[str, Any]], name: str) -> dict[str, Any]:
    """The first child beside a node for all others, these again divided; from the last ones upwards."""
    n_apart = min(len(children) - 2, MOST_APART)
    whole = dict(_member(*child) for child in children[n_apart:])
    for i in range(n_apart - 1, -1, -1):
        gone = [label for label, _ in children[: i + 1]]
        told = " and ".join(gone if len(gone) < 3 else [*gone[:2], f"{len(gone) - 2} more"])
        whole = dict([_member(*children[i]), (f"{name}: all but {told}" if name else f"all but {told}", whole)])
    return whole


def _member(label: str, below: Any) -> tuple[str, Any]:
    return label, below if isinstance(below, dict) else [below]
