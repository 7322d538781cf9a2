"""How often every sensitive value occurs in every class."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np


@dataclass(frozen=True, eq=False)
class ValueCounts:
    """An entry for every class and every value that it has, by class and then by value.

    Attributes
    ----------
    class_of, value, count : ndarray of int64, one an entry
        Classes are numbered anew, so that none is without an entry.
    first : ndarray of int64
        The first entry of every class.
    size : ndarray of int64
        The rows of every class, or its people.
    share : ndarray of float64
        The share of every value in the whole table.
    """

    class_of: np.ndarray
    value: np.ndarray
    count: np.ndarray
    first: np.ndarray
    size: np.ndarray
    share: np.ndarray

    @property
    def whole(self) -> np.ndarray:
        """What the counts of every class sum to; with people that may be more than the people."""
        return np.add.reduceat(self.count, self.first)

    @property
    def own(self) -> np.ndarray:
        """The share of every entry in its class."""
        return self.count / self.whole[self.class_of]


def value_counts(
    class_of_row: np.ndarray,
    n_classes: int,
    codes: np.ndarray,
    n_values: int,
    unit: np.ndarray | None = None,
    weight: np.ndarray | None = None,
) -> ValueCounts:
    """Count the rows of every class and value; with ``unit``, a person once for every value of a class.

    With ``weight`` a row stands for so many; not where people are counted.
    """
    kept = np.flatnonzero(class_of_row >= 0)
    classes, values = class_of_row[kept].astype(np.int64), codes[kept].astype(np.int64)
    key = classes * n_values + values
    if unit is None:
        entry, count = _counted(key, n_classes * n_values, None if weight is None else weight[kept])
        table = np.bincount(entry % n_values, weights=count, minlength=n_values) if n_values else np.zeros(0)
        size = np.bincount(entry // max(n_values, 1), weights=count).astype(np.int64)
    else:
        people, n_people = unit[kept].astype(np.int64), int(unit.max(initial=0)) + 1
        entry, count = np.unique(_distinct(key, people, n_people), return_counts=True)
        table = np.bincount(_distinct(values, people, n_people), minlength=n_values)
        size = np.bincount(_distinct(classes, people, n_people))
    class_of, first = entry // max(n_values, 1), np.zeros(0, dtype=np.int64)
    if len(entry):
        first = np.flatnonzero(np.diff(class_of, prepend=-1))
        size = size[class_of[first]]
        class_of = np.cumsum(np.diff(class_of, prepend=class_of[0]) != 0)
    return ValueCounts(class_of, entry % max(n_values, 1), count, first, size, table / max(table.sum(), 1))


def _counted(key: np.ndarray, n_keys: int, weight: np.ndarray | None) -> tuple[np.ndarray, np.ndarray]:
    if n_keys <= max(1 << 22, 4 * len(key)):
        count = np.bincount(key, weights=weight, minlength=n_keys).astype(np.int64)
        found = np.flatnonzero(count)
        return found, count[found]
    if weight is None:
        return np.unique(key, return_counts=True)
    found, place = np.unique(key, return_inverse=True)
    return found, np.bincount(place.reshape(-1), weights=weight).astype(np.int64)


def _distinct(key: np.ndarray, people: np.ndarray, n_people: int) -> np.ndarray:
    """The keys of all people, each person once a key."""
    pairs = np.sort(key * n_people + people)
    return pairs[np.diff(pairs, prepend=-1) != 0] // n_people
