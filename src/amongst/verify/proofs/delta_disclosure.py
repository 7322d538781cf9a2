"""Proof of delta-disclosure: the share of every value is near that in the table, as a ratio."""

from __future__ import annotations

import math

import numpy as np

from amongst.models import DeltaDisclosure
from amongst.published.finding import Finding
from amongst.verify.evidence import Evidence
from amongst.verify.histogram import Histogram
from amongst.verify.sensitive import SLACK, SQL_SLACK, Judged, prove_columns
from amongst.verify.verdict import Reached


def prove(model: DeltaDisclosure, evidence: Evidence) -> tuple[Reached, list[Finding]]:
    """The ratio of every share to that in the table lies within e^-delta and e^delta."""
    return prove_columns(model, evidence, _judge)


def sql(model: DeltaDisclosure, distance: str) -> str:
    """What must hold in a class, over its entries."""
    low, high = f"p * exp(-{model.delta!r}) * n - {SQL_SLACK}", f"p * exp({model.delta!r}) * n + {SQL_SLACK}"
    within = f"bool_and(c BETWEEN {low} AND {high})"
    return f"{within} AND count(*) = any_value(n_values)" if model.absent == "counted" else within


def _judge(model: DeltaDisclosure, histogram: Histogram) -> Judged:
    share = histogram.share[histogram.value_of_entry]
    whole = histogram.whole[histogram.class_of_entry]
    low, high = share * math.exp(-model.delta) * whole, share * math.exp(model.delta) * whole
    beyond = (histogram.count > high + SLACK) | (histogram.count < low - SLACK)
    fails = histogram.largest(beyond.astype(np.int8)) > 0
    reached = float(np.abs(np.log(histogram.own / share)).max(initial=0.0))
    if model.absent == "counted":
        absent = histogram.n_values < int((histogram.table > 0).sum())
        fails, reached = fails | absent, math.inf if absent.any() else reached
    return Judged(fails, reached)
