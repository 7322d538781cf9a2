"""Regression on a release: coefficients with valid intervals, beside those of the original where that is at hand."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import asdict, dataclass, replace
from typing import Any

import numpy as np

from amongst.analysis.coarse import Coarse, CoarseTable, coarse_table
from amongst.analysis.family import family_of, with_event
from amongst.analysis.fit import FAMILIES, Fitted
from amongst.analysis.formula import Formula, read_formula
from amongst.analysis.impute import Completion
from amongst.analysis.rubin import Combined, combine
from amongst.brief import Brief
from amongst.errors import BadOption
from amongst.query.ask import open_any
from amongst.query.open_release import OpenRelease, open_original
from amongst.schema.schema import Schema

FIRST, APART = 20, 6
"""Turns before the first completed table, and between two of them."""
N_CHAINS = 10
"""Beginnings: where the release leaves open which of two answers it is, they differ, and so do the intervals."""


@dataclass(frozen=True)
class Estimate:
    """A coefficient with its confidence interval."""

    value: float
    error: float
    lower: float
    upper: float


@dataclass(frozen=True)
class Coefficient(Brief):
    """One line of a table of coefficients.

    Attributes
    ----------
    name : str
    released : Estimate or None
        From the release; None where the release has no such category.
    missing : float
        How much of the information on it the release does not have, between 0 and 1.
    original : Estimate, optional
        From the original, where it is at hand.
    overlap : float, optional
        How much the two intervals have in common: 1 if they are the same, 0 if they do not meet.
    """

    name: str
    released: Estimate | None
    missing: float
    original: Estimate | None = None
    overlap: float | None = None

    def brief(self) -> str:
        return "one of a model" if self.overlap is None else f"overlap {self.overlap:.2f}"  # its name may be a category


@dataclass(frozen=True)
class Regression(Brief):
    """What a regression on a release says.

    Attributes
    ----------
    formula : str
    family : {"linear", "logistic"}
    event : str or None
        The category whose chance a logistic model speaks of.
    level : float
        Of the intervals.
    coefficients : list of Coefficient
    n_rows, n_uncertain : int
        Published rows that were used, and those of them with a value that is not published as it is.
    n_tables : int
        Completed tables that the estimates were put together from; 1 where nothing was open.
    notes : list of str
        What a reader should know.
    """

    formula: str
    family: str
    event: str | None
    level: float
    coefficients: list[Coefficient]
    n_rows: int
    n_uncertain: int
    n_tables: int
    notes: list[str]

    @property
    def overlap(self) -> float | None:
        """The mean overlap of the intervals of release and original; None without the original."""
        shared = [one.overlap for one in self.coefficients if one.overlap is not None]
        return float(np.mean(shared)) if shared else None

    def __getitem__(self, name: str) -> Coefficient:
        return next(one for one in self.coefficients if one.name == name)

    def brief(self) -> str:
        beside = "" if self.overlap is None else f", {self.overlap:.0%} overlap with the original"
        return f"{self.formula}: {len(self.coefficients)} coefficients from {self.n_rows:,} rows{beside}"

    def to_dict(self) -> dict[str, Any]:
        return {**asdict(self), "overlap": self.overlap}


def regression(
    published: Any,
    formula: str,
    *,
    schema: Schema | Sequence[str] | None = None,
    original: Any = None,
    family: str | None = None,
    event: str | None = None,
    n_tables: int = 20,
    level: float = 0.95,
    seed: int = 0,
) -> Regression:
    """Fit a model to a release, with intervals that know what the release leaves open.

    Ranges, sets and nodes of hierarchies are not replaced by their middles: values are drawn from all that a label can
    mean, together with the model, many times, and the results are put together by Rubin's rules. Needs formulaic:
    ``pip install amongst[analysis]``.

    Parameters
    ----------
    published : path, table or Release
        A release folder, its data file, a published table of another tool, or a release in memory.
    formula : str
        Such as ``charges ~ age + C(region)``; names with other signs in backticks.
    schema : Schema or sequence of str, optional
        Of the release: manifests do not tell hierarchies and orders that name values. For a table without a manifest
        the names of the quasi-identifiers may do.
    original : table, optional
        The table the release was made of: its coefficients come beside those of the release, with the overlap.
    family : {"linear", "logistic"}, optional
        Left out: logistic where the response has two values, of names or 0 and 1.
    event : str, optional
        The category whose chance a logistic model speaks of; left out, the second of two.
    n_tables : int
        Completed tables to draw.
    level : float
        Of the confidence intervals.
    seed : int
        The same seed gives the same figures.

    Returns
    -------
    Regression

    Examples
    --------
    >>> import amongst as am
    >>> adult = am.datasets.load("adult")
    >>> release = am.anonymize(adult.table[:500], adult.schema, [am.KAnonymity(5)])
    >>> found = am.regression(release, "age ~ sex", n_tables=5)  # doctest: +SKIP
    >>> found["sex[T.Male]"].released.value > 0  # doctest: +SKIP
    True
    """
    _refuse(family, n_tables, level)
    opened = open_any(published, schema)
    read = read_formula(formula, opened.columns)
    table = coarse_table(opened, read.columns)
    if table.n_rows == 0:
        raise BadOption("No row has all columns of the formula.", found="0 rows", fix="use other columns")
    family, event = family_of(table.columns[read.response], read, family, event)
    table = with_event(table, read, event)
    fits, names = _fits(table, read, family, n_tables, seed)
    found = [
        Coefficient(name, estimate, float(missing))
        for (name, estimate, missing) in _estimates(names, _combined(fits), level)
    ]
    if original is not None:
        before = _fit_original(
            original, opened, schema=schema, formula=read, released=table, family=family, event=event, level=level
        )
        found = _beside(found, before)
    return Regression(
        formula=formula,
        family=family,
        event=event,
        level=level,
        coefficients=found,
        n_rows=table.n_rows,
        n_uncertain=table.n_uncertain,
        n_tables=len(fits),
        notes=_notes(table, opened),
    )


def interval_overlap(one: Estimate, other: Estimate) -> float:
    """How much two intervals have in common: the mean of the shares of each that lies in the other.

    A. F. Karr, C. N. Kohnen, A. Oganian, J. P. Reiter, A. P. Sanil, *A Framework for Evaluating the Utility of Data
    Altered to Protect Confidentiality*, The American Statistician 60, 2006; 0 where they do not meet.

    Examples
    --------
    >>> from amongst.analysis.regression import Estimate, interval_overlap
    >>> interval_overlap(Estimate(1, 0.5, 0, 2), Estimate(2, 0.5, 1, 3))
    0.5
    """
    common = max(0.0, min(one.upper, other.upper) - max(one.lower, other.lower))
    widths = [one.upper - one.lower, other.upper - other.lower]
    if min(widths) <= 0:
        return float(one.lower == other.lower and one.upper == other.upper)
    return sum(common / width for width in widths) / 2


def _refuse(family: str | None, n_tables: int, level: float) -> None:
    if family is not None and family not in FAMILIES:
        raise BadOption(
            "There is no such family of models.", found=f"family = {family!r}", fix=f"use {' or '.join(FAMILIES)}"
        )
    if not isinstance(n_tables, int) or n_tables < 2:
        raise BadOption("Intervals need several completed tables.", found=f"n_tables = {n_tables!r}", fix="use 20")
    if not 0 < level < 1:
        raise BadOption("A level lies between 0 and 1.", found=f"level = {level!r}", fix="use 0.95")


def _fits(table: CoarseTable, formula: Formula, family: str, n: int, seed: int) -> tuple[list[Fitted], list[str]]:
    """The model fitted to completed tables, from several beginnings; and the names of its coefficients."""
    fits: list[Fitted] = []
    names: list[str] = []
    for chain in range(N_CHAINS):
        completion = Completion(table, formula, family, np.random.default_rng([seed, chain]))
        names = completion.design.names
        if not completion.open:
            return [completion.fitted()], names
        fits += completion.run(len(range(chain, n, N_CHAINS)), FIRST, APART)
    return fits, names


def _combined(fits: list[Fitted]) -> Combined:
    free = float(fits[0].free) if fits[0].family == "linear" else 1e9  # the normal distribution
    return combine([one.beta for one in fits], [np.diag(one.covariance) for one in fits], free)


def _estimates(names: list[str], found: Combined, level: float) -> list[tuple[str, Estimate, float]]:
    lower, upper = found.interval(level)
    rows = zip(names, found.estimate, found.error, lower, upper, found.missing, strict=True)
    return [
        (name, Estimate(float(value), float(error), float(low), float(high)), missing)
        for name, value, error, low, high, missing in rows
    ]


def _fit_original(
    original: Any,
    opened: OpenRelease,
    schema: Schema | Sequence[str] | None,
    formula: Formula,
    released: CoarseTable,
    family: str,
    event: str | None,
    level: float,
) -> list[tuple[str, Estimate, float]]:
    known = schema if isinstance(schema, Schema) else opened.layout.schema
    table = coarse_table(open_original(original, known), formula.columns)
    own = {name: _in_order_of(column, released.columns[name]) for name, column in table.columns.items()}
    table = with_event(replace(table, columns=own), formula, event)
    completion = Completion(table, formula, family, np.random.default_rng(0))
    return _estimates(completion.design.names, _combined([completion.fitted()]), level)


def _in_order_of(column: Coarse, released: Coarse) -> Coarse:
    """The categories of the original in the order of those of the release, so that both leave out the same one."""
    if column.names is None or released.names is None:
        return column
    names = [*(name for name in released.names if name in column.names)]
    names += [name for name in column.names if name not in released.names]
    place = np.array([names.index(name) for name in column.names], dtype=np.float64)
    value = place[column.lo.astype(np.int64)]
    return replace(column, names=names, lo=value, hi=value)


def _beside(found: list[Coefficient], before: list[tuple[str, Estimate, float]]) -> list[Coefficient]:
    own = {one.name: one for one in found}
    lines = []
    for name, estimate, _ in before:
        one = own.pop(name, Coefficient(name, None, 1.0))
        overlap = 0.0 if one.released is None else interval_overlap(one.released, estimate)
        lines.append(replace(one, original=estimate, overlap=overlap))
    return [*lines, *own.values()]


def _notes(table: CoarseTable, opened: OpenRelease) -> list[str]:
    told = []
    if table.n_missing:
        told.append("Rows in which a value is missing are left out.")
    told += [
        f"Of {name!r} {n} categories that a label may mean are nobody's for sure: they are taken not to occur."
        for name, n in table.unseen.items()
    ]
    if opened.n_suppressed:
        told.append("Rows that were suppressed are not there: the model is of those that were published.")
    return told
