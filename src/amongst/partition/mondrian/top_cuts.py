"""The cut of a node of strict Mondrian from counts alone, for tables whose rows are elsewhere.

The first cuts of a table that does not fit anywhere are made by counting the codes of every column where the rows live;
the parts are then small enough for the kernel.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from amongst.kernels.axis import Axis
from amongst.kernels.cut_order import Cut, Histogram, cuts_in_order, tame


def choose_cut(histograms: Sequence[Histogram], axes: Sequence[Axis], k: int, cuts: int) -> Cut | None:
    """The cut that strict Mondrian makes of a node, or None where it is a group.

    Paper
        LeFevre, DeWitt, Ramakrishnan, *Mondrian Multidimensional K-Anonymity*, ICDE 2006, section 4: a cut is chosen
        from the frequency sets of single columns.
    Guarantees
        The same rows go left and right as in ``kernels.mondrian`` with k alone. Where several codes divide the rows
        in the same way, ``last_left`` may be another of them than the compiled kernel's.
    Choices
        Those of ``mondrian``, by the same code as the numpy kernel.

    Parameters
    ----------
    histograms : one a column
        The codes of the node's rows, ascending, and how many rows have each; none is empty.
    cuts : int
        As in ``kernels.mondrian``; see ``mondrian.CUTS``.

    Examples
    --------
    >>> import numpy as np
    >>> from amongst.kernels.axis import FIXED_POINT, Axis
    >>> from amongst.kernels.cut_order import Histogram
    >>> from amongst.partition.mondrian.top_cuts import choose_cut
    >>> age = Histogram(np.array([0, 1, 2]), np.array([3, 3, 2]))
    >>> axis = Axis(3, position=np.array([0, FIXED_POINT // 2, FIXED_POINT]))
    >>> choose_cut([age], [axis], k=2, cuts=0)
    Cut(column=0, last_left=0, wildcards_left=True)
    """
    if int(histograms[0].counts.sum()) < 2 * k:
        return None
    lo, hi = ends(histograms, axes)
    return next(cuts_in_order(lo, hi, axes, k, cuts, histograms.__getitem__), None)


def ends(histograms: Sequence[Histogram], axes: Sequence[Axis]) -> tuple[list[int], list[int]]:
    """The box of a node: codes that match anything are left out where there are others."""
    lo, hi = [], []
    for histogram, axis in zip(histograms, axes, strict=True):
        others, _ = tame(histogram, axis)
        codes = others.codes if len(others.codes) else histogram.codes
        lo.append(int(codes[0]))
        hi.append(int(codes[-1]))
    return lo, hi


def goes_left(codes: np.ndarray, cut: Cut, axes: Sequence[Axis]) -> np.ndarray:
    """Which of some codes of the column of a cut go to its left."""
    left = codes <= cut.last_left
    wildcard = axes[cut.column].wildcard
    return np.where(codes == wildcard, cut.wildcards_left, left) if wildcard >= 0 else left
