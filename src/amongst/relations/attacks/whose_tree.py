"""Re-identification: whose tree of rows it is."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np

from amongst.attack.declared import Attack
from amongst.attack.finding import Finding, at_least, listed
from amongst.attack.rate import Rate
from amongst.relations.attacks.intruder import NO_ORIGINAL, DatabaseIntruder


def whose_tree(intruder: DatabaseIntruder) -> Iterator[Finding | str]:
    """Count the persons whose published tree must be one of fewer than k, compared row by row.

    Paper: Nergiz, Clifton, Nergiz: MultiRelational k-Anonymity, TKDE 2009, theorem 1, tried instead of proved.
    """
    if intruder.known is None:
        yield NO_ORIGINAL
        return
    people, sampled = intruder.sample(intruder.known)
    size = np.bincount(intruder.shown.group)
    fits = np.array([int(size[one].sum()) for one in intruder.fitting(intruder.shown, people)])
    k, n = intruder.k, people.n
    one, few = fits == 1, (fits > 0) & (fits < k)
    rates = (
        Rate("fit one person alone", float(one.sum()), n, k, sampled),
        Rate(f"fit fewer than {k} persons", float(few.sum()), n, k, sampled),
        Rate("fit nobody", float((fits == 0).sum()), n, k, sampled),
    )
    told = [f"Fit one published person alone: {rates[0].words} persons."]
    told += [f"Fit fewer than {k:,}: {rates[1].words}."] if k > 1 else []
    told += [f"In the middle somebody fits {at_least(float(np.median(fits[fits > 0])), k)}."] if fits.any() else []
    yield Finding(
        attack="re-identification",
        kind="singling out",
        title="Whose tree it is",
        knows=f"All quasi-identifiers of somebody, in {listed(intruder.trees)}; rows may have been left out.",
        works="A published person is a candidate when all of her rows can be paired with rows that are known; tried "
        f"for {'a sample of ' if sampled else 'all '}{n:,} persons.",
        achieved=tuple(told),
        lower="A larger k; or say what is known of each table, so that the rest need not be alike.",
        succeeded=bool(one.any() or few.any()),
        rates=rates,
        paper="Nergiz, Clifton, Nergiz: MultiRelational k-Anonymity, TKDE 2009",
    )


ATTACK = Attack(
    name="re-identification",
    place=0,
    kind="singling out",
    words="Compares the trees of known persons with the published ones.",
    needs="the original tables",
    carry_out=whose_tree,
)
