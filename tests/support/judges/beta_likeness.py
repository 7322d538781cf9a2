"""No value gains more than beta over its share in the table."""

from __future__ import annotations

import math
from collections.abc import Mapping
from typing import Any

import amongst as am
from judges import SLACK, Published, in_every_class

Shares = Mapping[Any, float]


def holds(model: am.BetaLikeness, published: Published) -> bool:
    def right(own: Shares, usual: Shares) -> bool:
        return enhanced(own, usual, model.beta) if model.enhanced else beta(own, usual) <= model.beta + SLACK

    return in_every_class(model, published, lambda seen: right(seen.own, seen.usual))


def beta(own: Shares, usual: Shares) -> float:
    return max(max(own[value] / usual[value] - 1 for value in own), 0)


def enhanced(own: Shares, usual: Shares, asked: float) -> bool:
    return all(own[value] <= usual[value] * (1 + min(asked, -math.log(usual[value]))) + SLACK for value in own)
