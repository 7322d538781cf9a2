"""A control group where there is none: the release made anew of half of the people, the other half beside it."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from amongst.attack.boxes import Boxes
from amongst.attack.people import People
from amongst.errors import AmongstError
from amongst.risk.keys import code_column

if TYPE_CHECKING:
    from amongst.release import Release


def split(boxes: Boxes, original: People, rng: np.random.Generator) -> tuple[Release, People, People] | str:
    """Publish half of the original in the same way; or say why that cannot be done.

    A control group must be people whom the release does not know, and like those whom it does. Of a release that was
    made of everybody there are none. So the method is measured in its place: the same models, method and options, with
    half of the people. All rows of a person stay on one side.
    """
    made = boxes.made
    if made.schema is None or not made.models or made.method is None:
        return "how the release was made is not known here, so it cannot be made anew of half of the people"
    if made.closed:
        return "the hierarchies of the release are not known here: give its schema"
    if any(name not in original.table.column_names for name in made.schema):
        return "the original lacks columns of the schema"
    half = _half(original, made.unit, rng)
    inside, outside = original.take(np.flatnonzero(half)), original.take(np.flatnonzero(~half))
    from amongst.anonymize import anonymize

    release, guides = made.release, {}
    if release is not None:
        guides = {"form": release.form, "target": release.target, "workload": release.workload}
    schema = made.schema if release is None else release.schema
    try:
        table = inside.table.select([name for name in original.table.column_names if name in schema])
        again = anonymize(
            table,
            schema,
            made.models,
            made.method,
            seed=made.seed,
            unit=made.unit,
            bound=False,
            **guides,
            **made.options,
        )
        return (again, inside, outside) if again.verdict.ok else "half of the people could not be published"
    except AmongstError as error:
        return f"half of the people could not be published in the same way: {error.what}"


def _half(original: People, unit: str | None, rng: np.random.Generator) -> np.ndarray:
    """Which rows are inside: half of the people, by lot."""
    if unit is None or unit not in original.table.column_names:
        person = np.arange(original.n)
    else:
        person = code_column(original.table.column(unit))[0]
    n = int(person.max()) + 1 if len(person) else 0
    inside = np.zeros(n, dtype=bool)
    inside[rng.permutation(n)[: -(-n // 2)]] = True
    return np.asarray(inside[person])
