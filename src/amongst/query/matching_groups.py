"""How many rows of a group can match, when only the values of the whole group are known.

Every row of a group has one of the group's values, and all are used up. A value cannot make more rows match than it
occurs, nor more than there are rows that it would make match: that bounds the count from above, and what does not
match, in the same way, bounds it from below. For a condition on the rows together with one on the value both bounds
are reached.
"""

from __future__ import annotations

import numpy as np

from amongst.query.group_column import GroupColumn
from amongst.query.matching import Matching
from amongst.query.question import Formula


def within_groups(
    matching: Matching, formula: Formula, name: str, column: GroupColumn, size: np.ndarray, known: tuple[int, int]
) -> tuple[int, int]:
    """The least and the largest number of rows that match, within the bounds ``known`` already."""
    divided = matching.divided[name]
    cells, group = divided.cells, divided.label_of_row
    counts = column.counts_in(cells)
    outside = group == column.n_groups  # rows that are not in the release have no group
    rows = np.bincount(group, np.where(outside, 0, size), column.n_labels)
    can, cannot = np.zeros(len(size), dtype=bool), np.zeros(len(size), dtype=bool)
    most, most_not = np.zeros(column.n_labels), np.zeros(column.n_labels)
    for cell in range(len(cells.truth)):
        found = matching.in_cell(formula, name, cell)
        here = (counts[cell] > 0)[group]
        can |= here & found.can
        cannot |= here & ~found.must
        most += np.minimum(counts[cell], np.bincount(group, size * (here & found.can), column.n_labels))
        most_not += np.minimum(counts[cell], np.bincount(group, size * (here & ~found.must), column.n_labels))
    most = np.minimum(most, np.bincount(group, size * can, column.n_labels))
    most_not = np.minimum(most_not, np.bincount(group, size * cannot, column.n_labels))
    beyond = int(size[outside & (matching.of(formula).can)].sum())
    upper = int(most[:-1].sum()) + beyond
    lower = int((rows - most_not)[:-1].sum())
    return max(lower, known[0]), min(upper, known[1])
