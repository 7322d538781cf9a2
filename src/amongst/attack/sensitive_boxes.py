"""The values of one sensitive column class by class, as the attacks without outside data count them."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property

import numpy as np

from amongst.attack.boxes import Beliefs, Boxes


@dataclass(frozen=True, eq=False)
class Classes:
    """Classes of records that nobody can tell apart, with their values.

    In two tables a class is a group. ``count`` is by entry: one for every value that occurs in a class.
    """

    values: list[str | None]
    size: np.ndarray
    owner: np.ndarray
    value: np.ndarray
    count: np.ndarray

    @property
    def n_records(self) -> int:
        return int(self.size.sum())

    @cached_property
    def n_distinct(self) -> np.ndarray:
        """How many different values every class has."""
        return np.bincount(self.owner, minlength=len(self.size))

    @cached_property
    def share(self) -> np.ndarray:
        """The share of every entry in its class."""
        return self.count / self.size[self.owner]

    @cached_property
    def overall(self) -> np.ndarray:
        """The share of every value in the whole release."""
        return np.bincount(self.value, self.count, len(self.values)) / max(self.n_records, 1)

    @cached_property
    def largest(self) -> np.ndarray:
        """The share of the commonest value of every class."""
        found = np.zeros(len(self.size))
        np.maximum.at(found, self.owner, self.share)
        return found

    def records(self, chosen: np.ndarray) -> int:
        """How many records lie in the chosen classes."""
        return int(self.size[chosen].sum())


def classes_of(boxes: Boxes, beliefs: Beliefs) -> Classes:
    """The classes of a release for one sensitive column."""
    if boxes.group is None:
        return Classes(beliefs.values, boxes.size, beliefs.box, beliefs.value, np.rint(beliefs.weight))
    number = np.unique(boxes.group, return_inverse=True)[1].reshape(-1)
    size = np.bincount(number, boxes.size).astype(np.int64)
    pair = number[beliefs.box] * beliefs.n_values + beliefs.value
    distinct, entry = np.unique(pair, return_inverse=True)
    count = np.rint(np.bincount(entry.reshape(-1), beliefs.weight, len(distinct)))
    return Classes(beliefs.values, size, distinct // beliefs.n_values, distinct % beliefs.n_values, count)
