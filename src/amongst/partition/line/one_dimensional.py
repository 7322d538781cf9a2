"""Optimal k-anonymity in one dimension: the best groups of neighbours on a line of tuples."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np

from amongst import kernels
from amongst.encode import CodedTable, FrequencySet
from amongst.kernels.one_dimensional import Intervals, begins_of_runs, deal
from amongst.kernels.price import Prices
from amongst.partition.partition import Partition

BLOCK = 1 << 16
"""Rows between two looks at the clock: progress is told, and Ctrl-C is heard."""


def best_runs(
    table: CodedTable,
    tuples: FrequencySet,
    tuple_at: np.ndarray,
    k: int,
    *,
    prices: Prices | None = None,
    position: np.ndarray | None = None,
    progress: Callable[[int, int], None] | None = None,
) -> Partition:
    """The groups of k to 2k-1 neighbours on a line that lose least.

    Paper
        Ghinita, Karras, Kalnis, Mamoulis, *Fast Data Anonymization with Low Information Loss*, VLDB 2007:
        figure 3 (section 3), with the savings of section 5.1.
    Guarantees
        Of all divisions of the line into runs of at least k rows none loses less, whatever the order is.
        Every group has k to 2k-1 rows: a longer run could be cut in two without loss, because a part of a
        run never costs more a row than the run.
    Choices
        Of equally good divisions the one with the shorter last group, then the shorter one before it, and
        so on. Rows of one tuple may be divided over neighbouring groups; they go there in the order of the
        input.
    Departures
        Rows of one tuple are neighbours, so a run is priced once for every pair of tuples it can begin and
        end with, not for every pair of rows.
    Cost
        O(kn), and for the prices O(kd) a tuple; memory one byte a row beside the input for k up to 128.

    Parameters
    ----------
    tuple_at : ndarray of uint32
        The tuples in their order on the line.
    prices : Prices
        A group costs its rows times the price of its box.
    position : ndarray of int64
        Instead of prices: the place of every tuple on the line, in the order of ``tuple_at``; a group costs
        its rows times the distance between its ends.
    """
    count = tuples.count[tuple_at]
    codes = [kernels.gather(column, tuple_at) for column in tuples.codes]
    length = _lengths(Intervals(k, prices), codes if position is None else [position], count, progress)
    begins = begins_of_runs(length)
    first_row = np.zeros(len(count) + 1, dtype=np.int64)
    np.cumsum(count, out=first_row[1:])
    group = _deal(tuples, tuple_at, first_row, begins)
    lo, hi = _boxes(table, codes, first_row, begins)
    return Partition(group, lo, hi, facts={"tuples": tuples.n_tuples})


def _lengths(
    program: Intervals, line: list[np.ndarray], count: np.ndarray, progress: Callable[[int, int], None] | None
) -> list[np.ndarray]:
    row = np.cumsum(count, dtype=np.int64)
    marks = np.searchsorted(row, np.arange(BLOCK, int(row[-1]), BLOCK)) + 1
    edges = np.unique(np.concatenate([[0], marks, [len(count)]]))
    lengths = []
    for first, end in zip(edges[:-1].tolist(), edges[1:].tolist(), strict=True):
        block = [column[first:end] for column in line]
        lengths.append(program.feed(block if program.prices is not None else block[0], count[first:end]))
        if progress is not None:
            progress(int(row[end - 1]), int(row[-1]))
    return lengths


def _deal(tuples: FrequencySet, tuple_at: np.ndarray, first_row: np.ndarray, begins: np.ndarray) -> np.ndarray:
    sizes = np.diff(begins, append=first_row[-1])
    group_at = kernels.repeat(np.arange(len(begins), dtype=np.int32), sizes)
    place_of_tuple = np.empty(len(tuple_at), dtype=np.uint32)
    place_of_tuple[tuple_at] = first_row[:-1]
    return deal(tuples.tuple_of_row, place_of_tuple, group_at)


def _boxes(
    table: CodedTable, codes: list[np.ndarray], first_row: np.ndarray, begins: np.ndarray
) -> tuple[np.ndarray, np.ndarray]:
    """From the tuples a group touches; a code that matches anything widens nothing."""
    last_row = np.append(begins[1:], first_row[-1]) - 1
    first_tuple, last_tuple = (np.searchsorted(first_row, row, side="right") - 1 for row in (begins, last_row))
    edges = np.stack([first_tuple, last_tuple + 1], axis=1).ravel()
    lo = np.empty((len(begins), table.n_qi), dtype=np.uint32)
    hi = np.empty_like(lo)
    for c, column in enumerate(table.columns):
        own = np.append(codes[c], codes[c][-1:])  # the last edge must be a place
        lo[:, c] = np.minimum.reduceat(own, edges)[::2]
        if column.wildcard >= 0:
            own = np.where(own == column.wildcard, 0, own)
        hi[:, c] = np.maximum(np.maximum.reduceat(own, edges)[::2], lo[:, c])
    return lo, hi
