"""Numbers for households that say nothing but who lives together: by the order of what is published."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING

import numpy as np

from amongst.recode.order import keys_of

if TYPE_CHECKING:
    import pyarrow as pa


def household_numbers(
    household: np.ndarray, class_of_row: np.ndarray, others: Mapping[str, pa.ChunkedArray]
) -> np.ndarray:
    """A number from 1 on for every household that is published, 0 for others; one for each row.

    Households are in the order of their rows as published, sorted: those that publish the same could change places.
    """
    number = np.zeros(len(household), dtype=np.int64)
    shown = np.flatnonzero(class_of_row >= 0)
    if not len(shown):
        return number
    keys = [class_of_row[shown].astype(np.int64), *(key[shown] for key in keys_of(others))]
    by_row = np.lexsort(keys[::-1])
    new = np.zeros(len(shown), dtype=bool)
    for key in keys:
        new[1:] |= key[by_row][1:] != key[by_row][:-1]
    rank = np.empty(len(shown), dtype=np.int64)
    rank[by_row] = np.cumsum(new)
    at = np.lexsort((rank, household[shown]))
    of_row = household[shown][at]
    first = np.flatnonzero(np.diff(of_row, prepend=of_row[0] - 1))
    size = np.diff(np.append(first, len(of_row)))
    place = np.arange(len(of_row)) - np.repeat(first, size)
    members = np.full((len(first), int(size.max())), -1, dtype=np.int64)
    members[np.repeat(np.arange(len(first)), size), place] = rank[at]
    order = np.empty(len(first), dtype=np.int64)
    order[np.lexsort(members.T[::-1])] = np.arange(1, len(first) + 1)
    number[shown[at]] = np.repeat(order, size)
    return number
