"""Refining: any grouping made cheaper by moves, swaps, dissolving and splitting, without breaking a model."""

from __future__ import annotations

from collections.abc import Callable, Sequence

import numpy as np

from amongst.encode import CodedTable
from amongst.kernels import cluster
from amongst.kernels.conditions import Conditions
from amongst.models import Model
from amongst.partition.conditions import conditions_of
from amongst.partition.partition import Partition
from amongst.partition.pricing import boxed, prices_of


def refine(
    table: CodedTable,
    models: Sequence[Model],
    partition: Partition,
    *,
    window: int = 4,
    passes: int = 8,
    conditions: Conditions | None = None,
    progress: Callable[[int, int], None] | None = None,
    report_loss: Callable[[float], None] | None = None,
) -> Partition:
    """Lower the loss of a partition.

    While it runs, ``report_loss`` is told the weighted GCP so far, which only falls.

    Paper
        None; the price is the weighted NCP of Xu et al., *Utility-Based Anonymization Using Local Recoding*, KDD 2006,
        section 2.
    Guarantees
        The loss only falls, every group keeps at least k rows and holds the other models, suppressed rows stay
        suppressed. Groups that do not hold a model are joined with others first, and only that may raise the
        loss. Rows with the same quasi-identifiers may be divided over groups.
    Choices
        A row's candidates are the groups of the rows beside it when the table is sorted by all columns, with every
        column last in turn, ``window`` rows to each side. A row of a group with more than k rows moves to the
        candidate where the sum of losses falls most; a row of a group with k changes places with a row of one of
        the two candidates it fits best. Then groups are dissolved where their rows cost less elsewhere, and
        groups of 2k or more are split by gain. Passes end when nothing changes.
    Departures
        None.
    Cost
        Near-linear: O(n d log n) for the orders, O(n d window) candidates a pass.
    """
    conditions = conditions if conditions is not None else conditions_of(table, models)
    k = conditions.k
    kept = np.flatnonzero(partition.group_of_row >= 0)
    codes = [codes if len(kept) == table.n_rows else codes[kept] for codes in table.codes]
    held = None if conditions.only_size else conditions if len(kept) == table.n_rows else conditions.at(kept)
    prices = prices_of(table)
    scale = table.n_rows * sum(price.full for price in prices.columns)

    def tick(done: int, loss: int) -> bool:
        if progress is not None:
            progress(done, passes)
        if report_loss is not None:
            report_loss((loss + (table.n_rows - len(kept)) * scale / table.n_rows) / scale)
        return True

    group, losses = cluster.refine(
        prices, codes, k, partition.group_of_row[kept], window=window, passes=passes, conditions=held, tick=tick
    )
    group_of_row = np.full(table.n_rows, -1, dtype=np.int32)
    group_of_row[kept] = group
    facts = {**partition.facts, "loss_by_pass": [round(float(loss) / scale, 6) for loss in losses]}
    return boxed(table, group_of_row, **facts)
