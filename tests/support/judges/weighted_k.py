"""The weights of every class add up to at least k; what is missing or negative counts as nothing."""

from __future__ import annotations

import math

import amongst as am
from judges import SLACK, Published, in_every_class


def holds(model: am.WeightedK, published: Published) -> bool:
    return in_every_class(
        model,
        published,
        lambda seen: math.fsum(max(float(one or 0), 0.0) for one in seen.count.elements()) >= model.k * (1 - SLACK),
    )
