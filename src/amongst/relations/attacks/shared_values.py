"""Homogeneity: values that all persons of a group have."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np
import pyarrow as pa

from amongst.attack.declared import Attack
from amongst.attack.finding import Finding
from amongst.attack.rate import Rate
from amongst.relations.attacks.intruder import DatabaseIntruder


def shared_values(intruder: DatabaseIntruder) -> Iterator[Finding | str]:
    """Count the persons of groups in which everybody has a row with the same sensitive value."""
    shown, k = intruder.shown, intruder.k
    size = np.bincount(shown.group)
    n_columns = 0
    for name, relation in shown.schema.items():
        for column in relation.schema.sensitive:
            n_columns += 1
            cells = shown.tables[name].column(column).combine_chunks().cast(pa.string()).dictionary_encode()
            value = cells.indices.fill_null(-1).to_numpy().astype(np.int64)
            person = shown.of_row[name]
            there = (value >= 0) & (person >= 0)
            n_values = max(len(cells.dictionary), 1)
            pair = np.unique(person[there] * n_values + value[there])
            key, count = np.unique(shown.group[pair // n_values] * n_values + pair % n_values, return_counts=True)
            certain = np.unique((key // n_values)[count == size[key // n_values]])
            hit = 0.0 if n_values == 1 else float(size[certain].sum())
            rate = Rate("in groups that share a value", hit, shown.n, k, sampled=False)
            yield Finding(
                attack="homogeneity",
                kind="inference",
                title=f"What all of a group have in '{name}'",
                knows="That somebody is in the data, and enough to find the group.",
                works="A value that everybody of the group has in some row is hers too, whichever person she is.",
                achieved=(f"Some value known for sure: {rate.words} persons.",),
                lower="Diversity of the column, counted in persons.",
                succeeded=hit > 0,
                rates=(rate,),
                column=f"{name}.{column}",
                paper="Machanavajjhala et al.: l-Diversity, ICDE 2006",
            )
    if not n_columns:
        yield "there is no sensitive column"


ATTACK = Attack(
    name="homogeneity",
    place=3,
    kind="inference",
    words="Reads off values that all persons of a group have.",
    carry_out=shared_values,
)
