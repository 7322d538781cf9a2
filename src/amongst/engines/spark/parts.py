"""Which part of the release a class goes to: known before any row moves, so no sample has to be drawn."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING

import numpy as np

from amongst.recode.plan import RecodingPlan

if TYPE_CHECKING:
    from pyspark.sql import Column, DataFrame

ROWS_OF_A_PART = 1 << 20
MANY_PARTS = 4
"""A class of so many parts is divided by its other columns, for which Spark draws a sample of the rows."""


def n_parts(plan: RecodingPlan) -> int:
    """How many parts there are: the same on every cluster."""
    return max(1, math.ceil(plan.n_published / ROWS_OF_A_PART))


def part_of_class(plan: RecodingPlan) -> np.ndarray | None:
    """The part of every class, ascending; None where a class is too large for one."""
    size, n = plan.size_of_class, n_parts(plan)
    if n == 1:
        return np.zeros(plan.classes.num_rows, dtype=np.int32)
    if int(size.max(initial=0)) > MANY_PARTS * ROWS_OF_A_PART:
        return None
    middle = np.cumsum(size) - (size + 1) // 2  # of every class, among all rows
    return (middle * n // max(1, int(size.sum()))).astype(np.int32)


def laid_out(rows: DataFrame, plan: RecodingPlan, keys: list[Column]) -> DataFrame:
    """Rows by ``part`` and within by ``class`` and the keys; without parts by ranges that Spark finds."""
    n = n_parts(plan)
    if "part" not in rows.columns:
        laid = rows.repartitionByRange(n, "class", *keys)
    else:
        laid = rows.repartitionById(n, "part").drop("part")
    return laid.sortWithinPartitions("class", *keys)
