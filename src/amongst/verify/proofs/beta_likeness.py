"""Proof of beta-likeness: no value gains much over its share in the table."""

from __future__ import annotations

import math

import numpy as np

from amongst.models import BetaLikeness
from amongst.published.finding import Finding
from amongst.verify.evidence import Evidence
from amongst.verify.histogram import Histogram
from amongst.verify.sensitive import SLACK, SQL_SLACK, Judged, prove_columns
from amongst.verify.verdict import Reached


def prove(model: BetaLikeness, evidence: Evidence) -> tuple[Reached, list[Finding]]:
    """No value gains more than beta times its share in the table."""
    return prove_columns(model, evidence, _judge)


def sql(model: BetaLikeness, distance: str) -> str:
    """What must hold in a class, over its entries."""
    gain = f"least({model.beta!r}, -ln(p))" if model.enhanced else repr(model.beta)
    return f"bool_and(c <= p * (1 + {gain}) * n + {SQL_SLACK})"


def _judge(model: BetaLikeness, histogram: Histogram) -> Judged:
    share = histogram.share[histogram.value_of_entry]
    whole = histogram.whole[histogram.class_of_entry]
    gain = histogram.own / share - 1
    most = np.full(len(gain), model.beta)
    reached = float(np.maximum(gain, 0).max(initial=0.0))
    if model.enhanced:
        bound = -np.log(share)
        most = np.minimum(most, bound)
        # Beyond this bound no beta helps.
        reached = math.inf if bool((histogram.count > share * (1 + bound) * whole + SLACK).any()) else reached
    beyond = histogram.count > share * (1 + most) * whole + SLACK
    return Judged(histogram.largest(beyond.astype(np.int8)) > 0, reached)
