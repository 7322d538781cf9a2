"""Singling out: statements that are true of exactly one person, made from the release alone."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from amongst.attack.boxes import Boxes
from amongst.attack.declared import Attack
from amongst.attack.finding import Finding, listed
from amongst.attack.fits import candidates, fits_of
from amongst.attack.people import People, comparable
from amongst.attack.rate import Rate, Risk
from amongst.published.tally import one_key

MOST_STATEMENTS, MOST_KNOWN = 2000, 5000


def singling_out(boxes: Boxes, original: People, control: People | None, rng: np.random.Generator) -> Finding:
    """Make statements about one person from the release, and count those of which that is true.

    Paper: Giomi et al., PoPETs 2023, section 4.1; the notion is that of Cohen and Nissim, *Towards Formalizing the
    GDPR's Notion of Singling Out*, PNAS 2020, who show that k-anonymity does not prevent it.

    Choices: two sorts of statements. *Record*: a box with the sensitive and kept values of one of its records, where no
    other record of the box has the same. *Guess*: one value for every column, drawn by lot from what the box allows, by
    how common the values are in the population. A statement succeeds when exactly one person of the original fits it.
    """
    names = comparable(original, boxes, "The original")
    plain = [name for name in boxes.items.code if name in original.table.column_names]
    tables = [original] + ([control] if control is not None else [])
    record = _records(boxes, plain, tables, names, rng)
    guess = _guesses(boxes, tables, names, rng)
    sorts = {"record": record, "guess": guess}
    k = boxes.threshold
    rates, risks, told = [], [], []
    for sort, hits in sorts.items():
        if hits is None:
            continue
        found = [
            Rate(f"{sort}: {where}", float((one == 1).sum()), len(one), k)
            for one, where in zip(hits, PLACES, strict=False)
        ]
        rates += found
        told.append(f"{WORDS[sort]}: {found[0].words} single out one person.")
        if control is not None:
            risks.append(Risk(found[0], found[1]))
            told.append(f"The same statements about people who are not in the release: {found[1].words}.")
            told.append(f"What the release adds: {risks[-1].words}.")
        else:
            risks.append(Risk(found[0], Rate("no baseline", 0.0, len(hits[0]))))
    risk = max(risks, key=lambda one: one.value, default=None)
    return Finding(
        attack="singling out",
        kind="singling out",
        title="Statements about one person",
        knows="The release alone" + (f", and how common values are ({listed(names)})." if guess is not None else "."),
        works="Statements are made that should be true of one person: the box of a record with its other published "
        "values, or a point inside a box. Each is held against everybody in the original.",
        achieved=tuple(told) or ("No statement could be made.",),
        lower="Sensitive and kept columns with fewer and coarser values, or not publishing them row by row. k "
        "alone does not lower it: a record with a value of its own stays alone within its class.",
        succeeded=bool(risk is not None and risk.seen),
        rates=tuple(rates),
        risk=risk,
        figures={"threshold": k},
        paper="Giomi et al., PoPETs 2023; Cohen, Nissim, PNAS 2020",
    )


PLACES = ("in the original", "in the control group")
WORDS = {
    "record": "Box and other values of a record",
    "guess": "A point drawn by lot inside a box",
}


def _records(
    boxes: Boxes, plain: Sequence[str], tables: Sequence[People], names: list[str], rng: np.random.Generator
) -> list[np.ndarray] | None:
    """How many people of every table fit every statement."""
    items = boxes.items
    whole = one_key([items.box, *(items.code[name] for name in plain)], len(items.size))
    _, first, entry = np.unique(whole, return_index=True, return_inverse=True)
    alone = first[np.bincount(entry.reshape(-1), items.size) == 1]
    if len(alone) == 0:
        return None
    chosen = alone if len(alone) <= MOST_STATEMENTS else rng.choice(alone, MOST_STATEMENTS, replace=False)
    part = boxes.take(items.box[chosen])
    counts = []
    for everybody in tables:
        people, sort = everybody.sorts([*names, *plain])
        times = np.bincount(sort)
        count = np.zeros(len(chosen), dtype=np.int64)
        truth = {name: people.truth(name, items.values[name], spelled=True) for name in plain}
        for statement, person in candidates(part, people, names):
            same = np.ones(len(person), dtype=bool)
            for name in plain:
                same &= items.code[name][chosen[statement]] == truth[name][person]
            count += np.bincount(statement[same], times[person[same]], len(chosen)).astype(np.int64)
        counts.append(count)
    return counts


def _guesses(
    boxes: Boxes, tables: Sequence[People], names: list[str], rng: np.random.Generator
) -> list[np.ndarray] | None:
    """Points drawn by lot inside boxes, boxes by their records."""
    n = min(MOST_STATEMENTS, boxes.n_records)
    chosen = rng.choice(boxes.n_boxes, n, p=boxes.size / boxes.n_records)
    drawn_from = boxes.take(chosen)
    # What values there are: from people outside of the release where there are some.
    known = tables[-1].sample(MOST_KNOWN, rng)
    points: dict[str, list[str | None]] = {}
    possible = np.ones(n, dtype=bool)
    for name in names:
        column = known.column(name)
        label_of_box, fits = fits_of(drawn_from, name, column)
        weight = fits[label_of_box] * np.bincount(column.codes, minlength=column.n_codes)
        below = np.cumsum(weight, axis=1, dtype=np.float64)
        possible &= below[:, -1] > 0
        drawn = rng.random(n) * below[:, -1]
        at = np.minimum((below <= drawn[:, None]).sum(axis=1), column.n_codes - 1)
        points[name] = [column.values[int(i)].as_py() for i in at]
    if not possible.any():
        return None
    return [_equal(people, points, names)[possible] for people in tables]


def _equal(people: People, points: dict[str, list[str | None]], names: Sequence[str]) -> np.ndarray:
    """How many people have exactly the values of every point."""
    ours, theirs = [], []
    for name in names:
        column = people.column(name)
        number = {value: i for i, value in enumerate(column.values.to_pylist())}
        ours.append(np.array([number.get(value, -1) for value in points[name]], dtype=np.int64) + 1)
        theirs.append(column.codes + 1)
    n_points = len(ours[0])
    key = one_key([np.concatenate(pair) for pair in zip(ours, theirs, strict=True)], n_points + people.n)
    distinct, number_of = np.unique(key, return_inverse=True)
    number_of = number_of.reshape(-1)
    return np.bincount(number_of[n_points:], minlength=len(distinct))[number_of[:n_points]]


ATTACK = Attack(
    name="singling out",
    place=2,
    kind="singling out",
    words="Makes statements that are true of one person.",
    needs="the original",
    carry_out=lambda intruder: intruder.measure(singling_out),
)
