"""An engine that is made up here, by what CONTRIBUTING says: Python, job files and the command know it."""

from __future__ import annotations

from pathlib import Path

import pyarrow.parquet as pq
import pytest
from odd_people import SCHEMA, K, people
from polars_engine import POLARS
from typer.testing import CliRunner

import amongst as am
from amongst.cli.command import app
from amongst.cli.options import Engine
from amongst.engines import ENGINES
from amongst.engines.plan import plan
from amongst.errors import BadOption
from amongst.job.job import Engine as Asked
from amongst.job.job import Input, Job


@pytest.fixture
def path(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setitem(ENGINES, "polars", POLARS)
    pq.write_table(people(300), tmp_path / "in.parquet")
    return tmp_path / "in.parquet"


def job(path: Path) -> Job:
    return Job(Input(path), SCHEMA, tuple(K), "mondrian", engine=Asked("polars"))


def test_python_knows_it(path: Path) -> None:
    release = am.anonymize(path, SCHEMA, K, "mondrian", engine="polars")
    release.write(path.parent / "out")
    here = am.anonymize(path, SCHEMA, K, "mondrian")
    assert pq.read_table(path.parent / "out" / "release.parquet").to_pylist() == here.arrow.to_pylist()


def test_rows_of_one_kind_in_several_classes(path: Path) -> None:
    """Methods that divide equal rows say which of them go where."""
    release = am.anonymize(path, SCHEMA, K, "hilbert", engine="polars")
    assert release.plan.divided
    assert release.write(path.parent / "out").ok
    assert release.utility.gcp == pytest.approx(am.anonymize(path, SCHEMA, K, "hilbert").utility.gcp)


def test_job_files_and_the_command_know_it(path: Path) -> None:
    file = path.parent / "job.toml"
    file.write_text(job(path).to_toml(), encoding="utf-8")
    assert Job.from_file(file).engine.name == "polars"
    ended = CliRunner().invoke(app, ["run", str(file), "--out", str(path.parent / "out")])
    assert ended.exit_code == 0, ended.output
    ended = CliRunner().invoke(app, ["verify", str(path.parent / "out")])
    assert ended.exit_code == 0, ended.output


def test_the_command_names_all_there_are() -> None:
    (told,) = Engine.__metadata__[:1]  # type: ignore[attr-defined]
    assert all(name in told.help for name in ENGINES)


def test_what_it_does_not_take_is_refused_in_words(path: Path) -> None:
    with pytest.raises(BadOption, match="does not take every setting") as refused:
        am.anonymize(path, SCHEMA, K, "mondrian", engine="polars", memory="2GB")
    assert "memory" in str(refused.value)
    with pytest.raises(BadOption, match="not in memory"):
        _ = am.anonymize(path, SCHEMA, K, "mondrian", engine="polars").table
    for asked in ({"unit": "age"}, {"method": "anatomy", "models": [am.LDiversity(2)]}):
        with pytest.raises(BadOption):
            am.anonymize(path, SCHEMA, **{"models": K, "method": "mondrian", **asked}, engine="polars")


def test_what_a_run_would_take_is_told_by_engines_that_know(path: Path) -> None:
    with pytest.raises(BadOption, match="not known before"):
        plan(job(path))
