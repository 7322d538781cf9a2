"""Ranges that may be told of numbers without a hierarchy: halves of halves, with about as many rows on both sides."""

from __future__ import annotations

from dataclasses import replace

import numpy as np

from amongst.encode.coded import CodedColumn, CodedTable
from amongst.partition.partition import Partition
from amongst.schema.tree import Tree

MOST_STEPS = 20
"""Halves of halves of halves ..., so many times at the most; then single values."""


def with_range_trees(table: CodedTable, least: int) -> CodedTable:
    """The table with a tree over the codes of every column of numbers, dates or ordered values that has none.

    Ranges of fewer than ``2 * least`` rows are not divided again: below them are single values.
    """
    columns = [_with_tree(column, least) if _is_bare(column) else column for column in table.columns]
    return replace(table, columns=columns)


def tightened(table: CodedTable, told: CodedTable, partition: Partition) -> Partition:
    """Every range told of such a column as narrow as all that publish it: some of its rows publish narrower ones.

    Groups that publish one label still publish one, so every label has as many rows as before, or more.
    """
    lo, hi = partition.lo.copy(), partition.hi.copy()
    for c, (column, own) in enumerate(zip(table.columns, told.columns, strict=True)):
        if own is column or column.wildcard >= 0:
            continue
        label = partition.lo[:, c].astype(np.int64) << 32 | partition.hi[:, c]
        _, label_of_group = np.unique(label, return_inverse=True)
        label_of_row = label_of_group.reshape(-1)[partition.group_of_row]
        order = np.argsort(label_of_row, kind="stable")
        first = np.searchsorted(label_of_row[order], np.arange(int(label_of_group.max()) + 1))
        codes = column.codes[order].astype(np.uint32)
        lo[:, c] = np.minimum.reduceat(codes, first)[label_of_group.reshape(-1)]
        hi[:, c] = np.maximum.reduceat(codes, first)[label_of_group.reshape(-1)]
    return replace(partition, lo=lo, hi=hi)


def _is_bare(column: CodedColumn) -> bool:
    return column.tree is None and column.kind != "categorical" and column.n_values > 2


def _with_tree(column: CodedColumn, least: int) -> CodedColumn:
    n = column.n_values + (column.own_null >= 0)
    rows = np.bincount(column.codes, minlength=n + 1)[: column.n_values]
    levels = [np.arange(n), *reversed(_halves(rows, least))]
    if column.own_null >= 0:  # a null hangs from the root
        levels = [np.append(level, n - 1) if len(level) < n else level for level in levels]
    levels.append(np.zeros(n, dtype=np.int64))
    start = np.array(levels, dtype=np.int32)
    end = np.empty_like(start)
    for level, own in enumerate(start):
        last = np.append(np.flatnonzero(np.diff(own)), n - 1)
        end[level] = np.repeat(last, np.diff(np.append(-1, last)))
    return replace(column, tree=Tree(list(range(n)), start, end, [{} for _ in levels]))


def _halves(rows: np.ndarray, least: int) -> list[np.ndarray]:
    """For every value where its range begins: after one cut of everything, after cuts of both halves, ..."""
    upto = np.append(0, np.cumsum(rows))
    first = np.zeros(1, dtype=np.int64)
    levels: list[np.ndarray] = []
    for _ in range(MOST_STEPS):
        end = np.append(first[1:], len(rows))
        middle = np.searchsorted(upto, (upto[first] + upto[end] + 1) // 2)
        middle = np.clip(middle, first + 1, np.maximum(end - 1, first + 1))
        divides = (end - first > 1) & (upto[end] - upto[first] >= 2 * least)
        if not divides.any():
            break
        first = np.unique(np.concatenate([first, middle[divides]]))
        levels.append(np.repeat(first, np.diff(np.append(first, len(rows)))))
    return levels
