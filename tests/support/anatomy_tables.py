"""Tables for anatomy, and the check of a pair of tables in lists and sets."""

from __future__ import annotations

from collections import Counter, defaultdict
from typing import Any

import numpy as np
import pyarrow as pa

import amongst as am

SCHEMA = am.Schema(
    {
        "name": am.Column(role="identifier"),
        "age": am.Column(role="quasi", nulls="own value"),
        "zip": am.Column(role="quasi"),
        "disease": am.Column(role="sensitive"),
        "note": am.Column(role="keep"),
    }
)


def eligible_table(rng: np.random.Generator, l: int, *, tight: bool = False, most_rows: int = 80) -> pa.Table:  # noqa: E741
    """A table in which no disease has more than 1 in l rows; where tight, some have just as many."""
    n = int(rng.integers(l, most_rows + l))
    limit = n // l
    counts: list[int] = []
    while sum(counts) < n:
        most = min(limit, n - sum(counts))
        counts.append(most if tight else int(rng.integers(1, most + 1)))
    codes = rng.permutation(np.repeat(np.arange(len(counts)), counts))
    diseases: list[Any] = [None if code == 3 else f"d{code}" for code in codes]  # a missing one is a value as well
    ages = [None if rng.random() < 0.1 else int(age) for age in rng.integers(20, 40, n)]
    return pa.table(
        {
            "name": [f"person {i}" for i in range(n)],
            "age": pa.array(ages, pa.int64()),
            "disease": diseases,
            "zip": [f"5371{i}" for i in rng.integers(0, 4, n)],
            "note": [f"n{i}" for i in rng.integers(0, 3, n)],
        }
    )


def naive_verdict(people: pa.Table, diseases: pa.Table, l: int) -> bool:  # noqa: E741
    """Whether two tables hold l-diversity as frequency, and fit each other."""
    if people.num_rows == 0:
        return False
    rows_of_group = Counter(people["group"].to_pylist())
    times_of_value: dict[Any, Counter[Any]] = defaultdict(Counter)
    lines = diseases.to_pylist()
    for line in lines:
        if line["count"] < 1:
            return False
        times_of_value[line["group"]][line["disease"]] += line["count"]
    if len(lines) != sum(len(times) for times in times_of_value.values()):
        return False
    if set(rows_of_group) != set(times_of_value):
        return False
    return all(
        sum(times.values()) == rows_of_group[group] and max(times.values()) * l <= rows_of_group[group]
        for group, times in times_of_value.items()
    )
