"""How many people of a population fit the box of every group."""

from __future__ import annotations

import numpy as np

from amongst.encode import CodedTable
from amongst.partition.partition import Partition


def inside_boxes(table: CodedTable, partition: Partition) -> np.ndarray:
    """The people of the population whose codes lie in the box of each group.

    What is published may be wider than the box (a node of a tree, a grid), so this counts too few rather than too
    many people.
    """
    assert table.population is not None
    distinct, count = _distinct(table.population)
    meant = np.zeros(partition.n_groups, dtype=np.int64)
    # People sorted by the column with the most values: a group looks at a stretch of them only.
    first = int(np.argmax([len(np.unique(column)) for column in distinct]))
    order = np.argsort(distinct[first], kind="stable")
    distinct, count = [column[order] for column in distinct], count[order]
    begin = np.searchsorted(distinct[first], partition.lo[:, first], side="left")
    end = np.searchsorted(distinct[first], partition.hi[:, first], side="right")
    for g in range(partition.n_groups):
        part = slice(int(begin[g]), int(end[g]))
        inside = np.ones(part.stop - part.start, dtype=bool)
        for c, column in enumerate(distinct):
            if c != first:
                inside &= (column[part] >= partition.lo[g, c]) & (column[part] <= partition.hi[g, c])
        meant[g] = count[part][inside].sum()
    return meant


def _distinct(people: list[np.ndarray]) -> tuple[list[np.ndarray], np.ndarray]:
    from amongst import kernels

    _, first, count = kernels.distinct([np.ascontiguousarray(column) for column in people])
    return [column[first] for column in people], count.astype(np.int64)
