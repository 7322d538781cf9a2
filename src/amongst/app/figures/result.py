"""Everything that the page of a result shows."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from amongst.app.figures.distributions import distribution_figures
from amongst.app.figures.examples import example_questions
from amongst.app.figures.partition import partition_view
from amongst.app.figures.plain import plain, short
from amongst.app.figures.risk import risk_figures
from amongst.app.figures.sample import sample_view
from amongst.app.figures.sizes import size_figures
from amongst.report.charts.crowds import WIDTH
from amongst.report.charts.loss import loss_chart

if TYPE_CHECKING:
    from amongst.release.release import Release
    from amongst.report.story import Story

MOST_BARS = 16


def result_view(release: Release) -> dict[str, Any]:
    """The whole result as plain data; see the parts for what each tells.

    Examples
    --------
    >>> import amongst as am
    >>> from amongst.app.figures import result_view
    >>> patients = am.datasets.load("patients")
    >>> view = result_view(am.anonymize(patients.table, patients.schema, [am.KAnonymity(2)], method="mondrian"))
    >>> view["verdict"], [check["reached"] for check in view["checks"]]
    ('holds', ['k = 3'])
    """
    story = release.story()
    risk = risk_figures(release)
    pair = release.is_pair
    return plain(
        {
            "title": short(story.title),
            "method": story.method,
            "threshold": story.threshold,
            "verdict": story.verdict,
            "pair": pair,
            "checks": [
                {"words": check.words, "asked": check.asked, "reached": check.reached, "ok": check.ok}
                for check in story.checks
            ],
            "risk": None if pair else risk,
            "loss": None if pair else _loss(story),
            "sizes": None if story.class_sizes is None else size_figures(story.class_sizes, story.threshold),
            "distributions": distribution_figures(release, story),
            "sensitive": _sensitive(story),
            "partition": partition_view(release),
            "sample": sample_view(release),
            "questions": example_questions(release),
            "explanation": story.explanation,
            "caveats": story.caveats,
            "assumptions": story.assumptions,
        }
    )


def _loss(story: Story) -> dict[str, Any]:
    """What every column lost, most first, and those that lost most as a drawing."""
    falling = sorted(story.utility.ncp.items(), key=lambda pair: -pair[1])
    most = dict(falling[:MOST_BARS])
    return {
        "columns": [{"name": short(name), "loss": loss} for name, loss in falling],
        "n_drawn": len(most),
        "drawing": loss_chart(list(most), list(most.values()), average=story.utility.gcp, width=WIDTH),
        "gcp": story.utility.gcp,
        "least_gcp": story.utility.least_gcp,
        "least_is_exact": story.utility.least_is_exact,
    }


def _sensitive(story: Story) -> list[dict[str, Any]]:
    return [
        {"column": short(one.column), "distance": one.distance, "before": dict(one.before), "after": dict(one.after)}
        for one in story.sensitive
    ]
