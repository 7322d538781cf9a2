"""Kept columns: the fewest of those published as they are that, known beside the rest, leave one record."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import combinations, islice

import numpy as np

from amongst.attack.boxes import Boxes
from amongst.attack.declared import Attack
from amongst.attack.finding import Finding, listed
from amongst.attack.rate import Rate
from amongst.published.tally import one_key

MOST_TOGETHER, MOST_SETS = 3, 60
TELLING = 0.05
"""Columns that leave this share of the records alone are named; sooner, the fewest that leave any."""


def kept_columns(boxes: Boxes) -> Finding | str:
    """Count the records that are alone with their class and their values of one, two or three columns.

    k promises that quasi-identifiers leave k records. An intruder who knows a visit, a wage or a test result as well
    knows more. The smallest set of such columns that leaves many records alone is looked for, by one column after the
    other and then by two and three, those that tell most first.
    """
    names = list(boxes.items.code)
    if not names:
        return "no column is published as it is"
    alone: dict[tuple[str, ...], int] = {(): _alone(boxes, ())}
    ranked = sorted(names, key=lambda name: (-_put(alone, boxes, (name,)), name))
    for size in range(2, MOST_TOGETHER + 1):
        for chosen in islice(combinations(ranked, size), MOST_SETS):  # of 1,500 columns there are 500 million threes
            _put(alone, boxes, chosen)
    telling = [chosen for chosen, n in alone.items() if n >= TELLING * boxes.n_records and n > 0]
    fewest = min(telling, key=lambda chosen: (len(chosen), -alone[chosen]), default=None)
    k = boxes.threshold
    rates, told = [], []
    for size in range(1, min(MOST_TOGETHER, len(names)) + 1):
        best = max((chosen for chosen in alone if len(chosen) == size), key=lambda chosen: alone[chosen])
        rates.append(Rate(f"alone with {size} known", float(alone[best]), boxes.n_records, k, sampled=False))
        told.append(f"With {listed(best)} known too: {rates[-1].words} records are alone.")
    if fewest:
        told.append(f"The fewest columns that leave {TELLING:.0%} of the records alone: {listed(fewest)}.")
    return Finding(
        attack="kept columns",
        kind="singling out",
        title="Columns that are published as they are",
        knows="Somebody's class, and a few of the columns that are published as they are.",
        works=f"Records of a class are told apart by up to {MOST_TOGETHER} of {len(names)} such columns; up to "
        f"{MOST_SETS} sets of each size were tried.",
        achieved=tuple(told),
        lower="Declare what others may know as a quasi-identifier, publish it coarser, or leave it out.",
        succeeded=alone[()] < max(alone.values()),
        rates=tuple(rates),
        figures={"fewest": list(fewest) if fewest else None, "columns": len(names)},
        paper="Sweeney: k-anonymity, IJUFKS 2002, on attributes left out of the quasi-identifier",
    )


def _alone(boxes: Boxes, chosen: Sequence[str]) -> int:
    """How many records are the only one of their class with their values of some columns."""
    items = boxes.items
    key = one_key([items.box, *(items.code[name] for name in chosen)], len(items.size))
    _, entry = np.unique(key, return_inverse=True)
    return int((np.bincount(entry.reshape(-1), items.size) == 1).sum())


def _put(alone: dict[tuple[str, ...], int], boxes: Boxes, chosen: tuple[str, ...]) -> int:
    alone[chosen] = _alone(boxes, chosen)
    return alone[chosen]


ATTACK = Attack(
    name="kept columns",
    place=16,
    kind="singling out",
    words="Looks for the fewest columns that, known beside the rest, leave one record.",
    carry_out=lambda intruder: [kept_columns(intruder.boxes)],
)
