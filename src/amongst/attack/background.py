"""Background knowledge: an intruder who can rule out some values of a class."""

from __future__ import annotations

import numpy as np

from amongst.attack.declared import Attack
from amongst.attack.finding import Finding
from amongst.attack.rate import Rate
from amongst.attack.sensitive_boxes import Classes

RULED_OUT = (1, 2, 3)


def background(classes: Classes, column: str, k: int) -> Finding | str:
    """Count the people whose value is known once one, two or three others are ruled out.

    Paper: Machanavajjhala et al.: *l-Diversity*, ICDE 2006, section 1: with l distinct values an intruder needs l - 1
    damaging pieces of knowledge.

    Choices: the intruder knows the right things to rule out, which is the worst case. Classes with one value count as
    known with nothing ruled out, and are not counted here. Ruling out all values of the column but one is no attack:
    it is knowing the value.
    """
    ruled_out = [b for b in RULED_OUT if b < len(classes.values) - 1]
    if not ruled_out:
        return "it has two values at the most: who rules out one knows the other without any release"
    n, distinct = classes.n_records, classes.n_distinct
    some = distinct > 1
    rates = tuple(
        Rate(f"known after ruling out {b}", float(classes.records(some & (distinct <= b + 1))), n, k, sampled=False)
        for b in ruled_out
    )
    usual = int(np.sort(distinct)[len(distinct) // 2]) if len(distinct) else 0
    told = [
        f"With {b} value{'' if b == 1 else 's'} ruled out: {rate.words} people are known for sure, "
        "beside those whose class has one value."
        for b, rate in zip(ruled_out, rates, strict=True)
    ]
    return Finding(
        attack="background knowledge",
        kind="inference",
        title="Background knowledge",
        knows="Somebody's class, and values that this person does not have: from age, sex or what people tell.",
        works="Values that are ruled out are struck from the class; where one is left, it is the person's.",
        achieved=(*told, f"A class has {usual:,} different values in the middle."),
        lower="Distinct l-diversity, with a larger l: with l values in every class l - 1 must be ruled out.",
        succeeded=rates[0].success > 0,
        rates=rates,
        figures={"median_distinct_values": usual},
        column=column,
        paper="Machanavajjhala et al.: l-Diversity, ICDE 2006",
    )


ATTACK = Attack(
    name="background knowledge",
    place=10,
    kind="inference",
    words="Rules out values of a class.",
    carry_out=lambda intruder: intruder.each_value(background),
)
