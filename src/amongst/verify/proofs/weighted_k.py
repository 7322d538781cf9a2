"""Proof of k in the population: the published weights of every class, added up."""

from __future__ import annotations

import numpy as np

from amongst.models import WeightedK
from amongst.published.finding import Finding
from amongst.verify.evidence import Evidence
from amongst.verify.histogram import Histogram
from amongst.verify.sensitive import SLACK, Judged, prove_columns, unjudged
from amongst.verify.verdict import Reached


def prove(model: WeightedK, evidence: Evidence) -> tuple[Reached, list[Finding]]:
    """Every weight as often as it occurs in the class."""
    return prove_columns(model, evidence, _judge)


def _judge(model: WeightedK, histogram: Histogram) -> Judged:
    values = histogram.values
    if values.hindrance or values.place is None or values.kind != "numeric":
        return unjudged(histogram, values.hindrance or "it has no numbers")
    weight = np.maximum(np.nan_to_num(values.place.astype(np.float64)), 0.0)
    people = histogram.sum(histogram.count * weight[histogram.value_of_entry])
    return Judged(people < model.k * (1 - SLACK), float(people.min(initial=np.inf)))
