"""Figures of the rows that match: COUNT, SUM, AVG, MIN, MAX, each with an estimate and bounds.

The bounds treat every row on its own: a row that matches for sure lies between the ends of its box, one that may
match is there or not. Where a whole class matches, its published mean and its attained ends narrow them.
"""

from __future__ import annotations

import math
from dataclasses import dataclass

import numpy as np

from amongst.errors import BadQuestion
from amongst.query.answer import Answer, Value
from amongst.query.group_column import GroupColumn
from amongst.query.line import EXACT
from amongst.query.matching import Matched, Matching
from amongst.query.matching_groups import within_groups
from amongst.query.open_release import OpenRelease, Rows
from amongst.query.question import All, Condition, Figure, Formula, simplified
from amongst.query.read_column import Asked

EPSILON = 2.3e-16


@dataclass(frozen=True, eq=False)
class Values:
    """A column of the rows that match.

    Attributes
    ----------
    sure, may : ndarray of int64
        How many rows of the original match for sure with a value, and how many more may.
    expected : ndarray of float64
        How many of them are expected to match with a value.
    mean : ndarray of float64
        Their mean by the estimate.
    can : ndarray of bool
    lo, hi : ndarray of float64
        Between which their values lie.
    whole_class : ndarray of int64
        The class, where all its rows match for sure; else -1.
    """

    sure: np.ndarray
    may: np.ndarray
    expected: np.ndarray
    mean: np.ndarray
    can: np.ndarray
    lo: np.ndarray
    hi: np.ndarray
    whole_class: np.ndarray


class Asking:
    """One formula put to a release: every figure of the rows that match it."""

    def __init__(self, release: OpenRelease, formula: Formula, names: list[str], rows: Rows | None = None) -> None:
        self.release, self.formula, self.names = release, formula, names
        self.rows = rows if rows is not None else release.rows(names)
        self.n_published = len(self.rows.size) - bool(release.n_suppressed)
        # What was suppressed is expected to be as what was published.
        n_rows = int(self.rows.size[: self.n_published].sum())
        self.scale = 1 + (release.n_suppressed or 0) / n_rows if n_rows else 1.0

    def answer(self, figure: Figure) -> Answer:
        if figure.function == "COUNT":
            return self._count(figure)
        assert figure.column is not None
        column = self.release.column(figure.column)
        _refuse_without_order(figure, column)
        values = self._values(figure.column)
        return FIGURES[figure.function](self, figure, column, values)

    def matched(self) -> Matched:
        """How the rows match."""
        return self._matching(self.formula).of(self.formula)

    def _matching(self, formula: Formula) -> Matching:
        columns = {name: self.release.column(name) for name in self.names}
        return Matching(formula, columns, self.rows.label_of_row, len(self.rows.size))

    def _count(self, figure: Figure) -> Answer:
        formula = self.formula
        if figure.column is not None:
            formula = simplified(All((formula, Condition(figure.column, "null", negated=True))))
        matching = self._matching(formula)
        expected, lower, upper = self.counts(matching.of(formula))
        grouped = self.release.grouped
        if grouped is not None and grouped in matching.divided:
            column = self.release.column(grouped)
            assert isinstance(column, GroupColumn)
            lower, upper = within_groups(matching, formula, grouped, column, self.rows.size, (lower, upper))
            expected = min(max(expected, lower), upper)
        return Answer(figure.words, expected, lower, upper, n_expected=expected)

    def counts(self, found: Matched) -> tuple[float, int, int]:
        """How many rows match by the estimate, at least and at most."""
        size = self.rows.size
        expected = float(found.share[: self.n_published] @ size[: self.n_published]) * self.scale
        lower, upper = int(self.rows.least[found.must].sum()), int(size[found.can].sum())
        return min(max(expected, lower), upper), lower, upper

    def _values(self, name: str) -> Values:
        matching = self._matching(self.formula)
        column = matching.divided[name]
        cells, label, n = column.cells, column.label_of_row, len(self.rows.size)
        expected, total = np.zeros(n), np.zeros(n)
        lo, hi = np.full(n, np.inf), np.full(n, -np.inf)
        can, must = np.zeros(n, dtype=bool), np.ones(n, dtype=bool)
        for cell in range(len(cells.truth)):
            found = matching.in_cell(self.formula, name, cell)
            here = cells.can[cell][label]
            if cells.null[cell]:
                must &= ~here
                continue
            both = here & found.can
            must &= ~here | found.must
            can |= both
            lo = np.where(both, np.fmin(lo, cells.lo[cell][label]), lo)
            hi = np.where(both, np.fmax(hi, cells.hi[cell][label]), hi)
            share = cells.share[cell][label] * found.share
            expected += share
            total += np.where(share > 0, share * np.nan_to_num(cells.mean[cell][label]), 0.0)
        must &= can
        size, sure = self.rows.size, np.where(must, self.rows.least, 0)
        mean = np.where(expected > 0, total / np.where(expected > 0, expected, 1), 0.0)
        published = np.arange(n) < self.n_published
        return Values(
            sure=sure,
            may=np.where(can, size - sure, 0),
            expected=expected * size * published,
            mean=mean,
            can=can,
            lo=lo,
            hi=hi,
            whole_class=self._whole_classes(must),
        )

    def _whole_classes(self, must: np.ndarray) -> np.ndarray:
        """The class of every row, where all rows of the class match for sure; columns published as they are divide
        classes, and nulls that match anything divide groups, so that nothing is known of the parts."""
        whole = np.full(len(must), -1, dtype=np.int64)
        if any(key.nulls == "match anything" for key in self.release.layout.keys):
            return whole
        keys = [self.rows.label_of_row[name] for name in self.names if name not in self.release.layout.others]
        keys += [np.unique(figure, return_inverse=True)[1].reshape(-1) for figure in self.rows.statistics.values()]
        if not keys:
            return whole
        class_of_row = np.unique(np.stack(keys, axis=1), axis=0, return_inverse=True)[1].reshape(-1)
        broken = np.bincount(class_of_row, ~must) > 0
        return np.where(broken[class_of_row], -1, class_of_row)

    def sums(self, name: str, values: Values) -> tuple[np.ndarray, np.ndarray, np.ndarray, np.ndarray]:
        """The sums of classes that match as a whole and publish their mean: lower, upper, rows; and which rows."""
        mean = self.rows.statistics.get(f"{name}_mean")
        used = np.zeros(len(values.sure), dtype=bool)
        if mean is None:
            return np.zeros(0), np.zeros(0), np.zeros(0), used
        used = (values.whole_class >= 0) & np.isfinite(mean)
        group = np.unique(values.whole_class[used], return_inverse=True)[1].reshape(-1)
        n_groups = int(group.max(initial=-1)) + 1
        count = np.bincount(group, values.sure[used], n_groups)
        total = np.bincount(group, mean[used] * values.sure[used], n_groups)
        column = self.release.column(name)
        if column.whole and np.abs(total).max(initial=0) < 2**50:
            return np.rint(total), np.rint(total), count, used
        # A mean is rounded, and so is the sum it was made of.
        widest = np.maximum(np.abs(values.lo[used]), np.abs(values.hi[used]))
        slack = EPSILON * (count + 4) * np.bincount(group, widest * values.sure[used], n_groups)
        return total - slack, total + slack, count, used


@np.errstate(over="ignore", invalid="ignore")
def _sum(asking: Asking, figure: Figure, column: Asked, values: Values) -> Answer:
    low, high, _, used = asking.sums(str(figure.column), values)
    sure, may = (values.sure > 0) & ~used, values.may > 0
    lower = low.sum() + (values.sure * values.lo)[sure].sum() + np.minimum((values.may * values.lo)[may], 0).sum()
    upper = high.sum() + (values.sure * values.hi)[sure].sum() + np.maximum((values.may * values.hi)[may], 0).sum()
    n_expected = float(values.expected.sum())
    estimate = ((low + high) / 2).sum() + (values.expected * values.mean)[~used].sum()
    return _told(
        figure,
        column,
        values=values,
        estimate=float(estimate * asking.scale),
        lower=lower,
        upper=upper,
        n_expected=n_expected,
    )


@np.errstate(over="ignore", invalid="ignore")
def _avg(asking: Asking, figure: Figure, column: Asked, values: Values) -> Answer:
    low, high, count, used = asking.sums(str(figure.column), values)
    sure, may = (values.sure > 0) & ~used, values.may > 0
    n_sure = count.sum() + values.sure[sure].sum()
    lowest, highest = ((values.sure * ends)[sure].sum() for ends in (values.lo, values.hi))
    lower = -_best_mean(-(low.sum() + lowest), n_sure, -values.lo[may], values.may[may])
    upper = _best_mean(high.sum() + highest, n_sure, values.hi[may], values.may[may])
    n_expected = float(values.expected.sum())
    total = ((low + high) / 2).sum() + (values.expected * values.mean)[~used].sum()
    estimate = float(total / n_expected) if n_expected > 0 else math.nan
    return _told(figure, column, values=values, estimate=estimate, lower=lower, upper=upper, n_expected=n_expected)


def _best_mean(total: float, count: float, value: np.ndarray, size: np.ndarray) -> float:
    """The largest mean of a sum over some rows and any of the others: the largest of those join first."""
    order = np.argsort(-value, kind="stable")
    totals = total + np.concatenate([[0.0], np.cumsum((value * size)[order])])
    counts = count + np.concatenate([[0.0], np.cumsum(size[order])])
    there = counts > 0
    with np.errstate(invalid="ignore"):
        means = totals[there] / counts[there]
    return float(np.nanmax(means)) if len(means) else math.nan


def _min(asking: Asking, figure: Figure, column: Asked, values: Values) -> Answer:
    turned = Values(
        sure=values.sure,
        may=values.may,
        expected=values.expected,
        mean=-values.mean,
        can=values.can,
        lo=-values.hi,
        hi=-values.lo,
        whole_class=values.whole_class,
    )
    estimate, lower, upper = _largest(asking, str(figure.column), turned)
    return _told(
        figure,
        column,
        values=values,
        estimate=-estimate,
        lower=-upper,
        upper=-lower,
        n_expected=float(values.expected.sum()),
    )


def _max(asking: Asking, figure: Figure, column: Asked, values: Values) -> Answer:
    estimate, lower, upper = _largest(asking, str(figure.column), values)
    return _told(
        figure,
        column,
        values=values,
        estimate=estimate,
        lower=lower,
        upper=upper,
        n_expected=float(values.expected.sum()),
    )


def _largest(asking: Asking, name: str, values: Values) -> tuple[float, float, float]:
    upper = float(values.hi[values.can].max(initial=-np.inf))
    told = asking.release.told
    attained = (values.whole_class >= 0) & (told is not None and name in told.attained)
    attained &= np.abs(values.hi) < EXACT  # beyond it the ends are not what was published
    least = np.where(attained, values.hi, values.lo)[values.sure > 0]
    lower = float(least.max(initial=-np.inf))
    if not values.sure.any():  # some row that can match has it, whichever it is
        lower = float(values.lo[values.can].min(initial=np.inf))
    likely = values.expected >= 0.5
    there = likely if likely.any() else values.expected == values.expected.max(initial=0.0)
    reached = values.hi[there & values.can & np.isfinite(values.hi)]
    return float(np.clip(reached.max(initial=-np.inf), lower, upper)), lower, upper


FIGURES = {"SUM": _sum, "AVG": _avg, "MIN": _min, "MAX": _max}


def _told(
    figure: Figure, column: Asked, values: Values, estimate: float, lower: float, upper: float, n_expected: float
) -> Answer:
    if not values.can.any():
        return Answer(figure.words, None, None, None, may_be_empty=True)
    lower, upper = _outwards(float(lower), float(upper), len(values.sure))
    if not math.isfinite(estimate):
        ends = [end for end in (lower, upper) if math.isfinite(end)]
        estimate = sum(ends) / len(ends) if ends else 0.0
    estimate = min(max(estimate, lower), upper)
    middle, low, high = (_value(figure, column, number) for number in (estimate, lower, upper))
    return Answer(figure.words, middle, low, high, may_be_empty=not values.sure.any(), n_expected=n_expected)


def _outwards(lower: float, upper: float, n_terms: int) -> tuple[float, float]:
    """Bounds with room for the rounding of sums, where whole numbers are too large to be added exactly."""
    if max(abs(end) if math.isfinite(end) else 0.0 for end in (lower, upper)) < EXACT:
        return lower, upper
    room = EPSILON * (n_terms + 4)
    return lower - abs(lower) * room, upper + abs(upper) * room


def _value(figure: Figure, column: Asked, number: float) -> Value:
    if not math.isfinite(number):
        return None
    if figure.function in ("MIN", "MAX") and column.sort != "number":
        said = column.said(number)
        return said if isinstance(said, (int, float, str)) else str(said)
    return number


def _refuse_without_order(figure: Figure, column: Asked) -> None:
    numbers_only = figure.function in ("SUM", "AVG")
    if column.sort == "number" or (column.sort in ("date", "order") and not numbers_only):
        return
    raise BadQuestion(
        f"{figure.function} cannot be asked of column {column.name!r}.",
        found="a column of names" if column.sort == "name" else f"a column of sort {column.sort!r}",
        fix="ask for COUNT, or for a column of numbers; the order of an ordered column is in the schema",
    )
