"""Classes of k rows in which no value has more than alpha."""

from __future__ import annotations

import amongst as am
from judges import SLACK, Published, in_every_class


def holds(model: am.AlphaK, published: Published) -> bool:
    return in_every_class(
        model, published, lambda seen: seen.n >= model.k and max(seen.own.values()) <= model.alpha + SLACK
    )
