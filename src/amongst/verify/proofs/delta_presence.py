"""Proof of delta-presence: the chance of being in the data lies within the bounds for everybody of a population."""

from __future__ import annotations

import math

import numpy as np

from amongst.models import DeltaPresence
from amongst.published.finding import Finding
from amongst.verify.evidence import Evidence
from amongst.verify.population import fit
from amongst.verify.sensitive import SLACK
from amongst.verify.verdict import Reached


def prove(model: DeltaPresence, evidence: Evidence) -> tuple[Reached, list[Finding]]:
    """The chance that somebody of the population is in the data lies within the bounds, for everybody."""
    fitting = fit(evidence, model.population)
    size = evidence.classes.size
    with np.errstate(divide="ignore"):
        chance = size / fitting.people
    reached = float(chance.max(initial=0.0))
    beyond = int((size > model.upper * fitting.people + SLACK).sum())
    below = int((size < model.lower * fitting.people - SLACK).sum())
    findings = []
    if beyond or below:
        as_it_is = f"; as it is, the largest chance is {reached:.6g}" if math.isfinite(reached) else ""
        findings.append(
            Finding(
                model.name,
                f"The chance of being in the data does not lie within {model.lower:g} and {model.upper:g}.",
                f"{beyond:,} of {len(size):,} classes above, {below:,} below",
                f"generalize further or suppress their rows{as_it_is}",
            )
        )
    if model.lower > 0 and fitting.n_outside:
        share = 100 * fitting.n_outside / max(fitting.n_people, 1)
        findings.append(
            Finding(
                model.name,
                "People of the population fit no published row, so they are known not to be in the data.",
                f"{share:.3g} % of the population",
                "generalize further, or ask for a lower bound of 0",
            )
        )
    return Reached(model.name, model.upper, reached, not findings, model.words()), findings
