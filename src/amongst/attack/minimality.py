"""Minimality: what follows from a class not having been divided further."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

import numpy as np
import pyarrow as pa

from amongst.attack.boxes import Boxes
from amongst.attack.diverse import diverse
from amongst.attack.finding import Finding, listed
from amongst.attack.fits import candidates
from amongst.attack.people import People, comparable
from amongst.attack.rate import Rate, wilson
from amongst.models import KAnonymity, LDiversity
from amongst.verify.known import known_labels
from amongst.verify.tally import Distinct

METHODS = ("mondrian",)
"""Methods that divide a class as long as some cut along one column leaves both parts with everything that was asked."""
WORLDS, ENOUGH = 2000, 40
MOST_CLASSES, MOST_MEMBERS = 200, 60


def minimality(boxes: Boxes, column: str, people: People, rng: np.random.Generator) -> Finding | str:
    """Weigh the ways to give a class's values to its people by whether the method would have left it undivided.

    Paper: Wong, Fu, Wang, Pei: *Minimality Attack in Privacy Preserving Data Publishing*, VLDB 2007. The intruder knows
    the method, what it was asked for, and the quasi-identifiers of everybody. Where a cut would have left k people on
    both sides and was not made, one side would have failed l-diversity: that tells how the values lie.

    Choices: 2,000 worlds are drawn for every class, each an order of its values among its people; those in which some
    cut along a numeric, date or ordered column would have been allowed are struck out. What is left is the intruder's
    belief. It is said to exceed the class's own share only where Wilson's lower end does. Up to 200 classes of at most
    60 people are tried, those first in which k alone would have allowed a cut; classes of which too few worlds are left
    are not counted.
    """
    why = _not_for(boxes, column)
    if why:
        return why
    model = _model(boxes, column)
    assert model is not None
    names = comparable(people, boxes, "The original")
    lines = {name: place for name in names if (place := _places(boxes, name, people)) is not None}
    if not lines:
        return "no quasi-identifier has an order in which it could be cut"
    tried = _Tried()
    for members, values in _classes(boxes, column, people, names, rng):
        _try(tried, boxes.threshold, model, [place[members] for place in lines.values()], values, rng)
    k = boxes.threshold
    rate = Rate("believed beyond the share of the class", float(tried.n_raised), tried.n_people, k)
    certain = Rate("known for sure", float(tried.n_certain), tried.n_people, k)
    told = [
        f"A cut that k alone would allow was not made in {tried.n_telling:,} of {tried.n_classes:,} classes that "
        "were tried."
    ]
    if tried.n_people:
        told += [
            f"A value became likelier than it is in the class: {rate.words} people in these classes.",
            f"One value is left of several: {certain.words} people.",
            f"People's own values were believed with {tried.own_after / tried.n_people:.1%} on average; by the "
            f"shares of their class with {tried.own_before / tried.n_people:.1%}.",
        ]
    return Finding(
        attack="minimality",
        kind="inference",
        title="What it tells that a class was not divided",
        knows=f"The method, what it was asked for, and {listed(names)} of everybody.",
        works="Values are given to the people of a class in all ways; ways in which the method would have divided "
        "the class are struck out, and what is left is believed.",
        achieved=tuple(told),
        lower="A larger l than needed, so that beliefs stay below what is bearable; Hilbert or clustering "
        "methods, whose groups do not show which division failed; not telling method and options.",
        succeeded=tried.n_raised > 0,
        rates=(rate, certain),
        figures={
            "classes_tried": tried.n_classes,
            "classes_with_a_cut_not_made": tried.n_telling,
            "own_value_before": round(tried.own_before / max(tried.n_people, 1), 6),
            "own_value_after": round(tried.own_after / max(tried.n_people, 1), 6),
        },
        column=column,
        paper="Wong, Fu, Wang, Pei: Minimality Attack in Privacy Preserving Data Publishing, VLDB 2007",
    )


class _Tried:
    """What was counted over the classes."""

    n_classes = n_telling = n_people = n_raised = n_certain = 0
    own_before = own_after = 0.0


def _not_for(boxes: Boxes, column: str) -> str:
    if boxes.made.method not in METHODS:
        return "it is worked out for mondrian, whose cuts are known" + (
            f"; this release was made by {boxes.made.method}"
            if boxes.made.method
            else "; how this was made is not known"
        )
    others = [one for one in boxes.made.models if not isinstance(one, (KAnonymity, LDiversity))]
    if others:
        return "it is worked out for k-anonymity with l-diversity"
    if boxes.made.release is not None and boxes.made.release.target is not None:
        return "cuts were chosen by a target"
    if _model(boxes, column) is None:
        return f"nothing was asked of {column}, so no cut depends on its values, and not being cut tells nothing "
        "about them"
    return ""


def _model(boxes: Boxes, column: str) -> LDiversity | None:
    found = [one for one in boxes.made.models if isinstance(one, LDiversity) and one.column in (None, column)]
    return found[0] if len(found) == 1 and len(boxes.beliefs) == 1 else None


def _places(boxes: Boxes, name: str, people: People) -> np.ndarray | None:
    """Where everybody lies in a column that has an order; None for other columns and where values are missing."""
    assert boxes.made.schema is not None
    known = known_labels(boxes.made.schema[name])
    if known.kind not in ("numeric", "date") and known.order is None:
        return None
    column: Distinct = people.column(name)
    place = replace(known, nodes=None, listed=False).read(column.values.cast(pa.string())).lo[column.codes]
    return None if np.isnan(place).any() else place


def _classes(
    boxes: Boxes, column: str, people: People, names: list[str], rng: np.random.Generator
) -> list[tuple[np.ndarray, np.ndarray]]:
    """The people of some classes, and their true values; only classes that nobody else fits."""
    fitting = np.flatnonzero((boxes.size >= 2 * boxes.threshold) & (boxes.size <= MOST_MEMBERS))
    chosen = fitting if len(fitting) <= MOST_CLASSES else np.sort(rng.choice(fitting, MOST_CLASSES, replace=False))
    part = boxes.take(chosen)
    pairs = list(candidates(part, people, names))
    if not pairs:
        return []
    box, person = np.concatenate([one for one, _ in pairs]), np.concatenate([one for _, one in pairs])
    order = np.argsort(box, kind="stable")
    members = np.split(person[order], np.cumsum(np.bincount(box, minlength=len(chosen)))[:-1])
    truth = people.truth(column, boxes.beliefs[column].values)
    return [
        (one, truth[one])
        for one, size in zip(members, part.size, strict=True)
        if len(one) == size and (truth[one] >= 0).all()
    ]


def _try(
    tried: _Tried, k: int, model: LDiversity, places: Sequence[np.ndarray], values: np.ndarray, rng: np.random.Generator
) -> None:
    """Strike out the worlds in which the class would have been cut, and count what the others tell."""
    tried.n_classes += 1
    cuts = [(np.argsort(place, kind="stable"), at) for place in places if len(at := _cuts(place, k))]
    if not cuts:
        return
    tried.n_telling += 1
    distinct, code = np.unique(values, return_inverse=True)
    code = code.reshape(-1)
    worlds = rng.permuted(np.tile(code, (WORLDS, 1)), axis=1)
    left = np.ones(WORLDS, dtype=bool)
    for order, at in cuts:
        is_value = worlds[:, order, None] == np.arange(len(distinct))
        below = np.cumsum(is_value, axis=1, dtype=np.int32)[:, at - 1]
        above = np.bincount(code, minlength=len(distinct)) - below
        left &= ~(diverse(below, model) & diverse(above, model)).any(axis=1)
    if left.sum() < ENOUGH:
        return
    share = np.bincount(code, minlength=len(distinct)) / len(code)
    seen = np.stack([(worlds[left] == value).sum(axis=0) for value in range(len(distinct))], axis=1)
    low = np.array([[wilson(count, int(left.sum()))[0] for count in row] for row in seen.tolist()])
    tried.n_people += len(code)
    # Several hundred shares are looked at: what exceeds by a hair does so by chance.
    tried.n_raised += int((low > share + 0.05).any(axis=1).sum())
    tried.n_certain += int((seen == left.sum()).any(axis=1).sum()) if len(distinct) > 1 else 0
    tried.own_before += float(share[code].sum())
    tried.own_after += float((seen / left.sum())[np.arange(len(code)), code].sum())


def _cuts(place: np.ndarray, k: int) -> np.ndarray:
    """How many people lie below every cut between two different values that leaves k on both sides."""
    in_order = np.sort(place)
    at = np.flatnonzero(np.diff(in_order) > 0) + 1
    return at[(at >= k) & (at <= len(place) - k)]
