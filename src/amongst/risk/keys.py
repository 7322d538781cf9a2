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

    from amongst.verify.layout import Layout, Leaf


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
    """

    names: list[str]
    codes: list[np.ndarray]
    wild: list[np.ndarray] | None = None
    unit: np.ndarray | None = None

    @property
    def n_rows(self) -> int:
        return len(self.codes[0])

    @cached_property
    def distinct(self) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
        """The class of every row; a row of every class; the rows of every class."""
        class_of_row, first_row, count = kernels.distinct(self.codes)
        return class_of_row, first_row, count.astype(np.int64)

    @cached_property
    def size_of_class(self) -> np.ndarray:
        """How many rows, or people, those of a class cannot be told from."""
        class_of_row, first_row, count = self.distinct
        if self.unit is not None:
            pairs = np.unique(class_of_row.astype(np.int64) << 32 | self.unit) >> 32
            return np.bincount(pairs, minlength=len(count)).astype(np.int64)
        if self.wild is not None:
            from amongst.verify.compatible import compatible_rows

            codes = [one[first_row].astype(np.int64) for one in self.codes]
            return compatible_rows(codes, [one[first_row] for one in self.wild], count)
        return count

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
    codes, wild = [], []
    for name in names:
        own = [key for key in layout.keys if key.quasi == name]
        parts = [code_column(cells_of(table, leaf)) for key in own for leaf in key.leaves]
        codes.append(parts[0][0] if len(parts) == 1 else kernels.distinct([part for part, _ in parts])[0])
        missing = np.logical_and.reduce([gone for _, gone in parts])
        wild.append(missing if own[0].nulls == "match anything" else np.zeros(len(missing), dtype=bool))
    return Keys(names, codes, wild if any(one.any() for one in wild) else None, unit)


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
