"""Re-identification: everybody in the data, known in full by the quasi-identifiers, looked for in the release."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np

from amongst.attack.boxes import Boxes
from amongst.attack.declared import Attack
from amongst.attack.finding import Finding, at_least, listed
from amongst.attack.fits import count_records
from amongst.attack.intruder import NO_ORIGINAL, Intruder
from amongst.attack.people import People, comparable
from amongst.attack.rate import Rate


def reidentification(boxes: Boxes, original: People, *, rows: bool = False) -> Finding:
    """Count the records that everybody of the original fits.

    The prosecutor's view: the intruder knows that somebody is in the data. Boxes that overlap, as local recoding makes
    them, hide people better than counts of equal labels say; kept columns that the intruder knows hide them worse.
    """
    names = comparable(original, boxes, "The original")
    k = boxes.threshold
    fitting = count_records(boxes, original, names)
    there = fitting > 0
    one, few = fitting == 1, there & (fitting < k)
    rates = (
        Rate("fit one record alone", float(one.sum()), original.n, k, original.sampled),
        Rate(f"fit fewer than {k} records", float(few.sum()), original.n, k, original.sampled),
        Rate("fit no record", float((~there).sum()), original.n, k, original.sampled),
    )
    middle = float(np.median(fitting[there])) if there.any() else 0.0
    chance = float(np.mean(1 / fitting[there])) if there.any() else 0.0
    told = [f"Fit one record alone: {rates[0].words} people."]
    told += [f"Fit fewer than {k:,} records: {rates[1].words}."] if k > 1 else []
    if there.any():
        told.append(
            f"In the middle somebody fits {at_least(middle, k)} records; picking one by lot is right "
            f"once in {1 / chance:,.1f} tries."
        )
    hits = np.flatnonzero(one if one.any() else few)
    return Finding(
        attack="re-identification",
        kind="singling out",
        title="Re-identification of people in the data",
        knows=f"That somebody is in the data, and their {listed(names)}.",
        works="The record of the person must be among those whose ranges, sets and nodes can stand for what is known; "
        f"tried for {'a sample of ' if original.sampled else 'all '}{original.n:,} people of the original.",
        achieved=tuple(told),
        lower="A larger k; or declare what the intruder knows as quasi-identifiers, if some of it is kept as it is.",
        succeeded=bool(few.any() or one.any()),
        rates=rates,
        figures={
            "median_candidates": int(middle) if middle >= k else None,
            "chance_of_right_guess": round(chance, 6),
        },
        rows=tuple(original.row[hits].tolist()) if rows else None,
        paper="Sweeney: k-anonymity, IJUFKS 2002; the prosecutor's view of Elliot and Dale",
    )


def _carry_out(intruder: Intruder) -> Iterator[Finding | str]:
    if intruder.original is None:
        yield NO_ORIGINAL
    else:
        people = intruder.original.sample(intruder.most, intruder.rng)
        yield reidentification(intruder.boxes, people, rows=intruder.rows)


ATTACK = Attack(
    name="re-identification",
    place=1,
    kind="singling out",
    words="Looks for everybody of the original in the release.",
    needs="the original",
    carry_out=_carry_out,
)
