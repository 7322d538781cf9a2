"""Proof of (alpha, k)-anonymity: classes of k, in which no value has more than a share alpha."""

from __future__ import annotations

from amongst.models import AlphaK
from amongst.published.finding import Finding
from amongst.verify.evidence import Evidence
from amongst.verify.histogram import Histogram
from amongst.verify.proofs.k_anonymity import too_small
from amongst.verify.sensitive import SLACK, SQL_SLACK, Judged, prove_columns
from amongst.verify.verdict import Reached


def prove(model: AlphaK, evidence: Evidence) -> tuple[Reached, list[Finding]]:
    """No value has more than a share alpha, and no class is smaller than k."""
    reached, findings = prove_columns(model, evidence, _judge)
    small = too_small(model.name, model.k, evidence.classes)
    ok = reached.ok and not small
    return Reached(reached.model, reached.asked, reached.reached, ok, reached.words), [*small, *findings]


def sql(model: AlphaK, distance: str) -> str:
    """What must hold in a class, over its entries; k is counted apart."""
    return f"max(c) <= {model.alpha!r} * any_value(n) + {SQL_SLACK}"


def _judge(model: AlphaK, histogram: Histogram) -> Judged:
    most = histogram.largest(histogram.count)
    return Judged(most > model.alpha * histogram.size + SLACK, float((most / histogram.size).max(initial=0.0)))
