"""A hierarchy of numbers that can be split in two wherever people are: at round numbers, and with no end."""

from __future__ import annotations

import math

import numpy as np

CELLS = 64
"""A column of numbers is cut into about so many cells of a round width."""
FAIR = 0.3
"""A cut at a rounder number is preferred where so large a share of the rows is on either side."""


def halved(position: np.ndarray, count: np.ndarray, *, whole: bool = False) -> list[list[float]]:
    """Edges for every level, from fine to coarse: an interval is cut where about half of its rows are on either side.

    The first interval has no lower end and the last no upper one, so that everybody has a place, in the data or not,
    and where the numbers begin is not told. Cuts are made at the roundest number that leaves a fair share of the rows
    on either side. Of whole numbers cells are whole, so that no cell has a part in which nobody can be.

    Parameters
    ----------
    position : ndarray of float64
        The numbers, ascending.
    count : ndarray of int64
        How many rows have every number.

    Examples
    --------
    >>> import numpy as np
    >>> from amongst.harden.halves import halved
    >>> halved(np.arange(17.0, 25.0), np.ones(8, dtype=int), whole=True)[-2:]
    [[-inf, 18, 20, 22, inf], [-inf, 20, inf]]
    """
    there = count > 0
    position, count = position[there], count[there].astype(np.int64)
    if len(position) == 0:
        return [[-math.inf, math.inf]]
    width = cell_width(float(position[-1] - position[0]), whole)
    cell = np.floor(position / width)
    first = int(cell[0])
    rows = np.bincount((cell - first).astype(np.int64), weights=count)
    upto = np.concatenate([[0], np.cumsum(rows)])
    depth_of_cut: dict[int, int] = {}
    todo = [(0, len(rows), 1)]
    while todo:
        low, high, depth = todo.pop()
        if high - low > 1:
            at = _cut(upto, low, high, first)
            depth_of_cut[at] = depth
            todo += [(low, at, depth + 1), (at, high, depth + 1)]
    deepest = max(depth_of_cut.values(), default=0)
    levels = []
    for depth in range(deepest, 0, -1):
        cuts = sorted(at for at, own in depth_of_cut.items() if own <= depth)
        levels.append([-math.inf, *(_plain((first + at) * width) for at in cuts), math.inf])
    return levels or [[-math.inf, math.inf]]


def cell_width(span: float, whole: bool) -> float:
    """A round width, about a 64th of the span.

    Examples
    --------
    >>> from amongst.harden.halves import cell_width
    >>> cell_width(73, True), cell_width(3, True), cell_width(120_000, True), cell_width(0.003, False)
    (2.0, 1.0, 2000.0, 5e-05)
    """
    span = span if math.isfinite(span) and span > 0 else 1.0
    least = max(span / CELLS, 1.0) if whole else span / CELLS
    step = 10.0 ** math.floor(math.log10(least))
    return float(step * next(times for times in (1, 2, 5, 10) if times * step >= least))


def _cut(upto: np.ndarray, low: int, high: int, first: int) -> int:
    """Where the cells from low up to high are cut: at the roundest fair place, and there nearest to the middle."""
    at = np.arange(low + 1, high)
    left = upto[at] - upto[low]
    off = np.abs(left - (upto[high] - upto[low]) / 2)
    fair = off <= (0.5 - FAIR) * (upto[high] - upto[low])
    place = at + first
    round_to = 1
    while round_to * 2 <= high - low:
        round_to *= 2
    while round_to > 1:
        round_here = fair & (place % round_to == 0)
        if round_here.any():
            return int(at[round_here][np.argmin(off[round_here])])
        round_to //= 2
    return int(at[np.argmin(off)])


def _plain(number: float) -> float:
    number = float(np.round(number, 12))
    return int(number) if number == int(number) else number
