"""How well the values of a sensitive column are hidden within classes, whatever was asked for."""

from __future__ import annotations

from dataclasses import asdict, dataclass
from typing import Any

import numpy as np

from amongst.encode.coded import CodedColumn
from amongst.measure.closeness import distances
from amongst.measure.value_counts import ValueCounts, value_counts

RECURSIVE_C = 2.0
"""The c of the recursive l-diversity that is measured."""


@dataclass(frozen=True)
class ValueFigures:
    """The worst class of a table, by every measure.

    Attributes
    ----------
    l_frequency, l_distinct, l_entropy, l_recursive : float
        The largest l that holds, in each sense; recursive with c = 2.
    t : float
        The largest distance of a class to the table.
    beta, delta : float
        The smallest of beta-likeness (basic), and of delta-disclosure where absent values are ignored.
    """

    l_frequency: float
    l_distinct: int
    l_entropy: float
    l_recursive: int
    t: float
    beta: float
    delta: float

    def to_dict(self) -> dict[str, Any]:
        return asdict(self)


@dataclass(frozen=True)
class SensitiveFigures:
    """One sensitive column before and after.

    Attributes
    ----------
    column : str
    kind : {"numeric", "date", "ordered", "categorical"}
        That of the values that are published.
    distance : {"equal", "ordered", "hierarchical"}
        The one that t is measured with in the release.
    n_values : int
        How many different values the input has, a missing one among them.
    before, after : ValueFigures
        Of the classes of the input, which are rows that are equal in all quasi-identifiers; and of the published ones.
    """

    column: str
    kind: str
    distance: str
    n_values: int
    before: ValueFigures
    after: ValueFigures

    def to_dict(self) -> dict[str, Any]:
        return asdict(self)


def measure_column(
    column: CodedColumn,
    shown: CodedColumn,
    distances: tuple[str, str],
    divisions: tuple[tuple[np.ndarray, int], tuple[np.ndarray, int]],
    unit: np.ndarray | None = None,
    weight: np.ndarray | None = None,
) -> SensitiveFigures:
    """Measure one column on two divisions of the rows, each given as the class of every row (-1: left out) and their
    number: before with the values of the input, after with those that are published (``shown``). With ``unit`` people
    are counted, not rows; with ``weight`` a row stands for so many.
    """
    figures = [
        measure_classes(one, distance, *division, unit, weight)
        for one, distance, division in zip((column, shown), distances, divisions, strict=True)
    ]
    n_values = int((np.bincount(column.codes, minlength=column.n_codes) > 0).sum())
    return SensitiveFigures(column.name, shown.kind, distances[1], n_values, *figures)


def measure_classes(
    column: CodedColumn,
    distance: str,
    class_of_row: np.ndarray,
    n_classes: int,
    unit: np.ndarray | None = None,
    weight: np.ndarray | None = None,
) -> ValueFigures:
    """The figures of one division of the rows."""
    counts = value_counts(class_of_row, n_classes, column.codes, column.n_codes, unit, weight)
    if not len(counts.count):
        return ValueFigures(l_frequency=0.0, l_distinct=0, l_entropy=0.0, l_recursive=0, t=0.0, beta=0.0, delta=0.0)
    ratio = counts.own / counts.share[counts.value]
    most = np.maximum.reduceat(counts.count, counts.first)
    spread = -np.add.reduceat(counts.own * np.log(counts.own), counts.first)
    return ValueFigures(
        l_frequency=float((counts.size / most).min()),
        l_distinct=int(np.diff(np.append(counts.first, len(counts.count))).min()),
        l_entropy=float(np.exp(spread.min())),
        l_recursive=_recursive(counts),
        t=float(max(distances(counts, column, distance).max(), 0.0)),
        beta=float(max(ratio.max() - 1, 0.0)),
        delta=float(np.abs(np.log(ratio)).max()),
    )


def _recursive(counts: ValueCounts) -> int:
    """The largest l for which the most frequent value has fewer rows than c times all from the l-th on."""
    order = np.lexsort((-counts.count, counts.class_of))
    falling = counts.count[order]
    upto = np.cumsum(falling) - falling
    tail = counts.whole[counts.class_of] - (upto - upto[counts.first][counts.class_of])
    holds = falling[counts.first][counts.class_of] < RECURSIVE_C * tail
    return int(np.add.reduceat(holds, counts.first, dtype=np.int64).min())
