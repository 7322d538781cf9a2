"""What MultiDim publishes when a group shows its region of the space, and not the smallest box around its rows."""

from __future__ import annotations

import numpy as np

from amongst.encode.coded import CodedTable


def penalty_of_regions(table: CodedTable, k: int) -> float:
    """The certainty penalty of figure 7 of the Mondrian paper on columns of numbers, a group showing its region.

    The regions divide the whole space: a side of a cut ends where the cut is, not where its last row is.
    """
    rows = np.stack([np.asarray(column.position)[column.codes] for column in table.columns], axis=1)
    span = np.array([max(column.span, 1.0) for column in table.columns])
    total = 0.0
    stack = [(np.arange(len(rows)), rows.min(axis=0), rows.max(axis=0))]
    while stack:
        own, lo, hi = stack.pop()
        cut = _cut(rows[own], span, k)
        if cut is None:
            total += len(own) * float(((hi - lo) / span).sum())
            continue
        c, median, left = cut
        upto, above = hi.copy(), lo.copy()
        upto[c], above[c] = median, rows[own][~left, c].min()
        stack += [(own[left], lo, upto), (own[~left], above, hi)]
    return total


def _cut(rows: np.ndarray, span: np.ndarray, k: int) -> tuple[int, float, np.ndarray] | None:
    """The column, its median, and what is at or below it; None where no column has an allowable cut."""
    width = (rows.max(axis=0) - rows.min(axis=0)) / span
    for c in np.argsort(-width, kind="stable").tolist():
        median = float(np.sort(rows[:, c])[(len(rows) - 1) // 2])
        left = rows[:, c] <= median
        if min(int(left.sum()), int((~left).sum())) >= k:
            return c, median, left
    return None
