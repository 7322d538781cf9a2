"""What no method can do."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from amongst.encode import CodedTable
from amongst.encode.coded import CodedColumn
from amongst.errors import BadOption, Infeasible
from amongst.kernels.conditions import Conditions, Test
from amongst.kernels.holds import holds_by_class
from amongst.models import (
    SENSITIVE,
    AlphaK,
    BetaLikeness,
    DeltaDisclosure,
    DeltaPresence,
    LDiversity,
    Model,
    Proximity,
    TCloseness,
)
from amongst.partition.conditions import columns_of, conditions_of, test_of


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
    for model in models:
        if isinstance(model, SENSITIVE):
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
    if any(isinstance(model, DeltaPresence) for model in models):
        what = "Presence cannot be hidden where a missing quasi-identifier matches anything."
        raise BadOption(what, found=", ".join(wild), fix=fix)


def refuse_without_columns(table: CodedTable, models: Sequence[Model]) -> None:
    """Raise where a model of sensitive values has no column to speak of."""
    for model in models:
        if isinstance(model, SENSITIVE) and not columns_of(model, table):
            kind = "numeric sensitive" if isinstance(model, Proximity) else "sensitive"
            raise BadOption(
                f"The model {model.name!r} needs a sensitive column.",
                found=f"no {kind} column in the schema",
                fix='give a column role="sensitive"',
            )


def refuse_ineligible(table: CodedTable, column: CodedColumn, model: Model) -> None:
    """Merging all rows is the most that any grouping can do (the eligibility condition, section 2.3 of paper 001)."""
    if isinstance(model, (TCloseness, BetaLikeness, DeltaDisclosure)):
        return  # they compare groups with the whole table
    test = test_of(table, column, model)
    count, whole = _counts(table, test)
    if isinstance(model, AlphaK) or (isinstance(model, LDiversity) and model.kind == "frequency"):
        assert test.upper is not None
        if float(count.max()) <= float(test.upper[0]) * whole + 1e-9:
            return
    elif _holds_as_one(table, test):
        return
    if isinstance(model, LDiversity) and model.kind != "recursive":
        best = {
            "frequency": whole / count.max(),
            "distinct": float((count > 0).sum()),
            "entropy": float(np.exp(_entropy(count))),
        }[model.kind]
        best = float(np.floor(best)) if float(model.l).is_integer() else best
        raise _infeasible(column, count, whole, model, f"use l <= {best:.6g}", largest_l=best)
    if isinstance(model, LDiversity):
        assert model.c is not None
        best = _largest_recursive(count, model.c)
        raise _infeasible(column, count, whole, model, f"use l <= {best}, or a larger c", largest_l=best)
    if isinstance(model, AlphaK):
        best = float(count.max() / whole)
        raise _infeasible(column, count, whole, model, f"use alpha >= {_up(best)}", smallest_alpha=best)
    assert isinstance(model, Proximity)
    assert test.last is not None
    upto = np.concatenate([[0.0], np.cumsum(count)])
    best = float(count.sum() / (upto[test.last + 1] - upto[:-1]).max())
    best = float(np.floor(best)) if float(model.l).is_integer() else best
    raise _infeasible(column, count, whole, model, f"use l <= {best:.6g}, or a smaller width", largest_l=best)


def _holds_as_one(table: CodedTable, test: Test) -> bool:
    whole = Conditions(1, (test,), table.unit, weight=table.count)
    return bool(holds_by_class(whole, np.zeros(table.n_coded, dtype=np.int32), 1)[0])


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


def _entropy(count: np.ndarray) -> float:
    share = count[count > 0] / count.sum()
    return float(-(share * np.log(share)).sum())


def _largest_recursive(count: np.ndarray, c: float) -> int:
    sizes = np.sort(count[count > 0])[::-1]
    tails = np.cumsum(sizes[::-1])[::-1]
    return int((sizes[0] < c * tails).sum())


def _up(share: float) -> float:
    return float(np.ceil(share * 1000) / 1000)
