"""A table with all kinds of columns, odd names, repeats and nulls, for every engine."""

from __future__ import annotations

from typing import Any

import numpy as np
import pyarrow as pa

import amongst as am

K = [am.KAnonymity(5)]


def people(n: int, seed: int = 0, nulls: float = 0.1) -> pa.Table:
    """A table with all kinds of columns, repeats and nulls."""
    rng = np.random.default_rng(seed)

    def some(values: Any, kind: pa.DataType) -> pa.Array:
        return pa.array([None if rng.random() < nulls else values[i] for i in rng.integers(0, len(values), n)], kind)

    return pa.table(
        {
            "age": pa.array(rng.integers(20, 40, n), pa.int32()),
            "Größe": some([1.5, 1.75, float(2), 1.625], pa.float64()),
            "the sex": some(["f", "m", "Ä", "a'b\"c"], pa.string()),
            "insured": some([True, False], pa.bool_()),
            "born": some([10, 400, 8000], pa.int32()).cast(pa.date32()),
            "illness": some(["flu", "Zoster", "äußeres", "cold", ""], pa.string()),
            "note": some(["x", "Y", "z"], pa.string()),
        }
    )


SCHEMA = am.Schema(
    {
        "age": am.Column(role="quasi"),
        "Größe": am.Column(role="quasi", nulls="own value"),
        "the sex": am.Column(role="quasi", nulls="own value"),
        "insured": am.Column(role="quasi", nulls="suppress"),
        "born": am.Column(role="quasi", kind="date", nulls="own value"),
        "illness": am.Column(role="sensitive"),
        "note": am.Column(role="keep"),
    }
)
FULL_DOMAIN = am.Schema(
    {
        "age": am.Column(role="quasi", hierarchy=am.Hierarchy.intervals([5, 10])),
        "the sex": am.Column(role="quasi", nulls="own value"),
        "Größe": am.Column(role="identifier"),
        "insured": am.Column(role="identifier"),
        "born": am.Column(role="identifier"),
        "illness": am.Column(role="sensitive"),
        "note": am.Column(role="keep"),
    }
)
