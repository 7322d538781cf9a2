"""No range of the width holds more than one in l of a class; what is missing is near itself alone."""

from __future__ import annotations

from collections.abc import Sequence

import amongst as am
from judges import SLACK, Published, in_every_class


def holds(model: am.Proximity, published: Published) -> bool:
    return in_every_class(
        model, published, lambda seen: proximity([*seen.count.elements()], model.width) >= model.l - SLACK
    )


def proximity(members: Sequence[float | None], width: float) -> float:
    """n over the most numbers in any range of the width."""
    numbers = sorted(value for value in members if value is not None)
    most = list(members).count(None)
    for low in numbers:
        most = max(most, sum(low <= value <= low + width for value in numbers))
    return len(members) / most
