"""Proof of k-anonymity: no class is smaller than k."""

from __future__ import annotations

from amongst.models import KAnonymity
from amongst.verify.classes import Classes
from amongst.verify.verdict import Finding, Reached, counted


def k_anonymity(model: KAnonymity, classes: Classes) -> tuple[Reached, list[Finding]]:
    """Compare the smallest class with k. Small classes are counted, never shown."""
    smallest = classes.smallest
    ok = smallest >= model.k or classes.n_rows == 0
    reached = Reached(model.name, model.k, smallest, ok, model.words())
    if ok:
        return reached, []
    n_classes, n_rows = classes.below(model.k)
    finding = Finding(
        "k-anonymity",
        f"The published table is not {model.k}-anonymous.",
        f"{n_classes:,} of {classes.n_classes:,} classes, with {counted(n_rows, 'row')} in all, are smaller",
        f"generalize further or suppress these rows; as it is, k = {smallest} holds",
    )
    return reached, [finding]
