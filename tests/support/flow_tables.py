"""Random tables with a schema for every kind of column, to hold the properties of the whole flow against."""

from __future__ import annotations

import datetime as dt
import warnings
from dataclasses import dataclass
from typing import Any

import numpy as np
import pyarrow as pa

from amongst.schema import Column, Hierarchy, Schema
from amongst.schema.doubts import PublishedDoubt

REGIONS = {"North": ["oslo", "york"], "South": {"Hot": ["rome", "nice"], "Mild": ["bern"]}}
CITIES = ["oslo", "york", "rome", "nice", "bern"]
GRADES = ["low", "mid-low", "mid", "high", "top"]
ODD_TEXTS = ["a,b", "{x}", 'say "hi"', "back\\slash", "", " ", "ß-é", "x-y", "[1-2]", "plain"]
"""Texts that a label must quote, or that look like labels themselves."""
NULL_RULES = ("own value", "match anything", "suppress")
LINK = "link"
"""A kept column that is different in every row: a published row can be followed to where it came from."""


@dataclass(frozen=True)
class Made:
    """A table with its schema, and the cells as Python values."""

    table: pa.Table
    schema: Schema
    k: int
    linked: bool

    def cells(self, name: str) -> list[Any]:
        return self.table.column(name).to_pylist()


def random_table(rng: np.random.Generator, *, linked: bool = True, most_columns: int = 4, most_rows: int = 60) -> Made:
    """A table with 1 to ``most_columns`` quasi-identifiers of all kinds, and columns of the other roles."""
    n = int(rng.choice([1, 2, 5, most_rows // 2, most_rows]))
    columns: dict[str, Any] = {}
    rules: dict[str, Column] = {}
    for i in range(int(rng.integers(1, most_columns + 1))):
        make = MAKERS[int(rng.integers(len(MAKERS)))]
        values, settings = make(rng, n)
        columns[f"q{i}"], rules[f"q{i}"] = _with_nulls(rng, values, settings)
    columns["name"], rules["name"] = pa.array([f"person {i}" for i in range(n)]), Column(role="identifier")
    others = _others(rng, n, linked)
    names = list(rng.permutation([*columns, *others]))
    table = pa.table({str(name): ({**columns, **{o: v for o, (v, _) in others.items()}})[name] for name in names})
    schema = Schema({**rules, **{name: rule for name, (_, rule) in others.items()}})
    return Made(table, schema, int(rng.choice([1, 2, 3, 5, n])), linked)


def _with_nulls(rng: np.random.Generator, values: pa.Array, settings: dict[str, Any]) -> tuple[pa.Array, Column]:
    rule = rng.choice([None, *NULL_RULES], p=[0.4, 0.2, 0.2, 0.2])
    weight = float(rng.choice([1.0, 1.0, 0.1, 3.0]))
    column = Column(role="quasi", weight=weight, nulls=None if rule is None else str(rule), **settings)
    if rule is None:
        return values, column
    gone = rng.random(len(values)) < rng.choice([0.1, 0.5])
    return pa.array([None if g else v for g, v in zip(gone, values.to_pylist(), strict=True)], values.type), column


def _pick(rng: np.random.Generator, values: list[Any], n: int) -> list[Any]:
    """Evenly, skewed, or all the same."""
    at = rng.choice(["even", "skewed", "one"], p=[0.5, 0.4, 0.1])
    draws = {
        "even": rng.integers(0, len(values), n),
        "skewed": np.minimum(rng.geometric(0.5, n) - 1, len(values) - 1),
        "one": np.zeros(n, dtype=int),
    }
    return [values[i] for i in draws[str(at)]]


def _of(rng: np.random.Generator, *choices: dict[str, Any]) -> dict[str, Any]:
    return choices[int(rng.integers(len(choices)))]


def whole_numbers(rng: np.random.Generator, n: int) -> tuple[pa.Array, dict[str, Any]]:
    values = _pick(rng, [int(v) for v in rng.integers(-40, 60, 20)], n)
    ways = _of(
        rng,
        {"publish": "range"},
        {"publish": "set"},
        {"grid": float(rng.choice([1, 5, 7, 2.5]))},
        {"statistic": ("mean", "median")},
        {"hierarchy": Hierarchy.intervals([5, 10])},
        {"hierarchy": Hierarchy.intervals([5, 10]), "publish": "ancestor"},
    )
    return pa.array(values, pa.int64()), ways


def short_numbers(rng: np.random.Generator, n: int) -> tuple[pa.Array, dict[str, Any]]:
    kind = [pa.int8(), pa.uint8(), pa.int16(), pa.uint64()][int(rng.integers(4))]
    limits = np.iinfo(kind.to_pandas_dtype())
    ends = [limits.min, limits.min + 1, 0, 1, 7, limits.max - 1, limits.max]
    return pa.array(_pick(rng, ends, n), kind), _of(rng, {}, {"grid": 10.0}, {"publish": "set"})


def floats(rng: np.random.Generator, n: int) -> tuple[pa.Array, dict[str, Any]]:
    values = [0.0, -0.0, 0.1, 0.2, 0.30000000000000004, -1.5, 1e-7, 1e21, 12.25, -3.0]
    if rng.random() < 0.1:  # further apart than a float can say
        return pa.array(_pick(rng, [1.7e308, -1.7e308, *values], n), pa.float64()), {}
    ways = _of(rng, {}, {"grid": 0.1}, {"grid": 3.0}, {"statistic": ("mean",)}, {"publish": "set"})
    kind = pa.float64() if rng.random() < 0.8 else pa.float32()
    return pa.array(_pick(rng, values, n), pa.float64()).cast(kind), ways


def dates(rng: np.random.Generator, n: int) -> tuple[pa.Array, dict[str, Any]]:
    days = [dt.date(2019, 12, 1) + dt.timedelta(days=int(d)) for d in rng.integers(0, 800, 12)]
    ways = _of(
        rng,
        {},
        {"grid": 7.0},
        {"publish": "set"},
        {"hierarchy": Hierarchy.dates("month", "year"), "publish": "ancestor"},
    )
    return pa.array(_pick(rng, days, n), pa.date32()), ways


def moments(rng: np.random.Generator, n: int) -> tuple[pa.Array, dict[str, Any]]:
    times = [dt.datetime(2020, 5, 1) + dt.timedelta(minutes=int(m)) for m in rng.integers(0, 5000, 8)]
    unit = str(rng.choice(["s", "ms", "us", "ns"]))
    return pa.array(_pick(rng, times, n), pa.timestamp(unit)), _of(rng, {}, {"grid": 1.0}, {"grid": 0.25})


def truths(rng: np.random.Generator, n: int) -> tuple[pa.Array, dict[str, Any]]:
    return pa.array(_pick(rng, [True, False], n)), {}


def ordered(rng: np.random.Generator, n: int) -> tuple[pa.Array, dict[str, Any]]:
    ways = _of(rng, {}, {"publish": "set"}, {"hierarchy": Hierarchy.fanout(2), "publish": "ancestor"})
    return pa.array(_pick(rng, GRADES, n)), {"kind": "ordered", "order": tuple(GRADES), **ways}


def categories(rng: np.random.Generator, n: int) -> tuple[pa.Array, dict[str, Any]]:
    texts = pa.array(_pick(rng, ODD_TEXTS, n))
    if rng.random() < 0.5:
        return texts, {"kind": "categorical"}
    unused = pa.array([*ODD_TEXTS, "nobody has this"])
    codes = pa.array([ODD_TEXTS.index(text) for text in texts.to_pylist()], pa.int32())
    return pa.DictionaryArray.from_arrays(codes, unused), {"kind": "categorical"}


def places(rng: np.random.Generator, n: int) -> tuple[pa.Array, dict[str, Any]]:
    ways = _of(rng, {}, {"publish": "set"}, {"hierarchy": Hierarchy.flat()})
    return pa.array(_pick(rng, CITIES, n)), {"hierarchy": Hierarchy.nested(REGIONS), **ways}


def postcodes(rng: np.random.Generator, n: int) -> tuple[pa.Array, dict[str, Any]]:
    codes = [f"{code:05d}" for code in rng.integers(0, 400, 12)]
    return pa.array(_pick(rng, codes, n)), {"hierarchy": Hierarchy.digits(5)}


def numbers_as_names(rng: np.random.Generator, n: int) -> tuple[pa.Array, dict[str, Any]]:
    return pa.array(_pick(rng, [3, 10, 21, 100], n), pa.int64()), {"kind": "categorical"}


MAKERS = [
    whole_numbers,
    short_numbers,
    floats,
    dates,
    moments,
    truths,
    ordered,
    categories,
    places,
    postcodes,
    numbers_as_names,
]


def _others(rng: np.random.Generator, n: int, linked: bool) -> dict[str, tuple[pa.Array, Column]]:
    """Sensitive and kept columns; sometimes dictionaries only, which are laid out in another way."""
    disease = pa.array(_pick(rng, ["flu", "cold", None, "none"], n), pa.string())
    found: dict[str, tuple[pa.Array, Column]] = {
        "disease": (disease.dictionary_encode() if rng.random() < 0.5 else disease, Column(role="sensitive"))
    }
    if rng.random() < 0.5:
        found["well"] = (pa.array(_pick(rng, [True, False, None], n), pa.bool_()), Column(role="keep"))
    if rng.random() < 0.3:
        pay = pa.array([float(v) for v in rng.normal(0, 100, n)])
        found["pay"] = (pay, Column(role="sensitive"))
    if linked:
        # Every row has its own on purpose: whoever makes such a table is not to be warned of it again and again.
        warnings.filterwarnings("ignore", f"'{LINK}' has a different text", PublishedDoubt)
        links = pa.array([f"link {i:04d}" for i in rng.permutation(n)])
        found[LINK] = (links.dictionary_encode() if rng.random() < 0.5 else links, Column(role="keep"))
    return found
