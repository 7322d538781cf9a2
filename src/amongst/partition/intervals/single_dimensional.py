"""Single-dimensional partitioning: one set of intervals per column, the same for the whole table."""

from __future__ import annotations

from collections.abc import Callable, Sequence

import numpy as np

from amongst import kernels
from amongst.encode import CodedTable, FrequencySet, tuples_of
from amongst.kernels.axis import Axis
from amongst.models import Model, smallest_group
from amongst.partition.feasible import refuse_small_table
from amongst.partition.method import Method
from amongst.partition.papers import MONDRIAN
from amongst.partition.partition import Partition


def single_dimensional(
    table: CodedTable, models: Sequence[Model], *, progress: Callable[[int, int], None] | None = None
) -> Partition:
    """Greedy single-dimensional partitioning.

    Paper
        LeFevre, DeWitt, Ramakrishnan, *Mondrian Multidimensional K-Anonymity*, ICDE 2006, section 2.4: the
        allowable single-dimensional cut and the minimal single-dimensional partitioning.
    Guarantees
        Every group has at least k rows; every value of a column is published as the same interval wherever
        it occurs; no allowable single-dimensional cut is left.
    Choices
        The paper gives no order. Here the column with the widest interval is taken, and each of its
        intervals is cut at the allowable place nearest its median (cuts of different intervals of one
        column do not touch the same regions); ties go left, and to the first column of the schema. A column
        without an allowable cut never gets one again, so it is put aside.
    Departures
        A region whose rows all lie on one side of a cut does not forbid it: it stays as it is, and the empty
        side publishes nothing. The definition in the paper asks for k rows on both sides of every region.
    Cost
        O(d log c) rounds over the distinct tuples, for c codes a column.
    """
    k = smallest_group(models)
    refuse_small_table(table, k)
    tuples = tuples_of(table)
    by_code = [np.argsort(codes, kind="stable").astype(np.uint32) for codes in tuples.codes]
    interval_of_code = [np.zeros(int(codes.max()) + 1, dtype=np.int64) for codes in tuples.codes]
    region, n_regions = np.zeros(tuples.n_tuples, dtype=np.int32), 1
    open_columns = list(range(table.n_qi))
    while open_columns:
        widths = [_widest(interval_of_code[c], tuples.codes[c], table.axes[c]) for c in open_columns]
        c = open_columns[int(np.argmax(widths))]
        cut_after = _cuts(
            tuples, c, by_code=by_code[c], region=region, n_regions=n_regions, interval=interval_of_code[c], k=k
        )
        if not cut_after.any():
            open_columns.remove(c)
            continue
        interval_of_code[c] = interval_of_code[c] + np.concatenate([[0], np.cumsum(cut_after[:-1])])
        pair = [region.astype(np.uint32), interval_of_code[c][tuples.codes[c]].astype(np.uint32)]
        tuple_region, first, _ = kernels.distinct(pair)
        region, n_regions = tuple_region.astype(np.int32), len(first)
        if progress is not None:
            progress(table.n_qi - len(open_columns), table.n_qi)
    lo, hi = _intervals(tuples, interval_of_code, table.axes, region, n_regions)
    by_place = np.lexsort(lo.T[::-1])  # regions numbered by where they lie: the order of the rows has no say
    number = np.empty(n_regions, dtype=np.int32)
    number[by_place] = np.arange(n_regions, dtype=np.int32)
    group = kernels.gather(number[region], tuples.tuple_of_row)
    return Partition(group, lo[by_place], hi[by_place], facts={"tuples": tuples.n_tuples})


def _widest(interval_of_code: np.ndarray, codes: np.ndarray, axis: Axis) -> int:
    """The width of the widest interval of a column that still holds two different codes.

    A code that matches anything widens nothing.
    """
    present = np.flatnonzero(np.bincount(codes, minlength=len(interval_of_code)))
    present = present[present != axis.wildcard]
    starts = np.flatnonzero(np.diff(interval_of_code[present], prepend=-1))
    ends = np.append(starts[1:], len(present))[: len(starts)] - 1
    lo, hi = present[starts], present[ends]
    return max((axis.width(int(a), int(b)) for a, b in zip(lo, hi, strict=True) if a < b), default=-1)


def _cuts(
    tuples: FrequencySet, c: int, by_code: np.ndarray, region: np.ndarray, n_regions: int, interval: np.ndarray, k: int
) -> np.ndarray:
    """Where column c is cut: ``cut_after[code]`` says that an interval ends at the code."""
    bad = _forbidden(tuples, c, by_code, region, n_regions, k)
    weight_of_code = np.bincount(tuples.codes[c], weights=tuples.count, minlength=len(interval)).astype(np.int64)
    present = np.flatnonzero(weight_of_code)
    inside = interval[present[:-1]] == interval[present[1:]]
    after = present[:-1][inside & ~bad[present[:-1]]]
    cut_after = np.zeros(len(interval), dtype=bool)
    if len(after) == 0:
        return cut_after
    upto = np.cumsum(weight_of_code)
    owner = interval[after]
    first_code = np.searchsorted(interval, owner)
    last_code = np.searchsorted(interval, owner, side="right") - 1
    before = upto[first_code] - weight_of_code[first_code]
    imbalance = np.abs((upto[last_code] - upto[after]) - (upto[after] - before))
    nearest = np.lexsort([after, imbalance, owner])
    chosen = nearest[np.flatnonzero(np.diff(owner[nearest], prepend=-1))]
    cut_after[after[chosen]] = True
    return cut_after


def _forbidden(
    tuples: FrequencySet, c: int, by_code: np.ndarray, region: np.ndarray, n_regions: int, k: int
) -> np.ndarray:
    """Codes after which a cut would leave some region with 1 to k-1 rows on a side."""
    at, first = kernels.order_by_class(region[by_code], n_regions)
    in_order = by_code[at]  # tuples by region, then by code of column c
    code, weight = tuples.codes[c][in_order].astype(np.int64), tuples.count[in_order].astype(np.int64)
    upto = np.cumsum(weight)
    begin, end = first[:-1], first[1:]
    before = upto[begin] - weight[begin]
    kth_from_left = np.searchsorted(upto, before + k)
    kth_from_right = np.searchsorted(upto, upto[end - 1] - k, side="right")
    step = np.zeros(int(code.max()) + 2, dtype=np.int64)
    np.add.at(step, code[begin], 1)
    np.add.at(step, code[kth_from_left], -1)
    np.add.at(step, code[kth_from_right], 1)
    np.add.at(step, code[end - 1], -1)
    return np.cumsum(step)[:-1] > 0


def _intervals(
    tuples: FrequencySet,
    interval_of_code: list[np.ndarray],
    axes: Sequence[Axis],
    region: np.ndarray,
    n_regions: int,
) -> tuple[np.ndarray, np.ndarray]:
    """The first and last code that occurs in the interval of every region, column by column.

    A code that matches anything counts only in an interval that holds nothing else.
    """
    one_tuple = np.zeros(n_regions, dtype=np.int64)
    one_tuple[region] = np.arange(tuples.n_tuples)
    lo = np.empty((n_regions, len(interval_of_code)), dtype=np.uint32)
    hi = np.empty_like(lo)
    for c, interval in enumerate(interval_of_code):
        present = np.flatnonzero(np.bincount(tuples.codes[c], minlength=len(interval)))
        wild = axes[c].wildcard
        if len(present) > 1 and present[-1] == wild and interval[present[-2]] == interval[wild]:
            present = present[:-1]
        own = interval[tuples.codes[c][one_tuple]]
        lo[:, c] = present[np.searchsorted(interval[present], own)]
        hi[:, c] = present[np.searchsorted(interval[present], own, side="right") - 1]
    return lo, hi


METHOD = Method(
    name="single-dimensional",
    family="intervals",
    place=10,
    group=single_dimensional,
    takes="k",
    recoding="global",
    words="One set of intervals per column for the whole table, cut greedily.",
    paper=f"{MONDRIAN}, section 2.4",
    decides_on="counts",
)
