"""What every group must hold: the models of a request, resolved against a coded table."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from fractions import Fraction
from typing import TYPE_CHECKING

import numpy as np

from amongst import kernels
from amongst.encode.coded import CodedColumn, CodedTable
from amongst.encode.encode import numbers
from amongst.errors import BadOption
from amongst.kernels.conditions import (
    DISTINCT,
    ENTROPY,
    EQUAL,
    HIERARCHICAL,
    LIMITS,
    ORDERED,
    PROXIMITY,
    RECURSIVE,
    Conditions,
    Test,
)
from amongst.models import (
    SENSITIVE,
    AlphaK,
    BetaLikeness,
    DeltaDisclosure,
    KAnonymity,
    KMap,
    KOfSubsets,
    LDiversity,
    Model,
    Proximity,
    TCloseness,
    smallest_group,
)

if TYPE_CHECKING:
    import pyarrow as pa

EXACT = 1 << 53
"""Whole numbers up to here are exact as a float."""
DISTANCES = {"equal": EQUAL, "ordered": ORDERED, "hierarchical": HIERARCHICAL}


def conditions_of(table: CodedTable, models: Sequence[Model]) -> Conditions:
    """The conditions on a group of rows; all models of sensitive values, and k in rows or people."""
    tests = [
        test_of(table, table.sensitive[name], model)
        for model in models
        if isinstance(model, SENSITIVE)
        for name in columns_of(model, table)
    ]
    # k on all columns is k on any of them; a method that can look at fewer asks for less.
    of_subsets = max((model.k for model in models if isinstance(model, KOfSubsets)), default=1)
    return Conditions(max(smallest_group(models), of_subsets), tuple(tests), table.unit, weight=table.count)


def asks_for_rows_only(table: CodedTable, models: Sequence[Model]) -> bool:
    """Whether the size of a group in rows is all that is asked."""
    return table.unit is None and all(isinstance(model, KAnonymity) for model in models)


def survives_more_rows(model: Model) -> bool:
    """Whether a group that holds a model holds it whatever rows are added to it."""
    if isinstance(model, LDiversity):
        return model.kind == "distinct"
    return isinstance(model, (KAnonymity, KOfSubsets, KMap))


def survives_joining(table: CodedTable, models: Sequence[Model]) -> bool:
    """Whether a union of groups holds the models when each of them does.

    Where people are counted, somebody may be in both groups with different values, and counts then for both values
    but only once for the people: one value may become too frequent.
    """
    if table.unit is None:
        return all(model.monotone for model in models)
    return all(survives_more_rows(model) for model in models)


def columns_of(model: Model, table: CodedTable) -> list[str]:
    """The sensitive columns that a model speaks of."""
    column = getattr(model, "column", None)
    names = list(table.sensitive) if column is None else [column]
    if column is None and isinstance(model, Proximity):
        names = [name for name in names if table.sensitive[name].kind in ("numeric", "date")]
    return names


def test_of(table: CodedTable, column: CodedColumn, model: Model) -> Test:
    """One model on one sensitive column."""
    codes = np.ascontiguousarray(column.codes, dtype=np.uint32)
    pair = None if table.unit is None else kernels.distinct([table.unit, codes])[0]
    test = Test(-1, codes, column.n_codes, pair=pair)
    share = shares(test, table.count)
    if isinstance(model, LDiversity):
        return _diversity(test, model)
    if isinstance(model, AlphaK):
        return _limits(test, np.zeros(test.n_values), np.full(test.n_values, model.alpha), of_people=True)
    if isinstance(model, BetaLikeness):
        return _limits(test, np.zeros(test.n_values), largest_shares(share, model))
    if isinstance(model, DeltaDisclosure):
        low, high = share * np.exp(-model.delta), share * np.exp(model.delta)
        return _limits(test, low, high, every_value=model.absent == "counted")
    if isinstance(model, TCloseness):
        kind = DISTANCES[distance_of(column, model)]
        node = node_of_value(column) if kind == HIERARCHICAL else None
        return _as(test, kind, bound=model.t, share=share, node=node)
    assert isinstance(model, Proximity)
    return _as(test, PROXIMITY, bound=1 / model.l, last=last_within(column, model.width))


def shares(test: Test, weight: np.ndarray | None = None) -> np.ndarray:
    """The share of every value in the table, of rows or of people with the value."""
    codes = test.codes
    if test.pair is not None:
        codes = codes[np.unique(test.pair, return_index=True)[1]]
    count = np.bincount(codes, weights=weight, minlength=test.n_values).astype(np.float64)
    return count / count.sum()


def largest_shares(share: np.ndarray, model: BetaLikeness) -> np.ndarray:
    """How large the share of every value may become in a group."""
    gain = np.full(len(share), model.beta)
    if model.enhanced:
        with np.errstate(divide="ignore"):
            gain = np.minimum(gain, -np.log(share))
    return np.where(share > 0, share * (1 + gain), 0.0)


def distance_of(column: CodedColumn, model: TCloseness) -> str:
    """The distance that is asked for, or that the column suggests."""
    if model.distance is not None:
        if model.distance == "hierarchical" and column.tree is None:
            raise BadOption(
                "The hierarchical distance needs a hierarchy.",
                found=f"'{column.name}' has none",
                fix='give the sensitive column a hierarchy, or use distance="equal"',
            )
        return model.distance
    if column.kind in ("numeric", "date", "ordered"):
        return "ordered"
    return "equal" if column.tree is None else "hierarchical"


def node_of_value(column: CodedColumn) -> np.ndarray:
    """The node of every value at every level, named by its first value; a null hangs from the root."""
    assert column.tree is not None
    node = column.tree.start
    return np.delete(node, -2, axis=0) if column.own_null >= 0 else node


def last_within(column: CodedColumn, width: float) -> np.ndarray:
    """For every value the last one that is at most ``width`` above it; a null is near nothing but itself."""
    if column.kind not in ("numeric", "date"):
        raise BadOption(
            "Proximity speaks of numbers and dates.",
            found=f"'{column.name}' is {column.kind}",
            fix="use LDiversity for it, or name a numeric column",
        )
    last = _last_near(column.values, width, _units_a_day(column))
    return np.append(last, column.own_null) if column.own_null >= 0 else last


def _last_near(values: pa.Array, width: float, units: float) -> np.ndarray:
    """The last of ascending values that is at most ``width`` above each; exact where floats are not."""
    import pyarrow as pa

    if pa.types.is_decimal(values.type):
        exact = np.array([Fraction(value) for value in values.to_pylist()], dtype=object)
        return np.searchsorted(exact, exact + Fraction(width), side="right") - 1
    timed = pa.types.is_timestamp(values.type)
    if not (timed or pa.types.is_integer(values.type)) or not len(values):
        place = numbers(values) / units
        return np.searchsorted(place, place + width * (1 + 1e-12), side="right") - 1
    line = (values.cast(pa.int64()) if timed else values).to_numpy(zero_copy_only=False)
    above = line.astype(np.uint64) - line[:1].astype(np.uint64)  # modulo 2^64, so that it is right for any sign
    if above[-1] < EXACT:
        place = above.astype(np.float64) / units
        return np.searchsorted(place, place + width * (1 + 1e-12), side="right") - 1
    most = np.iinfo(np.uint64).max
    reach = np.uint64(min(int(Fraction(width) * int(units)), int(most)))
    return np.searchsorted(above, np.where(above > most - reach, most, above + reach), side="right") - 1


def _units_a_day(column: CodedColumn) -> float:
    """Widths of dates are days, whatever times are counted in; of numbers they are what they are."""
    import pyarrow as pa

    of = column.values.type
    unit = of.unit if pa.types.is_timestamp(of) else "ms" if pa.types.is_date64(of) else None
    return {None: 1.0, "s": 86_400.0, "ms": 86_400e3, "us": 86_400e6, "ns": 86_400e9}[unit]


def _diversity(test: Test, model: LDiversity) -> Test:
    if model.kind == "frequency":
        return _limits(test, np.zeros(test.n_values), np.full(test.n_values, 1 / model.l), of_people=True)
    if model.kind == "distinct":
        return _as(test, DISTINCT, bound=model.l)
    if model.kind == "entropy":
        return _as(test, ENTROPY, bound=float(np.log(model.l)))
    return _as(test, RECURSIVE, bound=model.l, factor=model.c)


def _limits(test: Test, lower: np.ndarray, upper: np.ndarray, **flags: bool) -> Test:
    return _as(test, LIMITS, lower=lower, upper=upper, **flags)


def _as(test: Test, kind: int, **fields: object) -> Test:
    return replace(test, kind=kind, **fields)  # type: ignore[arg-type]
