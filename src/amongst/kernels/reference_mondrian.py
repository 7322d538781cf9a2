"""Mondrian's kernel in numpy, one node at a time. The rules are those of mondrian.h, said in arrays."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import NamedTuple

import numpy as np

from amongst.kernels.axis import Axis
from amongst.kernels.conditions import Conditions
from amongst.kernels.reference_conditions import hold

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
                else _divide(codes, weights, rows, lo, hi, axes, k, cuts, holds)
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
    holds: Callable[[np.ndarray], bool],
) -> tuple[np.ndarray, np.ndarray] | None:
    ranked = _by_width(lo, hi, axes)
    for last_pass in (False, True) if cuts == HIERARCHY_FIRST else (False,):
        for c in ranked:
            by_tree = axes[c].position is None and cuts != ORDERED
            if last_pass and not by_tree:
                continue  # it was tried in the first pass
            own = codes[c][rows]
            tame = own != axes[c].wildcard
            wild = int(weights[rows[~tame]].sum())
            count = np.bincount(own[tame] - lo[c], weights=weights[rows[tame]], minlength=hi[c] - lo[c] + 1)
            find = _tree_cuts if by_tree and not last_pass else _median_cuts
            for cut in find(count.astype(np.int64), c, lo[c], hi[c], axes[c], k, wild):
                goes_left = own <= cut.last_left
                if wild:
                    goes_left = np.where(own == axes[c].wildcard, cut.wildcards_left, goes_left)
                if holds(rows[goes_left]) and holds(rows[~goes_left]):
                    return rows[goes_left], rows[~goes_left]
    return None


def _allowed(left: int, right: int, wild: int, k: int) -> bool:
    return max(left, right) >= k and min(left, right) + wild >= k and left > 0 and right > 0


def _median_cuts(count: np.ndarray, c: int, lo: int, hi: int, axis: Axis, k: int, wild: int) -> list[Cut]:
    """The cuts beside the median that keep k on both sides, the better first; before them that of the nulls."""
    total = int(count.sum())
    options = []
    if hi == axis.own_null:
        nulls = int(count[-1])
        if _allowed(total - nulls, nulls, wild, k):
            options.append((-1, Cut(c, hi - 1, total - nulls <= nulls)))
    upto = np.cumsum(count)
    median = int(np.argmax(2 * upto >= total))
    for last_left in (lo + median, lo + median - 1):
        left = int(upto[last_left - lo]) if last_left >= lo else 0
        if _allowed(left, total - left, wild, k):
            options.append((abs(total - 2 * left), Cut(c, last_left, left <= total - left)))
    return [cut for _, cut in sorted(options, key=lambda option: option[0])]


def _tree_cuts(count: np.ndarray, c: int, lo: int, hi: int, axis: Axis, k: int, wild: int) -> list[Cut]:
    """The cuts between children of the lowest node above that keep k on both sides, the most even first."""
    assert axis.tree_start is not None
    child = axis.tree_start[axis.ancestor_level(lo, hi) - 1]
    total, upto = int(count.sum()), np.cumsum(count)
    options = []
    for code in range(lo, hi):
        left = int(upto[code - lo])
        if child[code] != child[code + 1] and _allowed(left, total - left, wild, k):
            options.append((abs(total - 2 * left), Cut(c, code, left <= total - left)))
    return [cut for _, cut in sorted(options, key=lambda option: option[0])]


def _halve(
    codes: np.ndarray,
    rows: np.ndarray,
    lo: list[int],
    hi: list[int],
    axes: Sequence[Axis],
    holds: Callable[[np.ndarray], bool],
) -> tuple[np.ndarray, np.ndarray] | None:
    half = (len(rows) + 1) // 2
    ranked = _by_width(lo, hi, axes)
    for c in ranked:
        in_order = np.argsort(codes[c][rows], kind="stable")
        goes_left = np.zeros(len(rows), dtype=bool)
        goes_left[in_order[:half]] = True
        if holds(rows[goes_left]) and holds(rows[~goes_left]):
            return rows[goes_left], rows[~goes_left]
    if ranked or not (holds(rows[:half]) and holds(rows[half:])):
        return None
    return rows[:half], rows[half:]
