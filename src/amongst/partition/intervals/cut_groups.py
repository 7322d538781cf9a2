"""From a set of cuts to a partition."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import numpy as np

from amongst import kernels
from amongst.encode.coded import CodedTable
from amongst.measure.ncp import ncp_of_group
from amongst.measure.ncp_of_set import ncp_of_code_sets
from amongst.partition.intervals.cut_table import CutTable
from amongst.partition.partition import Partition


def group_by_cuts(table: CodedTable, cuts: CutTable, made: np.ndarray, k: int, facts: dict[str, Any]) -> Partition:
    """The classes of the grid, numbered by where they lie; those with fewer than k rows are suppressed."""
    spans = [cuts.intervals(c, made) for c in range(table.n_qi)]  # first and last atom of an atom's interval
    starts = [first[cuts.atoms[:, c]].astype(np.uint32) for c, (first, _) in enumerate(spans)]
    class_of_tuple, first, size = kernels.distinct(starts, cuts.weight)
    kept = np.flatnonzero(size >= k)
    lo, hi = (np.empty((len(kept), table.n_qi), dtype=np.uint32) for _ in range(2))
    for c, column in enumerate(cuts.columns):
        begin, end = (ends[cuts.atoms[first[kept], c]] for ends in spans[c])
        end = np.where((end >= column.n_priced) & (begin < end), end - 1, end)  # a wildcard widens nothing
        lo[:, c], hi[:, c] = column.first[begin], column.last[end]
    by_place = np.lexsort(lo.T[::-1])
    number = np.full(len(size), -1, dtype=np.int32)
    number[kept[by_place]] = np.arange(len(kept), dtype=np.int32)
    group_of_row = kernels.gather(number[class_of_tuple], cuts.tuple_of_row)
    facts = {**facts, "tuples": cuts.n_distinct, "uniques": cuts.n_alone}
    first_codes = [own.first[np.unique(start)] for own, (start, _) in zip(cuts.columns, spans, strict=True)]
    return publishing_sets(table, Partition(group_of_row, lo[by_place], hi[by_place], facts=facts), first_codes)


def publishing_sets(table: CodedTable, partition: Partition, first_codes: list[np.ndarray]) -> Partition:
    """The partition with categories published as the sets that their intervals are.

    ``first_codes`` has the codes at which the intervals of every column begin. Values that have an order are
    published as the schema says.
    """
    sets: list[np.ndarray | None] = [None] * table.n_qi
    for c, column in enumerate(table.columns):
        if column.kind == "categorical":
            occurs = np.bincount(column.codes) > 0
            number = np.searchsorted(first_codes[c], np.arange(len(occurs)), side="right") - 1
            sets[c] = np.where(occurs, number, -1)
    return replace(partition, set_of_code=sets)


def cost_of_intervals(table: CodedTable, partition: Partition, cost: str) -> float:
    """What a partition into intervals costs that suppresses no row."""
    lost, size = table.n_input - table.n_rows, partition.size_of_group
    if cost == "dm":
        return int(size @ size) + lost * table.n_input
    weights = np.array([column.weight for column in table.columns])
    loss = 0.0
    for c, column in enumerate(table.columns):
        lo, hi, sets = partition.lo[:, c], partition.hi[:, c], partition.sets_of(c)
        penalty = ncp_of_group(column, lo, hi) if sets is None else ncp_of_code_sets(column, sets, lo)
        told = column.codes != column.wildcard
        loss += column.weight * float(penalty[partition.group_of_row[told]].sum())
    return (loss / float(weights.sum()) + lost) / table.n_input
