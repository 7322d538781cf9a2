"""The bounds of a published range: the data's own, or those of a public grid."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from amongst.encode.coded import CodedColumn

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


def _null_where(values: pa.Array, mask: pa.Array) -> pa.Array:
    import pyarrow as pa
    import pyarrow.compute as pc

    return pc.if_else(mask, pa.scalar(None, values.type), values)


def _on_grid(lower: pa.Array, upper: pa.Array, grid: float) -> tuple[pa.Array, pa.Array]:
    import pyarrow as pa

    kind = lower.type
    if pa.types.is_floating(kind) or pa.types.is_decimal(kind):
        low = np.floor(_floats(lower) / grid) * grid
        high = (np.floor(_floats(upper) / grid) + 1) * grid
        return pa.array(low).cast(kind), pa.array(high).cast(kind)
    step = round(grid * _per_day(kind))
    whole = pa.int32() if pa.types.is_date32(kind) else pa.int64()
    low = lower.cast(whole).to_numpy(zero_copy_only=False).astype(np.int64) // step * step
    high = (upper.cast(whole).to_numpy(zero_copy_only=False).astype(np.int64) // step + 1) * step - 1
    return pa.array(low).cast(whole).cast(kind), pa.array(high).cast(whole).cast(kind)


def _floats(values: pa.Array) -> np.ndarray:
    import pyarrow as pa

    return values.cast(pa.float64()).to_numpy(zero_copy_only=False)


def _per_day(kind: Any) -> int:
    """How many units of a time type make a day; 1 for whole numbers and dates."""
    import pyarrow as pa

    if pa.types.is_timestamp(kind):
        return 86_400 * {"s": 1, "ms": 10**3, "us": 10**6, "ns": 10**9}[kind.unit]
    return 86_400_000 if pa.types.is_date64(kind) else 1
