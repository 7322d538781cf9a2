"""The page of a risk assessment: one HTML file that holds everything it shows."""

from __future__ import annotations

from typing import TYPE_CHECKING

from amongst.report.render import fill
from amongst.risk import words

if TYPE_CHECKING:
    from amongst.risk.figures import Risk


def render_risk(risk: Risk) -> str:
    """The risk as the text of one HTML file, without a script or anything outside of itself."""
    return fill(
        "risk.html",
        beside=__file__,
        risk=risk,
        inside=risk.inside,
        shown=risk.figures,
        below=risk.figures.prosecutor.highest <= (1 + 1e-12) / risk.k,
        names=words.headings(risk),
        measures=words.measures(risk),
        column_headings=words.COLUMN_HEADINGS,
        columns=words.columns(risk),
        minimal=words.minimal_sentences(risk),
        sets=words.sets(risk),
    )
