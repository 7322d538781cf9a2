"""Worlds of a class that Mondrian did not cut."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from itertools import permutations

import numpy as np
import pyarrow as pa

from amongst.attack.boxes import Boxes
from amongst.attack.diverse import diverse
from amongst.attack.fits import candidates
from amongst.attack.people import People
from amongst.attack.worlds import ENOUGH, Weighed
from amongst.models import LDiversity
from amongst.published.known import known_labels

WORLDS = 2000
MOST_IN_FULL = 6
"""Of so many people all ways to deal out the values are looked at."""
MOST_CLASSES, MOST_MEMBERS = 200, 60


def weigh_cuts(
    boxes: Boxes, people: People, names: list[str], column: str, model: LDiversity, k: int, rng: np.random.Generator
) -> Weighed | str:
    """Strike out the worlds in which a class would have been cut along a numeric, date or ordered column.

    Mondrian tries all cuts of a column when values must be diverse, so a class that is left has none that both sides
    would hold. Up to 200 classes of at most 60 people are tried, and only those that nobody else fits.
    """
    lines = [place for name in names if (place := _places(boxes, name, people)) is not None]
    if not lines:
        return "no quasi-identifier has an order in which it could be cut"
    weighed = Weighed()
    for members, values in _classes(boxes, column, people, names, k, rng):
        _weigh(weighed, k, model, [place[members] for place in lines], values, rng)
    return weighed


def _places(boxes: Boxes, name: str, people: People) -> np.ndarray | None:
    """Where everybody lies in a column that has an order; None for other columns and where values are missing."""
    assert boxes.made.schema is not None
    known = known_labels(boxes.made.schema[name])
    if known.kind not in ("numeric", "date") and known.order is None:
        return None
    column = people.column(name)
    place = replace(known, nodes=None, listed=False).read(column.values.cast(pa.string())).lo[column.codes]
    return None if np.isnan(place).any() else place


def _classes(
    boxes: Boxes, column: str, people: People, names: list[str], k: int, rng: np.random.Generator
) -> list[tuple[np.ndarray, np.ndarray]]:
    """The people of some classes, and their true values."""
    fitting = np.flatnonzero((boxes.size >= 2 * k) & (boxes.size <= MOST_MEMBERS))
    chosen = fitting if len(fitting) <= MOST_CLASSES else np.sort(rng.choice(fitting, MOST_CLASSES, replace=False))
    part = boxes.take(chosen)
    pairs = list(candidates(part, people, names))
    if not pairs:
        return []
    box, person = np.concatenate([one for one, _ in pairs]), np.concatenate([one for _, one in pairs])
    order = np.argsort(box, kind="stable")
    members = np.split(person[order], np.cumsum(np.bincount(box, minlength=len(chosen)))[:-1])
    truth = people.truth(column, boxes.beliefs[column].values)
    alone = zip(members, part.size, strict=True)
    return [(one, truth[one]) for one, size in alone if len(one) == size and (truth[one] >= 0).all()]


def _weigh(
    weighed: Weighed,
    k: int,
    model: LDiversity,
    places: Sequence[np.ndarray],
    values: np.ndarray,
    rng: np.random.Generator,
) -> None:
    weighed.n_classes += 1
    cuts = [(np.argsort(place, kind="stable"), at) for place in places if len(at := _cuts(place, k))]
    if not cuts:
        return
    weighed.n_telling += 1
    distinct, code = np.unique(values, return_inverse=True)
    code = code.reshape(-1)
    count = np.bincount(code, minlength=len(distinct))
    worlds = _worlds(code, rng)
    left = np.ones(len(worlds), dtype=bool)
    for order, at in cuts:
        below = np.cumsum(worlds[:, order, None] == np.arange(len(distinct)), axis=1, dtype=np.int32)[:, at - 1]
        left &= ~(diverse(below, model) & diverse(count - below, model)).any(axis=1)
    n_left = int(left.sum())
    if n_left >= ENOUGH:
        seen = np.stack([(worlds[left] == value).sum(axis=0) for value in range(len(distinct))], axis=1)
        weighed.add(seen, n_left, np.tile(count / len(code), (len(code), 1)), code)


def _worlds(code: np.ndarray, rng: np.random.Generator) -> np.ndarray:
    """Values dealt out anew: in all ways where these are few, as often as makes many; else by lot."""
    if len(code) > MOST_IN_FULL:
        return rng.permuted(np.tile(code, (WORLDS, 1)), axis=1)
    ways = code[np.array(list(permutations(range(len(code)))))]
    return np.tile(ways, (-(-WORLDS // len(ways)), 1))


def _cuts(place: np.ndarray, k: int) -> np.ndarray:
    """How many people lie below every cut between two different values that leaves k on both sides."""
    in_order = np.sort(place)
    at = np.flatnonzero(np.diff(in_order) > 0) + 1
    return at[(at >= k) & (at <= len(place) - k)]
