"""How many groups have how many rows, in bins that fit a chart."""

from __future__ import annotations

from typing import Any

import numpy as np

from amongst.app.figures.plain import plain
from amongst.report.charts.class_sizes import binned, class_size_chart
from amongst.report.views import ClassSizes
from amongst.report.wording import count, hidden_count


def size_figures(sizes: ClassSizes, k: int) -> dict[str, Any]:
    """Bins of class sizes with the number of groups in each, and as a drawing.

    Examples
    --------
    >>> from amongst.app.figures.sizes import size_figures
    >>> from amongst.report.views import ClassSizes
    >>> size_figures(ClassSizes([10, 12], [2, 1]), 10)["groups"][:3]
    [2, 0, 1]
    """
    size, groups = np.asarray(sizes.sizes, dtype=np.int64), np.asarray(sizes.counts, dtype=np.int64)
    edges, counted, _ = binned(size, groups, k)
    first, last = edges[:-1].astype(np.int64), edges[1:].astype(np.int64) - 1
    names = [_name(a, b, k) for a, b in zip(first.tolist(), last.tolist(), strict=True)]
    usual = int(size[np.argmax(groups)]) if len(size) else 0
    words = "There are no groups."
    if len(size):
        ends = f"{hidden_count(int(size.min()), k)} to {count(size.max())}" if size.min() < size.max() else count(usual)
        words = f"{count(groups.sum())} groups of {ends} rows"
        words += f"; the most common size is {hidden_count(usual, k)}." if size.min() < size.max() else " each."
    drawing = class_size_chart(size, groups, k)
    return plain({"k": k, "names": names, "groups": counted.astype(int), "words": words, "drawing": drawing})


def _name(first: int, last: int, k: int) -> str:
    if last < k:
        return f"fewer than {count(k)}"
    return count(first) if first == last else f"{count(first)} to {count(last)}"
