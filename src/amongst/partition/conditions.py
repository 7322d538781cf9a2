"""What every group must hold: the models of a request, resolved against a coded table."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

import numpy as np

from amongst import kernels
from amongst.encode.coded import CodedColumn, CodedTable
from amongst.kernels.conditions import Conditions, Test
from amongst.models import Model, beyond_rows, group_size, of_values
from amongst.partition.value_conditions import condition_of


def conditions_of(table: CodedTable, models: Sequence[Model]) -> Conditions:
    """The conditions on a group of rows; all models of sensitive values, and k in rows or people."""
    tests = [
        test_of(table, table.sensitive[name], model) for model in of_values(models) for name in columns_of(model, table)
    ]
    return Conditions(group_size(models), tuple(tests), table.unit, weight=table.count)


def asks_for_rows_only(table: CodedTable, models: Sequence[Model]) -> bool:
    """Whether the size of a group in rows is all that is asked."""
    return table.unit is None and not beyond_rows(models)


def survives_joining(table: CodedTable, models: Sequence[Model]) -> bool:
    """Whether a union of groups holds the models when each of them does.

    Where people are counted, somebody may be in both groups with different values, and counts then for both values
    but only once for the people: one value may become too frequent.
    """
    if table.unit is None:
        return all(model.monotone for model in models)
    return all(model.survives_more_rows for model in models)


def columns_of(model: Model, table: CodedTable) -> list[str]:
    """The sensitive columns that a model speaks of."""
    if model.column is not None:
        return [model.column]
    return [name for name, column in table.sensitive.items() if not model.of_kinds or column.kind in model.of_kinds]


def test_of(table: CodedTable, column: CodedColumn, model: Model) -> Test:
    """One model on one sensitive column."""
    codes = np.ascontiguousarray(column.codes, dtype=np.uint32)
    pair = None if table.unit is None else kernels.distinct([table.unit, codes])[0]
    test = Test(-1, codes, column.n_codes, pair=pair)
    return condition_of(model).test(model, column, replace(test, share=shares(test, table.count)))


def shares(test: Test, weight: np.ndarray | None = None) -> np.ndarray:
    """The share of every value in the table, of rows or of people with the value."""
    codes = test.codes
    if test.pair is not None:
        codes = codes[np.unique(test.pair, return_index=True)[1]]
    count = np.bincount(codes, weights=weight, minlength=test.n_values).astype(np.float64)
    return count / count.sum()
