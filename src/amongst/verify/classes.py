"""The classes of a published table: which rows a reader cannot tell apart, and how many they are."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from amongst.verify.compatible import compatible_rows
from amongst.verify.layout import Key, Layout
from amongst.verify.source import Source
from amongst.verify.tally import Tally, one_key, tally


@dataclass(frozen=True, eq=False)
class Classes:
    """The distinct published rows.

    Attributes
    ----------
    tally : Tally
        The distinct rows, leaf by leaf, with how many rows are equal to each.
    size : ndarray of int64
        How many rows each distinct row cannot be told from: the rows equal to it, and where nulls
        match anything also those that differ from it only where one of them is null.
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


def classes_of(source: Source, layout: Layout) -> Classes:
    """Read the rows and find their classes."""
    rows = tally(source, [leaf for key in layout.keys for leaf in key.leaves])
    if not any(key.nulls == "match anything" for key in layout.keys):
        return Classes(rows, rows.size)
    codes = [one_key([rows.columns[leaf].codes for leaf in key.leaves], len(rows.size)) for key in layout.keys]
    wild = [_wild(key, layout, rows) for key in layout.keys]
    return Classes(rows, compatible_rows(codes, wild, rows.size))


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
