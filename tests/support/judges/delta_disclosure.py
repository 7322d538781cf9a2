"""The logarithm of the gain, or of the fall, of no value is more than delta."""

from __future__ import annotations

import math
from collections.abc import Mapping
from typing import Any

import amongst as am
from judges import SLACK, Published, in_every_class

Shares = Mapping[Any, float]


def holds(model: am.DeltaDisclosure, published: Published) -> bool:
    return in_every_class(
        model, published, lambda seen: delta(seen.own, seen.usual, model.absent) <= model.delta + SLACK
    )


def delta(own: Shares, usual: Shares, absent: str) -> float:
    if absent == "counted" and len(own) < len(usual):
        return math.inf
    return max(abs(math.log(own[value] / usual[value])) for value in own)
