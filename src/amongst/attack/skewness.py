"""Skewness: classes that make a value far more likely for their people than it is for everybody."""

from __future__ import annotations

import numpy as np

from amongst.attack.declared import Attack
from amongst.attack.finding import Finding
from amongst.attack.rate import Rate
from amongst.attack.sensitive_boxes import Classes

FACTORS = (2, 5)


def skewness(classes: Classes, column: str, k: int) -> Finding:
    """Count the people for whom the class makes some value at least twice, or five times, as likely.

    Paper: Li, Li, Venkatasubramanian: *t-Closeness*, ICDE 2007, section 3.1, skewness attack.

    Choices: only values count that somebody of the class has; a class of k can raise a value that one person has to
    1/k, so very rare values rise a lot in every class: they count only where the class gives them at least 10 percent.
    """
    n = classes.n_records
    gain = classes.share / np.maximum(classes.overall[classes.value], 1e-300)
    told, rates = [], []
    for factor in FACTORS:
        entries = (gain >= factor) & (classes.share >= 0.1)
        hit = np.zeros(len(classes.size), dtype=bool)
        hit[classes.owner[entries]] = True
        rates.append(Rate(f"a value is {factor} times as likely", float(classes.records(hit)), n, k, sampled=False))
        told.append(
            f"Some value is at least {factor} times as likely as in the whole release: {rates[-1].words} people."
        )
    change = 0.5 * (
        np.bincount(classes.owner, np.abs(classes.share - classes.overall[classes.value])) + _absent(classes)
    )
    mean = float((change * classes.size).sum() / n) if n else 0.0
    told.append(
        f"On average {mean:.1%} of the probability moves from one value to another when the class is known "
        "(total variation)."
    )
    return Finding(
        attack="skewness",
        kind="inference",
        title="Skewness",
        knows="Somebody's class, and how common every value is in the whole release.",
        works="The shares of the class are compared with those of the release: the difference is what the class tells.",
        achieved=tuple(told),
        lower="t-closeness, beta-likeness or delta-disclosure, which bound that difference.",
        succeeded=rates[0].success > 0,
        rates=tuple(rates),
        figures={"mean_total_variation": round(mean, 6), "largest_gain": round(float(gain.max(initial=0.0)), 6)},
        column=column,
        paper="Li, Li, Venkatasubramanian: t-Closeness, ICDE 2007, section 3.1",
    )


def _absent(classes: Classes) -> np.ndarray:
    """What the release gives to the values that a class does not have."""
    there = np.bincount(classes.owner, classes.overall[classes.value], len(classes.size))
    return np.maximum(1 - there, 0.0)


ATTACK = Attack(
    name="skewness",
    place=11,
    kind="inference",
    words="Compares the shares of a class with those of the release.",
    carry_out=lambda intruder: intruder.each_value(skewness),
)
