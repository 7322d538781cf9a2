"""Proof of k on every few quasi-identifiers."""

from __future__ import annotations

from itertools import combinations

from amongst.models import KOfSubsets
from amongst.published.classes import Classes, sizes_on
from amongst.published.finding import Finding
from amongst.verify.evidence import Evidence
from amongst.verify.verdict import Reached


def prove(model: KOfSubsets, evidence: Evidence) -> tuple[Reached, list[Finding]]:
    """Count the rows on every m quasi-identifiers, all that is published of each taken together."""
    layout, rows = evidence.layout, evidence.classes.tally
    names = list(dict.fromkeys(key.quasi for key in layout.keys))
    smallest, n_failing, n_subsets = [], 0, 0
    for subset in combinations(names, min(model.m, len(names))):
        keys = [key for key in layout.keys if key.quasi in subset]
        classes = Classes(rows, sizes_on(keys, layout, rows, evidence.classes.size, evidence.people))
        smallest.append(classes.smallest)
        n_failing += classes.smallest < model.k
        n_subsets += 1
    reached = min(smallest, default=0)
    ok = reached >= model.k or evidence.classes.n_rows == 0
    outcome = Reached(model.name, model.k, reached, ok, model.words(evidence.people is not None))
    if ok:
        return outcome, []
    finding = Finding(
        model.name,
        f"The published table is not {model.k}-anonymous on every {model.m} quasi-identifiers.",
        f"{n_failing:,} of {n_subsets:,} choices of {model.m} columns have smaller classes",
        f"generalize further or suppress their rows; as it is, k = {reached} holds",
    )
    return outcome, [finding]
