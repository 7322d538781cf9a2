"""Tables with all that Spark may see otherwise than Arrow, and what should be published of them, by loops."""

from __future__ import annotations

import datetime as dt
import math
from collections import Counter
from decimal import Decimal
from itertools import pairwise
from typing import Any

import numpy as np
import pyarrow as pa

from amongst.engines.counted import CLASS, FIRST, LAST
from amongst.recode.plan import RecodingPlan
from amongst.recode.published import PublishedColumn

NAMES = ["a.b", "with `ticks`", 'say "so"', "two words", "größe", "n", "class", "part", "c0"]
VALUES: dict[pa.DataType, list[Any]] = {
    pa.int64(): [0, -1, 2**62, 7, None],
    pa.float64(): [0.0, -0.0, math.nan, math.inf, -2.5, None],
    pa.string(): ["", "null", "a,b\n\"'", "NaN", "Äpfel", "apfel", "APFEL", "\x00x", "𝕏", "\uffff", None],
    pa.bool_(): [True, False, None],
    pa.date32(): [dt.date(1, 1, 1), dt.date(1970, 1, 1), dt.date(9999, 12, 31), None],
    pa.timestamp("us", "UTC"): [dt.datetime(1950, 1, 1, 0, 0, 0, 1), dt.datetime(2026, 3, 29, 1, 30), None],
    pa.timestamp("us"): [dt.datetime(1950, 1, 1), dt.datetime(2026, 3, 29, 2, 30), None],
    pa.decimal128(20, 3): [Decimal("0.000"), Decimal("-12345678901234567.890"), Decimal("1.500"), None],
    pa.int8(): [-128, 127, 0, None],
    pa.float32(): [0.5, -0.0, 0.0, math.nan, None],
}


def odd_table(rng: np.random.Generator, n_rows: int, n_columns: int) -> pa.Table:
    """Columns of random types, named as nobody should name them."""
    kinds = list(VALUES)
    names = [NAMES[i] for i in rng.permutation(len(NAMES))[:n_columns]]
    columns = []
    for _ in names:
        kind = kinds[int(rng.integers(len(kinds)))]
        values = VALUES[kind]
        n_used = int(rng.integers(1, len(values) + 1))
        skewed = np.where(rng.random(n_rows) < 0.5, 0, rng.integers(0, n_used, n_rows))
        columns.append(pa.array([values[i] for i in skewed], kind))
    return pa.table(columns, names=names)


def key(value: Any) -> Any:
    """Equal for what is one value in a quasi-identifier."""
    if isinstance(value, float):
        return "not a number" if math.isnan(value) else value + 0.0
    return value


def counts(table: pa.Table, names: list[str]) -> Counter[tuple[Any, ...]]:
    columns = [table.column(name).to_pylist() for name in names]
    return Counter(tuple(map(key, row)) for row in zip(*columns, strict=True))


def place(value: Any) -> Any:
    """Where a value stands in the order of published rows."""
    if value is None:
        return (2, 0, 0)
    if isinstance(value, float) and math.isnan(value):
        return (1, 0, 0)
    if isinstance(value, float):
        return (0, value, math.copysign(1, value))
    return (0, value.encode() if isinstance(value, str) else value, 0)


def decide(
    table: pa.Table, quasi: list[str], others: list[str], rng: np.random.Generator, divided: bool
) -> RecodingPlan:
    """Any decision on the frequency set: some classes for its tuples, some of them suppressed."""
    counted = counts(table, quasi)
    columns = list(zip(*(table.column(name).to_pylist() for name in quasi), strict=True))
    originals = {tuple(map(key, row)): row for row in columns}
    n_classes = int(rng.integers(1, 5))
    entries, size = [], np.zeros(n_classes, dtype=np.int64)
    for one, n in counted.items():
        if rng.random() < 0.2:
            continue
        bounds = sorted({0, n, *rng.integers(0, n + 1, int(rng.integers(0, 3)))}) if divided else [0, n]
        for first, end in pairwise(bounds):
            its_class = int(rng.integers(n_classes))
            entries.append((*originals[one], its_class, int(first), int(end) - 1))
            size[its_class] += end - first
    kinds = [table.schema.field(name).type for name in quasi] + [pa.int32(), pa.int64(), pa.int64()]
    names = [*quasi, CLASS, FIRST, LAST]
    made = [pa.array([entry[i] for entry in entries], kinds[i]) for i in range(len(names))]
    tuples = pa.table(made, names=names)
    labels = {name: pa.array([f"{name} of {i}" for i in range((n_classes + 1) // 2)]) for name in quasi}
    return RecodingPlan(
        made={name: [PublishedColumn(name, own, np.arange(n_classes) // 2)] for name, own in labels.items()},
        class_of_row=np.arange(n_classes),
        n_classes=n_classes,
        count=size,
        others=others,
        columns=[name for name in table.column_names if name in quasi or name in others],
        quasi=quasi,
        tuples=tuples if divided else tuples.drop_columns([FIRST, LAST]),
        divided=divided,
    )


def expected(table: pa.Table, plan: RecodingPlan) -> list[tuple[Any, ...]]:
    """The published rows, in order, by loops over rows."""
    entries: dict[tuple[Any, ...], list[dict[str, Any]]] = {}
    for entry in plan.tuples.to_pylist():
        entries.setdefault(tuple(key(entry[name]) for name in plan.quasi), []).append(entry)
    rows = sorted(table.to_pylist(), key=lambda row: [place(row[name]) for name in plan.others])
    seen: Counter[tuple[Any, ...]] = Counter()
    classed = []
    for row in rows:
        its = tuple(key(row[name]) for name in plan.quasi)
        its_entries = entries.get(its, [])
        if plan.divided:
            its_entries = [entry for entry in its_entries if entry[FIRST] <= seen[its] <= entry[LAST]]
        classed += [(entry[CLASS], row) for entry in its_entries]
        seen[its] += 1
    classed.sort(key=lambda pair: pair[0])
    labels = plan.classes.to_pylist()
    return [tuple(labels[c][name] if name in plan.quasi else row[name] for name in plan.columns) for c, row in classed]
