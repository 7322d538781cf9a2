"""Homogeneity: classes in which everybody has the same value, so that nobody needs to know which record is whose."""

from __future__ import annotations

from amongst.attack.declared import Attack
from amongst.attack.finding import Finding
from amongst.attack.rate import Rate, share
from amongst.attack.sensitive_boxes import Classes


def homogeneity(classes: Classes, column: str, k: int) -> Finding:
    """Count the people of classes with one sensitive value, and how often guessing the commonest one is right.

    Paper: Machanavajjhala, Gehrke, Kifer, Venkitasubramaniam: *l-Diversity*, ICDE 2006, section 1.
    """
    same = classes.n_distinct == 1
    n = classes.n_records
    constant = len(classes.overall) == 1
    known = Rate("in classes with one value", 0.0 if constant else float(classes.records(same)), n, k, sampled=False)
    best = float((classes.largest * classes.size).sum()) / n if n else 0.0
    naive = float(classes.overall.max(initial=0.0))
    told = [
        f"Value known for sure: {known.words} people, in classes where all records have the same one.",
        f"Guessing the commonest value of the class is right for {share(best)} of the people; "
        f"guessing that of the whole release for {share(naive)}.",
    ]
    if constant:
        told[0] = "The column has one value in the whole release, so there is nothing to learn."
    return Finding(
        attack="homogeneity",
        kind="inference",
        title="Homogeneity",
        knows="That somebody is in the data, and enough to find their class.",
        works="The values of the class are read off: which record is whose does not matter where they agree.",
        achieved=tuple(told),
        lower="l-diversity with l of at least 2 leaves no such class; by frequency it bounds the guess by 1 in l.",
        succeeded=known.success > 0,
        rates=(known,),
        figures={"guess_by_class": round(best, 6), "guess_by_release": round(naive, 6)},
        column=column,
        paper="Machanavajjhala et al.: l-Diversity, ICDE 2006",
    )


ATTACK = Attack(
    name="homogeneity",
    place=9,
    kind="inference",
    words="Reads off classes in which everybody has the same value.",
    carry_out=lambda intruder: intruder.each_value(homogeneity),
)
