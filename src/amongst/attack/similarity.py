"""Similarity: classes whose values differ, but all say nearly the same."""

from __future__ import annotations

from collections.abc import Callable, Iterator

import numpy as np

from amongst.attack.declared import Attack
from amongst.attack.finding import Finding
from amongst.attack.inference import as_numbers
from amongst.attack.intruder import Intruder
from amongst.attack.rate import Rate
from amongst.attack.sensitive_boxes import Classes
from amongst.errors import BadHierarchy
from amongst.schema.column import Column
from amongst.schema.value_text import text_of

NEAR = 0.1
"""Numbers of a class are alike when they span at most this part of the whole range."""


def similarity(classes: Classes, column: str, k: int, rule: Column) -> Finding | str:
    """Count the people of classes with several values that are alike; or say why that cannot be told.

    Paper: Li, Li, Venkatasubramanian: *t-Closeness*, ICDE 2007, section 3.1, similarity attack.

    Choices: names are alike when a node of the hierarchy below the root holds them all; numbers when they span at most
    a tenth of the range of the whole release.
    """
    numbers = as_numbers(classes.values)
    if rule.hierarchy is not None:
        alike, words = _by_tree(classes, rule)
        if alike is None:
            return "the hierarchy of the sensitive column does not hold its values"
    elif numbers is not None and len(classes.values) > 2:
        alike, words = _by_span(classes, numbers), f"lie within {NEAR:.0%} of the range of all values"
    else:
        return "its values are names, and there is no hierarchy that says which of them are alike"
    hit = alike & (classes.n_distinct > 1)
    rate = Rate("in classes of like values", float(classes.records(hit)), classes.n_records, k, sampled=False)
    return Finding(
        attack="similarity",
        kind="inference",
        title="Similarity",
        knows="Somebody's class.",
        works="The values of a class differ, so that none is known; but where they are alike, what they have in "
        "common is.",
        achieved=(f"Different values that {words}: {rate.words} people.",),
        lower="t-closeness with a distance that knows how far values are apart; for numbers, proximity.",
        succeeded=rate.success > 0,
        rates=(rate,),
        column=column,
        paper="Li, Li, Venkatasubramanian: t-Closeness, ICDE 2007, section 3.1",
    )


def _by_span(classes: Classes, numbers: np.ndarray) -> np.ndarray:
    place = numbers[classes.value]
    low, high = _ends(classes, place)
    whole = float(np.nanmax(numbers) - np.nanmin(numbers))
    return np.isfinite(low) & (high - low <= NEAR * whole)


def _by_tree(classes: Classes, rule: Column) -> tuple[np.ndarray | None, str]:
    assert rule.hierarchy is not None
    words = "one node of the hierarchy below the root holds"
    try:
        present = [value for value in classes.values if value is not None]
        tree = rule.hierarchy.tree(_own(present, rule), rule.kind)
    except (BadHierarchy, ValueError):
        return None, words
    code = {text_of(leaf): i for i, leaf in enumerate(tree.leaves)}
    place = np.array([float(code.get(value or "", np.nan)) for value in classes.values])
    if np.isnan(place[[i for i, value in enumerate(classes.values) if value is not None]]).any():
        return None, words
    low, high = _ends(classes, place[classes.value])
    known = np.isfinite(low) & np.isfinite(high)
    alike = np.zeros(len(classes.size), dtype=bool)
    level = tree.ancestor_level(low[known].astype(np.int64), high[known].astype(np.int64))
    alike[known] = level < tree.n_levels - 1
    return alike, words


def _own(values: list[str], rule: Column) -> list[object]:
    kinds: dict[str | None, Callable[[str], object]] = {"numeric": float}
    make = kinds.get(rule.kind, str)
    return [make(value) for value in values] if rule.order is None else list(rule.order)


def _ends(classes: Classes, place: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """The lowest and highest place of every class; infinite where a value has none."""
    low, high = np.full(len(classes.size), np.inf), np.full(len(classes.size), -np.inf)
    np.minimum.at(low, classes.owner, np.where(np.isnan(place), -np.inf, place))
    np.maximum.at(high, classes.owner, np.where(np.isnan(place), np.inf, place))
    return low, high


def _carry_out(intruder: Intruder) -> Iterator[Finding | str]:
    schema = intruder.boxes.made.schema

    def tried(classes: Classes, column: str, k: int) -> Finding | str:
        return similarity(classes, column, k, schema[column] if schema is not None and column in schema else Column())

    yield from intruder.each_value(tried)


ATTACK = Attack(
    name="similarity",
    place=12,
    kind="inference",
    words="Looks for classes whose values differ but are alike.",
    carry_out=_carry_out,
)
