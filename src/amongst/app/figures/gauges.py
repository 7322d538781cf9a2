"""The four things one turns the knobs for: is somebody found, is something learned, what is lost, what is kept."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from amongst.app.figures.disclosed import disclosed_figures
from amongst.app.figures.kept import kept_share
from amongst.app.figures.plain import plain, short
from amongst.report.wording import hidden_count

if TYPE_CHECKING:
    from amongst.app.figures.disclosed import Known
    from amongst.release.release import Release


def gauges(release: Release, known: Known | None = None) -> dict[str, Any]:
    """The figures of the gauges; cheap enough to be worked out while a slider is dragged.

    Examples
    --------
    >>> import amongst as am
    >>> from amongst.app.figures.gauges import gauges
    >>> patients = am.datasets.load("patients")
    >>> told = gauges(am.anonymize(patients.table, patients.schema, [am.KAnonymity(2)], method="mondrian"))
    >>> round(told["found"], 3), told["learned"], told["groups"]
    (0.333, 0.0, 2)
    """
    utility, pair = release.utility, release.is_pair
    disclosed = [] if pair else disclosed_figures(release, known)
    n_published, n_groups = utility.n_published, utility.n_classes
    return plain(
        {
            "found": 1 / utility.smallest if utility.smallest and not pair else None,
            "found_mean": n_groups / n_published if n_published and not pair else None,
            "learned": disclosed[0]["share"] if disclosed else None,
            "learned_column": short(disclosed[0]["column"]) if disclosed else "",
            "lost": None if pair else utility.gcp,
            "lost_weighted": None if pair else utility.weighted_gcp,
            "kept": kept_share(release, known),
            "loss_of_column": {} if pair else dict(utility.ncp),
            "groups": n_groups,
            "published": n_published,
            "suppressed": hidden_count(utility.n_suppressed, release.threshold),
            "threshold": release.threshold,
            "smallest": utility.smallest,
        }
    )
