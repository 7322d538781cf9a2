"""Every class has k rows."""

from __future__ import annotations

import amongst as am
from judges import Published, classes


def holds(model: am.KAnonymity, published: Published) -> bool:
    return all(len(members) >= model.k for members in classes(published.rows, published.keys, published.wild))
