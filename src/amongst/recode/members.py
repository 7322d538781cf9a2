"""Which values every group has."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from amongst.encode.coded import CodedColumn
from amongst.encode.frequency import frequency_set

if TYPE_CHECKING:
    from amongst.partition.partition import Partition


def members_of_groups(column: CodedColumn, partition: Partition) -> tuple[np.ndarray, np.ndarray]:
    """The distinct pairs of group and code, sorted; suppressed rows and codes that match anything are left out."""
    group, code = partition.group_of_row, column.codes
    if len(group) and (group.min() < 0 or column.wildcard >= 0):
        usable = (group >= 0) & (code != column.wildcard)
        group, code = group[usable], code[usable]
    found = frequency_set([group.astype(np.uint32), code])
    by_pair = np.lexsort([found.codes[1], found.codes[0]])
    return found.codes[0][by_pair].astype(np.int64), found.codes[1][by_pair].astype(np.int64)
