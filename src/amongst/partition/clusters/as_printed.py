"""Bottom-up and top-down as printed: what both share, and what the paper leaves open."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np

from amongst.encode import CodedTable
from amongst.kernels import utility
from amongst.partition.partition import Partition
from amongst.partition.pricing import boxed, prices_of


def rows_as_printed(
    table: CodedTable, k: int, *, rounds: int, seed: int | None, progress: Callable[[int, int], None] | None
) -> Partition:
    """Figure 3 (``rounds=0``) or 4 of the paper, row by row.

    Paper
        Xu, Wang, Pei, Wang, Shi, Fu, *Utility-Based Anonymization Using Local Recoding*, KDD 2006, section 4.
    Choices
        *Bottom-up.* Groups are gone through in the order of their codes. One that has grown in a round waits for the
        next, but others may still join it. Of equally near groups the first. "Split into floor(|G|/k) groups" does
        not say how: here the rows, from the nearest to one of two rows far apart to the nearest to the other, are cut
        into parts of equal size.
        *Top-down.* "The group that leads to a lower uncertainty penalty" is read as it stands: the lower of
        NCP(Gu, w) and NCP(Gv, w), of the whole group with w; ties to the smaller group. (The other reading, the lower
        growth, is ``assign="increase"``.) Figure 4 divides what has more than k rows, its text what has k or more: the
        figure. Of G' only its size is said: here the rows that widen G least, one after the other, from every group
        with more than 2k - |G| rows. The penalties compared are those of all rows whose cells change.
    Departures
        None.
    Cost
        O(d n^2 log k) and O(d n^2).
    """
    order = np.lexsort([column.codes for column in reversed(table.columns)])
    if seed is not None:
        order = np.random.default_rng(seed).permutation(order)
    group = utility.as_printed(
        prices_of(table), [column.codes[order] for column in table.columns], k, rounds=rounds, tick=progress
    )
    group_of_row = np.empty_like(group)
    group_of_row[order] = group
    return boxed(table, group_of_row)
