"""Mondrian's kernel in numpy, one node at a time. The rules are those of mondrian.h, said in arrays."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import NamedTuple

import numpy as np

from amongst.kernels.axis import Axis

ORDERED, HIERARCHY_FIRST, HIERARCHY = 0, 1, 2


class Cut(NamedTuple):
    column: int
    last_left: int
    wildcards_left: bool


def mondrian(
    columns: Sequence[np.ndarray],
    weight: np.ndarray | None,
    axes: Sequence[Axis],
    k: int,
    cuts: int,
    relaxed: bool,
    tick: Callable[[int, int], None] | None,
) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
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
                _halve(codes, rows, lo, hi, axes) if relaxed else _divide(codes, weights, rows, lo, hi, axes, k, cuts)
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


def _by_width(lo: list[int], hi: list[int], axes: Sequence[Axis]) -> list[int]:
    candidates = [c for c in range(len(axes)) if lo[c] < hi[c]]
    return sorted(candidates, key=lambda c: (-axes[c].width(lo[c], hi[c]), c))


def _divide(
    codes: np.ndarray,
    weights: np.ndarray,
    rows: np.ndarray,
    lo: list[int],
    hi: list[int],
    axes: Sequence[Axis],
    k: int,
    cuts: int,
) -> tuple[np.ndarray, np.ndarray] | None:
    ranked = _by_width(lo, hi, axes)
    for last_pass in (False, True) if cuts == HIERARCHY_FIRST else (False,):
        for c in ranked:
            by_tree = axes[c].position is None and cuts != ORDERED
            if last_pass and not by_tree:
                continue
            own = codes[c][rows]
            count = np.bincount(own - lo[c], weights=weights[rows], minlength=hi[c] - lo[c] + 1).astype(np.int64)
            wild = 0
            if axes[c].wildcard >= 0:
                wild = int(weights[rows][own == axes[c].wildcard].sum())
                count = count[: hi[c] - lo[c] + 1]
            choose = _tree_cut if by_tree and not last_pass else _median_cut
            cut = choose(count, c, lo[c], hi[c], axes[c], k, wild)
            if cut is not None:
                goes_left = own <= cut.last_left
                if axes[c].wildcard >= 0:
                    goes_left = np.where(own == axes[c].wildcard, cut.wildcards_left, goes_left)
                return rows[goes_left], rows[~goes_left]
    return None


def _allowed(left: int, right: int, wild: int, k: int) -> bool:
    return max(left, right) >= k and min(left, right) + wild >= k and left > 0 and right > 0


def _median_cut(count: np.ndarray, c: int, lo: int, hi: int, axis: Axis, k: int, wild: int) -> Cut | None:
    total = int(count.sum())
    if hi == axis.own_null:
        nulls = int(count[-1])
        if _allowed(total - nulls, nulls, wild, k):
            return Cut(c, hi - 1, total - nulls <= nulls)
    upto = np.cumsum(count)
    median = int(np.argmax(2 * upto >= total))
    options = []
    for last_left in (lo + median, lo + median - 1):
        left = int(upto[last_left - lo]) if last_left >= lo else 0
        if _allowed(left, total - left, wild, k):
            options.append((abs(total - 2 * left), Cut(c, last_left, left <= total - left)))
    return min(options, key=lambda option: option[0])[1] if options else None


def _tree_cut(count: np.ndarray, c: int, lo: int, hi: int, axis: Axis, k: int, wild: int) -> Cut | None:
    assert axis.tree_start is not None
    child = axis.tree_start[axis.ancestor_level(lo, hi) - 1]
    total, upto = int(count.sum()), np.cumsum(count)
    options = []
    for code in range(lo, hi):
        left = int(upto[code - lo])
        if child[code] != child[code + 1] and _allowed(left, total - left, wild, k):
            options.append((abs(total - 2 * left), Cut(c, code, left <= total - left)))
    return min(options, key=lambda option: option[0])[1] if options else None


def _halve(
    codes: np.ndarray, rows: np.ndarray, lo: list[int], hi: list[int], axes: Sequence[Axis]
) -> tuple[np.ndarray, np.ndarray]:
    half = (len(rows) + 1) // 2
    ranked = _by_width(lo, hi, axes)
    if not ranked:
        return rows[:half], rows[half:]
    own = codes[ranked[0]][rows]
    in_order = np.argsort(own, kind="stable")
    goes_left = np.zeros(len(rows), dtype=bool)
    goes_left[in_order[:half]] = True
    return rows[goes_left], rows[~goes_left]
