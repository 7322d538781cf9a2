"""Random small tables with awkward names and values, and the schemas that go with them."""

from __future__ import annotations

import datetime as dt
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
import pyarrow as pa
import pyarrow.csv as arrow_csv
import pyarrow.parquet as pq

import amongst as am

NAMES = ("select", 'a"b', "o'clock", "two words", "n", "value", "c0", "ünï;code", "Count", "count", "f.x")
TOWNS = {"North": ["Oslo", 'Ber"gen', "To;ur'ku", ""], "South": {"Italy": ["Rome", "Bari,"], "Spain": ["Cadiz", "NULL"]}}
NULL_RULES = ("own value", "match anything", "suppress")


@dataclass(frozen=True)
class Case:
    table: pa.Table
    schema: am.Schema
    k: int
    suppression: float
    limits: dict[str, int]

    def options(self) -> dict[str, Any]:
        return {"models": [am.KAnonymity(self.k)], "suppression": self.suppression, "limits": self.limits}


def random_case(rng: np.random.Generator, most_columns: int = 4) -> Case:
    n_rows = int(rng.integers(2, 50))
    names = rng.choice(NAMES, int(rng.integers(1, most_columns + 1)), replace=False).tolist()
    arrays, columns = {}, {}
    for name in names:
        arrays[name], columns[name] = _column(rng, n_rows)
    if rng.random() < 0.5:
        arrays["disease"], columns["disease"] = pa.array(["flu"] * n_rows), am.Column(role="sensitive")
    limits = {name: 1 for name in names if rng.random() < 0.1}
    suppression = rng.choice([0.0, 0.1, 0.4]).item()
    return Case(pa.table(arrays), am.Schema(columns), int(rng.integers(1, 5)), suppression, limits)


def _column(rng: np.random.Generator, n_rows: int) -> tuple[pa.Array, am.Column]:
    kind = rng.choice(["number", "fraction", "day", "town", "code", "flag", "word", "step"])
    values, column = MAKE[str(kind)](rng, n_rows)
    rule = None
    if rng.random() < 0.5:
        rule = str(rng.choice(NULL_RULES))
        values = [None if rng.random() < 0.15 else value for value in values]
    arrow = pa.array(values, ARROW.get(str(kind)))
    return arrow, am.Column(role="quasi", nulls=rule, **column)


def _days(rng: np.random.Generator, n_rows: int) -> list[dt.date]:
    return [dt.date(2020, 1, 1) + dt.timedelta(int(n)) for n in rng.integers(0, 500, n_rows)]


def _leaves(tree: Any) -> list[str]:
    return tree if isinstance(tree, list) else [leaf for part in tree.values() for leaf in _leaves(part)]


MAKE: dict[str, Any] = {
    "number": lambda rng, n: (
        rng.integers(-9, 40, n).tolist(),
        {"kind": "numeric", "hierarchy": am.Hierarchy.intervals([5, 10, 40])},
    ),
    "fraction": lambda rng, n: (rng.choice([0.0, -0.0, 0.5, 1.25, 1e9], n).tolist(), {"kind": "numeric"}),
    "day": lambda rng, n: (_days(rng, n), {"kind": "date", "hierarchy": am.Hierarchy.dates("month", "year")}),
    "town": lambda rng, n: (
        rng.choice(_leaves(TOWNS), n).tolist(),
        {"kind": "categorical", "hierarchy": am.Hierarchy.nested(TOWNS)},
    ),
    "code": lambda rng, n: (
        [f"0{code}" for code in rng.integers(10, 60, n)],
        {"kind": "categorical", "hierarchy": am.Hierarchy.digits(3)},
    ),
    "flag": lambda rng, n: (rng.choice(["f", "m"], n).tolist(), {}),
    "word": lambda rng, n: (rng.choice(list("abcdefg"), n).tolist(), {"hierarchy": am.Hierarchy.fanout(2)}),
    "step": lambda rng, n: (
        rng.choice(["low", "mid", "high"], n).tolist(),
        {"kind": "ordered", "order": ("low", "mid", "high"), "hierarchy": am.Hierarchy.fanout(2)},
    ),
}
ARROW = {"number": pa.int32(), "fraction": pa.float64(), "day": pa.date32()}


def written(table: pa.Table, folder: Path, ending: str) -> Path:
    """The table as a file that both engines read."""
    path = folder / f"people{ending}"
    if ending == ".parquet":
        pq.write_table(table, path)
    else:
        arrow_csv.write_csv(table, path, arrow_csv.WriteOptions(delimiter="\t" if ending == ".tsv" else ","))
    return path
