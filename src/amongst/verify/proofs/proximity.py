"""Proof of proximity: no range of the given width holds more than 1/l of a class."""

from __future__ import annotations

import math
from fractions import Fraction

import numpy as np

from amongst.models import Proximity
from amongst.published.finding import Finding
from amongst.verify.evidence import Evidence
from amongst.verify.histogram import Histogram
from amongst.verify.sensitive import SLACK, Judged, prove_columns, unjudged
from amongst.verify.verdict import Reached


def prove(model: Proximity, evidence: Evidence) -> tuple[Reached, list[Finding]]:
    """Of every value of a class, count those from it up to the width above it."""
    return prove_columns(model, evidence, _judge)


def _judge(model: Proximity, histogram: Histogram) -> Judged:
    values = histogram.values
    if values.hindrance or values.place is None:
        return unjudged(histogram, values.hindrance or "it has neither numbers nor dates")
    most = histogram.largest(_inside(histogram, model.width))
    fails = most > histogram.whole / model.l + SLACK
    return Judged(fails, float((histogram.whole / most).min(initial=math.inf)))


def _inside(histogram: Histogram, width: float) -> np.ndarray:
    """How many rows of its class lie from every entry's value to so much above it; a null is near itself alone."""
    place, m = histogram.values.place, histogram.values.n_values
    assert place is not None
    line = place[: m - histogram.values.has_null]
    reach = Fraction(width) if line.dtype == object else width * (1 + 1e-12)
    last = np.searchsorted(line, line + reach, side="right") - 1
    last = np.append(last, m - 1) if histogram.values.has_null else last
    key = histogram.class_of_entry * m + histogram.value_of_entry
    end = np.searchsorted(key, histogram.class_of_entry * m + last[histogram.value_of_entry], side="right")
    upto = np.concatenate([[0], np.cumsum(histogram.count)])
    return upto[end] - upto[np.arange(len(key))]
