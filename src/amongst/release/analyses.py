"""The user's own models as the inside documents tell them: nothing of categories that fewer than k rows have."""

from __future__ import annotations

import re
from dataclasses import replace
from typing import TYPE_CHECKING, Any

from amongst.report.story import AnalysisFacts
from amongst.report.wording import percent

if TYPE_CHECKING:
    from amongst.analysis.own_models import NotFitted
    from amongst.analysis.regression import Regression
    from amongst.release.release import Release

BRACKETS = re.compile(r"\[(?:[A-Z]\.)?([^\[\]]*)\]")
"""Where the name of a coefficient has a category: ``town[T.Ulm]``."""


def told_inside(release: Release) -> tuple[Regression | NotFitted, ...]:
    """The models, without coefficients of categories that fewer than the threshold have: they are about few."""
    from amongst.analysis.own_models import NotFitted

    return tuple(one if isinstance(one, NotFitted) else _without_rare(one, release) for one in release.analyses)


def analysis_facts(release: Release) -> tuple[AnalysisFacts, ...]:
    """The models as a report tells them."""
    if not release.request.formulas:
        return ()
    return tuple(_facts(one) for one in told_inside(release))


def facts_of(release: Release, formula: str) -> AnalysisFacts:
    """A model that was not asked for when the release was made, told in the same way."""
    from amongst.analysis.own_models import NotFitted, fit_all, refuse_formulas

    release.account.refuse("regression")
    original, schema = release.source.table, release.schema
    refuse_formulas([formula], original, schema)
    (found,) = fit_all(release, original, schema, [formula])
    return _facts(found if isinstance(found, NotFitted) else _without_rare(found, release))


def _facts(found: Regression | NotFitted) -> AnalysisFacts:
    from amongst.analysis.own_models import NotFitted
    from amongst.analysis.shown import headings_of, rows_of

    if isinstance(found, NotFitted):
        return AnalysisFacts(found.formula, found.why)
    share = "nothing can be compared" if found.overlap is None else f"{percent(found.overlap)} of the intervals kept"
    chance = "" if found.event is None else f", chance of {found.event!r}"
    rows = tuple(tuple(row) for row in rows_of(found))
    words = f"{share} ({found.family}{chance})"
    return AnalysisFacts(found.formula, words, tuple(headings_of(found)), rows, tuple(found.notes))


def _without_rare(found: Regression, release: Release) -> Regression:
    rare = _rare_names(release, found.formula)
    shown = [one for one in found.coefficients if not rare & set(BRACKETS.findall(one.name))]
    event = None if found.event in rare else found.event
    if len(shown) == len(found.coefficients) and event == found.event:
        return found
    who = "rows" if release.unit is None else "people"
    few = f"Categories that fewer than {release.threshold:,} {who} of the original have are not shown."
    return replace(found, coefficients=shown, event=event, notes=[*found.notes, few])


def _rare_names(release: Release, formula: str) -> set[str]:
    """The values that fewer than the threshold have, of the columns that a formula may speak of."""
    table, counted = release.source.table, release.unit
    names: set[str] = set()
    for name in table.column_names:
        if name not in formula or name == counted:
            continue
        how: Any = ([], "count_all") if counted is None else (counted, "count_distinct")
        found = table.group_by(name).aggregate([how])
        sizes = found.column("count_all" if counted is None else f"{counted}_count_distinct").to_pylist()
        values = found.column(name).to_pylist()
        names |= {
            text for value, n in zip(values, sizes, strict=True) if n < release.threshold for text in _texts(value)
        }
    return names


def _texts(value: Any) -> set[str]:
    """A value as names of coefficients may spell it."""
    return {str(value), str(float(value))} if isinstance(value, (int, float)) else {str(value)}
