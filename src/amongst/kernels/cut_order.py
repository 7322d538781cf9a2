"""Which cuts of a node strict Mondrian tries, and in which order, from how often every code occurs in it.

The rules are those of mondrian.h. They need no rows: counts of codes by column are enough, wherever they come from.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from typing import NamedTuple

import numpy as np

from amongst.kernels.axis import Axis

ORDERED, HIERARCHY_FIRST, HIERARCHY, MEDIAN, MEDIAN_ONCE = range(5)


class Cut(NamedTuple):
    """Codes of ``column`` up to ``last_left`` go left; codes that match anything go where ``wildcards_left`` says."""

    column: int
    last_left: int
    wildcards_left: bool


class Histogram(NamedTuple):
    """The codes of one column that occur, ascending, and how many rows have each; both are arrays of int64."""

    codes: np.ndarray
    counts: np.ndarray


def tame(histogram: Histogram, axis: Axis) -> tuple[Histogram, int]:
    """The histogram without the code that matches anything, and how many rows have that."""
    if axis.wildcard < 0 or len(histogram.codes) == 0 or int(histogram.codes[-1]) != axis.wildcard:
        return histogram, 0
    return Histogram(histogram.codes[:-1], histogram.counts[:-1]), int(histogram.counts[-1])


def cuts_in_order(
    lo: Sequence[int],
    hi: Sequence[int],
    axes: Sequence[Axis],
    k: int,
    cuts: int,
    histogram_of: Callable[[int], Histogram],
) -> Iterator[Cut]:
    """The cuts that keep k rows on both sides, in the order in which they are tried.

    ``lo`` and ``hi`` are the ends of the node in every column, without codes that match anything where there are
    others. ``histogram_of(column)`` is asked for a column only when its turn comes.
    """
    ranked = by_width(lo, hi, axes)
    for last_pass in (False, True) if cuts == HIERARCHY_FIRST else (False,):
        for c in ranked:
            by_tree = axes[c].position is None and cuts in (HIERARCHY_FIRST, HIERARCHY)
            if last_pass and not by_tree:
                continue  # it was tried in the first pass
            counted, wild = tame(histogram_of(c), axes[c])
            if by_tree and not last_pass:
                found = _tree_cuts(counted, c, axes[c], k, wild)
            else:
                found = _median_cuts(counted, c, axes[c], k, wild, both_sides=cuts < MEDIAN)
            yield from found
            if found and cuts == MEDIAN_ONCE:
                return


def by_width(lo: Sequence[int], hi: Sequence[int], axes: Sequence[Axis]) -> list[int]:
    """The columns that can be cut, the widest first, ties in the order of the schema."""
    candidates = [c for c in range(len(axes)) if lo[c] < hi[c]]
    return sorted(candidates, key=lambda c: (-axes[c].width(lo[c], hi[c]), c))


def _allowed(left: int, right: int, wild: int, k: int) -> bool:
    return max(left, right) >= k and min(left, right) + wild >= k and left > 0 and right > 0


def _median_cuts(counted: Histogram, c: int, axis: Axis, k: int, wild: int, both_sides: bool) -> list[Cut]:
    """The cuts beside the median that keep k on both sides, the better first; before them that of the nulls.

    Else the one cut of figure 7 of the paper, above the median.
    """
    total, last = int(counted.counts.sum()), int(counted.codes[-1])
    options = []
    if last == axis.own_null and both_sides:
        nulls = int(counted.counts[-1])
        if _allowed(total - nulls, nulls, wild, k):
            options.append((-1, Cut(c, last - 1, total - nulls <= nulls)))
    upto = np.cumsum(counted.counts)
    at = int(np.argmax(2 * upto >= total))
    median = int(counted.codes[at])
    beside = ((median, int(upto[at])), (median - 1, int(upto[at - 1]) if at else 0))
    for last_left, left in beside if both_sides else beside[:1]:
        if _allowed(left, total - left, wild, k):
            options.append((abs(total - 2 * left), Cut(c, last_left, left <= total - left)))
    return [cut for _, cut in sorted(options, key=lambda option: option[0])]


def _tree_cuts(counted: Histogram, c: int, axis: Axis, k: int, wild: int) -> list[Cut]:
    """The cuts between children of the lowest node above that keep k on both sides, the most even first."""
    assert axis.tree_start is not None
    codes, total, upto = counted.codes, int(counted.counts.sum()), np.cumsum(counted.counts)
    child = axis.tree_start[axis.ancestor_level(int(codes[0]), int(codes[-1])) - 1][codes]
    options = []
    for i in np.flatnonzero(child[:-1] != child[1:]):
        left = int(upto[i])
        if _allowed(left, total - left, wild, k):
            options.append((abs(total - 2 * left), Cut(c, int(codes[i]), left <= total - left)))
    return [cut for _, cut in sorted(options, key=lambda option: option[0])]
