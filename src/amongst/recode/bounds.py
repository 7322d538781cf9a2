"""The bounds of a published range: the data's own, or those of a public grid."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from amongst.encode.coded import CodedColumn
from amongst.schema.tree import Tree

if TYPE_CHECKING:
    import pyarrow as pa


def bounds(column: CodedColumn, lo: np.ndarray, hi: np.ndarray, grid: float | None) -> tuple[pa.Array, pa.Array]:
    """The lower and upper end of the ranges ``lo..hi`` of codes, as values of the column's own type.

    Without a grid these are the smallest and largest value of the group. On a grid the range is widened to
    whole cells ``[i*grid, (i+1)*grid)``; whole numbers and dates end one step before the next cell. Codes
    beyond the values (a null) give null.
    """
    import pyarrow as pa

    inside = hi < column.n_values
    safe_lo, safe_hi = np.where(inside, lo, 0), np.where(inside, hi, 0)
    if column.n_values == 0:
        nothing = pa.nulls(len(lo), column.values.type)
        return nothing, nothing
    lower, upper = column.values.take(pa.array(safe_lo)), column.values.take(pa.array(safe_hi))
    if grid is not None:
        lower, upper = _on_grid(lower, upper, grid)
    mask = pa.array(~inside)
    return _null_where(lower, mask), _null_where(upper, mask)


def codes_of_ancestor(tree: Tree, lo: np.ndarray, hi: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """The first and last leaf of the lowest node that covers ``lo..hi``; a null beside the tree stays what it is."""
    leaf, last = np.minimum(lo, tree.n_leaves - 1), np.minimum(hi, tree.n_leaves - 1)
    level = tree.ancestor_level(leaf, last)
    in_tree = lo < tree.n_leaves
    return np.where(in_tree, tree.start[level, leaf], lo), np.where(in_tree, tree.end[level, leaf], hi)


def _null_where(values: pa.Array, mask: pa.Array) -> pa.Array:
    import pyarrow as pa
    import pyarrow.compute as pc

    return pc.if_else(mask, pa.scalar(None, values.type), values)


def _on_grid(lower: pa.Array, upper: pa.Array, grid: float) -> tuple[pa.Array, pa.Array]:
    import pyarrow as pa

    kind = lower.type
    if pa.types.is_floating(kind) or pa.types.is_decimal(kind):
        low, high = _float_cells(_floats(lower), _floats(upper), grid)
        return _as_fractions(low, kind), _as_fractions(high, kind)
    first, last = _whole_numbers(lower), _whole_numbers(upper)
    step = max(1, round(grid * per_day(kind))) if per_day(kind) > 1 else grid
    if step == int(step):
        low, high = first // int(step) * int(step), (last // int(step) + 1) * int(step) - 1
    else:
        low, high = _float_cells(first.astype(np.float64), last.astype(np.float64), step)
        low, high = np.ceil(low).astype(first.dtype), np.ceil(high).astype(first.dtype) - 1
        low, high = np.minimum(low, first), np.maximum(high, last)
    return _as_whole_numbers(low, kind), _as_whole_numbers(high, kind)


def _float_cells(first: np.ndarray, last: np.ndarray, grid: float) -> tuple[np.ndarray, np.ndarray]:
    """Where the cells of the first and last value begin and end."""
    with np.errstate(over="ignore", invalid="ignore"):
        low, high = _cell(first, grid) * grid, (_cell(last, grid) + 1) * grid
    low, high = np.where(np.isfinite(low), low, first), np.where(np.isfinite(high), high, last)
    return np.minimum(low, first), np.maximum(high, last)  # beyond the precision of floats there are no cells


def _cell(values: np.ndarray, grid: float) -> np.ndarray:
    """The number of the cell; a quotient that was rounded may give the one next to it."""
    cell = np.floor(values / grid)
    cell = np.where((cell + 1) * grid <= values, cell + 1, cell)
    return np.where(cell * grid > values, cell - 1, cell)


def _as_fractions(values: np.ndarray, kind: pa.DataType) -> pa.Array:
    import pyarrow as pa

    try:
        return pa.array(values).cast(kind)
    except pa.ArrowInvalid:  # the end of the last cell can have a digit more than the column's decimals
        return pa.array(values).cast(pa.decimal128(38, kind.scale))


def _whole_numbers(values: pa.Array) -> np.ndarray:
    """int64, or Python's numbers where some are so large that the end of their cell would not fit."""
    import pyarrow as pa

    whole = values.cast(pa.int32()) if pa.types.is_date32(values.type) else values
    whole = whole if pa.types.is_integer(whole.type) else whole.cast(pa.int64())
    numbers = whole.to_numpy(zero_copy_only=False)
    small = len(numbers) == 0 or (int(numbers.max()) < 1 << 62 and int(numbers.min()) > -(1 << 62))
    return numbers.astype(np.int64 if small else object)


def _as_whole_numbers(values: np.ndarray, kind: pa.DataType) -> pa.Array:
    """A cell ends where the column's type ends."""
    import pyarrow as pa

    stored = pa.int32() if pa.types.is_date32(kind) else kind if pa.types.is_integer(kind) else pa.int64()
    limits = np.iinfo(stored.to_pandas_dtype())
    return pa.array(np.clip(values, limits.min, limits.max).astype(limits.dtype)).cast(stored).cast(kind)


def _floats(values: pa.Array) -> np.ndarray:
    import pyarrow as pa

    return values.cast(pa.float64()).to_numpy(zero_copy_only=False)


def per_day(kind: Any) -> int:
    """How many units of a time type make a day; 1 for whole numbers and dates."""
    import pyarrow as pa

    if pa.types.is_timestamp(kind):
        return 86_400 * {"s": 1, "ms": 10**3, "us": 10**6, "ns": 10**9}[kind.unit]
    return 86_400_000 if pa.types.is_date64(kind) else 1
