"""Which values every group has."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

import numpy as np

from amongst import kernels
from amongst.encode.coded import CodedColumn

if TYPE_CHECKING:
    from amongst.partition.partition import Partition


FEW_COUNTS = 1 << 22
"""Up to so many pairs of group and code, or two for every row, it is enough to count them all."""

STRETCH = 1 << 20
"""Rows whose pairs of group and code are sorted at a time."""

WORD, MOST_WORDS = 32, 8
"""Sets of so many values, in so many words of bits, are told apart before they are written out."""


def members_of_groups(column: CodedColumn, partition: Partition) -> tuple[np.ndarray, np.ndarray]:
    """The distinct pairs of group and code, sorted; suppressed rows and codes that match anything are left out."""
    pieces = list(members_by_stretches(column, partition))
    group, code = (np.concatenate(ends) for ends in zip(*pieces, strict=True))
    return group, code


def members_by_stretches(column: CodedColumn, partition: Partition) -> Iterator[tuple[np.ndarray, np.ndarray]]:
    """The same for some groups after the others, so that little of it is there at a time."""
    group, code, n_codes = partition.group_of_row, column.codes, column.n_values + (column.null_code is not None)
    if partition.n_groups * n_codes <= max(FEW_COUNTS, 2 * len(group)):
        count = kernels.count_pairs(group, code, partition.n_groups, n_codes)
        if column.wildcard >= 0:
            count[:, column.wildcard] = 0
        yield np.divmod(np.flatnonzero(count.reshape(-1)), n_codes)
        return
    for rows in stretches(group, partition.n_groups):
        own = code[rows]
        pair = group[rows].astype(np.uint64) * np.uint64(n_codes) + own
        if column.wildcard >= 0:
            pair = pair[own != column.wildcard]
        pair.sort()
        there = np.ones(len(pair), dtype=bool)
        np.not_equal(pair[1:], pair[:-1], out=there[1:])
        of_group, of_code = np.divmod(pair[there].view(np.int64), n_codes)
        yield of_group, of_code


def stretches(group: np.ndarray, n_groups: int) -> Iterator[np.ndarray | slice]:
    """The rows of some groups after the others, each in their order: about STRETCH rows at a time. Rows without a group
    are in none."""
    if len(group) <= STRETCH and (not len(group) or group.min() >= 0):
        yield slice(None)
        return
    size = np.bincount(group[group >= 0] if len(group) and group.min() < 0 else group, minlength=n_groups)
    number = (np.cumsum(size) - size) // STRETCH  # of the stretch that a group is in
    for first in np.unique(number).tolist():
        begin, end = np.searchsorted(number, [first, first + 1])
        yield np.flatnonzero((group >= begin) & (group < end))


def equal_sets(group: np.ndarray, code: np.ndarray, n_groups: int) -> tuple[np.ndarray, np.ndarray] | None:
    """The set of every group, numbered, and a group that has it; None where there are too many values for that."""
    n_words = -(-(int(code.max(initial=0)) + 1) // WORD)
    if n_words > MOST_WORDS or not n_groups:
        return None
    bit = np.exp2(code % WORD)  # of different pairs, so that their sum has every bit once
    words = np.bincount(group * n_words + code // WORD, bit, n_groups * n_words).reshape(n_groups, n_words)
    set_of_group, first, _ = kernels.distinct(list(words.astype(np.uint32).T))
    return set_of_group.astype(np.int64), first
