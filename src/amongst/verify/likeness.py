"""Proofs of models that bound the share of every value: (alpha, k), beta-likeness, delta-disclosure."""

from __future__ import annotations

import math

import numpy as np

from amongst.models import AlphaK, BetaLikeness, DeltaDisclosure
from amongst.published.finding import Finding
from amongst.verify.evidence import Evidence
from amongst.verify.histogram import Histogram
from amongst.verify.k_anonymity import too_small
from amongst.verify.sensitive import SLACK, Judged, prove_columns
from amongst.verify.verdict import Reached


def alpha_k(model: AlphaK, evidence: Evidence) -> tuple[Reached, list[Finding]]:
    """No value has more than a share alpha, and no class is smaller than k."""
    reached, findings = prove_columns(model, evidence, _alpha)
    small = too_small(model.name, model.k, evidence.classes)
    ok = reached.ok and not small
    return Reached(reached.model, reached.asked, reached.reached, ok, reached.words), [*small, *findings]


def _alpha(model: AlphaK, histogram: Histogram) -> Judged:
    most = histogram.largest(histogram.count)
    return Judged(most > model.alpha * histogram.size + SLACK, float((most / histogram.size).max(initial=0.0)))


def beta_likeness(model: BetaLikeness, evidence: Evidence) -> tuple[Reached, list[Finding]]:
    """No value gains more than beta times its share in the table."""
    return prove_columns(model, evidence, _beta)


def _beta(model: BetaLikeness, histogram: Histogram) -> Judged:
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


def delta_disclosure(model: DeltaDisclosure, evidence: Evidence) -> tuple[Reached, list[Finding]]:
    """The ratio of every share to that in the table lies within e^-delta and e^delta."""
    return prove_columns(model, evidence, _delta)


def _delta(model: DeltaDisclosure, histogram: Histogram) -> Judged:
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
