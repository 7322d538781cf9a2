"""The page of a release of two tables: one HTML file that holds everything it shows."""

from __future__ import annotations

from typing import Any

from amongst.report.render import VERDICTS, fill


def render_anatomy(story: Any) -> str:
    """The release as the text of one HTML file, without a script or anything outside of itself.

    Parameters
    ----------
    story : AnatomyStory
    """
    from amongst.report.charts.class_sizes import class_size_chart

    sizes = story.class_sizes
    by_role = {role: [column.name for column in story.columns if column.role == role] for role in ROLES}
    return fill(
        "anatomy.html",
        story=story,
        verdict=VERDICTS[story.verdict],
        roles={ROLES[role]: names for role, names in by_role.items() if names},
        sizes=class_size_chart(sizes.sizes, sizes.counts),
        method={"method": story.method, **story.options},
    )


ROLES = {
    "quasi": "Published as they are (quasi-identifiers)",
    "keep": "Published beside them (kept)",
    "weight": "Published beside them (sampling weights)",
    "sensitive": "Published in the second table (sensitive)",
    "identifier": "Dropped (identifiers)",
}
