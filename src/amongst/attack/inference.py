"""Inference: guessing a sensitive value from the records that somebody fits, beside the same for a control group."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np

from amongst.attack.boxes import Beliefs, Boxes
from amongst.attack.declared import Attack
from amongst.attack.finding import Finding, listed
from amongst.attack.fits import believed
from amongst.attack.people import People, comparable
from amongst.attack.rate import Rate, Risk
from amongst.attack.texts import texts_of

MOST_CELLS = 1 << 24
MANY_VALUES, MOST_NUMBERS = 50, 2000
NEAR = 0.05
"""A guessed number is right within this part of the true one, where there are more than MANY_VALUES."""


def inference(
    boxes: Boxes, column: str, original: People, control: People | None, *, beliefs: Beliefs | None = None
) -> Finding:
    """Guess everybody's value as the likeliest of the records they fit; count how often that is right.

    Paper: Giomi et al., PoPETs 2023, section 4.3. There the guess is the value of the nearest synthetic record. Here it
    is the commonest value of all records whose boxes hold the person, by their counts; in two tables by the shares of
    the groups. For columns of numbers with many values it is their median, right within 5 percent.
    """
    names = comparable(original, boxes, "The original")
    beliefs = coarse(beliefs or boxes.beliefs[column])
    k = boxes.threshold
    attack = Rate("guessed right in the release", _right(boxes, beliefs, original, names, column), original.n, k)
    naive = Rate("commonest value guessed", _right_for_all(beliefs, original, column), original.n, k)
    rates = [attack, naive]
    risk = Risk(attack, naive)
    against = "always guessing the same"
    if control is not None:
        beside = Rate(
            "guessed right in the control group", _right(boxes, beliefs, control, names, column), control.n, k
        )
        rates.insert(1, beside)
        risk, against = Risk(attack, beside), "the same guesses for people who are not in the release"
    told = [f"Guessed right: {attack.words}."]
    if control is not None:
        told.append(f"For people who are not in the release: {rates[1].words}.")
    same = "median" if are_numbers(beliefs) else "commonest value"
    told.append(f"Always guessing the {same}: {naive.words}.")
    told.append(f"What the release adds over {against}: {risk.words}.")
    return Finding(
        attack="inference",
        kind="inference",
        title="Inference of a sensitive value",
        knows=f"Of somebody in the data {listed(names)}.",
        works="The commonest value among the records that the person fits is the guess"
        + (f"; a number is right within {NEAR:.0%}" if are_numbers(beliefs) else "")
        + ".",
        achieved=tuple(told),
        lower="l-diversity by frequency or t-closeness. What is the same for people who are not in the release is "
        "knowledge about the population, which no model hides.",
        succeeded=risk.seen,
        rates=tuple(rates),
        risk=risk,
        column=column,
        paper="Giomi et al.: A Unified Framework for Quantifying Privacy Risk in Synthetic Data, PoPETs 2023",
    )


def coarse(beliefs: Beliefs) -> Beliefs:
    """Numbers with very many values as 2,000 of them, each for as many records; others as they are."""
    numbers = as_numbers(beliefs.values) if beliefs.n_values > MOST_NUMBERS else None
    if numbers is None:
        return beliefs
    order = np.argsort(numbers)  # NaN, for missing, goes last
    there = int((~np.isnan(numbers)).sum())
    below = np.cumsum(beliefs.total[order[:there]])
    part = np.full(len(numbers), MOST_NUMBERS, dtype=np.int64)
    part[order[:there]] = np.minimum(below * MOST_NUMBERS / below[-1], MOST_NUMBERS - 1).astype(np.int64)
    used, part = np.unique(part, return_inverse=True)
    part = part.reshape(-1)
    ends = [np.searchsorted(part[order], np.arange(len(used)), side) for side in ("left", "right")]
    middle = order[(ends[0] + ends[1]) // 2]
    values = [beliefs.values[int(i)] for i in middle]
    return Beliefs(values, beliefs.box, part[beliefs.value], beliefs.weight)


def are_numbers(beliefs: Beliefs) -> bool:
    """Whether a guess that is near is right."""
    return beliefs.n_values > MANY_VALUES and as_numbers(beliefs.values) is not None


def _right(boxes: Boxes, beliefs: Beliefs, people: People, names: list[str], column: str) -> float:
    """How many guesses are right."""
    right = 0
    for part in in_parts(people, beliefs.n_values):
        weight = believed(boxes, beliefs, part, names)
        right += int(guess_right(weight, beliefs, part, column).sum())
    return float(right)


def _right_for_all(beliefs: Beliefs, people: People, column: str) -> float:
    """How many are right when everybody is given the commonest value, or the median."""
    parts = in_parts(people, beliefs.n_values)
    return float(
        sum(int(guess_right(np.zeros((one.n, beliefs.n_values)), beliefs, one, column).sum()) for one in parts)
    )


def in_parts(people: People, n_values: int) -> Iterator[People]:
    """People, so many at a time that a table of them and all values fits into memory."""
    step = max(1, MOST_CELLS // max(n_values, 1))
    if people.n <= step:
        yield people
        return
    for at in range(0, people.n, step):
        yield people.take(np.arange(at, min(at + step, people.n)))


def guess_right(weight: np.ndarray, beliefs: Beliefs, people: People, column: str) -> np.ndarray:
    """Whether the guess is right for each; of values that are as likely the one that is commoner in the release."""
    if are_numbers(beliefs):
        return _near(weight, beliefs, people, column)
    total = beliefs.total / max(float(beliefs.total.sum()), 1.0)
    guess = np.argmax(weight + 1e-9 * total, axis=1)
    return np.asarray(guess == people.truth(column, beliefs.values))


def _near(weight: np.ndarray, beliefs: Beliefs, people: People, column: str) -> np.ndarray:
    numbers = as_numbers(beliefs.values)
    assert numbers is not None
    weight = np.where(weight.sum(axis=1, keepdims=True) > 0, weight, beliefs.total)
    weight[:, np.isnan(numbers)] = 0.0
    order = np.argsort(np.where(np.isnan(numbers), np.inf, numbers))
    below = np.cumsum(weight[:, order], axis=1)
    at = (below < below[:, -1:] / 2).sum(axis=1)
    guess = numbers[order][np.minimum(at, len(order) - 1)]
    values = people.column(column)
    texts = [None if gone else text for text, gone in zip(texts_of(values.values), values.null_like, strict=True)]
    own = as_numbers(texts)
    truth = own[values.codes] if own is not None else np.full(people.n, np.nan)
    return np.asarray(np.abs(guess - truth) <= NEAR * np.abs(truth))


def as_numbers(values: list[str | None]) -> np.ndarray | None:
    """Texts as numbers; None where one of them is none."""
    try:
        return np.array([np.nan if value is None else float(value) for value in values])
    except ValueError:
        return None


ATTACK = Attack(
    name="inference",
    place=6,
    kind="inference",
    words="Guesses sensitive values from the records that somebody fits.",
    needs="the original",
    carry_out=lambda intruder: intruder.guess_values(inference),
)
