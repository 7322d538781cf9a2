"""Which values every group has."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from amongst import kernels
from amongst.encode.coded import CodedColumn
from amongst.encode.frequency import frequency_set

if TYPE_CHECKING:
    from amongst.partition.partition import Partition


FEW_COUNTS = 1 << 22
"""Up to so many pairs of group and code, or two for every row, it is enough to count them all."""

WORD, MOST_WORDS = 32, 8
"""Sets of so many values, in so many words of bits, are told apart before they are written out."""


def members_of_groups(column: CodedColumn, partition: Partition) -> tuple[np.ndarray, np.ndarray]:
    """The distinct pairs of group and code, sorted; suppressed rows and codes that match anything are left out."""
    group, code, n_codes = partition.group_of_row, column.codes, column.n_values + (column.null_code is not None)
    if partition.n_groups * n_codes <= max(FEW_COUNTS, 2 * len(group)):
        count = kernels.count_pairs(group, code, partition.n_groups, n_codes)
        if column.wildcard >= 0:
            count[:, column.wildcard] = 0
        return np.divmod(np.flatnonzero(count.reshape(-1)), n_codes)
    if len(group) and (group.min() < 0 or column.wildcard >= 0):
        usable = (group >= 0) & (code != column.wildcard)
        group, code = group[usable], code[usable]
    found = frequency_set([group.astype(np.uint32), code])
    by_pair = np.lexsort([found.codes[1], found.codes[0]])
    return found.codes[0][by_pair].astype(np.int64), found.codes[1][by_pair].astype(np.int64)


def equal_sets(group: np.ndarray, code: np.ndarray, n_groups: int) -> tuple[np.ndarray, np.ndarray] | None:
    """The set of every group, numbered, and a group that has it; None where there are too many values for that."""
    n_words = -(-(int(code.max(initial=0)) + 1) // WORD)
    if n_words > MOST_WORDS or not n_groups:
        return None
    bit = np.exp2(code % WORD)  # of different pairs, so that their sum has every bit once
    words = np.bincount(group * n_words + code // WORD, bit, n_groups * n_words).reshape(n_groups, n_words)
    set_of_group, first, _ = kernels.distinct(list(words.astype(np.uint32).T))
    return set_of_group.astype(np.int64), first
