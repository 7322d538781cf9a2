"""The classes of a published table: which rows a reader cannot tell apart, and how many they are."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from amongst.published.compatible import compatible_rows
from amongst.published.layout import Key, Layout
from amongst.published.people import People
from amongst.published.source import Source
from amongst.published.tally import Tally, one_key, tally


@dataclass(frozen=True, eq=False)
class Classes:
    """The distinct published rows.

    Attributes
    ----------
    tally : Tally
        The distinct rows, leaf by leaf, with how many rows are equal to each.
    size : ndarray of int64
        How many rows each distinct row cannot be told from: the rows equal to it, and where nulls
        match anything also those that differ from it only where one of them is null. Where people are
        given they are counted, not rows.
    """

    tally: Tally
    size: np.ndarray

    @property
    def n_classes(self) -> int:
        return len(self.size)

    @property
    def n_rows(self) -> int:
        return self.tally.n_rows

    @property
    def smallest(self) -> int:
        return int(self.size.min(initial=np.iinfo(np.int64).max)) if len(self.size) else 0

    def below(self, k: int) -> tuple[int, int]:
        """How many classes have fewer than k rows, and how many rows are in those."""
        small = self.size < k
        return int(small.sum()), int(self.tally.size[small].sum())

    def distribution(self) -> tuple[list[int], list[int]]:
        """The sizes that occur, ascending, and how many classes have each."""
        sizes, counts = np.unique(self.size, return_counts=True)
        return sizes.tolist(), counts.tolist()

    def rows_of_class(self) -> dict[int, int]:
        """How many classes of equal rows have how many rows, ascending."""
        sizes, counts = np.unique(self.tally.size, return_counts=True)
        return dict(zip(sizes.tolist(), counts.tolist(), strict=True))


def classes_of(source: Source, layout: Layout) -> Classes:
    """Read the rows and find their classes."""
    return classes_of_rows(layout, tally(source, [leaf for key in layout.keys for leaf in key.leaves]))


def classes_of_rows(layout: Layout, rows: Tally, people: People | None = None) -> Classes:
    """The classes of distinct rows; where people are given these are counted, not rows."""
    own = rows.size if people is None else people.count(np.arange(len(rows.size)), len(rows.size))
    return Classes(rows, sizes_on(layout.keys, layout, rows, own, people))


def sizes_on(keys: Sequence[Key], layout: Layout, rows: Tally, own: np.ndarray, people: People | None) -> np.ndarray:
    """How many rows, or people, every distinct row cannot be told from on some of the keys.

    ``own`` counts those that are equal in everything.
    """
    codes = [one_key([rows.columns[leaf].codes for leaf in key.leaves], len(rows.size)) for key in keys]
    wild = [_wild(key, layout, rows) for key in keys]
    if any(where.any() for where in wild):
        if people is not None:
            return people.count_compatible(codes, wild, len(rows.size))
        return compatible_rows(codes, wild, rows.size)
    if len(keys) == len(layout.keys):
        return own
    group = np.unique(one_key(codes, len(rows.size)), return_inverse=True)[1].reshape(-1)
    n_groups = int(group.max(initial=-1)) + 1
    if people is not None:
        return people.count(group, n_groups)[group]
    return np.bincount(group, weights=rows.size, minlength=n_groups).astype(np.int64)[group]


def wild_keys(layout: Layout, rows: Tally) -> list[np.ndarray]:
    """For every key where it matches anything."""
    return [_wild(key, layout, rows) for key in layout.keys]


def missing(key: Key, rows: Tally) -> np.ndarray:
    """The distinct rows in which nothing of this key is there."""
    columns = [rows.columns[leaf] for leaf in key.leaves]
    return np.logical_and.reduce([column.null_like[column.codes] for column in columns])


def _wild(key: Key, layout: Layout, rows: Tally) -> np.ndarray:
    """Where a key matches anything. A statistic does so only beside a label that does."""
    if key.nulls != "match anything":
        return np.zeros(len(rows.size), dtype=bool)
    wild = missing(key, rows)
    if key.form == "statistic":
        for other in layout.keys:
            if other.quasi == key.quasi and other.form != "statistic":
                wild &= missing(other, rows)
    return wild
