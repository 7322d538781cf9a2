"""How easily people could be found in a table, before and after."""

from __future__ import annotations

import os
from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

import numpy as np

from amongst.errors import BadInput, BadOption
from amongst.published.layout import lay_out
from amongst.risk.attributes import column_risks
from amongst.risk.figures import Risk, RiskFigures
from amongst.risk.keys import Keys, code_column, keys_of
from amongst.risk.minimal_uniques import minimal_uniques
from amongst.risk.people import Known, people_in, sampled, weighed
from amongst.risk.population_uniques import population_uniques
from amongst.risk.reidentification import of_counted_people, over_all
from amongst.schema.schema import Schema

if TYPE_CHECKING:
    import pyarrow as pa

NO_POPULATION = (
    "Nothing is known of the population, so an intruder is taken to know who is in the table: marketer risk is that of "
    "the prosecutor on average."
)
ROWS_ARE_PEOPLE = "Every row is about another person."
PEOPLE_COUNTED = (
    "People are counted, not rows, by the column that tells them apart. Who has several rows has the highest of their "
    "chances."
)
ROWS_NOT_PEOPLE = (
    "The release counts people, but whose its rows are is not told here, so rows were counted: the chance of finding a "
    "person may be higher than what is shown."
)
NOT_MEASURED = (
    "Whose the rows of the release are is not told here, so it was not measured: its people would have to be counted."
)
KNOWN_COLUMNS = "The quasi-identifiers are all that an intruder can know, and are known without error."


def risk(
    table: Any,
    schema: Schema | Sequence[str] | None = None,
    *,
    original: Any = None,
    population: Any = None,
    fraction: float | None = None,
    weights: str | Any = None,
    unit: str | None = None,
    inside: str | os.PathLike[str] | None = None,
    k: int | None = None,
    largest: int | None = None,
) -> Risk:
    """Measure how easily people could be found in a table.

    Parameters
    ----------
    table : Release, release folder, path, pandas, polars or pyarrow table
        A release in memory is measured before and after; a table or file without a manifest is taken as it is.
    schema : Schema or sequence of str, optional
        The schema, or the names of the quasi-identifiers. A release folder tells it in its manifest.
    original : path, pandas, polars or pyarrow table, optional
        The table that a release folder was made of, to measure it before as well.
    population : path, pandas, polars or pyarrow table, optional
        Everybody, with the quasi-identifiers under the same names: whom an intruder may think of.
    fraction : float, optional
        The share of the population that is in the table, where the population itself is not at hand.
    weights : str or array, optional
        How many people of the population every row stands for: the name of a column, or numbers. Left out, the
        column with the role weight.
    unit : str, optional
        The column that tells people apart, where one has several rows.
    inside : path, optional
        Of a release folder that counts people: what was written inside with it, which tells whose its rows are. Left
        out, the folder beside it, ``<folder>.inside``.
    k : int, optional
        The threshold. Left out, that of the release, else 10.
    largest : int, optional
        Minimal uniques are looked for in sets of up to so many columns; left out, as many as take seconds.

    Returns
    -------
    Risk
        ``before``, ``after``, ``words()``, ``to_dict()``, ``to_html()``.

    Examples
    --------
    >>> import amongst as am
    >>> patients = am.datasets.load("patients")
    >>> release = am.anonymize(patients.table, patients.schema, [am.KAnonymity(2)], method="mondrian")
    >>> found = am.risk(release)
    >>> found.before.prosecutor.highest, round(found.after.prosecutor.highest, 3)
    (1.0, 0.333)
    """
    from amongst.risk.given import given

    k = _threshold(k)
    told = given(table, schema, original, inside)
    k = k or told.k or 10
    if sum(one is not None for one in (population, fraction, weights)) > 1:
        raise BadOption(
            "The population is told in more than one way.",
            found="more than one of population, fraction and weights",
            fix="give one of them",
        )
    if population is None and fraction is None and weights is None and isinstance(told.schema, Schema):
        weights = told.schema.weight
    about = {"population": population, "fraction": fraction, "weights": weights}
    unit = unit or told.unit
    untold = unit is not None and told.after is not None and told.person_of_row is None
    before = after = None
    if told.before is not None:
        before = _measure(told.before, told.schema, _person_of_row(told.before, unit), k, largest, raw=True, **about)
    if told.after is not None and not (untold and before is not None):  # rows are not put beside people
        by_name = isinstance(weights, str) and weights in told.after.column_names
        about["weights"] = weights if by_name or before is None else None  # its rows are in an order of their own
        after = _measure(told.after, told.schema, told.person_of_row, k, largest, raw=False, **about)
    said = _assumptions(population, fraction, weights)
    return Risk(told.title, k, before, after, (*_counted(unit, untold, before is not None), *said))


def _measure(
    table: pa.Table,
    schema: Schema | Sequence[str],
    person_of_row: np.ndarray | None,
    k: int,
    largest: int | None,
    *,
    raw: bool,
    **about: Any,
) -> RiskFigures:
    from amongst.published.open_published import open_published

    source = open_published(table)
    layout = lay_out(source, schema)
    _refuse_missing(layout.findings, table)
    keys = keys_of(table, layout, person_of_row)
    size, members = keys.size_of_class, keys.members_of_class
    known = _people(table, layout, keys, raw, **about)
    prosecutor = met = over_all(*keys.of_everybody(1 / size), k)
    if known is not None:
        met = over_all(*keys.of_everybody(known.chance), k)
    chance = 1 / size if known is None else known.chance
    alone, times = keys.of_everybody(size == 1)
    singles, pairs = column_risks(keys)
    return RiskFigures(
        n_rows=keys.n_rows,
        n_people=None if keys.people is None else keys.people.n_people,
        n_classes=len(members),
        smallest=int(size.min()),
        uniques=int(times[alone.astype(bool)].sum()),
        prosecutor=prosecutor,
        journalist=None if known is None else met if known.people is None else of_counted_people(met, known.people),
        marketer=met.average,
        population=population_uniques(members, known.fraction) if known is not None and known.people is None else None,
        uniques_in_population=None if known is None else known.uniques,
        columns=singles,
        pairs=pairs,
        minimal=minimal_uniques(keys, largest),
        chance_of_row=chance[keys.distinct[0]],
        fewest_in_population=None if known is None else known.fewest,
    )


def _people(
    table: pa.Table, layout: Any, keys: Keys, raw: bool, *, population: Any, fraction: float | None, weights: Any
) -> Known | None:
    if population is not None:
        return people_in(population, table, layout, keys, raw)
    if fraction is not None:
        return sampled(keys, fraction)
    return None if weights is None else weighed(keys, _numbers(table, weights))


def _numbers(table: pa.Table, weights: Any) -> np.ndarray:
    import pyarrow as pa

    if isinstance(weights, str):
        if weights not in table.column_names:
            raise BadOption(
                "There is no such column of weights.", found=f"'{weights}'", fix="name a column of the table"
            )
        weights = table.column(weights)
    try:
        if isinstance(weights, (pa.ChunkedArray, pa.Array)):
            weights = weights.cast(pa.float64()).to_numpy(zero_copy_only=False)
        numbers = np.asarray(weights, dtype=np.float64)
    except (pa.ArrowInvalid, pa.ArrowNotImplementedError, ValueError, TypeError):
        raise BadInput("Weights must be numbers.", found="cells that are none", fix="give one number a row") from None
    if numbers.shape != (table.num_rows,) or not np.isfinite(numbers).all() or (numbers <= 0).any():
        raise BadInput(
            "Weights must be positive numbers, one a row.",
            found=f"{len(numbers):,} weights for {table.num_rows:,} rows, some missing or not positive"
            if numbers.shape == (table.num_rows,)
            else f"{len(numbers):,} weights for {table.num_rows:,} rows",
            fix="give how many people of the population every row stands for",
        )
    return numbers


def _person_of_row(table: pa.Table, unit: str | None) -> np.ndarray | None:
    import pyarrow as pa

    if unit is None:
        return None
    if unit not in table.column_names:
        raise BadOption(
            "There is no such column to tell people apart.", found=f"'{unit}'", fix="name a column of the table"
        )
    if pa.types.is_nested(table.schema.field(unit).type):
        raise BadOption(
            "The column that tells people apart has lists or records for cells.",
            found=f"'{unit}' has the type {table.schema.field(unit).type}",
            fix="name a column with one text, number or date a person",
        )
    return code_column(table.column(unit))[0].astype(np.uint32)


def _refuse_missing(findings: Sequence[Any], table: pa.Table) -> None:
    for finding in findings:
        if finding.code == "missing-column":
            raise BadInput(finding.what, found=finding.found, fix="name quasi-identifiers that the table has")


def _threshold(k: int | None) -> int | None:
    if k is not None and (isinstance(k, bool) or not isinstance(k, int) or k < 1):
        raise BadOption("k is a whole number of at least 1.", found=f"k = {k!r}", fix="use k=10")
    return k


def _counted(unit: str | None, untold: bool, before: bool) -> list[str]:
    """What is counted: rows or people; and what could not be."""
    if unit is None:
        return [ROWS_ARE_PEOPLE]
    if untold and not before:
        return [ROWS_NOT_PEOPLE]
    return [PEOPLE_COUNTED, *([NOT_MEASURED] if untold else [])]


def _assumptions(population: Any, fraction: float | None, weights: Any) -> tuple[str, ...]:
    if population is not None:
        told = "The population table holds everybody whom an intruder may think of, and everybody in the table."
    elif fraction is not None:
        told = (
            f"The table is a simple random sample, {fraction:.6g} of the population; classes follow the models named."
        )
    elif weights is not None:
        told = (
            "A weight is the number of people of the population that a row stands for; given the rows of a class its "
            "people are taken as negative binomial (Benedetti and Franconi)."
        )
    else:
        told = NO_POPULATION
    return KNOWN_COLUMNS, told
