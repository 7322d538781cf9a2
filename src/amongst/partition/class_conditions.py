"""Which classes of a generalization fail what is asked beyond their size."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from itertools import combinations
from typing import TYPE_CHECKING, Any

import numpy as np

from amongst import kernels
from amongst.encode.coded import CodedTable
from amongst.kernels.conditions import Conditions
from amongst.kernels.holds import holds_by_class
from amongst.models import Model, of_population

if TYPE_CHECKING:
    from amongst.partition.frequency_sets import FrequencySets, NodeSet


class ClassConditions:
    """Judges the classes of frequency sets: sensitive values, people, a population, few columns at a time.

    The counts of a frequency set say nothing of sensitive values, so these are counted apart: over the distinct
    tuples of quasi-identifiers and sensitive values, or over the rows where people are counted.
    """

    def __init__(self, sets: FrequencySets, conditions: Conditions, models: Sequence[Model]) -> None:
        self.sets = sets
        self.by_cell = None if conditions.only_size else _Cells(sets, conditions)
        self.subsets: list[Any] = [model for model in models if model.counts == "subsets"]
        self.people = of_population(models)
        self.population = _population(sets) if self.people else None

    def failing(self, found: NodeSet) -> np.ndarray:
        """The classes that fail."""
        fails = np.zeros(found.n_classes, dtype=bool)
        if self.by_cell is not None:
            fails |= self.by_cell.failing(found)
        for model in self.subsets:
            for columns in combinations(found.columns, min(model.m, len(found.columns))):
                fails |= self._rare(found, columns, model.k)
        if self.population is not None:
            fails |= self._beside_population(found)
        return fails

    def _rare(self, found: NodeSet, columns: tuple[int, ...], k: int) -> np.ndarray:
        levels = tuple(found.levels[found.columns.index(c)] for c in columns)
        if self.sets.table.unit is not None:
            return self._few_people(found, columns, levels, k)
        part, part_of_class = self.sets.count_members(found, columns, levels, levels)
        return (part.count < k)[part_of_class]

    def _few_people(self, found: NodeSet, columns: tuple[int, ...], levels: tuple[int, ...], k: int) -> np.ndarray:
        """The classes with rows that share what some columns publish with fewer than k people."""
        rows = self.sets.rows()
        assert self.sets.table.unit is not None
        part, part_of_row = self.sets.count_members(rows, columns, (0,) * len(columns), levels)
        _, first, _ = kernels.distinct([part_of_row.astype(np.uint32), self.sets.table.unit])
        people = np.bincount(part_of_row[first], minlength=part.n_classes)
        again, class_of_row = self.sets.count_members(rows, found.columns, (0,) * len(found.columns), found.levels)
        few = np.zeros(again.n_classes, dtype=bool)
        few[class_of_row[(people < k)[part_of_row]]] = True
        return in_order_of(found, again, few)

    def _sizes(self, found: NodeSet) -> np.ndarray:
        """The rows of every class, or its people where these are counted."""
        unit = self.sets.table.unit
        if unit is None:
            return found.count
        rows, levels = self.sets.rows(), (0,) * len(found.columns)
        again, class_of_row = self.sets.count_members(rows, found.columns, levels, found.levels)
        _, first, _ = kernels.distinct([class_of_row.astype(np.uint32), unit])
        return in_order_of(found, again, np.bincount(class_of_row[first], minlength=again.n_classes))

    def _beside_population(self, found: NodeSet) -> np.ndarray:
        assert self.population is not None
        people, _ = self.sets.count_members(self.population, found.columns, (0,) * len(found.columns), found.levels)
        _, place = np.unique(np.concatenate([found.keys, people.keys]), axis=0, return_inverse=True)
        place = place.reshape(-1)
        of_class = np.zeros(int(place.max(initial=0)) + 1, dtype=np.int64)
        of_class[place[found.n_classes :]] = people.count
        meant = of_class[place[: found.n_classes]]
        fails = np.zeros(found.n_classes, dtype=bool)
        size = self._sizes(found)
        for model in self.people:
            fails |= model.breaks(fewest=size, most=size, fit_fewest=meant, fit_most=meant)
            if model.everybody_must_fit and people.n_classes > int((meant > 0).sum()):
                fails[:] = True  # somebody of the population fits nothing that is published
        return fails


class _Cells:
    """The distinct tuples of quasi-identifiers and sensitive values, or the rows where people are counted."""

    def __init__(self, sets: FrequencySets, conditions: Conditions) -> None:
        table: CodedTable = sets.table
        if conditions.unit is not None:
            codes, count = table.codes, np.ones(table.n_rows, dtype=np.uint32)
        else:
            cells = [*table.codes, *[test.codes for test in conditions.tests]]
            _, first_row, count = kernels.distinct(cells, table.count)
            conditions = replace(conditions.at(first_row), weight=None)  # it is told with the cells
            codes = [kernels.gather(column, first_row) for column in table.codes]
        self.conditions, self.count = conditions, count
        self.cells = sets.as_classes(codes, count)

    def failing(self, found: NodeSet) -> np.ndarray:
        levels = (0,) * len(found.columns)
        again, class_of_cell = found.sets.count_members(self.cells, found.columns, levels, found.levels)
        weight = None if self.conditions.unit is not None else self.count
        holds = holds_by_class(self.conditions, class_of_cell.astype(np.int32), again.n_classes, weight)
        return in_order_of(found, again, ~holds)


def in_order_of(found: NodeSet, again: NodeSet, fact: np.ndarray) -> np.ndarray:
    """A fact of every class of a set that was counted again, in the order of the first time."""
    ordered = np.empty(found.n_classes, dtype=fact.dtype)
    ordered[np.lexsort(found.keys.T)] = fact[np.lexsort(again.keys.T)]
    return ordered


def _population(sets: FrequencySets) -> NodeSet:
    assert sets.table.population is not None
    people = sets.table.population
    return sets.as_classes(people, np.ones(len(people[0]), dtype=np.uint32))
