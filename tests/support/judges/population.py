"""The people of a population whom every class of a published table fits."""

from __future__ import annotations

from typing import Any

from judges import Published, Row, classes


def of_every_class(model: Any, published: Published) -> list[tuple[list[Row], list[Row]]]:
    """For every class its rows, and the people whom it fits."""
    people: list[Row] = model.population.to_pylist()
    keys = [key for key in published.keys if key in people[0]]
    return [
        (members, [one for one in people if all(published.fits(members[0][key], one[key]) for key in keys)])
        for members in classes(published.rows, published.keys)
    ]
