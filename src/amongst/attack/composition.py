"""Composition: two or more releases about the same people, read together."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

import numpy as np

from amongst.attack.boxes import Beliefs, Boxes, beliefs_of, one_spelling
from amongst.attack.declared import Attack
from amongst.attack.finding import Finding, listed
from amongst.attack.fits import believed
from amongst.attack.inference import in_parts
from amongst.attack.intruder import Intruder
from amongst.attack.people import People, comparable
from amongst.attack.rate import Rate
from amongst.published.meaning import meant
from amongst.published.tally import one_key


def composition(releases: Sequence[Boxes], people: People, *, rows: bool = False) -> Finding | str:
    """Count the people whom all releases together pin down, though each of them alone does not.

    Paper: Ganta, Kasiviswanathan, Smith: *Composition Attacks and Auxiliary Information in Data Privacy*, KDD 2008: the
    intersection attack.

    Somebody's record has the same sensitive and kept values in every release. So a combination of values that one
    release has five times among the person's candidates, and another twice, can stand for two candidates at the most;
    and a value that is not among the candidates of every release is not the person's.
    """
    names = [comparable(people, boxes, "The table of people") for boxes in releases]
    shared = [name for name in releases[0].items.code if all(name in boxes.items.code for boxes in releases)]
    secret = [name for name in releases[0].beliefs if all(name in boxes.beliefs for boxes in releases)]
    if not shared and not secret:
        return "the releases have no column in common that is published as it is"
    k = max(boxes.threshold for boxes in releases)
    inside = np.ones(people.n, dtype=bool)
    records = np.zeros((0, people.n))
    if shared:
        alone, together = _count(releases, people, names, _joint(releases, shared))
        inside &= (alone > 0).all(axis=0)
        records = np.vstack([alone, together[None]])
    hit, rates, told = np.zeros(people.n, dtype=bool), [], []
    if len(records):
        least = records[:-1].min(axis=0)
        few = inside & (least >= k) & (records[-1] < k)
        one = inside & (least > 1) & (records[-1] <= 1)
        hit |= few | one
        rates += [
            Rate("one candidate left", float(one.sum()), people.n, k, people.sampled),
            Rate(f"fewer than {k} candidates left", float(few.sum()), people.n, k, people.sampled),
        ]
        told += [
            f"One candidate left of several: {rates[0].words} people.",
            f"Fewer than {k:,} candidates left, though every release alone leaves that many: {rates[1].words}.",
        ]
    for name in secret:
        values, possible = _possible(releases, people, names, name)
        pinned = (values > 1).all(axis=0) & (possible == 1)
        hit |= pinned
        rates.append(Rate(f"value of {name} known", float(pinned.sum()), people.n, k, people.sampled))
        told.append(f"One value of {name} left of several: {rates[-1].words} people.")
    return Finding(
        attack="composition",
        kind="linkability",
        title=f"{len(releases)} releases read together",
        knows=f"That somebody is in all {len(releases)} releases, and their "
        + listed(list(dict.fromkeys(name for one in names for name in one)))
        + ".",
        works="The candidates of every release are compared by "
        + listed(shared or secret)
        + ", published as they are in "
        f"each: only what all of them have in common can be the person's. Tried for {people.n:,} people.",
        achieved=tuple(told),
        lower="Publish once, or the same rows in the same classes again; amongst verify --against says what a new "
        "release tells beside those before it.",
        succeeded=bool(hit.any()),
        rates=tuple(rates),
        figures={"releases": len(releases), "compared_by": shared or secret},
        rows=tuple(people.row[hit].tolist()) if rows else None,
        paper="Ganta, Kasiviswanathan, Smith: Composition Attacks and Auxiliary Information in Data Privacy, KDD 2008",
    )


def _joint(releases: Sequence[Boxes], shared: Sequence[str]) -> list[Beliefs]:
    """For every release the combinations of values of the shared columns, numbered alike in all of them."""
    codes = []
    for name in shared:
        told = [[text and meant(text) for text in boxes.items.values[name]] for boxes in releases]
        number = {text: i for i, text in enumerate(dict.fromkeys(text for texts in told for text in texts))}
        of_release = [
            np.array([number[text] for text in texts], dtype=np.int64)[boxes.items.code[name]]
            for texts, boxes in zip(told, releases, strict=True)
        ]
        codes.append(np.concatenate(of_release))
    key = one_key(codes, len(codes[0]))
    distinct, combination = np.unique(key, return_inverse=True)
    ends = np.cumsum([len(boxes.items.size) for boxes in releases])
    parts = np.split(combination.reshape(-1), ends[:-1])
    values = list(range(len(distinct)))
    return [beliefs_of(boxes.items, part, values) for boxes, part in zip(releases, parts, strict=True)]


def _count(
    releases: Sequence[Boxes], people: People, names: Sequence[list[str]], joint: Sequence[Beliefs]
) -> tuple[np.ndarray, np.ndarray]:
    """The candidates of everybody in every release alone, and in all of them together."""
    alone, together = [], []
    for part in in_parts(people, joint[0].n_values * len(releases)):
        found = [
            believed(*one, part, known) for one, known in zip(zip(releases, joint, strict=True), names, strict=True)
        ]
        alone.append(np.stack([one.sum(axis=1) for one in found]))
        together.append(np.minimum.reduce(found).sum(axis=1))
    return np.concatenate(alone, axis=1), np.concatenate(together)


def _possible(
    releases: Sequence[Boxes], people: People, names: Sequence[list[str]], name: str
) -> tuple[np.ndarray, np.ndarray]:
    """How many values everybody can have by every release alone, and by all of them together."""
    texts, number = one_spelling([text and meant(text) for boxes in releases for text in boxes.beliefs[name].values])
    ends = np.cumsum([boxes.beliefs[name].n_values for boxes in releases])
    aligned = []
    for boxes, renamed in zip(releases, np.split(number, ends[:-1]), strict=True):
        old = boxes.beliefs[name]
        aligned.append(Beliefs(texts, old.box, renamed[old.value], old.weight))
    alone, together = [], []
    for part in in_parts(people, len(texts) * len(releases)):
        found = [
            believed(*one, part, known) > 0
            for one, known in zip(zip(releases, aligned, strict=True), names, strict=True)
        ]
        alone.append(np.stack([one.sum(axis=1) for one in found]))
        together.append(np.logical_and.reduce(found).sum(axis=1))
    return np.concatenate(alone, axis=1), np.concatenate(together)


def _carry_out(intruder: Intruder) -> Iterator[Finding | str]:
    people = intruder.original if intruder.original is not None else intruder.outside
    if not intruder.others:
        yield "no other release was given"
    elif people is None:
        yield "neither the original nor an outside table was given"
    else:
        people = people.sample(intruder.most, intruder.rng)
        yield composition([intruder.boxes, *intruder.others], people, rows=intruder.rows)


ATTACK = Attack(
    name="composition",
    place=5,
    kind="linkability",
    words="Reads several releases about the same people together.",
    needs="other releases, and the original or an outside table",
    carry_out=_carry_out,
)
