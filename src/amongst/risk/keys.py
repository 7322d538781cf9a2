"""What tells the rows of a table apart: the quasi-identifiers as codes, raw or published."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING

import numpy as np

from amongst import kernels
from amongst.encode.rank import one_zero, rank, smallest_dtype

if TYPE_CHECKING:
    import pyarrow as pa

    from amongst.published.layout import Layout, Leaf
    from amongst.published.people import People


@dataclass(frozen=True, eq=False)
class Keys:
    """The quasi-identifiers of a table.

    Attributes
    ----------
    names : list of str
    codes : list of ndarray
        One a quasi-identifier, one code a row. Equal codes are equal cells.
    wild : list of ndarray of bool, or None
        Where a missing value matches anything.
    unit : ndarray of uint32, or None
        The person of every row, where people are counted and not rows.
    matches : list of bool
        Whether a missing value of the column matches anything, whether or not there is one.
    """

    names: list[str]
    codes: list[np.ndarray]
    wild: list[np.ndarray] | None = None
    unit: np.ndarray | None = None
    matches: Sequence[bool] = ()

    @property
    def n_rows(self) -> int:
        return len(self.codes[0])

    @cached_property
    def distinct(self) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
        """The class of every row; a row of every class; the rows of every class."""
        class_of_row, first_row, count = kernels.distinct(self.codes)
        return class_of_row, first_row, count.astype(np.int64)

    @cached_property
    def people(self) -> People | None:
        """Who is in which class, where people are counted; numbered without gaps."""
        if self.unit is None:
            return None
        from amongst.published.people import People

        person_of_row, first, _ = kernels.distinct([self.unit])
        _, pair, _ = kernels.distinct([self.distinct[0], person_of_row])
        return People(self.distinct[0][pair].astype(np.int64), person_of_row[pair].astype(np.int64), len(first))

    @property
    def n_counted(self) -> int:
        """How many rows there are, or people."""
        return self.n_rows if self.people is None else self.people.n_people

    @cached_property
    def members_of_class(self) -> np.ndarray:
        """How many rows, or people, are equal to those of a class; a missing value is a value of its own here."""
        if self.people is None:
            return self.distinct[2]
        return np.bincount(self.people.class_of_pair, minlength=len(self.distinct[2])).astype(np.int64)

    @cached_property
    def size_of_class(self) -> np.ndarray:
        """How many rows, or people, those of a class cannot be told from."""
        return self.members_of_class if self.wild is None else self._fitting(None)

    def weight_of_class(self, weight: np.ndarray) -> np.ndarray:
        """What those weigh that a class cannot be told from, by the weight of every row, or of every person."""
        if self.wild is not None:
            return self._fitting(weight)
        if self.people is None:
            return np.bincount(self.distinct[0], weights=weight, minlength=len(self.distinct[2]))
        of_pair = weight[self.people.person_of_pair]
        return np.bincount(self.people.class_of_pair, weights=of_pair, minlength=len(self.distinct[2]))

    def _fitting(self, weight: np.ndarray | None) -> np.ndarray:
        """All rows, or people, that agree with a class, or are missing what it has, or have what it is missing."""
        from amongst.published.compatible import compatible_rows

        class_of_row, first_row, count = self.distinct
        codes = [one[first_row].astype(np.int64) for one in self.codes]
        wild = [one[first_row] for one in self.wild or ()]
        if self.people is not None:
            return self.people.count_compatible(codes, wild, len(count), weight)
        size = count if weight is None else np.bincount(class_of_row, weights=weight, minlength=len(count))
        return compatible_rows(codes, wild, size)

    def of_everybody(self, of_class: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
        """A figure of the classes as one of those who are counted, and how many have it.

        Of people it is the largest of all their rows: an intruder may know any of them.
        """
        if self.people is None:
            return of_class, self.distinct[2]
        largest = np.full(self.people.n_people, -np.inf)
        np.maximum.at(largest, self.people.person_of_pair, of_class[self.people.class_of_pair].astype(np.float64))
        return largest, np.ones(self.people.n_people, dtype=np.int64)

    def members_on(self, chosen: Sequence[int]) -> tuple[np.ndarray, np.ndarray]:
        """On some of the columns: the class of every class here, and how many rows, or people, each of those has."""
        coarse, rows = self.sizes_on(chosen)
        if self.people is None:
            return coarse, rows
        of_pair = np.ascontiguousarray(coarse[self.people.class_of_pair])
        _, first, _ = kernels.distinct([of_pair, self.people.person_of_pair.astype(np.uint32)])
        return coarse, np.bincount(of_pair[first], minlength=len(rows))

    def sizes_on(self, chosen: Sequence[int]) -> tuple[np.ndarray, np.ndarray]:
        """On some of the columns: the class of every class here, and how many rows each of those has.

        A missing value is a value of its own here.
        """
        count = self.distinct[2]
        coarse, _, rows = kernels.distinct([self._of_class[c] for c in chosen], count.astype(np.uint32))
        return coarse, rows.astype(np.int64)

    @cached_property
    def _of_class(self) -> list[np.ndarray]:
        first_row = self.distinct[1]
        return [kernels.gather(one, first_row) for one in self.codes]


def keys_of(table: pa.Table, layout: Layout, unit: np.ndarray | None = None) -> Keys:
    """The quasi-identifiers of a table that is laid out so; what belongs to one of them becomes one code."""
    names = list(dict.fromkeys(key.quasi for key in layout.keys))
    codes, wild, matches = [], [], []
    for name in names:
        own = [key for key in layout.keys if key.quasi == name]
        parts = [code_column(cells_of(table, leaf)) for key in own for leaf in key.leaves]
        codes.append(parts[0][0] if len(parts) == 1 else kernels.distinct([part for part, _ in parts])[0])
        missing = np.logical_and.reduce([gone for _, gone in parts])
        matches.append(own[0].nulls == "match anything")
        wild.append(missing if matches[-1] else np.zeros(len(missing), dtype=bool))
    return Keys(names, codes, wild if any(one.any() for one in wild) else None, unit, matches)


def code_column(column: pa.ChunkedArray) -> tuple[np.ndarray, np.ndarray]:
    """The code of every row, and where it is missing; a missing value has a code of its own, the last."""
    values, index, missing = rank(column)
    values, index = one_zero(values, index)
    gone = np.zeros(len(column), dtype=bool) if missing is None else missing
    codes = index.astype(smallest_dtype(len(values) + 1))
    codes[gone] = len(values)
    return np.ascontiguousarray(codes), gone


def cells_of(table: pa.Table, leaf: Leaf) -> pa.ChunkedArray:
    """A column, or one field of a struct column."""
    import pyarrow.compute as pc

    column = table.column(leaf.column)
    return column if leaf.field is None else pc.struct_field(column, leaf.field)
