"""Minimality: what follows from nothing finer having been published."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import numpy as np

from amongst.attack.boxes import Boxes
from amongst.attack.cut_worlds import weigh_cuts
from amongst.attack.declared import Attack
from amongst.attack.finding import Finding, listed
from amongst.attack.intruder import NO_ORIGINAL, Intruder
from amongst.attack.level_worlds import weigh_levels
from amongst.attack.people import People, comparable
from amongst.attack.rate import Rate
from amongst.attack.replay import weigh_replay
from amongst.models import LDiversity, of_values, smallest_group
from amongst.partition.methods import METHODS


def minimality(boxes: Boxes, column: str, people: People, rng: np.random.Generator) -> Finding | str:
    """Weigh the ways to give a class's values to its people by whether the method would have published the same.

    Paper: Wong, Fu, Wang, Pei: *Minimality Attack in Privacy Preserving Data Publishing*, VLDB 2007. The intruder knows
    the method, what it was asked for, and the quasi-identifiers of everybody. Where something finer would have held k
    and was not published, it would have failed l-diversity: that tells how the values lie.

    Choices: worlds are drawn by lot, each an order of a class's values among its people; those in which the method
    would have published something finer are struck out. What is left is the intruder's belief. It is said to exceed the
    share in the class only where Wilson's lower end does by five points. Where fewer than 40 worlds are left nothing is
    said.
    """
    why = _not_for(boxes, column, people)
    if why:
        return why
    names, model = comparable(people, boxes, "The original"), _model(boxes, column)
    cuts, analytic = _minimal(boxes) == "cuts", not _other_than_cuts(boxes, column)
    if analytic:
        assert model is not None
        asked = smallest_group([one for one in boxes.made.models if one.counts == "rows"])
        weigh = weigh_cuts if cuts else weigh_levels
        found = weigh(boxes, people, names, column=column, model=model, k=asked, rng=rng)
    else:
        asked_of = [one for one in boxes.beliefs if not _not_for(boxes, one, people)]
        found = weigh_replay(boxes, people, column, rng, n_columns=len(asked_of))
    if isinstance(found, str):
        return found
    k = boxes.threshold
    raised = Rate("believed beyond the share of the class", float(found.n_raised), found.n_people, k)
    certain = Rate("known for sure", float(found.n_certain), found.n_people, k)
    finer = "A cut" if cuts else "A finer recoding"
    told = [
        f"{finer} that k alone would allow was not made: in {found.n_telling:,} of {found.n_classes:,} classes tried."
        if analytic
        else f"Run anew on {found.n_rows:,} people whose values were dealt out anew, the method published something "
        f"else: in {found.n_telling:,} of {found.n_parts:,} parts tried."
    ]
    before, after = (total / max(found.n_people, 1) for total in (found.own_before, found.own_after))
    if found.n_people:
        told += [
            f"A value became likelier than it is in the class: {raised.words} people in these classes.",
            f"One value alone is left: {certain.words} people.",
            f"People's own values were believed with {after:.1%} on average; by the shares of their class with "
            f"{before:.1%}.",
        ]
    elif found.n_telling:
        told.append("Too few worlds were left to say what is believed.")
    return Finding(
        attack="minimality",
        kind="inference",
        title="What it tells that nothing finer was published",
        knows=f"The method, what it was asked for, and {listed(names)} of everybody.",
        works="Values are given to the people of a class in many ways; ways in which the method would have published "
        + ("something finer" if analytic else "something else")
        + " are struck out, and what is left is believed.",
        achieved=tuple(told),
        lower="Groups made by k alone, whose cuts do not depend on the sensitive values; then l is not promised. No "
        "method is recommended: in small tables nearly all tell something.",
        succeeded=found.n_raised > 0,
        rates=(raised, certain),
        figures={
            "classes_tried": found.n_classes,
            "classes_that_tell": found.n_telling,
            "own_value_before": round(before, 6),
            "own_value_after": round(after, 6),
        },
        column=column,
        paper="Wong, Fu, Wang, Pei: Minimality Attack in Privacy Preserving Data Publishing, VLDB 2007",
    )


def _not_for(boxes: Boxes, column: str, people: People) -> str:
    """Why the attack does not apply; nothing where it does."""
    made = boxes.made
    if made.method is None or made.method not in METHODS or made.schema is None:
        return "how this was made is not known, so it cannot be run anew"
    if made.closed:
        return "the hierarchies of the release are not known here: give its schema"
    if not any(one.column in (None, column) for one in of_values(made.models)):
        return f"nothing was asked of {column}, so nothing that was left undone depends on its values"
    if any(name not in people.table.column_names for name in made.schema):
        return "the original lacks columns of the schema"
    return ""


def _other_than_cuts(boxes: Boxes, column: str) -> bool:
    """Whether what was not published does not follow from cuts or levels alone, so that the method must be run."""
    made = boxes.made
    odd = any(one.counts != "rows" and one.name != LDiversity.name for one in made.models)
    guided = made.options.get("suppression") or (made.release is not None and made.release.target is not None)
    return not _minimal(boxes) or odd or made.unit is not None or bool(guided) or _model(boxes, column) is None


def _minimal(boxes: Boxes) -> str:
    """In what sense nothing finer was published, as far as that is known of the method."""
    method = METHODS.get(boxes.made.method or "")
    return "" if method is None else method.minimal


def _model(boxes: Boxes, column: str) -> Any:
    """The l-diversity that was asked of a column; other models of values were turned away."""
    found = [one for one in of_values(boxes.made.models) if one.column in (None, column)]
    return found[0] if len(found) == 1 and len(boxes.beliefs) == 1 else None


def _carry_out(intruder: Intruder) -> Iterator[Finding | str]:
    for column in intruder.boxes.beliefs:
        if intruder.original is None:
            yield NO_ORIGINAL
        else:
            yield minimality(intruder.boxes, column, intruder.original, intruder.rng)


ATTACK = Attack(
    name="minimality",
    place=8,
    kind="inference",
    words="Asks what it tells that nothing finer was published.",
    needs="the original",
    carry_out=_carry_out,
)
