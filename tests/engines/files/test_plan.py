"""What a job would take, said before it is run."""

from __future__ import annotations

import json
import subprocess
from collections.abc import Callable
from pathlib import Path

import pytest
from stored_files import written

import amongst as am
from amongst.engines import plan as plans
from amongst.engines.duckdb.choose_path import choose_path
from amongst.engines.memory import Budget
from amongst.job.job import Engine, Input, Job, Output

Command = Callable[..., subprocess.CompletedProcess[str]]


@pytest.fixture
def job(tmp_path: Path) -> Job:
    adult = am.datasets.load("adult")
    path = written(adult.table.slice(0, 4000), tmp_path)
    return Job(Input(path), adult.schema, (am.KAnonymity(5),), output=Output(tmp_path / "out"), method="mondrian")


def with_engine(job: Job, **settings: str) -> Job:
    return Job(job.input, job.schema, job.models, output=job.output, engine=Engine(**settings), method="mondrian")  # type: ignore[arg-type]


def test_a_job_in_memory(job: Job) -> None:
    found = plans.plan(job)
    assert (found.engine, found.passes, found.n_rows) == ("memory", 1, 4000)
    assert found.memory > 0
    assert found.seconds is not None


def test_a_job_with_a_limit(job: Job, tmp_path: Path) -> None:
    found = plans.plan(with_engine(job, memory="2GB"))
    assert (found.engine, found.n_rows) == ("duckdb", 4000)
    assert found.n_distinct is not None
    assert 2000 < found.n_distinct < 4600
    assert found.memory <= 2_000_000_000
    assert "4,000 rows" in found.why[0]
    assert not (tmp_path / "out").exists()


@pytest.mark.parametrize(("free", "name"), [(10**9, "counts"), (3_000_000, "join"), (10_000, "parts")])
def test_the_way_follows_from_the_memory(free: int, name: str, tmp_path: Path) -> None:
    import numpy as np
    import pyarrow as pa

    from amongst.engines.duckdb.open_store import open_store
    from amongst.request import Request

    n = 20_000
    rng = np.random.default_rng(1)
    table = pa.table({"age": rng.integers(0, 100, n), "sex": rng.integers(0, 2, n), "paid": rng.random(n)})
    schema = am.Schema({"age": am.Column(role="quasi"), "sex": am.Column(role="quasi"), "paid": am.Column(role="keep")})
    store = open_store(written(table, tmp_path), tmp_path, 400_000_000)
    found = choose_path(
        store, Request(schema=schema, models=[am.KAnonymity(5)], method="mondrian"), Budget(2 * free, free)
    )
    assert found.name == name
    assert found.n_rows == n


def test_the_command_and_the_job_file_say_the_same(job: Job, tmp_path: Path, run_amongst: Command) -> None:
    path = tmp_path / "job.toml"
    path.write_text(with_engine(job, memory="2GB", name="duckdb").to_toml())
    assert Job.from_file(path).engine == Engine("duckdb", "2GB")
    done = run_amongst("plan", str(path), "--json")
    assert done.returncode == 0
    assert json.loads(done.stdout)["engine"] == "duckdb"
    shown = run_amongst("plan", str(path))
    assert "passes" in shown.stdout
    assert "at the peak" in shown.stdout
    done = run_amongst("run", str(path))
    assert done.returncode == 0, done.stderr
    job_in_memory = tmp_path / "memory.toml"
    job_in_memory.write_text(job.to_toml())
    assert run_amongst("run", str(job_in_memory), "--out", str(tmp_path / "memory")).returncode == 0
    assert (tmp_path / "out/release.parquet").read_bytes() == (tmp_path / "memory/release.parquet").read_bytes()


def test_a_job_on_spark_is_planned_without_starting_it(job: Job) -> None:
    found = plans.plan(with_engine(job, name="spark"))
    assert (found.engine, found.n_rows, found.seconds) == ("spark", 4000, None)
    assert "executors" in found.why[0]


def test_a_limit_too_small_says_the_least_that_would_do(job: Job, tmp_path: Path, run_amongst: Command) -> None:
    path = tmp_path / "job.toml"
    path.write_text(job.to_toml())
    done = run_amongst("run", str(path), "--memory", "100MB", "--json")
    assert done.returncode == 1
    least = json.loads(done.stdout or done.stderr)["least"]
    assert run_amongst("run", str(path), "--memory", f"{least}B").returncode == 0
