"""Well-represented values in every class, in four senses; the largest l of each."""

from __future__ import annotations

import math
from collections import Counter
from typing import Any

import amongst as am
from judges import SLACK, Published, in_every_class


def holds(model: am.LDiversity, published: Published) -> bool:
    return in_every_class(model, published, lambda seen: reached(model, seen.count) >= model.l - SLACK)


def reached(model: am.LDiversity, count: Counter[Any]) -> float:
    """The largest l that a class has in the sense of the model."""
    if model.kind == "frequency":
        return frequency(count, sum(count.values()))
    if model.kind == "distinct":
        return distinct(count)
    return entropy(count) if model.kind == "entropy" else recursive(count, model.c or 0.0)


def frequency(count: Counter[Any], n: int) -> float:
    return n / max(count.values())


def distinct(count: Counter[Any]) -> int:
    return len(count)


def entropy(count: Counter[Any]) -> float:
    n = sum(count.values())
    return math.exp(-sum(c / n * math.log(c / n) for c in count.values()))


def recursive(count: Counter[Any], c: float) -> int:
    """The largest l for which the most frequent value has fewer than c times those from place l on."""
    sizes = sorted(count.values(), reverse=True)
    best = 0
    for place in range(1, len(sizes) + 1):
        if sizes[0] < c * sum(sizes[place - 1 :]) - 1e-9:
            best = place
    return best
