"""From a set of cuts to a partition."""

from __future__ import annotations

from typing import Any

import numpy as np

from amongst import kernels
from amongst.encode.coded import CodedTable
from amongst.partition.cut_table import CutTable
from amongst.partition.partition import Partition


def group_by_cuts(table: CodedTable, cuts: CutTable, made: np.ndarray, k: int, facts: dict[str, Any]) -> Partition:
    """The classes of the grid as groups, numbered by where they lie; those with fewer than k rows are suppressed."""
    spans = [cuts.intervals(c, made) for c in range(table.n_qi)]  # first and last atom of every atom's interval
    starts = [first[cuts.atoms[:, c]].astype(np.uint32) for c, (first, _) in enumerate(spans)]
    class_of_tuple, first, size = kernels.distinct(starts, cuts.weight)
    kept = np.flatnonzero(size >= k)
    lo, hi = (np.empty((len(kept), table.n_qi), dtype=np.uint32) for _ in range(2))
    for c, column in enumerate(cuts.columns):
        begin, end = (ends[cuts.atoms[first[kept], c]] for ends in spans[c])
        end = np.where((end >= column.n_priced) & (begin < end), end - 1, end)  # what matches anything widens nothing
        lo[:, c], hi[:, c] = column.first[begin], column.last[end]
    by_place = np.lexsort(lo.T[::-1])
    number = np.full(len(size), -1, dtype=np.int32)
    number[kept[by_place]] = np.arange(len(kept), dtype=np.int32)
    group_of_row = kernels.gather(number[class_of_tuple], cuts.tuple_of_row)
    facts = {**facts, "tuples": cuts.n_distinct, "uniques": cuts.n_alone}
    sets = [_sets(table, cuts, c, spans[c][0]) for c in range(table.n_qi)]
    return Partition(group_of_row, lo[by_place], hi[by_place], facts=facts, set_of_code=sets)


def _sets(table: CodedTable, cuts: CutTable, c: int, start_of_atom: np.ndarray) -> np.ndarray | None:
    """The interval of every code that occurs, where values have no order of their own; -1 for other codes."""
    if table.columns[c].kind != "categorical":
        return None
    own = cuts.columns[c]
    occurs = np.bincount(table.columns[c].codes, minlength=len(own.atom_of_code)) > 0
    return np.where(occurs, start_of_atom[own.atom_of_code], -1)
