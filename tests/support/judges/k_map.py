"""Every class fits k people of the population."""

from __future__ import annotations

import amongst as am
from judges import Published
from judges.population import of_every_class


def holds(model: am.KMap, published: Published) -> bool:
    return all(len(people) >= model.k for _, people in of_every_class(model, published))
