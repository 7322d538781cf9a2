"""What is published as it is: the same value of the same type on every way through a file, as in memory."""

from __future__ import annotations

import datetime
import decimal
from dataclasses import fields
from pathlib import Path
from typing import Any

import numpy as np
import pyarrow as pa
import pyarrow.parquet as pq
import pytest
from pyarrow import csv
from stored_files import stored_release, written

import amongst as am
from amongst.anonymize import release_of
from amongst.engines.duckdb.open_store import open_store
from amongst.engines.memory import Budget
from amongst.engines.parts.plan import Plan
from amongst.engines.parts.store import PartsStore
from amongst.engines.work import Work
from amongst.request import Request

N_ROWS = 120
WAYS = ("counts", "join", "parts")
VALUES: dict[str, tuple[pa.DataType, list[Any]]] = {
    "float64": (pa.float64(), [-0.0, 0.0, None, float("nan"), float("inf"), float("-inf"), -1.5, 0.1, 5e-324]),
    "float32": (pa.float32(), [-0.0, 0.0, None, float("nan"), 0.25, 24.1]),
    "int8": (pa.int8(), [-128, 127, None]),
    "int64": (pa.int64(), [-(2**63), 2**63 - 1, 0, None]),
    "uint64": (pa.uint64(), [0, 2**64 - 1, None]),
    "text": (pa.string(), ["", " ", "a", "Å", "é", "NULL", "2.100", None]),
    "truth": (pa.bool_(), [True, False, None]),
    "day": (pa.date32(), [datetime.date(1, 1, 1), datetime.date(2026, 11, 16), None]),
    "milli": (pa.timestamp("ms"), [datetime.datetime(1970, 1, 1), datetime.datetime(2026, 2, 28, 1, 2, 3), None]),
    "micro": (pa.timestamp("us"), [datetime.datetime(2026, 2, 28, 1, 2, 3, 4), None]),
    "money": (pa.decimal128(9, 2), [decimal.Decimal("2.10"), decimal.Decimal("-3.00"), None]),
}
TEXTS = {
    "price": ["2.100", "2.10", "0.000", "-0", "0", "17"],
    "plain": ["2.5", "-3.25", "0.5"],
    "even": ["2.10", "3.00", "-0.50"],
    "code": ["007", "7", "x"],
    "when": ["2026-01-02T03:04:05", "2026-01-02 03:04:05"],
}


def people(rng: np.random.Generator) -> dict[str, pa.Array]:
    return {"age": pa.array(rng.integers(20, 30, N_ROWS)), "city": pa.array(rng.choice(["oslo", "rome"], N_ROWS))}


def drawn(rng: np.random.Generator, values: list[Any], of: pa.DataType) -> pa.Array:
    return pa.array([values[i] for i in rng.integers(0, len(values), N_ROWS)], of)


def schema_of(kept: list[str], sensitive: str) -> am.Schema:
    roles = {name: "sensitive" if name == sensitive else "keep" for name in kept}
    return am.Schema({"age": "quasi", "city": "quasi", **roles})


def on_way(way: str, path: Path, folder: Path, request: Request, format: str) -> bytes:
    work = folder / way
    work.mkdir()
    if way == "parts":
        place = Work(work)
        store = open_store(path, place.folder, 400_000_000)
        own = {field.name: getattr(store, field.name) for field in fields(store)} | {"work": place}
        parts = PartsStore(**own, budget=Budget(10**9, 7 * 10**8), planned=Plan(4, 5, 1))
        release: Any = release_of(parts, request, lambda *step: None)
    else:
        release = stored_release(path, work, request, whole=way == "counts")
    release.write(folder / f"{way}.out", format=format)
    return (folder / f"{way}.out" / f"release.{format}").read_bytes()


@pytest.mark.parametrize("format", ["parquet", "csv"])
@pytest.mark.parametrize("seed", range(2))
def test_kept_cells_of_every_type(seed: int, format: str, tmp_path: Path) -> None:
    rng = np.random.default_rng(seed)
    kept = {name: drawn(rng, values, of) for name, (of, values) in VALUES.items()}
    names = list(kept)[seed:] + list(kept)[:seed]
    table = pa.table({**people(rng), **{name: kept[name] for name in names}})
    path, schema = written(table, tmp_path), schema_of(names, names[-1])
    same_everywhere(path, schema, tmp_path, format)
    if format == "parquet":
        published = pq.read_table(tmp_path / "memory/release.parquet")
        for name in names:
            assert published.schema.field(name).type == table.schema.field(name).type
            assert sorted(map(repr, published[name].to_pylist())) == sorted(map(repr, table[name].to_pylist()))


@pytest.mark.parametrize("format", ["parquet", "csv"])
@pytest.mark.parametrize("column", list(VALUES))
def test_one_kept_column_of_few_values(column: str, format: str, tmp_path: Path) -> None:
    """So few that rows which are equal in all that is published repeat, and are counted."""
    of, values = VALUES[column]
    rng = np.random.default_rng(7)
    table = pa.table({**people(rng), column: drawn(rng, values, of)})
    same_everywhere(written(table, tmp_path), schema_of([column], ""), tmp_path, format)


@pytest.mark.parametrize("format", ["parquet", "csv"])
@pytest.mark.parametrize("seed", range(2))
def test_cells_of_a_text_file_as_they_were_written(seed: int, format: str, tmp_path: Path) -> None:
    rng = np.random.default_rng(seed)
    names = list(TEXTS)[seed:] + list(TEXTS)[:seed]
    table = pa.table({**people(rng), **{name: drawn(rng, TEXTS[name], pa.string()) for name in names}})
    path = tmp_path / "people.csv"
    csv.write_csv(table, path, csv.WriteOptions(quoting_style="needed"))
    same_everywhere(path, schema_of(names, names[0]), tmp_path, format)
    if format == "csv":
        shown = csv.ConvertOptions(column_types=dict.fromkeys(names, pa.string()))
        published = csv.read_csv(tmp_path / "memory/release.csv", convert_options=shown)
        for name in names:
            assert sorted(published[name].to_pylist()) == sorted(table[name].to_pylist())


def test_columns_may_have_the_names_that_ways_use_themselves_and_be_weights(tmp_path: Path) -> None:
    rng = np.random.default_rng(3)
    names = ["class", "place", "part", "row", "count", "code", "value", "node", "cell"]
    table = pa.table({**people(rng), **{name: pa.array(rng.integers(1, 999, N_ROWS)) for name in names}})
    schema = am.Schema({**schema_of(names, "class"), "count": am.Column(role="weight")})
    same_everywhere(written(table, tmp_path), schema, tmp_path, "csv")


def same_everywhere(path: Path, schema: am.Schema, folder: Path, format: str) -> None:
    models = [am.KAnonymity(4)]
    am.anonymize(path, schema, models, "mondrian").write(folder / "memory", format=format)
    expected = (folder / "memory" / f"release.{format}").read_bytes()
    request = Request(schema=schema, models=models, method="mondrian", options={})
    differ = [way for way in WAYS if on_way(way, path, folder, request, format) != expected]
    assert differ == []
