"""Proof of t-closeness: every class is distributed nearly as the published table."""

from __future__ import annotations

import numpy as np

from amongst.models import TCloseness
from amongst.published.finding import Finding
from amongst.verify import earth_mover
from amongst.verify.evidence import Evidence
from amongst.verify.histogram import Histogram
from amongst.verify.sensitive import SLACK, SQL_SLACK, Judged, prove_columns, unjudged
from amongst.verify.verdict import Reached

DISTANCES = {"equal": earth_mover.equal, "ordered": earth_mover.ordered, "hierarchical": earth_mover.hierarchical}


def prove(model: TCloseness, evidence: Evidence) -> tuple[Reached, list[Finding]]:
    """Judge by the distance that is asked for, or that the column suggests."""
    return prove_columns(model, evidence, _judge)


def sql(model: TCloseness, distance: str) -> str | None:
    """What must hold in a class, over its entries, by the equal distance."""
    if distance != "equal":
        return None
    return f"(1 + sum(abs(c / n - p) - p)) / 2 <= {model.t!r} + {SQL_SLACK}"


def _judge(model: TCloseness, histogram: Histogram) -> Judged:
    values = histogram.values
    distance = model.distance or usual_distance(histogram)
    if distance != "equal" and values.hindrance:
        return unjudged(histogram, values.hindrance)
    if distance == "hierarchical" and values.tree is None:
        return unjudged(histogram, "it has no hierarchy here")
    apart = np.maximum(DISTANCES[distance](histogram), 0.0)
    return Judged(apart > model.t + SLACK, float(apart.max(initial=0.0)))


def usual_distance(histogram: Histogram) -> str:
    """Ordered for numbers, dates and ordered values, else by the hierarchy where there is one, else equal."""
    if histogram.values.kind in ("numeric", "date", "ordered"):
        return "ordered"
    return "equal" if histogram.values.tree is None and not histogram.values.hindrance else "hierarchical"
