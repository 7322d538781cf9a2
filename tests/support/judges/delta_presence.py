"""The share of those in the data among the people whom a class fits lies between bounds; nobody fits nothing."""

from __future__ import annotations

import amongst as am
from judges import SLACK, Published
from judges.population import of_every_class


def holds(model: am.DeltaPresence, published: Published) -> bool:
    found = of_every_class(model, published)
    if any(not people for _, people in found):
        return False
    within = [model.lower - SLACK <= len(members) / len(people) <= model.upper + SLACK for members, people in found]
    everybody = [one for _, people in found for one in people]
    return all(within) and (model.lower <= 0 or all(one in everybody for one in model.population.to_pylist()))
