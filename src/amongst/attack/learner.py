"""A learner against two tables: which value of a group belongs to whom, learned from all the groups together."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

import numpy as np

from amongst.attack.boxes import Beliefs, Boxes
from amongst.attack.declared import Attack
from amongst.attack.finding import Finding, listed
from amongst.attack.fits import believed
from amongst.attack.inference import guess_right, in_parts
from amongst.attack.intruder import NO_ORIGINAL, Intruder
from amongst.attack.people import People, comparable
from amongst.attack.rate import Rate, Risk
from amongst.published.tally import Distinct

ROUNDS, BALANCING = 30, 5
MOST_BINS = 20


def learner(boxes: Boxes, column: str, original: People, control: People | None = None) -> Finding:
    """Learn who has which value of a group with naive Bayes, and compare with guessing within the group.

    Paper: Kifer: *Attacks on Privacy and deFinetti's Theorem*, SIGMOD 2009. Anatomy's promise of 1/l rests on every
    assignment of a group's values to its rows being as likely as another (random worlds). But groups are not
    independent: from all of them together it can be learned which quasi-identifiers go with which values.

    Choices: fractional counts in place of the paper's sampling. Beliefs begin as the shares of the groups. In every
    round naive Bayes with add-one smoothing is trained on them; the new beliefs are its likelihoods, balanced so that
    every row has one value and every group all of its values (alternating scaling). Numbers are cut into 20 parts of as
    many rows.
    """
    names = comparable(original, boxes, "The original")
    before, after = boxes.beliefs[column], learned(boxes, boxes.beliefs[column])
    k = boxes.threshold
    worlds = Rate("guessed right within the groups", _right(boxes, before, original, names, column), original.n, k)
    attack = Rate("guessed right by the learner", _right(boxes, after, original, names, column), original.n, k)
    rates = [attack, worlds]
    risk = Risk(attack, worlds)
    told = [
        f"Guessed right by the learner: {attack.words}.",
        f"Guessed right from the groups alone (random worlds): {worlds.words}.",
        f"What learning adds: {risk.words}.",
    ]
    if control is not None and control.n:
        told.append("The control group is not in the tables, so there is no group to look into.")
    return Finding(
        attack="learner",
        kind="inference",
        title="A learner against two tables",
        knows=f"Both tables, and of somebody in the data {listed(names)}.",
        works="Naive Bayes is trained on the groups, each row with every value of its group by its share; the "
        "groups are filled anew with what it learned, round after round.",
        achieved=tuple(told),
        lower="A larger l. Whether generalized quasi-identifiers tell a learner less was not tried here.",
        succeeded=risk.seen,
        rates=tuple(rates),
        risk=risk,
        figures={"rounds": ROUNDS},
        column=column,
        paper="Kifer: Attacks on Privacy and deFinetti's Theorem, SIGMOD 2009",
    )


def learned(boxes: Boxes, beliefs: Beliefs) -> Beliefs:
    """The beliefs of a release of two tables after learning."""
    assert boxes.group is not None
    group = np.unique(boxes.group, return_inverse=True)[1].reshape(-1)
    features = [_bins(boxes.readings[name].columns[0]) for name in boxes.names]
    n_values = beliefs.n_values
    cell = group[beliefs.box] * n_values + beliefs.value  # a value of a group
    used, cell = np.unique(cell, return_inverse=True)
    cell = cell.reshape(-1)
    wanted = np.bincount(cell, beliefs.weight, len(used))
    size = boxes.size.astype(np.float64)
    weight = beliefs.weight.copy()
    for _ in range(ROUNDS):
        score = _naive_bayes(weight, beliefs, features)
        score -= _largest(score, beliefs.box, boxes.n_boxes)[beliefs.box]
        weight = np.exp(score)
        for _ in range(BALANCING):
            weight *= (wanted / np.maximum(np.bincount(cell, weight, len(used)), 1e-300))[cell]
            weight *= (size / np.maximum(np.bincount(beliefs.box, weight, boxes.n_boxes), 1e-300))[beliefs.box]
    return replace(beliefs, weight=weight)


def _naive_bayes(weight: np.ndarray, beliefs: Beliefs, features: list[np.ndarray]) -> np.ndarray:
    """The logarithm of how likely every entry is."""
    n_values = beliefs.n_values
    total = np.bincount(beliefs.value, weight, n_values)
    score = np.log((total + 1) / (total.sum() + n_values))[beliefs.value]
    for feature in features:
        n_bins = int(feature.max(initial=0)) + 1
        here = beliefs.value * n_bins + feature[beliefs.box]
        seen = np.bincount(here, weight, n_values * n_bins)
        score = score + np.log((seen[here] + 1) / (total[beliefs.value] + n_bins))
    return score


def _bins(column: Distinct) -> np.ndarray:
    """The values of a column as few numbers: names as they are, numbers in parts of as many boxes."""
    import pyarrow as pa

    kind = column.values.type
    if not (pa.types.is_integer(kind) or pa.types.is_floating(kind)) or column.n_codes <= MOST_BINS:
        return column.codes
    numbers = column.values.cast(pa.float64()).to_numpy(zero_copy_only=False)[column.codes]
    edges = np.unique(np.nanquantile(numbers, np.linspace(0, 1, MOST_BINS + 1)[1:-1]))
    return np.where(np.isnan(numbers), len(edges) + 1, np.searchsorted(edges, numbers, side="right"))


def _largest(score: np.ndarray, box: np.ndarray, n_boxes: int) -> np.ndarray:
    found = np.full(n_boxes, -np.inf)
    np.maximum.at(found, box, score)
    return found


def _right(boxes: Boxes, beliefs: Beliefs, people: People, names: list[str], column: str) -> float:
    right = 0
    for part in in_parts(people, beliefs.n_values):
        right += int(guess_right(believed(boxes, beliefs, part, names), beliefs, part, column).sum())
    return float(right)


def _carry_out(intruder: Intruder) -> Iterator[Finding | str]:
    if intruder.boxes.group is None:
        yield "it is for releases of two tables (anatomy)"
    elif intruder.original is None:
        yield NO_ORIGINAL
    else:
        sample = intruder.original.sample(intruder.most, intruder.rng)
        for column in intruder.boxes.beliefs:
            yield learner(intruder.boxes, column, sample)


ATTACK = Attack(
    name="learner",
    place=7,
    kind="inference",
    words="Learns from all groups who has which value.",
    needs="the original",
    carry_out=_carry_out,
)
