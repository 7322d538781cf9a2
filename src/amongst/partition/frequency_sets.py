"""Frequency sets of a table at the nodes of its lattice: by counting the tuples, or by rolling up another set."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING

import numpy as np

from amongst import kernels
from amongst.encode.coded import CodedColumn, CodedTable
from amongst.encode.rank import smallest_dtype
from amongst.kernels.conditions import Conditions
from amongst.kernels.numpy.frequency import FieldStep
from amongst.models import Model
from amongst.partition.lattice import Lattice, Levels
from amongst.partition.packing import Packing

if TYPE_CHECKING:
    from amongst.partition.class_conditions import ClassConditions

SAMPLE = 1 << 10


@dataclass(frozen=True, eq=False)
class NodeSet:
    """The frequency set of some columns at some levels; classes in no promised order.

    Attributes
    ----------
    columns, levels : tuple of int
    keys : ndarray of uint64, shape (n_classes, n_words)
        The numbers of the nodes that every class has, packed.
    count : ndarray of uint32
        Rows of every class.
    """

    columns: tuple[int, ...]
    levels: Levels
    keys: np.ndarray
    count: np.ndarray
    sets: FrequencySets

    @property
    def n_classes(self) -> int:
        return len(self.count)

    @cached_property
    def codes(self) -> list[np.ndarray]:
        """One array a column, one number a class: the node of the column's tree."""
        return [self.sets.packing.unpack(self.keys, c) for c in self.columns]

    @property
    def class_of_member(self) -> np.ndarray:
        """The class of every tuple of the table; the tuples are counted again for it."""
        again, class_of_tuple = self.sets.count_with_members(self.sets.tuples, self.columns, self.levels)
        place = np.empty(self.n_classes, dtype=np.int64)  # of a class here, by its number there
        place[np.lexsort(again.keys.T)] = np.lexsort(self.keys.T)
        return place[class_of_tuple]

    def failing(self, k: int) -> np.ndarray:
        """The classes of fewer than k, and those that fail what else is asked."""
        small = self.count < k
        return small if self.sets.beyond_k is None else small | self._failing_beyond_k

    @cached_property
    def _failing_beyond_k(self) -> np.ndarray:
        assert self.sets.beyond_k is not None
        return self.sets.beyond_k.failing(self)

    def fewer_rows_fail(self, k: int, most: int) -> bool:
        """Whether at most so many rows are in classes that fail; the sizes are looked at first, as they cost least."""
        if kernels.rows_below(self.count, k) > most:
            return False
        return self.sets.beyond_k is None or self.rows_below(k) <= most

    def rows_below(self, k: int) -> int:
        """Rows in classes of fewer than k, or that fail what else is asked."""
        if self.sets.beyond_k is None:
            return kernels.rows_below(self.count, k)
        return int(self.count[self.failing(k)].sum(dtype=np.int64))

    def rows_below_by_node(self, k: int) -> list[np.ndarray]:
        """For every column, how many rows in classes of fewer than k have each node."""
        failing = self.failing(k)
        rows = self.count[failing]
        return [np.bincount(own[failing], weights=rows) for own in self.codes]

    def kept_classes(self, k: int) -> tuple[int, int]:
        """How many classes of at least k there are, and the sum of their squared sizes."""
        kept = self.count[~self.failing(k)].astype(np.int64)
        return len(kept), int((kept * kept).sum())

    def n_values(self, column: int) -> int:
        """How many nodes of a column occur."""
        return len(np.unique(self.codes[self.columns.index(column)]))


class FrequencySets:
    """Counts where it is asked to, and counts how often: ``n_scans`` over the tuples, ``n_rollups`` over other sets.

    Attributes
    ----------
    tuples : NodeSet
        The frequency set of all columns at level 0, which all others come from.
    maps : list of list of ndarray
        ``maps[column][level][code]``: the number of the node that a code belongs to.
    n_nodes : list of list of int
        ``n_nodes[column][level]``
    beyond_k : ClassConditions, or None
        What classes must hold besides their size.
    """

    beyond_k: ClassConditions | None = None

    def __init__(self, table: CodedTable) -> None:
        self.table = table
        self.maps = [level_maps(column) for column in table.columns]
        self.n_scans = self.n_rollups = 0
        self.n_nodes = [[int(level.max(initial=0)) + 1 for level in maps] for maps in self.maps]
        self.packing = Packing([of_level[0] for of_level in self.n_nodes])
        self._steps: dict[tuple[int, int, int], FieldStep] = {}
        self.tuples = self.rows()
        self.tuples = self._count(self.tuples, self.tuples.columns, self.tuples.levels, self.tuples.levels)[0]

    def rows(self) -> NodeSet:
        """Every row of the table, or every row that others were counted with, as a class of its own."""
        return self.as_classes(self.table.codes, self.table.weights)

    def as_classes(self, codes: Sequence[np.ndarray], count: np.ndarray) -> NodeSet:
        """Tuples of codes of all columns, each as a class of its own, whether or not they are distinct."""
        columns = tuple(range(self.table.n_qi))
        return NodeSet(columns, (0,) * len(columns), self.packing.pack(codes), count, self)

    def hold_beyond_k(self, conditions: Conditions, models: Sequence[Model]) -> None:
        """From now on classes fail that do not hold these conditions, whatever their size."""
        from amongst.partition.class_conditions import ClassConditions

        self.beyond_k = ClassConditions(self, conditions, models)

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
        if columns == self.tuples.columns and levels == self.tuples.levels:
            return self.tuples
        return self._count(self.tuples, columns, (0,) * len(columns), levels)[0]

    def rollup(self, source: NodeSet, levels: Levels) -> NodeSet:
        """Add up the classes of a more specific set (the rollup property, section 3)."""
        self.n_rollups += 1
        return self._count(source, source.columns, source.levels, levels)[0]

    def project(self, source: NodeSet, columns: tuple[int, ...]) -> NodeSet:
        """Leave columns out (the subset property, section 3)."""
        self.n_rollups += 1
        levels = tuple(source.levels[source.columns.index(c)] for c in columns)
        return self._count(source, columns, levels, levels)[0]

    def derive(self, source: NodeSet, columns: tuple[int, ...], levels: Levels) -> NodeSet:
        """Leave columns out and add up the classes at once."""
        self.n_rollups += 1
        before = tuple(source.levels[source.columns.index(c)] for c in columns)
        return self._count(source, columns, before, levels)[0]

    def estimate(self, source: NodeSet, columns: tuple[int, ...], levels: Levels) -> int:
        """About how many classes a set would have, from a sample of ``source``; too many rather than too few."""
        step = max(1, source.n_classes // max(SAMPLE, source.n_classes // 64))
        keys = np.ascontiguousarray(source.keys[::step])
        sample = NodeSet(source.columns, source.levels, keys, np.ones(len(keys), dtype=np.uint32), self)
        before = tuple(source.levels[source.columns.index(c)] for c in columns)
        found = self._count(sample, columns, before, levels)[0]
        alone = int((found.count == 1).sum())  # there may be others like these among those that were left out
        most = math.prod(self.n_nodes[c][level] for c, level in zip(columns, levels, strict=True))
        return min(found.n_classes + alone * (step - 1), most)

    def count_with_members(
        self, source: NodeSet, columns: tuple[int, ...], levels: Levels
    ) -> tuple[NodeSet, np.ndarray]:
        """Count the tuples, or the ``rows()``, and tell the class of each."""
        return self.count_members(source, columns, (0,) * len(columns), levels)

    def count_members(
        self, source: NodeSet, columns: tuple[int, ...], before: Levels, after: Levels
    ) -> tuple[NodeSet, np.ndarray]:
        """Roll up a set, and tell the new class of each of its classes."""
        found, class_of_member = self._count(source, columns, before, after, members=True)
        assert class_of_member is not None
        return found, class_of_member

    def rows_below_by_code(self, found: NodeSet, k: int) -> list[np.ndarray]:
        """For every column, how many rows in classes of fewer than k have each code."""
        again, class_of_tuple = self.count_with_members(self.tuples, found.columns, found.levels)
        failing = np.flatnonzero(again.failing(k)[class_of_tuple])
        rows = self.tuples.count[failing]
        return [
            np.bincount(own[failing], weights=rows, minlength=len(maps[0]))
            for own, maps in zip(self.tuples.codes, self.maps, strict=True)
        ]

    def rows_by_code(self) -> list[np.ndarray]:
        """For every column, how many rows have each code."""
        return [
            np.bincount(own, weights=self.tuples.count, minlength=len(maps[0]))
            for own, maps in zip(self.tuples.codes, self.maps, strict=True)
        ]

    def _count(
        self, source: NodeSet, columns: tuple[int, ...], before: Levels, after: Levels, members: bool = False
    ) -> tuple[NodeSet, np.ndarray | None]:
        keep, steps, most = [0] * self.packing.n_words, [], 1
        for c, old, new in zip(columns, before, after, strict=True):
            most *= self.n_nodes[c][new]
            if old == new:
                field = self.packing.fields[c]
                keep[field.word] |= field.mask
            elif self.n_nodes[c][new] > 1:  # a column at its root says nothing
                steps.append(self._step(c, old, new))
        keys, count, class_of_key = kernels.roll_up(
            source.keys, source.count, np.array(keep, dtype=np.uint64), steps, min(most, source.n_classes), members
        )
        return NodeSet(columns, after, keys, count, self), class_of_key

    def _step(self, column: int, before: int, after: int) -> FieldStep:
        key = (column, before, after)
        if key not in self._steps:
            lower, upper = self.maps[column][before], self.maps[column][after]
            becomes = np.zeros(self.n_nodes[column][before], dtype=np.uint32)
            becomes[lower] = upper
            field = self.packing.fields[column]
            self._steps[key] = (field.word, field.shift, field.width, self.packing.table(column, becomes))
        return self._steps[key]


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
