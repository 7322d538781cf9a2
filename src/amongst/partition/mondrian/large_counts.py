"""Strict Mondrian where more rows were counted than a kernel can add up: the first cuts by counting in 64 bits."""

from __future__ import annotations

from collections.abc import Callable, Sequence

import numpy as np

from amongst import kernels
from amongst.kernels.axis import Axis
from amongst.kernels.cut_order import Histogram
from amongst.partition.mondrian.top_cuts import choose_cut, ends, goes_left

MOST_ROWS = (1 << 32) - 1
"""What a kernel can add up."""


def mondrian_in_parts(
    codes: Sequence[np.ndarray],
    count: np.ndarray,
    axes: Sequence[Axis],
    k: int,
    cuts: int,
    *,
    most_rows: int = MOST_ROWS,
    tick: Callable[[int, int], None] | None = None,
) -> tuple[np.ndarray, np.ndarray, np.ndarray, int]:
    """What ``kernels.mondrian`` gives for distinct tuples, whatever their counts sum to.

    A part of at most ``most_rows`` rows goes to the kernel; a larger one is cut as the kernel would cut it, and one
    that cannot be cut is a group.
    """
    group = np.empty(len(count), dtype=np.int32)
    los: list[np.ndarray] = []
    his: list[np.ndarray] = []
    n_groups, n_alone, done, total = 0, 0, 0, int(count.sum(dtype=np.int64))
    stack = [np.arange(len(count))]
    while stack:
        part = stack.pop()
        own = [column[part] for column in codes]
        rows = int(count[part].sum(dtype=np.int64))
        if rows > most_rows:
            seen = [_histogram(column, count[part]) for column in own]
            cut = choose_cut(seen, axes, k, cuts)
            if cut is not None:
                left = goes_left(own[cut.column], cut, axes)
                stack += [part[~left], part[left]]  # the left side comes first, as in the kernel
                continue
            lo, hi = ends(seen, axes)
            numbers, box = np.zeros(len(part), dtype=np.int32), (np.array([lo]), np.array([hi]))
            n_alone += int((count[part] == 1).sum())
        else:
            numbers, *box, alone = kernels.mondrian(own, count[part], axes, k, cuts=cuts, relaxed=False, tick=None)
            n_alone += alone
        group[part] = numbers + n_groups
        los.append(box[0].astype(np.uint32))
        his.append(box[1].astype(np.uint32))
        n_groups += len(box[0])
        done += rows
        if tick is not None:
            tick(done, total)
    return group, np.concatenate(los), np.concatenate(his), n_alone


def _histogram(codes: np.ndarray, count: np.ndarray) -> Histogram:
    found, place = np.unique(codes, return_inverse=True)
    sums = np.zeros(len(found), dtype=np.int64)
    np.add.at(sums, place.reshape(-1), count.astype(np.int64))
    return Histogram(found.astype(np.int64), sums)
