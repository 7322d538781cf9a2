"""Databases at the edge: every table empty in turn, columns of nothing but nulls, one row, every type; all methods."""

from __future__ import annotations

import datetime as dt
from decimal import Decimal
from pathlib import Path
from typing import Any

import numpy as np
import pyarrow as pa
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import amongst as am

DAY = dt.date(2020, 2, 29)
VALUES: dict[str, tuple[pa.DataType, list[Any]]] = {
    "whole": (pa.int64(), [3, 1, 2]),
    "short": (pa.int8(), [-3, 1, 2]),
    "unsigned": (pa.uint64(), [3, 2**63, 2]),
    "number": (pa.float64(), [0.5, -1.25, 3.0]),
    "float": (pa.float32(), [0.5, -1.25, 3.0]),
    "half": (pa.float16(), [np.float16(0.5), np.float16(1), np.float16(3)]),
    "decimal": (pa.decimal128(7, 2), [Decimal("1.25"), Decimal("2.50"), Decimal("9.00")]),
    "truth": (pa.bool_(), [True, False, True]),
    "text": (pa.string(), ["b", "a", "c"]),
    "long text": (pa.large_string(), ["b", "a", "c"]),
    "coded": (pa.dictionary(pa.int32(), pa.string()), ["b", "a", "c"]),
    "day": (pa.date32(), [DAY, DAY + dt.timedelta(1), DAY + dt.timedelta(400)]),
    "day64": (pa.date64(), [DAY, DAY + dt.timedelta(1), DAY + dt.timedelta(400)]),
    "time": (pa.timestamp("us"), [dt.datetime(2020, 1, 1), dt.datetime(2020, 1, 2, 3), dt.datetime(2021, 1, 1)]),
    "second": (pa.timestamp("s"), [dt.datetime(2020, 1, 1), dt.datetime(2020, 1, 2, 3), dt.datetime(2021, 1, 1)]),
    "nothing": (pa.null(), [None, None, None]),
}
METHODS = ["miracle", "miracle-x", "bitmap"]
TABLES = {"p": None, "v": "p", "d": "v", "w": "p"}


def column(kind: str, n: int, picks: np.ndarray, nulls: np.ndarray) -> pa.Array:
    made, values = VALUES[kind]
    cells = [None if nulls[i] else values[picks[i]] for i in range(n)]
    plain = made.value_type if pa.types.is_dictionary(made) else made
    array = pa.array(cells, plain)
    return array.dictionary_encode() if pa.types.is_dictionary(made) else array


def database(rng: np.random.Generator, sizes: dict[str, int], kinds: list[str], null_share: float) -> Any:
    """Four tables: p, below it v and w, below v d; a quasi-identifier, a sensitive and a kept column of each kind."""
    tables: dict[str, pa.Table] = {}
    relations: dict[str, am.Relation] = {}
    for name, parent in TABLES.items():
        n = sizes[name] if parent is None or tables[parent].num_rows else 0
        columns: dict[str, Any] = {f"{name}_id": pa.array(rng.permutation(1000)[:n] + 5000, pa.int64())}
        rules: dict[str, am.Column] = {}
        if parent is not None:
            above = tables[parent][f"{parent}_id"].to_numpy()
            columns["up"] = pa.array(rng.choice(above, n) if n else [], pa.int64())
        for i, kind in enumerate(kinds):
            for role in ("quasi", "sensitive", "keep"):
                own = f"{role} {i}"
                columns[own] = column(kind, n, rng.integers(0, 3, n), rng.random(n) < null_share)
                rules[own] = am.Column(role=role, nulls="own value") if role == "quasi" else am.Column(role=role)
        tables[name] = pa.table(columns)
        relations[name] = am.Relation(rules, key=f"{name}_id", parent=parent, foreign_key=parent and "up")
    return tables, am.DatabaseSchema(relations)


def whole_life(tables: Any, schema: am.DatabaseSchema, method: str, k: int, folder: Path, kind: str) -> None:
    release = am.anonymize_database(tables, schema, [am.KAnonymity(k)], method, leftovers="join")
    assert release.verdict.ok, release.verdict.words()
    assert release.write(folder, format=kind, force=True).ok
    verdict = am.verify_database(folder, release.schema, [am.KAnonymity(k)])
    assert verdict.ok, verdict.words()
    assert verdict.rows == {name: table.num_rows for name, table in release.arrow.items()}


@pytest.mark.parametrize("method", METHODS)
@pytest.mark.parametrize("empty", ["v", "d", "w"])
def test_every_table_empty_in_turn_with_columns_of_every_type(empty: str, method: str, tmp_path: Path) -> None:
    sizes = {"p": 4, "v": 5, "d": 6, "w": 3, empty: 0}
    tables, schema = database(np.random.default_rng(0), sizes, list(VALUES), 0.0)
    whole_life(tables, schema, method, 2, tmp_path / "out", "parquet")


@pytest.mark.parametrize("method", METHODS)
def test_columns_of_every_type_with_nothing_but_nulls(method: str, tmp_path: Path) -> None:
    tables, schema = database(np.random.default_rng(0), {"p": 4, "v": 5, "d": 6, "w": 3}, list(VALUES), 1.0)
    whole_life(tables, schema, method, 2, tmp_path / "out", "parquet")


def test_no_persons_is_refused_whatever_the_types() -> None:
    tables, schema = database(np.random.default_rng(0), {"p": 0, "v": 1, "d": 1, "w": 1}, list(VALUES), 0.0)
    with pytest.raises(am.errors.BadInput, match="keys"):
        am.anonymize_database(tables, schema, [am.KAnonymity(1)])


def test_sqlite_says_that_it_cannot_hold_the_largest_numbers(tmp_path: Path) -> None:
    tables, schema = database(np.random.default_rng(1), {"p": 4, "v": 5, "d": 6, "w": 3}, ["unsigned"], 0.0)
    release = am.anonymize_database(tables, schema, [am.KAnonymity(2)], leftovers="join")
    with pytest.raises(am.errors.BadOutput, match="nothing of them is left") as caught:
        release.write(tmp_path / "out", format="sqlite")
    assert "2^63" in str(caught.value)
    assert not list(tmp_path.iterdir())


@pytest.mark.parametrize("method", METHODS)
@settings(max_examples=6, deadline=None)
@given(seed=st.integers(0, 2**32 - 1))
def test_small_random_databases_live_their_whole_life(method: str, seed: int, tmp_path_factory: Any) -> None:
    rng = np.random.default_rng(seed)
    sizes = {name: int(rng.integers(1 if name == "p" else 0, 5)) for name in TABLES}
    kinds = [str(one) for one in rng.choice(list(VALUES), int(rng.integers(1, 4)))]
    tables, schema = database(rng, sizes, kinds, float(rng.choice([0.0, 0.3, 1.0])))
    kind = str(rng.choice(["parquet", "csv", "duckdb", *(() if "unsigned" in kinds else ("sqlite",))]))
    whole_life(
        tables, schema, method, min(sizes["p"], int(rng.integers(1, 3))), tmp_path_factory.mktemp("r") / "o", kind
    )
