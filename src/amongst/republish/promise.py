"""What a series promises, and whether counts of rows in boxes keep it."""

from __future__ import annotations

from dataclasses import dataclass, field, fields
from typing import Any

import numpy as np


@dataclass(frozen=True)
class Promise:
    """What must hold.

    Counts are arrays with the values across. Where some people have several rows (``most_rows``) three blocks stand
    side by side: people, each by one of her values; rows by value; and people by how many rows they have.

    Attributes
    ----------
    k : int
        People of a class, and those that all classes of a person have in common.
    l : int
        Different values of these.
    share : float
        The largest share of one value in a class.
    newcomers : int
        Where a difference shows people who came or went, at least so many values can be theirs.
    crowd : int
        And they are at least so many.
    of : tuple of ndarray, shape (combinations, values)
        Where there are several sensitive columns: counts are those of combinations of values, and of every column 1
        where a combination has a value. Then l, share and newcomers are asked of every column.
    most_rows : int
        The most rows of anybody, where somebody has several; else 0.
    """

    k: int
    l: int = 1  # noqa: E741
    share: float = 1.0
    newcomers: int = 2
    crowd: int = 1
    of: tuple[np.ndarray, ...] = field(default=(), compare=False)
    most_rows: int = field(default=0, compare=False)

    @property
    def told(self) -> dict[str, Any]:
        """What was asked, as plain data."""
        return {one.name: getattr(self, one.name) for one in fields(self) if one.compare}

    def people(self, count: np.ndarray) -> np.ndarray:
        return count[..., : (count.shape[-1] - self.most_rows) // 2] if self.most_rows else count

    def rows(self, count: np.ndarray) -> np.ndarray:
        n = (count.shape[-1] - self.most_rows) // 2
        return count[..., n : 2 * n] if self.most_rows else count

    def n_values(self, count: np.ndarray) -> np.ndarray:
        """How many different values there are, of the column that has fewest."""
        there = count > 0
        if not self.of:
            return np.asarray(there.sum(axis=-1))
        return np.minimum.reduce([((there @ one) > 0).sum(axis=-1) for one in self.of])

    def largest(self, count: np.ndarray) -> np.ndarray:
        """The rows of the commonest value of any column."""
        parts = [count @ of for of in self.of] or [count]
        return np.maximum.reduce([one.max(axis=-1, initial=0) for one in parts])

    def breaks_alone(self, count: np.ndarray) -> bool:
        """Whether rows of these values may not be a class."""
        rows = self.rows(count)
        return bool(self.breaks_common(count)) or int(self.largest(rows)) > self.share * int(rows.sum()) + 1e-9

    def breaks_common(self, left: np.ndarray) -> np.ndarray:
        """Of several people: whether what all their classes have in common is too little."""
        people = self.people(left)
        broken = (people.sum(axis=-1) < self.k) | (self.n_values(people) < self.l)
        if self.most_rows and self.l > 1:  # of her many rows one has the commonest value for sure
            rows = self.rows(left)
            broken |= self.largest(rows) > rows.sum(axis=-1) - _most_of_one(left[..., -self.most_rows :])
        return np.asarray(broken)

    def shows_few(
        self, came: np.ndarray, went: np.ndarray, arrived: np.ndarray | None = None, departed: np.ndarray | None = None
    ) -> bool:
        """Whether a difference shows some who came or went, and too few of them, or too few values for them.

        Parameters
        ----------
        came, went : ndarray
            Counts of those who are in one of both releases only, or in both with other values.
        arrived, departed : ndarray, optional
            People by the rows that they have more, or fewer, than before: what others know, unlike changed values.
        """
        people = [self.people(one) for one in (came, went)]
        hidden = bool(np.minimum(*people).any())
        for moved in people:
            if moved.any() and (moved.sum() < self.crowd or (not hidden and self.n_values(moved) < self.newcomers)):
                return True
        if arrived is None or departed is None:
            return False
        more = self.rows(came) - self.rows(went)
        return self.names(np.maximum(more, 0), arrived) or self.names(np.maximum(-more, 0), departed)

    def names(self, shown: np.ndarray, known: np.ndarray) -> bool:
        """Whether what a difference shows says too much of people of whom it is known that they came, or went.

        Where it shows fewer rows than theirs, some hide behind those of others, and may have any value.
        """
        n_people = int(known.sum())
        if n_people == 0 or (n_people >= self.crowd and self.newcomers < 2):
            return False
        n_rows, n_shown = int(known @ np.arange(1, len(known) + 1)), int(shown.sum())
        if n_people < self.crowd or int(self.largest(shown)) > max(n_rows, n_shown) - int(_most_of_one(known)):
            return True
        return n_shown >= n_rows and int(self.n_values(shown)) < self.newcomers


def _most_of_one(people_by_rows: np.ndarray) -> np.ndarray:
    """The most rows of one of these people."""
    return np.asarray(((people_by_rows > 0) * np.arange(1, people_by_rows.shape[-1] + 1)).max(axis=-1, initial=0))
