"""Columns of many tables as the rows that stay have them: nothing that is published is named after a row that is gone.

Codes are made of the values of all rows that are looked at. What is published of them must follow from the rows that
are published: which values are the ends of a range, how nodes are called that are made of values, whether the numbers
of a text file are whole, and whether keys are numbers.
"""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

import numpy as np

from amongst.engines.staying import is_unsettled, whole_column
from amongst.kernels.relations import Grouped
from amongst.recode.plan import named_by
from amongst.relations.forest import Forest
from amongst.relations.stored import Stored

if TYPE_CHECKING:
    import pyarrow as pa

    from amongst.encode.coded import CodedColumn
    from amongst.schema.column import Column


def as_those_who_stay_have(forest: Forest, stored: Stored, grouped: Grouped) -> tuple[Forest, Grouped]:
    """The forest with columns that are named by rows that stay, and the ranges with ends that such rows have."""
    columns, lows, highs = [], [], []
    for t, name in enumerate(forest.names):
        kept = np.flatnonzero(grouped.node_of_row[t] >= 0)
        lo, hi = grouped.lo[t].copy(), grouped.hi[t].copy()
        own = []
        for c, column in enumerate(forest.columns[t]):
            rule = forest.schema[name].schema[column.name]
            stays = np.bincount(column.codes[kept], minlength=column.n_values + 1) > 0
            if _follows_from_values(rule):
                lo[kept, c], hi[kept, c] = _to_those(stays, lo[kept, c], hi[kept, c])
            if name in stored.text and is_unsettled(column):
                rows, ends = forest.row_of[t][kept], (lo[kept, c], hi[kept, c])
                column = _whole(column, rule, np.flatnonzero(stays), ends, stored.type_in(name, column.name, rows))
            own.append(named_by(column, rule, stays))
        columns.append(own)
        lows.append(lo)
        highs.append(hi)
    return replace(forest, columns=columns), replace(grouped, lo=lows, hi=highs)


def _follows_from_values(rule: Column) -> bool:
    """Whether the codes of a column are the values of the table: not where an order or a hierarchy lists them."""
    return rule.order is None and (rule.hierarchy is None or rule.hierarchy.is_made_of_values)


def _to_those(stays: np.ndarray, lo: np.ndarray, hi: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """Ranges from the first to the last code in them that stays; every one has some."""
    at = np.flatnonzero(stays)
    if not len(lo):
        return lo, hi
    return at[np.searchsorted(at, lo)], at[np.searchsorted(at, hi, side="right") - 1]


def _whole(
    column: CodedColumn, rule: Column, stay: np.ndarray, ends: tuple[np.ndarray, np.ndarray], kind: pa.DataType
) -> CodedColumn:
    import pyarrow as pa

    return whole_column(column, rule, stay, ends, lambda name, values: pa.types.is_integer(kind))
