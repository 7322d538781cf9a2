"""A table as ordered integer codes: what the search works on."""

from __future__ import annotations

import math
from dataclasses import dataclass, field
from functools import cached_property
from typing import TYPE_CHECKING, Any

import numpy as np

from amongst.brief import Brief
from amongst.kernels.axis import FIXED_POINT, Axis
from amongst.schema.tree import Tree

if TYPE_CHECKING:
    import pyarrow as pa

WEIGHT_STEPS = 1 << 20
EXACT = 1 << 42
"""The largest common scale: with any weight, widths still fit into 64 bits."""
MOST_PLACES = 9
"""Decimal places of numbers for which there may be a common scale."""


@dataclass(frozen=True, eq=False)
class CodedColumn(Brief):
    """One quasi-identifier as codes.

    Code order is value order: numbers and dates ascend, ordered values follow their given order,
    categories follow the in-order of their tree.

    Attributes
    ----------
    codes : ndarray of uint8, uint16 or uint32, one a row
    values : pyarrow.Array
        The value of every code but the null code; the leaves where there is a tree.
    position : ndarray of float64, or None
        The place of every value on the number line (the rank, for ordered values and for categories
        without a tree). None for categories with a tree: their width is counted in leaves.
    lowest, span : float
        The smallest position that occurs, and the width from there to the largest.
    tree : Tree, or None
        The tree of the column, whatever its kind; its leaf codes are the codes of ``values``.
    null_code : int, or None
        The code of a missing value: the one after the last value. None when nothing is missing.
    as_sets : bool
        Whether a group publishes the set of its values.
    as_nodes : bool
        Whether it publishes a node of the tree, whatever the kind.
    grid : float, or None
        The grid on which ranges are published.
    null_rule : {"own value", "match anything"}, or None
    """

    name: str
    kind: str
    codes: np.ndarray
    values: pa.Array
    position: np.ndarray | None
    lowest: float
    span: float
    tree: Tree | None
    weight: float = 1.0
    null_code: int | None = None
    null_rule: str | None = None
    as_sets: bool = False
    as_nodes: bool = False
    grid: float | None = None

    @property
    def n_values(self) -> int:
        return len(self.values)

    @property
    def n_codes(self) -> int:
        """Values, and the null where it is a value of its own."""
        return self.n_values + (self.own_null >= 0)

    @property
    def is_whole(self) -> bool:
        """Whether the values are whole numbers."""
        import pyarrow as pa

        return bool(pa.types.is_integer(self.values.type))

    @property
    def wildcard(self) -> int:
        """The code that matches anything, or -1."""
        return -1 if self.null_code is None or self.null_rule != "match anything" else self.null_code

    @property
    def own_null(self) -> int:
        """The code of a null that is a value of its own, or -1."""
        return -1 if self.null_code is None or self.null_rule != "own value" else self.null_code


@dataclass(frozen=True, eq=False)
class CodedTable(Brief):
    """The quasi-identifiers of a table as codes, in the schema's order.

    Attributes
    ----------
    columns : list of CodedColumn
    n_input : int
        How many rows the input had.
    kept_rows : ndarray of int64, or None
        The input row of every coded row; None when no row was left out by a null rule.
    count : ndarray of uint32, or None
        How many rows every coded row stands for, where equal rows were counted before; None: one each.
    exact_ties : bool
        Whether equal widths are to be equal to the last digit, for as many columns as there is a common scale for.
    sensitive : dict of str to CodedColumn
        The sensitive columns. A null is a value of its own there, the last one.
    unit : ndarray of uint32, or None
        The person of every coded row, where people are counted and not rows.
    population : list of ndarray, or None
        The quasi-identifiers of a population table in the same codes.
    target : CodedColumn, or None
        The column that the release is to help predict.
    """

    columns: list[CodedColumn]
    n_input: int
    kept_rows: np.ndarray | None = None
    sensitive: dict[str, CodedColumn] = field(default_factory=dict)
    unit: np.ndarray | None = None
    population: list[np.ndarray] | None = None
    target: CodedColumn | None = None
    count: np.ndarray | None = None
    exact_ties: bool = False

    @property
    def n_rows(self) -> int:
        """How many rows are not left out by a null rule."""
        if self.count is not None:
            return int(self.count.sum(dtype=np.int64))
        return self.n_input if self.kept_rows is None else len(self.kept_rows)

    @property
    def n_coded(self) -> int:
        """How many codes every column has: the rows, or the distinct ones where they were counted before."""
        return self.n_rows if self.count is None else len(self.count)

    @property
    def weights(self) -> np.ndarray:
        """How many rows every coded row stands for."""
        return np.ones(self.n_rows, dtype=np.uint32) if self.count is None else self.count

    @property
    def n_qi(self) -> int:
        return len(self.columns)

    @property
    def codes(self) -> list[np.ndarray]:
        return [column.codes for column in self.columns]

    @cached_property
    def axes(self) -> list[Axis]:
        """The columns as the kernels know them."""
        heaviest = max(column.weight for column in self.columns)
        weights = [max(1, round(column.weight / heaviest * WEIGHT_STEPS)) for column in self.columns]
        scale = _common_scale(self.columns) if self.exact_ties else FIXED_POINT
        return [_axis(column, weight, scale) for column, weight in zip(self.columns, weights, strict=True)]


def _common_scale(columns: list[CodedColumn]) -> int:
    """A scale on which the widths of columns are whole numbers: of all, or of as many as there is one for."""
    if any(column.position is None or column.own_null >= 0 for column in columns):
        return FIXED_POINT
    common = 1
    for steps in sorted(_steps_of_span(column) for column in columns):
        together = math.lcm(common, steps)
        common = together if together <= EXACT else common
    return EXACT // common * common


def _steps_of_span(column: CodedColumn) -> int:
    """Into how many equal steps the range of a column falls so that every value, as it is written, is at one."""
    assert column.position is not None
    if not len(column.position):
        return 1
    highest = column.position[np.abs(column.position - (column.lowest + column.span)).argmin()]
    ends = np.append(column.position, [column.lowest, highest])
    for places in range(MOST_PLACES + 1):
        whole = np.rint(ends * 10**places)
        if np.abs(whole).max() < 2**53 and (whole / 10**places == ends).all():
            above = (whole - whole[-2]).astype(np.int64)
            return int(above[-1] // np.gcd.reduce(above)) if above[-1] > 0 else 1
    return EXACT + 1


def _axis(column: CodedColumn, weight: int, scale: int) -> Axis:
    common: Any = {"weight": weight, "own_null": column.own_null, "wildcard": column.wildcard}
    if column.position is not None:
        share = (column.position - column.lowest) / column.span if column.span > 0 else np.zeros(len(column.position))
        position = np.clip(np.rint(share * scale), 0, scale).astype(np.int64)
        if column.own_null >= 0:
            position = np.append(position, FIXED_POINT)
        return Axis(column.n_codes, position=np.ascontiguousarray(position), **common)
    assert column.tree is not None
    start = np.ascontiguousarray(column.tree.start, dtype=np.int32)
    end = np.ascontiguousarray(column.tree.end, dtype=np.int32)
    return Axis(column.n_codes, tree_start=start, tree_end=end, **common)
