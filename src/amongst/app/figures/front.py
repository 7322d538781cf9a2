"""Candidates side by side: k against loss, which ones nothing beats, and which to take."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from amongst.app.figures.plain import plain, short
from amongst.compare.page import chart_point
from amongst.report.charts.front import front_chart
from amongst.report.charts.times import shown
from amongst.report.wording import percent

if TYPE_CHECKING:
    from amongst.compare.candidate import Outcome
    from amongst.compare.compare import Comparison

NAME = 48


def front_view(found: Comparison) -> dict[str, Any]:
    """Every candidate of a comparison as a point, with why it failed where it did.

    Examples
    --------
    >>> import amongst as am
    >>> from amongst.app.figures import front_view
    >>> patients = am.datasets.load("patients")
    >>> found = am.compare(patients.table, patients.schema, [am.KAnonymity(2)], ["mondrian", "datafly"], processes=1)
    >>> view = front_view(found)
    >>> [(point["name"], point["state"]) for point in view["points"]]
    [('mondrian', 'verified'), ('datafly', 'verified')]
    """
    return plain(
        {
            "title": short(found.title),
            "measure": found.measure,
            "seconds": found.seconds,
            "n_rows": found.n_rows,
            "columns": [short(name) for name in found.columns],
            "recommended": found.recommended,
            "reasons": found.reasons,
            "points": [_point(found, i, one) for i, one in enumerate(found.outcomes)],
            "drawing": _drawing(found),
        }
    )


def _drawing(found: Comparison) -> str | None:
    """What can be weighed against each other, as in the report; nothing where there is nothing."""
    made = [(i, one) for i, one in enumerate(found.outcomes) if one.comparable]
    return front_chart([chart_point(found, i, one) for i, one in made], found.measure) if made else None


def _point(found: Comparison, i: int, one: Outcome) -> dict[str, Any]:
    made, k = one.state == "verified", one.candidate.k
    n_gone, n_published = (int(one.figures.get(name, 0)) for name in ("n_suppressed", "n_published"))
    gone = n_gone / (n_gone + n_published) if n_gone + n_published else 0.0
    return {
        "index": i,
        "name": short(one.candidate.name, NAME),
        "method": one.candidate.method,
        "options": {name: short(value) for name, value in one.candidate.options.items()},
        "k": one.candidate.k,
        "models": [model.words() for model in one.candidate.models],
        "state": one.state,
        "why": one.why,
        "comparable": one.comparable,
        "loss": one.loss if made else None,
        "gcp": one.gcp if made else None,
        "error": one.error,
        "ncp": [one.ncp.get(name) for name in found.columns] if made else [],
        "on_front": i in found.front,
        "recommended": i == found.recommended,
        "classes": one.figures.get("n_classes"),
        "suppressed": (f"fewer than {k:,} rows" if 0 < n_gone < k else percent(gone)) if made else "",
        "seconds": one.seconds,
        "took": shown(one.seconds) if made else "",
    }
