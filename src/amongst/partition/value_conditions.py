"""What models of sensitive values ask of a group, as conditions that the kernels test; found by the name that a model
declares."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace
from fractions import Fraction
from typing import TYPE_CHECKING, Any

import numpy as np

from amongst.encode.coded import CodedColumn
from amongst.encode.encode import numbers
from amongst.encode.node_ends import node_of_value
from amongst.errors import BadOption
from amongst.kernels.conditions import (
    CALLED,
    DISTINCT,
    ENTROPY,
    EQUAL,
    HIERARCHICAL,
    LIMITS,
    ORDERED,
    PROXIMITY,
    RECURSIVE,
    WEIGHED,
    Test,
)

if TYPE_CHECKING:
    import pyarrow as pa

    from amongst.models import Model

EXACT = 1 << 53
"""Whole numbers up to here are exact as a float."""
DISTANCES = {"equal": EQUAL, "ordered": ORDERED, "hierarchical": HIERARCHICAL}


@dataclass(frozen=True, kw_only=True)
class ValueCondition:
    """A condition on the sensitive values of a group.

    Attributes
    ----------
    test : callable
        From a model, a column and a test that has the codes and the shares of the values: the whole test.
    best : callable, optional
        From a model, the test, how many rows have every value and how many there are: the best that the whole table
        holds as one group, where it does not hold the model.
    """

    test: Callable[[Any, CodedColumn, Test], Test]
    best: Callable[[Any, Test, np.ndarray, float], float] | None = None


def condition_of(model: Model) -> ValueCondition:
    """The condition that a model declares; the model itself is asked where it declares none."""
    return CONDITIONS[model.condition] if model.condition else ValueCondition(test=_called)


def _called(model: Any, column: CodedColumn, test: Test) -> Test:
    return replace(test, kind=CALLED, holds=model.holds)


def _share(model: Any, column: CodedColumn, test: Test) -> Test:
    upper = np.full(test.n_values, model.largest_share)
    return _limits(test, np.zeros(test.n_values), upper, of_people=True)


def _gain(model: Any, column: CodedColumn, test: Test) -> Test:
    """How large the share of every value may become in a group."""
    share = test.share
    assert share is not None
    gain = np.full(len(share), model.beta)
    if model.enhanced:
        with np.errstate(divide="ignore"):
            gain = np.minimum(gain, -np.log(share))
    return _limits(test, np.zeros(test.n_values), np.where(share > 0, share * (1 + gain), 0.0))


def _ratio(model: Any, column: CodedColumn, test: Test) -> Test:
    assert test.share is not None
    low, high = test.share * np.exp(-model.delta), test.share * np.exp(model.delta)
    return _limits(test, low, high, every_value=model.absent == "counted")


def _distinct(model: Any, column: CodedColumn, test: Test) -> Test:
    return replace(test, kind=DISTINCT, bound=model.l)


def _entropy(model: Any, column: CodedColumn, test: Test) -> Test:
    return replace(test, kind=ENTROPY, bound=float(np.log(model.l)))


def _recursive(model: Any, column: CodedColumn, test: Test) -> Test:
    return replace(test, kind=RECURSIVE, bound=model.l, factor=model.c)


def _earth_mover(model: Any, column: CodedColumn, test: Test) -> Test:
    kind = DISTANCES[distance_of(column, model.distance)]
    node = node_of_value(column) if kind == HIERARCHICAL else None
    return replace(test, kind=kind, bound=model.t, node=node)


def _spread(model: Any, column: CodedColumn, test: Test) -> Test:
    return replace(test, kind=PROXIMITY, bound=1 / model.l, last=last_within(column, model.width))


def _weighed(model: Any, column: CodedColumn, test: Test) -> Test:
    """The values of a group added up; what is missing, the last value, or negative counts as nothing."""
    weight = np.zeros(test.n_values)
    weight[: len(column.values)] = np.maximum(numbers(column.values), 0.0)
    return replace(test, kind=WEIGHED, bound=float(model.k), lower=weight)


def _limits(test: Test, lower: np.ndarray, upper: np.ndarray, **flags: bool) -> Test:
    return replace(test, kind=LIMITS, lower=lower, upper=upper, **flags)  # type: ignore[arg-type]


def distance_of(column: CodedColumn, asked: str | None) -> str:
    """The distance that is asked for, or that the column suggests."""
    if asked == "hierarchical" and column.tree is None:
        raise BadOption(
            "The hierarchical distance needs a hierarchy.",
            found=f"'{column.name}' has none",
            fix='give the sensitive column a hierarchy, or use distance="equal"',
        )
    if asked is not None:
        return asked
    if column.kind in ("numeric", "date", "ordered"):
        return "ordered"
    return "equal" if column.tree is None else "hierarchical"


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


def _best_l(model: Any, best: float) -> float:
    """As whole as what was asked for."""
    return float(np.floor(best)) if float(model.l).is_integer() else best


def _best_frequency(model: Any, test: Test, count: np.ndarray, whole: float) -> float:
    return _best_l(model, float(whole / count.max()))


def _best_distinct(model: Any, test: Test, count: np.ndarray, whole: float) -> float:
    return float((count > 0).sum())


def _best_entropy(model: Any, test: Test, count: np.ndarray, whole: float) -> float:
    share = count[count > 0] / count.sum()
    return _best_l(model, float(np.exp(-(share * np.log(share)).sum())))


def _best_recursive(model: Any, test: Test, count: np.ndarray, whole: float) -> float:
    sizes = np.sort(count[count > 0])[::-1]
    tails = np.cumsum(sizes[::-1])[::-1]
    return int((sizes[0] < model.c * tails).sum())


def _best_share(model: Any, test: Test, count: np.ndarray, whole: float) -> float:
    return float(count.max() / whole)


def _best_weighed(model: Any, test: Test, count: np.ndarray, whole: float) -> float:
    assert test.lower is not None
    return float(count @ test.lower)


def _best_spread(model: Any, test: Test, count: np.ndarray, whole: float) -> float:
    assert test.last is not None
    upto = np.concatenate([[0.0], np.cumsum(count)])
    return _best_l(model, float(count.sum() / (upto[test.last + 1] - upto[:-1]).max()))


CONDITIONS: dict[str, ValueCondition] = {
    "frequency": ValueCondition(test=_share, best=_best_frequency),
    "distinct": ValueCondition(test=_distinct, best=_best_distinct),
    "entropy": ValueCondition(test=_entropy, best=_best_entropy),
    "recursive": ValueCondition(test=_recursive, best=_best_recursive),
    "largest-share": ValueCondition(test=_share, best=_best_share),
    "gain": ValueCondition(test=_gain),
    "ratio": ValueCondition(test=_ratio),
    "earth-mover": ValueCondition(test=_earth_mover),
    "spread": ValueCondition(test=_spread, best=_best_spread),
    "weighed": ValueCondition(test=_weighed, best=_best_weighed),
}
"""The conditions with a compiled test, by the names that models declare."""
