"""Confident inference: guesses only where the release leaves little doubt; how many there are, and how many right."""

from __future__ import annotations

import numpy as np

from amongst.attack.boxes import Beliefs, Boxes
from amongst.attack.declared import Attack
from amongst.attack.finding import Finding, listed
from amongst.attack.fits import believed
from amongst.attack.inference import coarse, in_parts
from amongst.attack.people import People, comparable
from amongst.attack.rate import Rate, Risk

SURE = (0.8, 0.95, 1.0)
"""How likely a value must be by the records that somebody fits before it is guessed."""


def confident(boxes: Boxes, column: str, original: People, control: People | None) -> Finding:
    """Guess a value only where it is likely enough; count guesses and right ones, beside a control group.

    Paper: the point is that of Francis, Wagner: *Towards Better Attribute Inference Vulnerability Measures*, arXiv
    2507.01710: precision alone hides how few, or how many, are hit; so recall is told beside it. Who is guessed wrongly
    is harmed too.

    Departures: they join both to one figure and take as baseline what a model guesses that was trained on the original
    without the person; here both are told apart, at three levels of doubt, beside people who are not in the release.
    """
    names = comparable(original, boxes, "The original")
    beliefs = coarse(boxes.beliefs[column])
    k = boxes.threshold
    ours = _guesses(boxes, beliefs, original, names, column)
    theirs = None if control is None else _guesses(boxes, beliefs, control, names, column)
    rates, risks, told = [], [], []
    for i, sure in enumerate(SURE):
        guessed, right = ours[i]
        recall = Rate(f"guessed right where {sure:.0%} sure", right, original.n, k)
        precision = Rate(f"right among guesses that are {sure:.0%} sure", right, int(guessed), k)
        rates += [recall, precision]
        words = f"Where a value is {'certain' if sure == 1 else f'at least {sure:.0%} likely'}: "
        told.append(words + f"guessed right for {recall.words} people; of all such guesses right: {precision.words}.")
        if theirs is not None and control is not None:
            beside = Rate(f"the same for others, {sure:.0%} sure", theirs[i][1], control.n, k)
            rates.append(beside)
            risks.append(Risk(recall, beside))
            told.append(f"For people who are not in the release: {beside.words}.")
    risk = max(risks, key=lambda one: one.interval[0], default=None)
    return Finding(
        attack="confident inference",
        kind="inference",
        title="Guesses with little doubt",
        knows=f"Of somebody in the data {listed(names)}.",
        works="A value is guessed only where the records that the person fits make it likely enough. Recall is how "
        "many people are hit, precision how many of the guesses are right.",
        achieved=tuple(told),
        lower="l-diversity by frequency: no value has more than a share of 1 in l, so that none is guessed with more.",
        succeeded=bool(risk.seen) if risk is not None else ours[-1][1] > 0,
        rates=tuple(rates),
        risk=risk,
        column=column,
        paper="Francis, Wagner: Towards Better Attribute Inference Vulnerability Measures, arXiv 2507.01710",
    )


def _guesses(
    boxes: Boxes, beliefs: Beliefs, people: People, names: list[str], column: str
) -> list[tuple[float, float]]:
    """For every threshold how many are guessed, and how many of these rightly."""
    found = np.zeros((len(SURE), 2))
    for part in in_parts(people, beliefs.n_values):
        weight = believed(boxes, beliefs, part, names)
        total = weight.sum(axis=1)
        best = np.argmax(weight, axis=1)
        likely = np.divide(weight[np.arange(part.n), best], total, out=np.zeros(part.n), where=total > 0)
        right = best == part.truth(column, beliefs.values)
        for i, sure in enumerate(SURE):
            there = likely >= sure - 1e-12
            found[i] += there.sum(), (there & right).sum()
    return [(float(guessed), float(right)) for guessed, right in found]


ATTACK = Attack(
    name="confident inference",
    place=15,
    kind="inference",
    words="Guesses values only where there is little doubt.",
    needs="the original",
    carry_out=lambda intruder: intruder.guess_values(confident),
)
