"""Proof of k-anonymity: no class is smaller than k."""

from __future__ import annotations

from amongst.models import KAnonymity
from amongst.published.classes import Classes
from amongst.published.finding import Finding, counted
from amongst.verify.evidence import Evidence
from amongst.verify.verdict import Reached


def prove(model: KAnonymity, evidence: Evidence) -> tuple[Reached, list[Finding]]:
    """Compare the smallest class with k. Small classes are counted, never shown."""
    findings = too_small(model.name, model.k, evidence.classes)
    return Reached(
        model.name, model.k, evidence.classes.smallest, not findings, model.words(evidence.people is not None)
    ), findings


def too_small(code: str, k: int, classes: Classes) -> list[Finding]:
    """What is wrong where a class is smaller than k."""
    if classes.smallest >= k or classes.n_rows == 0:
        return []
    n_classes, n_rows = classes.below(k)
    return [
        Finding(
            code,
            f"The published table is not {k}-anonymous.",
            f"{n_classes:,} of {classes.n_classes:,} classes, with {counted(n_rows, 'row')} in all, are smaller",
            f"generalize further or suppress these rows; as it is, k = {classes.smallest} holds",
        )
    ]
