"""Best: run what is worthwhile, refine it, keep the grouping with the least loss."""

from __future__ import annotations

from collections.abc import Callable, Sequence

import numpy as np

from amongst.encode import CodedTable, frequency_set
from amongst.errors import BadOption
from amongst.models import KAnonymity, Model
from amongst.partition.feasible import feasible_conditions
from amongst.partition.gain_split import gain_split
from amongst.partition.partition import Partition
from amongst.partition.pricing import prices_of
from amongst.partition.refine import refine
from amongst.partition.sweep import sweep

VISITS = 400_000_000
"""How many visits of a tuple the steps of a sweep may come to at effort 1. Most steps are ruled out by others."""

FEW_STEPS = 200
"""With fewer steps than this a sweep is not worthwhile."""


def best(
    table: CodedTable,
    models: Sequence[Model],
    *,
    effort: float = 1.0,
    progress: Callable[[int, int], None] | None = None,
) -> Partition:
    """The grouping with the least loss that amongst finds for the effort.

    Paper
        See ``sweep``, ``gain_split`` and ``refine``.
    Guarantees
        Every group has at least k rows. Local recoding: rows with the same quasi-identifiers may be in different
        groups.
    Choices
        A sweep with as many steps as the effort allows for the number of distinct tuples, refined. A split by gain,
        refined, where the sweep would have too few steps to be worthwhile, and beside it when the effort is above
        1; then the cheaper of the two. Work is counted in visits of tuples, not in seconds, so the same input gives
        the same release on any machine.
    Departures
        None.
    Cost
        Grows with ``effort``: 1 takes about a second for 30,000 rows with 8 columns.
    """
    if not isinstance(effort, (int, float)) or isinstance(effort, bool) or not 0 < effort <= 1000:
        raise BadOption(
            "The effort must be a positive number.",
            found=f"effort = {effort!r}",
            fix="use 1 for a quick run, 10 for a thorough one",
        )
    conditions = feasible_conditions(table, models)
    n_tuples = frequency_set(table.codes).n_tuples
    steps = int(min(max(VISITS * effort / max(n_tuples, 1), 1), 200_000))
    window, passes = (4, 8) if effort <= 1 else (12, 40)
    starts: list[Callable[[], Partition]] = []
    if steps >= FEW_STEPS:
        size = [KAnonymity(conditions.k)]
        starts.append(lambda: sweep(table, size, most_steps=steps, progress=progress))
    if steps < FEW_STEPS or effort > 1 or not conditions.only_size:
        starts.append(lambda: gain_split(table, models))
    prices = prices_of(table)
    found: list[tuple[int, int, Partition]] = []
    for n, start in enumerate(starts):
        refined = refine(table, models, start(), window=window, passes=passes, conditions=conditions, progress=progress)
        loss = int(refined.size_of_group @ prices.of_boxes(refined.lo.astype(np.int64), refined.hi.astype(np.int64)))
        found.append((loss, n, refined))
    return min(found, key=lambda one: one[:2])[2]
