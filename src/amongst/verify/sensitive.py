"""What all proofs about sensitive values share: every column a model speaks of, and what to say of failures."""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any

import numpy as np

from amongst.models import Model
from amongst.published.finding import Finding
from amongst.verify.evidence import Evidence
from amongst.verify.histogram import Histogram
from amongst.verify.verdict import Reached

SLACK = 1e-9
"""How far beyond a bound rounding may take a share or a count."""
SQL_SLACK = "1e-9"


@dataclass(frozen=True, eq=False)
class Judged:
    """One model on one column.

    Attributes
    ----------
    fails : ndarray of bool, one a class
    reached : float
        The best parameter that every class holds.
    hindrance : str
        Why nothing can be said, in words; empty when something can.
    """

    fails: np.ndarray
    reached: float
    hindrance: str = ""


def spelling_notes(n_joined_of_column: Mapping[str, int]) -> list[Finding]:
    """Where values were counted as one although they are written differently."""
    return [
        Finding(
            "spellings",
            f"Values of '{name}' that differ only in case, blanks or the like were counted as one.",
            f"{n_joined:,} spellings of other values",
            "write every value in one way",
        )
        for name, n_joined in n_joined_of_column.items()
        if n_joined
    ]


def unjudged(histogram: Histogram, hindrance: str) -> Judged:
    """Nothing can be said, and so nothing is proved."""
    return Judged(np.ones(histogram.n_classes, dtype=bool), math.nan, hindrance)


def prove_columns(
    model: Model, evidence: Evidence, judge: Callable[[Any, Histogram], Judged]
) -> tuple[Reached, list[Finding]]:
    """Judge every column that a model speaks of; the worst of them is what is reached."""
    names = evidence.columns_of(model)
    findings = _hindrances(model, evidence, names)
    judged = {} if findings else {name: judge(model, evidence.histograms[name]) for name in names}
    for name, one in judged.items():
        findings += _failures(model, name, one)
    reached = [one.reached for one in judged.values()]
    worst = min if model.larger_asks_more else max
    best = math.nan if not reached or any(map(math.isnan, reached)) else worst(reached)
    return Reached(model.name, model.asked, best, not findings, model.words(evidence.people is not None)), findings


def _hindrances(model: Model, evidence: Evidence, names: list[str]) -> list[Finding]:
    """Why nothing can be said of a model at all."""
    asked = model.columns_in(evidence.layout.schema)
    gone = [name for name in asked if name not in evidence.histograms]
    if gone:
        return [
            Finding(
                model.name,
                f"The {model.name} of a column that is not published cannot be proved.",
                "no column " + ", ".join(f"'{name}'" for name in gone),
                "publish it, or ask without it",
            )
        ]
    if not names:
        what = f"No sensitive column is of a kind that {model.name} speaks of."
        return [Finding(model.name, what, "no numbers and no dates", "name a numeric column")]
    if evidence.wild:
        return [
            Finding(
                model.name,
                "Sensitive values cannot be judged where a missing quasi-identifier matches anything.",
                "published nulls, which fit more than one class",
                'use nulls = "own value" or "suppress"',
            )
        ]
    return []


def _failures(model: Model, name: str, one: Judged) -> list[Finding]:
    if one.hindrance:
        what = f"The {model.name} of '{name}' cannot be proved: {one.hindrance}."
        return [Finding(model.name, what, "values that cannot be compared", "give the schema that made the release")]
    n_failing = int(one.fails.sum())
    if not n_failing:
        return []
    as_it_is = f"; as it is, {model.symbol} = {one.reached:.6g} holds" if math.isfinite(one.reached) else ""
    return [
        Finding(
            model.name,
            f"The published table does not hold {model.name} on '{name}', with {model.symbol} = {model.asked:g}.",
            f"{n_failing:,} of {len(one.fails):,} classes fail",
            f"generalize further or suppress their rows{as_it_is}",
        )
    ]
