"""Incognito on DuckDB: the same answers as in memory, and SQL that is safe to run."""

from __future__ import annotations

import subprocess
import sys
import tempfile

import numpy as np
import pyarrow as pa
import pyarrow.csv as arrow_csv
import pyarrow.parquet as pq
import pytest

import amongst as am
from amongst import sql_text
from amongst.engines.duckdb import sql
from amongst.engines.duckdb.connect import connected
from amongst.lattice.generalize import searches

TOWNS = {"North": ["Oslo", 'Ber"gen', "To;ur'ku"], "South": {"Italy": ["Rome", "Bari"], "Spain": ["Cadiz"]}}


def random_table(seed: int) -> tuple[pa.Table, am.Schema]:
    rng = np.random.default_rng(seed)
    n = int(rng.integers(4, 60))
    towns = rng.choice(["Oslo", 'Ber"gen', "To;ur'ku", "Rome", "Bari", "Cadiz"], n).tolist()
    ages = rng.integers(18, 40, n).tolist()
    rule = ["own value", "suppress", "match anything"][seed % 3]
    if seed % 2:
        ages = [None if rng.random() < 0.2 else age for age in ages]
        towns = [None if rng.random() < 0.1 else town for town in towns]
    table = pa.table(
        {
            "select": pa.array(ages, pa.int64()),
            'to"wn': pa.array(towns, pa.string()),
            "a b": pa.array(rng.choice(["f", "m"], n).tolist()),
            "disease": pa.array(rng.choice(["flu", "cold"], n).tolist()),
        }
    )
    schema = am.Schema(
        {
            "select": am.Column(role="quasi", kind="numeric", hierarchy=am.Hierarchy.intervals([5, 10]), nulls=rule),
            'to"wn': am.Column(role="quasi", hierarchy=am.Hierarchy.nested(TOWNS), nulls=rule),
            "a b": am.Column(role="quasi"),
            "disease": am.Column(role="sensitive"),
        }
    )
    return table, schema


@pytest.mark.parametrize("seed", range(24))
def test_every_search_gives_the_answers_of_memory(seed: int, tmp_path) -> None:
    table, schema = random_table(seed)
    path = tmp_path / ("people.parquet" if seed % 4 < 2 else "people.csv")
    pq.write_table(table, path) if path.suffix == ".parquet" else arrow_csv.write_csv(table, path)
    search = searches()[seed % len(searches())]
    for method in {"incognito", search}:
        for k, suppression in ((2, 0.0), (3, 0.2)):
            models = [am.KAnonymity(k)]
            options = {"rollup": bool(seed % 2)} if method == "bottom-up-search" else {}
            if table.filter(pa.compute.and_(*(table[c].is_valid() for c in ("select", 'to"wn')))).num_rows < k:
                continue
            memory = am.generalizations(path, schema, models, method, suppression=suppression, **options)
            there = am.generalizations(
                path, schema, models, method, suppression=suppression, engine="duckdb", **options
            )
            assert list(memory) == list(there)
            assert (memory.complete, memory.heights, memory.n_searched) == (
                there.complete,
                there.heights,
                there.n_searched,
            )


def test_limits_and_memory_limit(tmp_path) -> None:
    data = am.datasets.load("adult", part="test")
    names = ["age", "sex", "race", "marital-status"]
    schema = am.Schema(
        {n: data.schema[n] for n in names}
        | {n: am.Column(role="identifier") for n in data.table.column_names if n not in names}
    )
    pq.write_table(data.table, tmp_path / "adult.parquet")
    found = am.generalizations(
        tmp_path / "adult.parquet",
        schema,
        [am.KAnonymity(5)],
        "incognito-superroots",
        limits={"sex": 0},
        engine="duckdb",
        memory_limit="500MB",
    )
    assert list(found) == list(am.generalizations(data.table, schema, [am.KAnonymity(5)], limits={"sex": 0}))
    assert all(levels[1] == 0 for levels in found)


def test_the_sql_quotes_names_and_texts() -> None:
    assert sql_text.quoted('a"b') == '"a""b"'
    assert sql.file_source("o'clock.parquet") == "read_parquet('o''clock.parquet')"
    base = sql.base_table("f1", "facts", ['to"wn', "select"], ["select"])
    assert 'f."to""wn" IS NOT DISTINCT FROM d0.value' in base
    assert 'WHERE f."select" IS NOT NULL' in base
    assert base.endswith("GROUP BY ALL")
    rolled = sql.rolled_up("f2", "f1", {0: (0, 2), 3: (1, 1)})
    assert "SELECT DISTINCT l0 AS before, l2 AS after FROM dimension_0" in rolled
    assert "s.c3 AS c3" in rolled
    assert "dimension_3" not in rolled


def test_what_it_cannot_do_is_said(tmp_path) -> None:
    table, schema = random_table(0)
    models = [am.KAnonymity(2)]
    with pytest.raises(am.errors.BadOption, match="takes a file"):
        am.generalizations(table, schema, models, engine="duckdb")
    with pytest.raises(am.errors.BadOption, match="only k-anonymity"):
        am.generalizations(tmp_path / "any.parquet", schema, [*models, am.LDiversity(2)], engine="duckdb")
    with pytest.raises(am.errors.BadOption, match="people"):
        am.generalizations(tmp_path / "any.parquet", schema, models, unit="who", engine="duckdb")
    with pytest.raises(am.errors.BadOption, match="no engine"):
        am.generalizations(table, schema, models, engine="abacus")
    with pytest.raises(am.errors.BadInput, match="not there"):
        am.generalizations(tmp_path / "none.parquet", schema, models, engine="duckdb")
    (tmp_path / "broken.parquet").write_text("no parquet")
    with pytest.raises(am.errors.BadInput, match="cannot be read"):
        am.generalizations(tmp_path / "broken.parquet", schema, models, engine="duckdb")
    pq.write_table(table, tmp_path / "good.parquet")
    with pytest.raises(am.errors.BadOption, match="memory limit"):
        am.generalizations(tmp_path / "good.parquet", schema, models, engine="duckdb", memory_limit="much")
    with pytest.raises(am.errors.BadSchema):
        am.generalizations(tmp_path / "good.parquet", am.Schema({"a b": schema["a b"]}), models, engine="duckdb")


def test_a_memory_limit_that_is_too_small_is_said(tmp_path) -> None:
    data = am.datasets.load("adult", part="test")
    pq.write_table(data.table, tmp_path / "adult.parquet")
    for limit in ("0MB", "1MB", "5MB"):
        with pytest.raises(am.errors.Infeasible, match="too small"):
            am.generalizations(
                tmp_path / "adult.parquet", data.schema, [am.KAnonymity(5)], engine="duckdb", memory_limit=limit
            )


def test_what_does_not_fit_goes_to_a_private_folder_that_goes_again(tmp_path, monkeypatch) -> None:
    """Beyond the limit DuckDB writes rows to disk; by itself it would do so where the process runs."""
    spilled, scratch = tmp_path / "spilled", tmp_path / "scratch"
    spilled.mkdir()
    scratch.mkdir()
    monkeypatch.setattr(tempfile, "tempdir", str(spilled))
    monkeypatch.chdir(scratch)
    with connected("40MB") as connection:
        # 64 MB of numbers that compress badly
        connection.execute("CREATE TEMP TABLE large AS SELECT hash(range) AS h FROM range(8000000)")
        [folder] = spilled.iterdir()
        assert list(folder.iterdir())
        assert folder.stat().st_mode & 0o077 == 0
        assert connection.execute("SELECT count(*) FROM large WHERE h >= 0").fetchall() == [(8_000_000,)]
    assert list(spilled.iterdir()) == list(scratch.iterdir()) == []


def test_nothing_is_said_when_the_process_ends_with_an_answer_in_hand(tmp_path) -> None:
    program = (
        "import sys, amongst as am\n"
        "data = am.datasets.load('patients')\n"
        "import pyarrow.parquet as pq\n"
        "pq.write_table(data.table, sys.argv[1])\n"
        "found = am.generalizations(sys.argv[1], data.schema, [am.KAnonymity(2)], engine='duckdb')\n"
    )
    done = subprocess.run(
        [sys.executable, "-c", program, str(tmp_path / "p.parquet")], capture_output=True, text=True, check=False
    )
    assert (done.returncode, done.stderr) == (0, "")


@pytest.mark.parametrize("seed", range(4))
def test_the_optimum_is_that_of_memory(seed: int, tmp_path) -> None:
    table, schema = random_table(seed)
    path = tmp_path / "people.parquet"
    pq.write_table(table, path)
    models = [am.KAnonymity(2)]
    memory = am.anonymize(path, schema, models, "full-domain-optimum")
    there = am.anonymize(path, schema, models, "full-domain-optimum", memory="8GB")
    there.write(tmp_path / "out")
    published = pq.read_table(tmp_path / "out" / "release.parquet")
    assert published.to_pylist() == memory.arrow.to_pylist()
