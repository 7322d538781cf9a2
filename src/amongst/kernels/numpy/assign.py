"""The assignment of least total cost, by shortest augmenting paths."""

from __future__ import annotations

import numpy as np

FAR = np.iinfo(np.int64).max // 4


def assign(cost: np.ndarray) -> list[int]:
    """The column of every row, each column once; there must be as many columns as rows, or more.

    Examples
    --------
    >>> import numpy as np
    >>> from amongst.kernels.numpy.assign import assign
    >>> assign(np.array([[1, 2], [1, 9]]))
    [1, 0]
    """
    m, n = cost.shape
    padded = np.zeros((m + 1, n + 1), dtype=np.int64)
    padded[1:, 1:] = cost
    u, v = np.zeros(m + 1, dtype=np.int64), np.zeros(n + 1, dtype=np.int64)
    row_of, way = np.zeros(n + 1, dtype=np.int64), np.zeros(n + 1, dtype=np.int64)
    for i in range(1, m + 1):
        row_of[0], at = i, 0
        least, used = np.full(n + 1, FAR), np.zeros(n + 1, dtype=bool)
        while True:
            used[at] = True
            row = row_of[at]
            reduced = padded[row] - u[row] - v
            closer = ~used & (reduced < least)
            closer[0] = False
            least[closer], way[closer] = reduced[closer], at
            candidates = np.where(used, FAR + 1, least)
            candidates[0] = FAR + 1
            nearest = int(np.argmin(candidates))
            step = int(candidates[nearest])
            u[row_of[used]] += step
            v[used] -= step
            least[~used] -= step
            at = nearest
            if row_of[at] == 0:
                break
        while at:
            row_of[at], at = row_of[way[at]], int(way[at])
    column_of_row = [-1] * m
    for column in range(1, n + 1):
        if row_of[column]:
            column_of_row[int(row_of[column]) - 1] = column - 1
    return column_of_row
