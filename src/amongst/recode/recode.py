"""From a plan to the published table, where the rows are in memory."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

import numpy as np

from amongst.recode.lay_out import lay_out, runs
from amongst.recode.plan import RecodingPlan
from amongst.recode.published import PublishedColumn

if TYPE_CHECKING:
    import pyarrow as pa

    from amongst.encode.coded import CodedTable


def recode(original: pa.Table, table: CodedTable, plan: RecodingPlan) -> RecodingPlan:
    """Replace the quasi-identifiers of every row by what its class publishes.

    Identifiers and suppressed rows are gone. Columns keep the order of the original table.
    """
    import pyarrow as pa

    original = original.select(plan.others)
    if table.kept_rows is not None:
        original = original.take(pa.array(table.kept_rows))
    kept = {name: original.column(name) for name in plan.others}
    size_of_class, laid = lay_out(plan.class_of_row, plan.n_classes, kept)
    for own in plan.made.values():
        laid |= {column.name: _lay(column, size_of_class) for column in own}
    return replace(plan, table=pa.table({name: laid[name] for name in plan.columns}), kept=kept)


def _lay(column: PublishedColumn, size_of_class: np.ndarray) -> pa.Array:
    """One published column over all rows: runs, since rows are sorted by class."""
    import pyarrow as pa

    value_of_class = column.value_of_group
    if pa.types.is_string(column.values.type):
        return runs(column.values, value_of_class, size_of_class)
    return column.values.take(pa.array(np.repeat(value_of_class, size_of_class)))
