"""Linkability: two parts of what is known about people, brought together through the release."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from amongst.attack.boxes import Boxes
from amongst.attack.declared import Attack
from amongst.attack.finding import Finding, listed
from amongst.attack.fits import candidates
from amongst.attack.people import People, comparable
from amongst.attack.rate import Rate, Risk

MOST_PEOPLE = 400
BLOCK = 8192


def linkability(
    boxes: Boxes,
    original: People,
    control: People | None,
    rng: np.random.Generator,
    parts: tuple[Sequence[str], Sequence[str]] | None = None,
) -> Finding | str:
    """Match two tables about the same people, one column set each, by the records that fit both; count right matches.

    Paper: Giomi et al., PoPETs 2023, section 4.2. There two parts belong together when their nearest synthetic records
    are the same. Here, of all second parts, the one is chosen for which the largest share of the records that fit it
    fit the first part too.

    Choices: as many people in both groups; of second parts that are as good one is taken by lot, which counts as its
    chance to be right.
    """
    names = comparable(original, boxes, "The original")
    first, second = parts if parts is not None else (names[::2], names[1::2])
    if not first or not second:
        return "it needs two quasi-identifiers at the least"
    n = min([MOST_PEOPLE, original.n] + ([control.n] if control is not None else []))
    if n < 2:
        return "it needs two people at the least"
    k = boxes.threshold
    people = original.sample(n, rng)
    attack = Rate("matched in the release", _matched(boxes, people, first, second), n, k)
    by_lot = Rate("matched by lot", 1.0, n)
    rates, risk = [attack, by_lot], Risk(attack, by_lot)
    told = [f"Matched right: {attack.words} people."]
    if control is not None:
        others = Rate("matched in the control group", _matched(boxes, control.sample(n, rng), first, second), n, k)
        rates.insert(1, others)
        risk = Risk(attack, others)
        told.append(f"The same for people who are not in the release: {others.words}.")
        told.append(f"What the release adds: {risk.words}.")
    else:
        told.append(f"By lot it would be 1 in {n:,}. What the release adds to that: {risk.words}.")
    return Finding(
        attack="linkability",
        kind="linkability",
        title="Two tables about the same people, matched through the release",
        knows=f"Two tables about {n:,} people who are in the data: one with {listed(first)}, one with "
        f"{listed(second)}.",
        works="Parts that many of the same records fit are taken to be about the same person.",
        achieved=tuple(told),
        lower="Coarser quasi-identifiers, or a larger k: the more records fit both parts, the less they tell.",
        succeeded=risk.seen,
        rates=tuple(rates),
        risk=risk,
        figures={"first": list(first), "second": list(second)},
        paper="Giomi et al.: A Unified Framework for Quantifying Privacy Risk in Synthetic Data, PoPETs 2023",
    )


def _matched(boxes: Boxes, people: People, first: Sequence[str], second: Sequence[str]) -> float:
    """How many people are matched with themselves; a tie of m counts 1/m."""
    n = people.n
    both, theirs = np.zeros((n, n)), np.zeros(n)
    for at in range(0, boxes.n_boxes, BLOCK):
        part = boxes.take(np.arange(at, min(at + BLOCK, boxes.n_boxes)))
        ours, others = (_fitting(part, people, names) for names in (first, second))
        weighed = others * part.size[:, None]
        both += ours.T @ weighed
        theirs += weighed.sum(axis=0)
    score = np.round(both / np.maximum(theirs, 1)[None, :], 9)
    best = score.max(axis=1, keepdims=True)
    ties = score == best
    return float((np.diag(ties) / ties.sum(axis=1)).sum())


def _fitting(boxes: Boxes, people: People, names: Sequence[str]) -> np.ndarray:
    """Which boxes can hold whom, by some columns."""
    fits = np.zeros((boxes.n_boxes, people.n), dtype=np.float32)
    for box, person in candidates(boxes, people, list(names)):
        fits[box, person] = 1
    return fits


ATTACK = Attack(
    name="linkability",
    place=4,
    kind="linkability",
    words="Brings two tables about the same people together through the release.",
    needs="the original",
    carry_out=lambda intruder: intruder.measure(linkability),
)
