"""How often every sensitive value occurs in every class, and in the whole published table."""

from __future__ import annotations

from dataclasses import dataclass, replace
from functools import cached_property

import numpy as np

from amongst.published.sensitive_values import Values
from amongst.published.tally import distinct_keys


@dataclass(frozen=True, eq=False)
class Histogram:
    """The values of one sensitive column, class by class.

    Attributes
    ----------
    values : Values
        The values, in their order.
    class_of_entry, value_of_entry, count : ndarray of int64
        One entry for every class and every value in it, by class and then by value. Where people are counted,
        somebody counts once for a value of a class.
    size : ndarray of int64
        The rows of every class, or its people.
    table : ndarray of int64
        How often every value occurs in the table; where people are counted, somebody counts once for a value.
    """

    values: Values
    class_of_entry: np.ndarray
    value_of_entry: np.ndarray
    count: np.ndarray
    size: np.ndarray
    table: np.ndarray

    @property
    def n_classes(self) -> int:
        return len(self.size)

    @cached_property
    def first(self) -> np.ndarray:
        """The first entry of every class; no class is without one."""
        return np.flatnonzero(np.diff(self.class_of_entry, prepend=-1))

    @cached_property
    def whole(self) -> np.ndarray:
        """What the counts of every class sum to."""
        return self.sum(self.count)

    @cached_property
    def share(self) -> np.ndarray:
        """The share of every value in the table."""
        return self.table / max(int(self.table.sum()), 1)

    @cached_property
    def own(self) -> np.ndarray:
        """The share of every entry in its class."""
        return self.count / self.whole[self.class_of_entry]

    @cached_property
    def n_values(self) -> np.ndarray:
        """How many different values every class has."""
        return np.bincount(self.class_of_entry, minlength=self.n_classes)

    def sum(self, of_entry: np.ndarray) -> np.ndarray:
        return np.add.reduceat(of_entry, self.first) if len(of_entry) else of_entry[:0]

    def largest(self, of_entry: np.ndarray) -> np.ndarray:
        return np.maximum.reduceat(of_entry, self.first) if len(of_entry) else of_entry[:0]

    def smallest(self, of_entry: np.ndarray) -> np.ndarray:
        return np.minimum.reduceat(of_entry, self.first) if len(of_entry) else of_entry[:0]

    def by_frequency(self) -> Histogram:
        """The same entries, in every class the most frequent first."""
        order = np.lexsort((-self.count, self.class_of_entry))
        return replace(self, value_of_entry=self.value_of_entry[order], count=self.count[order])


def histogram(
    values: Values,
    class_of_item: np.ndarray,
    value_of_item: np.ndarray,
    size_of_item: np.ndarray,
    size: np.ndarray,
    person_of_item: np.ndarray | None,
) -> Histogram:
    """Count the items, each of which has a class, a value, a number of rows, and perhaps a person."""
    n_values, n_classes = values.n_values, len(size)
    if person_of_item is not None:
        # Of several rows of a person with the same value one is counted: in a class, and in the table.
        n_people = int(person_of_item.max(initial=0)) + 1
        in_table = distinct_keys(value_of_item * n_people + person_of_item) // n_people
        table = np.bincount(in_table, minlength=n_values)
        numbered = np.unique(class_of_item * n_values + value_of_item, return_inverse=True)
        entry, item = numbered[0], numbered[1].reshape(-1)
        pairs = distinct_keys(item * n_people + person_of_item) // n_people
        count = np.bincount(pairs, minlength=len(entry))
    else:
        table = np.bincount(value_of_item, weights=size_of_item, minlength=n_values).astype(np.int64)
        key = class_of_item * n_values + value_of_item
        entry, count = _counted(key, size_of_item, n_classes * n_values)
    return Histogram(values, entry // max(n_values, 1), entry % max(n_values, 1), count, size, table)


def _counted(key: np.ndarray, size: np.ndarray, n_keys: int) -> tuple[np.ndarray, np.ndarray]:
    """The keys that occur, ascending, and the sizes summed by key. Few keys are counted without sorting."""
    if n_keys <= max(1 << 22, 4 * len(key)):
        sums = np.bincount(key, weights=size, minlength=n_keys).astype(np.int64)
        found = np.flatnonzero(sums)
        return found, sums[found]
    found, place = np.unique(key, return_inverse=True)
    return found, np.bincount(place.reshape(-1), weights=size, minlength=len(found)).astype(np.int64)
