"""Worlds of a full-domain recoding of which no finer one was published."""

from __future__ import annotations

import numpy as np

from amongst.attack.boxes import Boxes
from amongst.attack.diverse import diverse
from amongst.attack.fits import candidates
from amongst.attack.levels import finer_groups
from amongst.attack.people import People
from amongst.attack.worlds import ENOUGH, Weighed
from amongst.models import LDiversity

MOST_WORLDS, MOST_DRAWS = 2000, 10_000_000


def weigh_levels(
    boxes: Boxes, people: People, names: list[str], column: str, model: LDiversity, k: int, rng: np.random.Generator
) -> Weighed | str:
    """Strike out the worlds in which a recoding one level finer would have held l-diversity.

    A minimal recoding was published, so every recoding below it fails. Of those that hold k, one group at the least
    must fail l-diversity; values are dealt out anew within the published classes until that is so.
    """
    class_of = _class_of(boxes, people, names)
    truth = people.truth(column, boxes.beliefs[column].values)
    if class_of is None or (truth < 0).any():
        return "the original is not the whole of what was published"
    groups = finer_groups(boxes, people, names)
    if groups is None:
        return "the levels of its hierarchies cannot be read from the release"
    groups = [group for group in groups if np.bincount(group).min() >= k]
    weighed = Weighed()
    weighed.n_classes = boxes.n_boxes
    if not groups:
        return weighed
    weighed.n_telling = boxes.n_boxes
    n_values = boxes.beliefs[column].n_values
    seen, n_left = np.zeros((people.n, n_values)), 0
    in_class = np.argsort(class_of, kind="stable")
    at = np.arange(people.n)
    for _ in range(int(np.clip(MOST_DRAWS // max(people.n, 1), ENOUGH, MOST_WORLDS))):
        world = np.empty(people.n, dtype=np.int64)
        world[np.lexsort((rng.random(people.n), class_of))] = truth[in_class]
        if not any(_holds(group, world, n_values, model) for group in groups):
            seen[at, world] += 1
            n_left += 1
    if n_left >= ENOUGH:
        weighed.add(seen, n_left, _shares(class_of, truth, n_values), truth)
    return weighed


def _holds(group: np.ndarray, world: np.ndarray, n_values: int, model: LDiversity) -> bool:
    counts = np.bincount(group * n_values + world, minlength=(int(group.max()) + 1) * n_values)
    return bool(diverse(counts.reshape(-1, n_values), model).all())


def _shares(class_of: np.ndarray, truth: np.ndarray, n_values: int) -> np.ndarray:
    """The share of every value in everybody's class."""
    counts = np.bincount(class_of * n_values + truth, minlength=(int(class_of.max()) + 1) * n_values)
    counts = counts.reshape(-1, n_values)
    return np.asarray((counts / counts.sum(axis=1, keepdims=True))[class_of])


def _class_of(boxes: Boxes, people: People, names: list[str]) -> np.ndarray | None:
    """The one class that everybody fits; None where somebody fits none or several, or people are missing."""
    if people.n != boxes.n_records:
        return None
    class_of, times = np.zeros(people.n, dtype=np.int64), np.zeros(people.n, dtype=np.int64)
    for box, person in candidates(boxes, people, names):
        class_of[person] = box
        times += np.bincount(person, minlength=people.n)
    return class_of if (times == 1).all() else None
