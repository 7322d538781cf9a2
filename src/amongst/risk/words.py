"""The risk of a table, in words and rows of a table: for the terminal and the page."""

from __future__ import annotations

from collections.abc import Callable

from amongst.report.wording import count, figure, hidden_count, percent
from amongst.risk.figures import MOST_LISTED, Risk, RiskFigures
from amongst.risk.reidentification import Reidentification

Row = tuple[str, str, list[str]]
"""A measure, what it means, and its figures: before and after, as far as they are there."""


def tables_of(risk: Risk) -> list[RiskFigures]:
    """Before and after, as far as they are there."""
    return [one for one in (risk.before, risk.after) if one is not None]


def headings(risk: Risk) -> list[str]:
    return [name for name, one in (("before", risk.before), ("after", risk.after)) if one is not None]


def measures(risk: Risk) -> list[Row]:
    """Every figure of the whole table."""
    k, both = risk.k, tables_of(risk)

    def row(name: str, meaning: str, told: Callable[[RiskFigures], str]) -> Row:
        return name, meaning, [told(one) for one in both]

    who = risk.figures.counted
    rows = [
        row("rows", "", lambda one: count(one.n_rows)),
        *([row("people", "", lambda one: count(one.n_people or 0))] if who == "people" else []),
        row("classes", "rows that cannot be told apart", lambda one: count(one.n_classes)),
        row(f"unique {who}", "alone with their quasi-identifiers", lambda one: hidden_count(one.uniques, k)),
        row(
            "prosecutor", "highest chance, of one known to be in the table", lambda one: percent(one.prosecutor.highest)
        ),
        row("", "on average", lambda one: percent(one.prosecutor.average)),
        row("", f"{who} above 1/{k:,}", lambda one: _at_risk(one.prosecutor, k)),
    ]
    if any(one.journalist is not None for one in both):
        rows += [
            row("journalist", "highest chance, of one of the population", _journalist(lambda j: percent(j.highest))),
            row("", "on average", _journalist(lambda j: percent(j.average))),
            row("", f"{who} above 1/{k:,}", _journalist(lambda j: _at_risk(j, k))),
        ]
    rows.append(row("marketer", "share expected to be found, when all are tried", lambda one: percent(one.marketer)))
    if any(one.uniques_in_population is not None for one in both):
        rows.append(row("unique too", f"{who} alone here and in the population", lambda one: _alone(one, k)))
    if any(one.fewest_in_population is not None for one in both):
        rows.append(row("smallest", "people of the population in a class, at least", lambda one: _fewest(one, k)))
    if any(one.population is not None for one in both):
        rows.append(row("population", "people alone in it, estimated", lambda one: _population(one, k)))
    return rows


def measured_first(risk: Risk) -> RiskFigures:
    """The table whose columns are shown: the original where it is there, for there people can be singled out."""
    return tables_of(risk)[0]


COLUMN_HEADINGS = ["column", "values", "distinction", "separation", "in minimal uniques"]


def columns(risk: Risk) -> list[list[str]]:
    """For every column what ``COLUMN_HEADINGS`` says; of two tables the first, since published labels may overlap."""
    shown = measured_first(risk)
    return [
        [
            one.columns[0],
            count(one.n_values),
            percent(one.distinction),
            percent(one.separation),
            _share(shown.contribution(one, risk.k)),
        ]
        for one in shown.columns
    ]


def sets(risk: Risk) -> list[list[str]]:
    """Sets of columns in which rows are alone, and in no smaller part of them."""
    shown = measured_first(risk).minimal.sets[:MOST_LISTED]
    return [[", ".join(names), hidden_count(n, risk.k)] for names, n in shown]


def minimal_sentences(risk: Risk) -> list[str]:
    """How many rows can be singled out by a few columns, before and after."""
    named = zip(headings(risk), tables_of(risk), strict=True)
    return [f"{name.capitalize()}: {_singled_out(one, risk.k)}" for name, one in named]


def _singled_out(one: RiskFigures, k: int) -> str:
    found = one.minimal
    if not found.n_rows:
        return f"no {'row' if one.n_people is None else 'person'} is alone in any set of up to {found.largest} columns."
    sizes = [f"{size} columns: {hidden_count(n, k)}" for size, n in found.rows_of_size.items() if n]
    return (
        f"{hidden_count(found.n_rows, k)} {one.counted} are alone in a set of up to {found.largest} columns. "
        f"{one.counted.capitalize()} with a "
        f"minimal set of {'; '.join(sizes).replace('1 columns', '1 column')}."
    )


def words_of(risk: Risk) -> str:
    """Everything as text."""
    lines = [f"{risk.title}: risk, at the threshold k = {risk.k:,} (1/k = {figure(1 / risk.k)})"]
    lines.append(f"  {'':<60}" + "".join(f"{name:>16}" for name in headings(risk)))
    for name, meaning, told in measures(risk):
        lines.append(f"  {name:<14}{meaning:<46}" + "".join(f"{text:>16}" for text in told))
    lines += ["", *_aligned([COLUMN_HEADINGS, *columns(risk)]), ""]
    lines += [f"  {sentence}" for sentence in minimal_sentences(risk)]
    lines += [f"    {names}: {n} {risk.figures.counted}" for names, n in sets(risk)]
    lines += [f"  assumed: {text}" for text in risk.assumptions]
    return "\n".join(lines)


def _aligned(rows: list[list[str]]) -> list[str]:
    widths = [max(len(row[i]) for row in rows) for i in range(len(rows[0]))]
    return ["  " + "  ".join(f"{cell:>{width}}" for cell, width in zip(row, widths, strict=True)) for row in rows]


def _at_risk(one: Reidentification, k: int) -> str:
    if 0 < one.n_at_risk < k:
        return f"fewer than {k:,}"
    return percent(one.share_at_risk)


def _journalist(told: Callable[[Reidentification], str]) -> Callable[[RiskFigures], str]:
    return lambda one: "–" if one.journalist is None else told(one.journalist)


def _alone(one: RiskFigures, k: int) -> str:
    number = one.uniques_in_population
    return "–" if number is None else f"fewer than {k:,}" if 0 < number < k else count(number)


def _fewest(one: RiskFigures, k: int) -> str:
    number = one.fewest_in_population
    return "–" if number is None else f"fewer than {k:,}" if number < k else count(number)


def _population(one: RiskFigures, k: int) -> str:
    if one.population is None:
        return "–"
    number = one.population.estimate
    return f"fewer than {k:,}" if 0 < number < k else f"{count(number)} ({one.population.chosen})"


def _share(share: float | None) -> str:
    return "–" if share is None else percent(share)
