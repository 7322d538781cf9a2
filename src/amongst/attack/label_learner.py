"""A learner on labels: naive Bayes trained on the generalized table, tried on people in it and on others."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np

from amongst.attack.boxes import Beliefs, Boxes
from amongst.attack.declared import Attack
from amongst.attack.finding import Finding, listed
from amongst.attack.fits import fits_of_people
from amongst.attack.inference import coarse, guess_right, in_parts
from amongst.attack.intruder import Intruder
from amongst.attack.people import People, comparable
from amongst.attack.rate import Rate, Risk


def label_learner(boxes: Boxes, column: str, original: People, control: People | None) -> Finding:
    """Learn from labels which values go with which, and guess people's sensitive values.

    Paper: after Kifer, *Attacks on Privacy and deFinetti's Theorem*, SIGMOD 2009, and Cormode, *Personal Privacy vs
    Population Privacy*, KDD 2011: a classifier learned from the release guesses what its classes hide. A label counts
    for every value that it can stand for, by an equal part.
    """
    names = comparable(original, boxes, "The original")
    beliefs = coarse(boxes.beliefs[column])
    k = boxes.threshold
    ours = Rate("learned and guessed right", _right(boxes, beliefs, original, names, column), original.n, k)
    naive = Rate("commonest value guessed", _commonest(beliefs, original, column), original.n, k)
    rates, told = [ours, naive], [f"Guessed right by what was learned: {ours.words}."]
    told.append(f"Always guessing the commonest value: {naive.words}.")
    risk = Risk(ours, naive)
    if control is not None:
        beside = Rate("the same for others", _right(boxes, beliefs, control, names, column), control.n, k)
        rates.append(beside)
        risk = Risk(ours, beside)
        told.append(f"For people who are not in the release: {beside.words}.")
        told.append(f"What being in the release adds: {risk.words}.")
    return Finding(
        attack="label learner",
        kind="inference",
        title="A learner on the published labels",
        knows=f"The release, and of somebody {listed(names)}.",
        works="Naive Bayes is trained on the labels, each counted for every value that it can stand for.",
        achieved=tuple(told),
        lower="What is the same for people who are not in the release is knowledge about the population, which no "
        "model hides; t-closeness lowers both.",
        succeeded=control is not None and risk.seen,
        rates=tuple(rates),
        risk=risk,
        column=column,
        paper="Kifer, SIGMOD 2009; Cormode, KDD 2011",
    )


def _right(boxes: Boxes, beliefs: Beliefs, people: People, names: list[str], column: str) -> float:
    right = 0
    for part in in_parts(people, beliefs.n_values):
        right += int(guess_right(_likely(boxes, beliefs, part, names), beliefs, part, column).sum())
    return float(right)


def _likely(boxes: Boxes, beliefs: Beliefs, people: People, names: list[str]) -> np.ndarray:
    """How likely every value is for everybody, by naive Bayes with add-one smoothing."""
    total = beliefs.total
    score = np.tile(np.log((total + 1) / (total.sum() + beliefs.n_values)), (people.n, 1))
    for name in names:
        values = people.column(name)
        label_of_box, fits = fits_of_people(boxes, name, people)
        n_labels = len(fits)
        place = label_of_box[beliefs.box] * beliefs.n_values + beliefs.value
        of_label = np.bincount(place, beliefs.weight, n_labels * beliefs.n_values)
        part = fits / np.maximum(fits.sum(axis=1, keepdims=True), 1)
        seen = part.T @ of_label.reshape(n_labels, beliefs.n_values)  # values down, sensitive values across
        score += np.log((seen + 1) / (total + fits.shape[1]))[values.codes]
    return np.asarray(np.exp(score - score.max(axis=1, keepdims=True)))


def _commonest(beliefs: Beliefs, people: People, column: str) -> float:
    nothing = np.zeros((people.n, beliefs.n_values))
    return float(guess_right(nothing, beliefs, people, column).sum())


def _carry_out(intruder: Intruder) -> Iterator[Finding | str]:
    if intruder.boxes.group is not None:
        yield "two tables publish values as they are: the learner is for those"
        return
    yield from intruder.guess_values(label_learner)


ATTACK = Attack(
    name="label learner",
    place=17,
    kind="inference",
    words="Learns from generalized labels, and guesses values.",
    needs="the original",
    carry_out=_carry_out,
)
