"""Methods as their papers print them, beside ours: which is asked for, and what both versions share."""

from __future__ import annotations

from dataclasses import replace

import numpy as np

from amongst.choices import OURS, PAPER
from amongst.encode.coded import CodedColumn, CodedTable
from amongst.errors import refuse_unknown_word


def as_printed(rules: str, choices: tuple[str, ...] = (OURS, PAPER)) -> bool:
    """Whether a method is to do what its paper prints; raises for rules that it does not know."""
    refuse_unknown_word("The method does not know these rules.", "rules", rules, choices)
    return rules != OURS


def in_order(table: CodedTable) -> CodedTable:
    """The table with its trees forgotten: a category counts by its place in the in-order of the leaves.

    What is equally wide stays so to the last digit, as papers break ties by the order of the columns.
    """
    return replace(table, columns=[_in_order(column) for column in table.columns], exact_ties=True)


def _in_order(column: CodedColumn) -> CodedColumn:
    if column.position is not None:
        return column
    values = column.codes[column.codes < column.n_values]
    lowest, highest = (int(values.min()), int(values.max())) if len(values) else (0, 0)
    place = np.arange(column.n_values, dtype=np.float64)
    return replace(column, position=place, lowest=float(lowest), span=float(highest - lowest))
