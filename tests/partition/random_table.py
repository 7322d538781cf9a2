"""Random small tables as a user has them: with a schema, hierarchies of several kinds, and missing values."""

from __future__ import annotations

from typing import Any

import numpy as np
import pyarrow as pa

import amongst as am

TREE = [
    *[["ash", "broadleaf", "tree"], ["oak", "broadleaf", "tree"], ["pine", "conifer", "tree"]],
    *[["rose", "flower", "herb"], ["mint", "spice", "herb"]],
]


def random_table(rng: np.random.Generator) -> tuple[pa.Table, am.Schema]:
    """Two or three quasi-identifiers and a kept column."""
    n_rows = int(rng.integers(4, 30))
    made = {f"c{c}": _column(rng, n_rows) for c in range(int(rng.integers(1, 4)))}
    columns = {name: values for name, (values, _) in made.items()}
    schema = {name: column for name, (_, column) in made.items()}
    note = am.Column(role="keep")
    return pa.table({**columns, "note": ["x"] * n_rows}), am.Schema({**schema, "note": note})


def _column(rng: np.random.Generator, n_rows: int) -> tuple[pa.Array, am.Column]:
    kind = str(rng.choice(["tree", "flat", "numeric", "grid", "plain number", "plain text", "date"]))
    options: dict[str, Any] = {"role": "quasi", "weight": float(rng.choice([1.0, 2.0, 0.25]))}
    values: list[Any]
    if kind in ("tree", "flat", "plain text"):
        values = [TREE[i][0] for i in rng.integers(0, rng.integers(1, 6), n_rows)]
        hierarchies = {"tree": am.Hierarchy.from_rows(TREE), "flat": am.Hierarchy.flat()}
        options |= {"kind": "categorical", "hierarchy": hierarchies.get(kind)}
    elif kind == "date":
        values = [np.datetime64("2020-01-01") + int(i) for i in rng.integers(0, 400, n_rows)]
        values = [value.astype(object) for value in values]
        options |= {"kind": "date", "hierarchy": am.Hierarchy.dates("month", "year")}
    else:
        values = rng.integers(0, rng.integers(1, 40), n_rows).tolist()
        hierarchy = None if kind == "plain number" else am.Hierarchy.intervals([5, 10])
        options |= {"kind": "numeric", "hierarchy": hierarchy, "grid": 5 if kind == "grid" else None}
    if rng.random() < 0.4:
        missing = rng.random(n_rows) < 0.2
        missing[0] = False  # a column of nothing but nulls has no type
        values = [None if gone else value for value, gone in zip(values, missing, strict=True)]
        options["nulls"] = str(rng.choice(["own value", "match anything", "suppress"]))
    return pa.array(values), am.Column(**options)
