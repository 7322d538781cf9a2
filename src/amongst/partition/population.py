"""How many people of a population fit the box of every group."""

from __future__ import annotations

import numpy as np

from amongst import kernels
from amongst.encode import CodedTable
from amongst.encode.coded import CodedColumn
from amongst.partition.partition import Partition


def inside_boxes(table: CodedTable, partition: Partition, lo: np.ndarray, hi: np.ndarray) -> tuple[np.ndarray, int]:
    """The people of the population whose codes lie in each box, and how many lie in none.

    In a column that is published as sets, only the values that the group has fit, and not those between them.
    """
    assert table.population is not None
    distinct, count = _distinct(table.population)
    meant = np.zeros(len(lo), dtype=np.int64)
    # People sorted by the column with the most values: a group looks at a stretch of them only.
    first = int(np.argmax([len(np.unique(column)) for column in distinct]))
    order = np.argsort(distinct[first], kind="stable")
    distinct, count = [column[order] for column in distinct], count[order]
    begin = np.searchsorted(distinct[first], lo[:, first], side="left")
    end = np.searchsorted(distinct[first], hi[:, first], side="right")
    members = _Members(table, partition)
    nowhere = np.ones(len(count), dtype=bool)
    for g in range(len(lo)):
        part = slice(int(begin[g]), int(end[g]))
        inside = np.ones(part.stop - part.start, dtype=bool)
        for c, column in enumerate(distinct):
            if c in members.columns:
                inside &= members.has(g, c, column[part])
            elif c != first:
                inside &= (column[part] >= lo[g, c]) & (column[part] <= hi[g, c])
        meant[g] = count[part][inside].sum()
        nowhere[part] &= ~inside
    return meant, int(count[nowhere].sum())


class _Members:
    """The values of every group in the columns that are published as sets."""

    def __init__(self, table: CodedTable, partition: Partition) -> None:
        sets = [] if partition.publishes_nodes else [c for c, column in enumerate(table.columns) if column.as_sets]
        kept = np.flatnonzero(partition.group_of_row >= 0)
        self.columns, self._edges = {}, {}
        for c in sets:
            pairs = np.unique(np.stack([partition.group_of_row[kept], table.columns[c].codes[kept]]), axis=1)
            self._edges[c] = np.searchsorted(pairs[0], np.arange(partition.n_groups + 1))
            self.columns[c] = pairs[1]

    def has(self, group: int, c: int, codes: np.ndarray) -> np.ndarray:
        """Whether each code is one of the group's."""
        edges = self._edges[c]
        return np.isin(codes, self.columns[c][edges[group] : edges[group + 1]])


def widest_boxes(table: CodedTable, partition: Partition) -> tuple[np.ndarray, np.ndarray]:
    """The boxes as far as they may be published: the whole node of a category with a tree."""
    lo, hi = partition.lo.astype(np.int64), partition.hi.astype(np.int64)
    for c, column in enumerate(table.columns):
        if column.tree is not None and column.position is None:
            lo[:, c], hi[:, c] = _widest(column, lo[:, c], hi[:, c])
    return lo, hi


def _widest(column: CodedColumn, lo: np.ndarray, hi: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """The whole node of every box. Missing values lie beyond the tree: with others they are published as ``*``, alone
    as what they are, and that is anything where they match anything."""
    assert column.tree is not None
    known = hi < column.n_values
    level = column.tree.ancestor_level(lo[known], hi[known])
    first, last = lo.copy(), hi.copy()
    first[known], last[known] = column.tree.start[level, lo[known]], column.tree.end[level, lo[known]]
    first[(hi > lo) & ~known] = 0
    if column.wildcard >= 0:
        first[~known], last[~known] = 0, column.n_values - 1
    return first, last


def numbers_of_boxes(lo: np.ndarray, hi: np.ndarray) -> np.ndarray:
    """The number of every group's box; equal boxes have one number, and there are no gaps."""
    _, box_of_group = np.unique(np.concatenate([lo, hi], axis=1), axis=0, return_inverse=True)
    return box_of_group.reshape(-1)


def people_in_groups(
    table: CodedTable, partition: Partition, lo: np.ndarray, hi: np.ndarray
) -> tuple[np.ndarray, np.ndarray]:
    """The rows of every group, or its people where these are counted; and of all groups with the same box, which a
    reader cannot tell apart."""
    box_of_group = numbers_of_boxes(lo, hi)
    if table.unit is None:
        size = partition.size_of_group
        return size, np.bincount(box_of_group, weights=size)[box_of_group].astype(np.int64)
    kept = partition.group_of_row >= 0
    group, unit = partition.group_of_row[kept], table.unit[kept]
    return _people(group, unit), _people(box_of_group[group], unit)[box_of_group]


def _people(group: np.ndarray, unit: np.ndarray) -> np.ndarray:
    """How many different people every group has."""
    pairs = np.unique(np.stack([group.astype(np.int64), unit.astype(np.int64)]), axis=1)
    return np.bincount(pairs[0])


def _distinct(people: list[np.ndarray]) -> tuple[list[np.ndarray], np.ndarray]:
    _, first, count = kernels.distinct([np.ascontiguousarray(column) for column in people])
    return [column[first] for column in people], count.astype(np.int64)
