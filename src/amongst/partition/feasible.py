"""What no method can do."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from amongst.encode import CodedTable
from amongst.encode.coded import CodedColumn
from amongst.errors import BadOption, Infeasible
from amongst.kernels.conditions import LIMITS, Conditions, Test
from amongst.kernels.holds import holds_by_class
from amongst.models import Model, of_values
from amongst.partition.conditions import columns_of, conditions_of, test_of
from amongst.partition.value_conditions import condition_of


def refuse_small_table(table: CodedTable, k: int) -> None:
    """Raise where the table has fewer rows, or people, than one group needs."""
    n = table.n_rows if table.unit is None else int(table.unit.max()) + 1 if len(table.unit) else 0
    if n >= k:
        return
    left_out = table.n_input - table.n_rows
    things = "rows" if table.unit is None else "people"
    few = f"fewer than {k}" if left_out < k else str(left_out)
    found = f"{n} {things}" + (f" after {few} rows with missing values were suppressed" if left_out else "")
    raise Infeasible(f"No grouping can reach {k}-anonymity.", found=found, fix=f"use k <= {n}", largest_k=n)


def feasible_conditions(table: CodedTable, models: Sequence[Model]) -> Conditions:
    """What every group must hold; raises where the whole table as one group does not."""
    refuse_without_columns(table, models)
    conditions = conditions_of(table, models)
    refuse_small_table(table, conditions.k)
    for model in of_values(models):
        for name in columns_of(model, table):
            refuse_ineligible(table, table.sensitive[name], model)
    _refuse_wildcards(table, models, conditions)
    return conditions


def _refuse_wildcards(table: CodedTable, models: Sequence[Model], conditions: Conditions) -> None:
    """Raise where rows that cannot be told apart are no groups, so that shares of a group say nothing."""
    wild = [f"'{column.name}'" for column in table.columns if column.wildcard >= 0]
    if not wild:
        return
    fix = 'use nulls = "own value" or "suppress" for these columns'
    if conditions.tests:
        what = "Sensitive values cannot be protected where a missing quasi-identifier matches anything."
        raise BadOption(what, found=", ".join(wild), fix=fix)
    if any(model.needs_classes for model in models):
        what = "Presence cannot be hidden where a missing quasi-identifier matches anything."
        raise BadOption(what, found=", ".join(wild), fix=fix)


def refuse_without_columns(table: CodedTable, models: Sequence[Model]) -> None:
    """Raise where a model of sensitive values has no column to speak of, or one of a kind that it cannot."""
    for model in of_values(models):
        named = table.sensitive.get(model.column or "")
        if named is not None and model.of_kinds and named.kind not in model.of_kinds:
            raise BadOption(
                f"The model {model.name!r} cannot speak of the column '{named.name}'.",
                found=f"its kind is {named.kind}, not {' or '.join(model.of_kinds)}",
                fix="name another column, or say its kind in the schema if it holds numbers",
            )
        if not columns_of(model, table):
            kind = f"{model.of_kinds[0]} sensitive" if model.of_kinds else "sensitive"
            raise BadOption(
                f"The model {model.name!r} needs a sensitive column.",
                found=f"no {kind} column in the schema",
                fix='give a column role="sensitive"',
            )


def refuse_ineligible(table: CodedTable, column: CodedColumn, model: Model) -> None:
    """Merging all rows is the most that any grouping can do (the eligibility condition, section 2.3 of paper 001)."""
    if model.whole_table_holds:
        return
    test = test_of(table, column, model)
    count, whole = _counts(table, test)
    if _holds_as_one(table, test, count, whole):
        return
    best = condition_of(model).best
    if best is None:
        raise _infeasible(column, count, whole, model, "ask for less, or leave the column out")
    reached = best(model, test, count, whole)
    side = "largest" if model.larger_asks_more else "smallest"
    raise _infeasible(column, count, whole, model, model.easier(reached), **{f"{side}_{model.symbol}": reached})


def _holds_as_one(table: CodedTable, test: Test, count: np.ndarray, whole: float) -> bool:
    if test.kind == LIMITS:  # of counts that may be larger than the kernels can add up
        assert test.upper is not None
        return bool((count <= test.upper * whole + 1e-9).all())
    one = Conditions(1, (test,), table.unit, weight=table.count)
    return bool(holds_by_class(one, np.zeros(table.n_coded, dtype=np.int32), 1)[0])


def _infeasible(
    column: CodedColumn, count: np.ndarray, whole: float, model: Model, fix: str, **facts: float
) -> Infeasible:
    share = 100 * float(count.max()) / whole
    n_values = int((count > 0).sum())
    found = (
        f"'{column.name}' has {n_values} values, and the most frequent of them (rank 1) has {share:.3g} % of the table"
        if n_values > 1
        else f"'{column.name}' has one value only"
    )
    return Infeasible(
        f"No grouping can reach this: {model.words()}", found=found, fix=fix, column=column.name, rank=1, **facts
    )


def _counts(table: CodedTable, test: Test) -> tuple[np.ndarray, float]:
    codes = test.codes if test.pair is None else test.codes[np.unique(test.pair, return_index=True)[1]]
    whole = table.n_rows if table.unit is None else int(table.unit.max()) + 1
    return np.bincount(codes, weights=table.count, minlength=test.n_values).astype(np.float64), float(whole)
