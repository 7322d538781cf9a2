"""Groups whose cells are recoded together: cover, place what is left, improve, compare."""

from __future__ import annotations

from collections.abc import Callable, Sequence

import numpy as np

from amongst.encode.coded import CodedTable
from amongst.models import KAnonymity, Model, group_size, smallest_group
from amongst.partition.ask import refuse_not_monotone
from amongst.partition.cells.cell_cover import cover
from amongst.partition.cells.cell_groups import CellGroups
from amongst.partition.cells.few_columns import tell_few_columns
from amongst.partition.feasible import refuse_small_table
from amongst.partition.frequency_sets import FrequencySets
from amongst.partition.full_domain.best_levels import best_levels
from amongst.partition.partition import Partition
from amongst.partition.trees.forest import Forest
from amongst.partition.trees.node_groups import group_by_nodes
from amongst.partition.trees.subtree_recoding import SubtreeRecoding, cuts_at_levels


def recode_cells(
    table: CodedTable, models: Sequence[Model], nodes: str, progress: Callable[[int, int], None] | None
) -> Partition:
    """Groups of low loss, each publishing the lowest nodes above its rows."""
    refuse_not_monotone(models)
    k = group_size(models)
    if smallest_group(models) <= 1 < k:  # k of few columns, and nothing of all of them
        return tell_few_columns(table, models, nodes, progress)
    refuse_small_table(table, k)
    forest = Forest(table)
    covered = cover(forest.tuples, FrequencySets(table), k, progress)
    groups = CellGroups(forest, covered)
    groups.place(np.flatnonzero(covered < 0))
    n_dissolved = groups.dissolve()
    gone = table.n_input - table.n_rows
    best = best_levels(table, [KAnonymity(k)], 0.0, (groups.total + gone) / table.n_input)
    if best is not None:
        state = SubtreeRecoding(forest, cuts_at_levels(forest, best.number_of_code), k, 0)
        groups = min(groups, CellGroups(forest, state.class_of_tuple), key=lambda other: other.total)
    own = np.unique(groups.group_of_tuple, return_inverse=True)
    return group_by_nodes(forest, own[1].reshape(-1), groups.nodes()[own[0]], {"dissolved": n_dissolved}, nodes)
