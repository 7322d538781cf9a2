"""LM: Iyengar's general loss metric, which differs from NCP in how it counts leaves."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

import numpy as np

from amongst.encode.coded import CodedTable
from amongst.measure.ncp import ncp_of_published
from amongst.schema.schema import Schema

if TYPE_CHECKING:
    from amongst.partition.partition import Partition


def loss_metric(table: CodedTable, schema: Schema, partition: Partition) -> dict[str, float]:
    """The mean loss of every column: numbers as in NCP, categories by (leaves - 1) over (all leaves - 1).

    A suppressed row counts 1.
    """
    size = partition.size_of_group
    gone = table.n_input - int(size.sum())
    losses = {}
    for c, column in enumerate(table.columns):
        by_rule = not partition.publishes_nodes and schema[column.name].publish == "set"
        as_set = by_rule or partition.sets_of(c) is not None
        if column.tree is not None and column.tree.cost is not None:  # leaves are counted here, whatever their weight
            column = replace(column, tree=replace(column.tree, cost=None))
        loss = ncp_of_published(column, schema[column.name], partition, c)
        if as_set or column.position is None:
            n = column.n_codes if as_set or column.tree is None else column.tree.n_leaves
            loss = np.maximum(loss * n - 1, 0) / max(n - 1, 1)
        counted = size
        if column.wildcard >= 0:
            counted = size - partition.rows_in_groups(column.codes == column.wildcard)
        losses[column.name] = float(((counted * loss).sum() + gone) / table.n_input)
    return losses
