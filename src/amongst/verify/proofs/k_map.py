"""Proof of k-map: every class fits enough people of a population."""

from __future__ import annotations

from amongst.models import KMap
from amongst.published.finding import Finding
from amongst.verify.evidence import Evidence
from amongst.verify.population import fit
from amongst.verify.verdict import Reached


def prove(model: KMap, evidence: Evidence) -> tuple[Reached, list[Finding]]:
    """Every class fits at least k people of the population."""
    people = fit(evidence, model.population).people
    small = people < model.k
    reached = int(people.min()) if len(people) else 0
    outcome = Reached(model.name, model.k, reached, not small.any(), model.words())
    if not small.any():
        return outcome, []
    finding = Finding(
        model.name,
        f"Some published rows fit fewer than {model.k} people of the population.",
        f"{int(small.sum()):,} of {len(people):,} classes",
        f"generalize further or suppress their rows; as it is, k = {reached} holds",
    )
    return outcome, [finding]
