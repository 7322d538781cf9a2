"""Frequency sets of a table at the nodes of its lattice: by counting the tuples, or by rolling up another set."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cache

import numpy as np

from amongst import kernels
from amongst.encode.coded import CodedColumn, CodedTable
from amongst.encode.encode import smallest_dtype
from amongst.encode.frequency import frequency_set
from amongst.partition.lattice import Lattice, Levels


@dataclass(frozen=True, eq=False)
class NodeSet:
    """The frequency set of some columns at some levels.

    Attributes
    ----------
    columns, levels : tuple of int
    codes : list of ndarray
        One a column, one a class: the number of the node of its tree.
    count : ndarray of uint32
        Rows of every class.
    class_of_member : ndarray of uint32
        The class of every tuple (or of every class of the set this one was rolled up from).
    """

    columns: tuple[int, ...]
    levels: Levels
    codes: list[np.ndarray]
    count: np.ndarray
    class_of_member: np.ndarray

    def rows_below(self, k: int) -> int:
        """Rows in classes of fewer than k."""
        return int(self.count[self.count < k].sum(dtype=np.int64))


class FrequencySets:
    """Counts where it is asked to, and counts how often: ``n_scans`` over the tuples, ``n_rollups`` over other sets."""

    def __init__(self, table: CodedTable) -> None:
        self.table = table
        self.tuples = frequency_set(table.codes)
        self.maps = [level_maps(column) for column in table.columns]
        self.n_scans = self.n_rollups = 0
        self._step = cache(self._step_map)

    @property
    def heights(self) -> Levels:
        return tuple(len(maps) - 1 for maps in self.maps)

    @property
    def lattice(self) -> Lattice:
        return Lattice(self.heights)

    @property
    def n_rows(self) -> int:
        return self.table.n_rows

    def scan(self, columns: tuple[int, ...], levels: Levels) -> NodeSet:
        """Count the distinct tuples of the table (the papers' scan of T)."""
        self.n_scans += 1
        codes = [kernels.look_up(self.tuples.codes[c], self.maps[c][level]) for c, level in zip(columns, levels, strict=True)]
        return _count(columns, levels, codes, self.tuples.count)

    def rollup(self, source: NodeSet, levels: Levels) -> NodeSet:
        """Add up the classes of a more specific set (the rollup property, section 3)."""
        self.n_rollups += 1
        codes = [
            own if before == after else kernels.look_up(own, self._step(c, before, after))
            for c, own, before, after in zip(source.columns, source.codes, source.levels, levels, strict=True)
        ]
        return _count(source.columns, levels, codes, source.count)

    def project(self, source: NodeSet, columns: tuple[int, ...]) -> NodeSet:
        """Leave columns out (the subset property, section 3)."""
        self.n_rollups += 1
        places = [source.columns.index(c) for c in columns]
        return _count(columns, tuple(source.levels[p] for p in places), [source.codes[p] for p in places], source.count)

    def _step_map(self, column: int, before: int, after: int) -> np.ndarray:
        lower, upper = self.maps[column][before], self.maps[column][after]
        step = np.zeros(int(lower.max()) + 1, dtype=upper.dtype)
        step[lower] = upper
        return step


def _count(columns: tuple[int, ...], levels: Levels, codes: list[np.ndarray], weight: np.ndarray) -> NodeSet:
    member, first, count = kernels.distinct(codes, weight)
    return NodeSet(columns, levels, [own[first] for own in codes], count, member)


def level_maps(column: CodedColumn) -> list[np.ndarray]:
    """For every level of a column the number of the node that each code belongs to.

    A column without a tree has two levels: its values, and all of them together. A null hangs from the root
    of its own, beside everything else.
    """
    n_codes = column.n_values + (column.null_code is not None)
    tree = column.tree
    if tree is None:
        starts = [np.arange(n_codes), np.zeros(n_codes, dtype=np.int64)]
    else:
        starts = [tree.start[level] for level in range(tree.n_levels)]
        if tree.n_leaves < n_codes:  # a null that matches anything is not in the tree
            starts = [np.append(start, n_codes - 1) for start in starts] + [np.zeros(n_codes, dtype=np.int64)]
    dense = [np.unique(start, return_inverse=True)[1].reshape(-1) for start in starts]
    return [level.astype(smallest_dtype(int(level.max()) + 1)) for level in dense]
