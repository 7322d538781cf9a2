"""Newcomers: what is left of two releases when what both have in common is taken away."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import combinations

import numpy as np

from amongst.attack.boxes import Boxes
from amongst.attack.declared import Attack
from amongst.attack.finding import Finding, at_least, listed
from amongst.attack.intruder import Intruder
from amongst.published.layout import lay_out
from amongst.published.open_published import open_published
from amongst.published.pair_columns import pair_columns
from amongst.published.release_part import Part
from amongst.verify.together.came_and_went import Moved
from amongst.verify.together.composition import cells_of


def newcomers(ours: Boxes, theirs: Boxes) -> Finding | str:
    """Look for people who came or went between two releases, with the finder of ``amongst verify --against``.

    Paper: Byun, Sohn, Bertino, Li: *Secure Anonymization for Incremental Datasets*, SDM 2006: the difference attack.
    """
    parts = part_of(ours), part_of(theirs)
    cells = cells_of(*parts, list(ours.beliefs))
    if not cells.shared:
        return "the releases have no column in common that is published as it is"
    k = max(ours.threshold, theirs.threshold)
    hides_rows = any(part.pair is None for part in parts)  # two tables promise values, not rows
    told, hit, figures = [], False, {}
    for one, word in ((cells.came, "came"), (cells.went, "went")):
        few = (one.n_people > 0) & (one.n_people < k) & hides_rows
        told.append(_words(few, word, k))
        figures[f"sets_with_few_who_{word}"] = int(few.sum())
        hit |= bool(few.any())
        for name in cells.n_values:
            known = _known(one, name)
            if known:
                told.append(
                    f"The value of {name} of people who {word} is known for sure: {at_least(known, k)} at least."
                )
            hit |= known > 0
    return Finding(
        attack="newcomers",
        kind="linkability",
        title="The difference of two releases",
        knows=f"That somebody is in only one of two releases ({ours.made.name} and {theirs.made.name}): people came or "
        "went in between.",
        works="In classes that stand for the same people in both, what one release has more of "
        + listed(cells.shared)
        + " is that of those who came or went.",
        achieved=tuple(told),
        lower=f"Publish again only when at least {k:,} people came, or went, in every class; or the same again.",
        succeeded=hit,
        figures={"sets_of_classes": cells.n_sets, **figures},
        paper="Byun, Sohn, Bertino, Li: Secure Anonymization for Incremental Datasets, SDM 2006",
    )


def part_of(boxes: Boxes) -> Part:
    """A release as the verifier compares it."""
    made = boxes.made
    assert made.schema is not None
    source = open_published(made.first)
    layout = lay_out(source, made.schema)
    if made.second is None:
        return Part(source, layout, made.closed)
    second = open_published(made.second)
    return Part(source, layout, made.closed, (second, pair_columns(source, second, made.schema)))


def _words(few: np.ndarray, word: str, k: int) -> str:
    if not few.any():
        return f"Nowhere does the difference show fewer than {k:,} people who {word}."
    return (
        f"The difference shows fewer than {k:,} people who {word} in {int(few.sum()):,} of {len(few):,} sets of "
        "classes that stand for the same people."
    )


def _known(one: Moved, name: str) -> int:
    """In the set that shows most of them, how many have the one value that is left."""
    there = (one.n_people > 0) & (one.n_values[name] == 1)
    return int(one.n_people[there].max(initial=0))


def _carry_out(intruder: Intruder) -> Iterator[Finding | str]:
    if not intruder.others:
        yield "no other release was given"
    releases = [intruder.boxes, *intruder.others]
    for ours, theirs in combinations(releases, 2):  # of three or more every two: who was there once shows there
        yield newcomers(ours, theirs)


ATTACK = Attack(
    name="newcomers",
    place=13,
    kind="linkability",
    words="Takes the difference of two releases.",
    needs="other releases",
    carry_out=_carry_out,
)
