"""Mondrian's kernel in numpy, one node at a time. The rules are those of mondrian.h, said in arrays."""

from __future__ import annotations

from collections.abc import Callable, Sequence

import numpy as np

from amongst.kernels.axis import Axis
from amongst.kernels.conditions import Conditions
from amongst.kernels.cut_order import Histogram, by_width, cuts_in_order
from amongst.kernels.numpy.conditions import hold


def mondrian(
    columns: Sequence[np.ndarray],
    weight: np.ndarray | None,
    axes: Sequence[Axis],
    k: int,
    cuts: int,
    relaxed: bool,
    conditions: Conditions | None,
    tick: Callable[[int, int], None] | None,
) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    def holds(rows: np.ndarray) -> bool:
        return conditions is None or hold(conditions, rows, None if weight is None else weight[rows])

    n = len(columns[0])
    codes = np.stack([column.astype(np.int64) for column in columns])  # (n_columns, n_rows)
    weights = np.ones(n, dtype=np.int64) if weight is None else weight.astype(np.int64)
    group_of_row = np.empty(n, dtype=np.int32)
    boxes: list[tuple[list[int], list[int]]] = []
    stack = [np.arange(n)] if n else []
    done = 0
    while stack:
        rows = stack.pop()
        lo, hi = _extent(codes, rows, axes)
        total = int(weights[rows].sum())
        sides = None
        if total >= 2 * k:
            sides = (
                _halve(codes, rows, lo, hi, axes, holds)
                if relaxed
                else _divide(codes, weights, rows=rows, lo=lo, hi=hi, axes=axes, k=k, cuts=cuts, holds=holds)
            )
        if sides is None:
            group_of_row[rows] = len(boxes)
            boxes.append((lo, hi))
            done += total
            if tick is not None and len(boxes) % 1024 == 0:
                tick(done, int(weights.sum()))
        else:
            left, right = sides
            stack += [right, left]
    shape = (len(boxes), len(columns))
    return (
        group_of_row,
        np.array([box[0] for box in boxes], dtype=np.uint32).reshape(shape),
        np.array([box[1] for box in boxes], dtype=np.uint32).reshape(shape),
    )


def _extent(codes: np.ndarray, rows: np.ndarray, axes: Sequence[Axis]) -> tuple[list[int], list[int]]:
    lo, hi = [], []
    for column, axis in zip(codes, axes, strict=True):
        own = column[rows]
        tame = own[own != axis.wildcard] if axis.wildcard >= 0 else own
        tame = own if len(tame) == 0 else tame
        lo.append(int(tame.min()))
        hi.append(int(tame.max()))
    return lo, hi


def _divide(
    codes: np.ndarray,
    weights: np.ndarray,
    rows: np.ndarray,
    lo: list[int],
    hi: list[int],
    axes: Sequence[Axis],
    k: int,
    cuts: int,
    holds: Callable[[np.ndarray], bool],
) -> tuple[np.ndarray, np.ndarray] | None:
    def histogram_of(c: int) -> Histogram:
        own = codes[c][rows]
        first = int(own.min())
        count = np.bincount(own - first, weights=weights[rows]).astype(np.int64)
        occurs = np.flatnonzero(count)
        return Histogram(occurs + first, count[occurs])

    for cut in cuts_in_order(lo, hi, axes, k, cuts, histogram_of):
        own, wildcard = codes[cut.column][rows], axes[cut.column].wildcard
        goes_left = own <= cut.last_left
        if wildcard >= 0:
            goes_left = np.where(own == wildcard, cut.wildcards_left, goes_left)
        if holds(rows[goes_left]) and holds(rows[~goes_left]):
            return rows[goes_left], rows[~goes_left]
    return None


def _halve(
    codes: np.ndarray,
    rows: np.ndarray,
    lo: list[int],
    hi: list[int],
    axes: Sequence[Axis],
    holds: Callable[[np.ndarray], bool],
) -> tuple[np.ndarray, np.ndarray] | None:
    half = (len(rows) + 1) // 2
    ranked = by_width(lo, hi, axes)
    for c in ranked:
        in_order = np.argsort(codes[c][rows], kind="stable")
        goes_left = np.zeros(len(rows), dtype=bool)
        goes_left[in_order[:half]] = True
        if holds(rows[goes_left]) and holds(rows[~goes_left]):
            return rows[goes_left], rows[~goes_left]
    if ranked or not (holds(rows[:half]) and holds(rows[half:])):
        return None
    return rows[:half], rows[half:]
