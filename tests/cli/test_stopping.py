"""Ctrl-C, kill, kill -9 and a full disk: a release is there complete, or not at all."""

from __future__ import annotations

import json
import random
import resource
import signal
import subprocess
import time
from pathlib import Path

import numpy as np
import pyarrow as pa
import pyarrow.parquet as pq
import pytest
from cli_process import ROLES, command, environment, left_over

N_ROWS = 250_000
ARGUMENTS = (
    *("anonymize", "large.parquet", "--out", "out", "--quasi", "a,b,c,d", "--keep", "e", "--k", "5"),
    *("--method", "mondrian"),
)


@pytest.fixture(scope="module")
def large(tmp_path_factory) -> Path:
    """A folder with a table that keeps the command busy for about a second."""
    draw = np.random.default_rng(5)
    columns = {name: draw.integers(0, 100_000, N_ROWS) for name in "abcde"}
    folder = tmp_path_factory.mktemp("large")
    pq.write_table(pa.table(columns), folder / "large.parquet")
    return folder


@pytest.fixture
def work(large, tmp_path) -> Path:
    (tmp_path / "large.parquet").symlink_to(large / "large.parquet")
    return tmp_path


def start(folder: Path, *arguments: str) -> subprocess.Popen[str]:
    return subprocess.Popen(
        command(*arguments),
        cwd=folder,
        env=environment(),
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
    )


def wait_until_it_writes(process: subprocess.Popen[str], folder: Path) -> None:
    while process.poll() is None and not left_over(folder):
        time.sleep(0.002)


def wait_until_there_is_data(process: subprocess.Popen[str], folder: Path) -> None:
    while process.poll() is None and not list(folder.glob(".amongst-*/release.*")):
        time.sleep(0.002)


def wait_until_it_works(process: subprocess.Popen[str]) -> None:
    """Until the libraries that do the work are loaded; a signal before that meets Python, not amongst."""
    maps = Path(f"/proc/{process.pid}/maps")
    while process.poll() is None and maps.exists() and "libarrow" not in maps.read_text():
        time.sleep(0.005)
    time.sleep(0.1)


@pytest.mark.parametrize("moment", ["while it reads and groups", "while it writes"])
def test_ctrl_c(work, moment):
    process = start(work, *ARGUMENTS)
    if moment == "while it writes":
        wait_until_there_is_data(process, work)
    else:
        wait_until_it_works(process)
    process.send_signal(signal.SIGINT)
    out, told = process.communicate(timeout=30)
    assert process.returncode == 130, told
    assert out == ""
    assert told == "Stopped. Nothing was written.\n"
    assert [path.name for path in work.iterdir()] == ["large.parquet"]


def test_being_asked_to_end(work):
    process = start(work, *ARGUMENTS, "--json")
    wait_until_there_is_data(process, work)
    process.terminate()
    out, told = process.communicate(timeout=30)
    assert process.returncode == 128 + signal.SIGTERM
    assert json.loads(out)["error"] == "stopped"
    assert told == ""
    assert [path.name for path in work.iterdir()] == ["large.parquet"]


def test_kill_at_any_moment_and_the_next_run_cleans_up(work, amongst):
    seen_leftovers = False
    for moment in (0.0, 0.03, 0.1, 0.2, 0.4):
        process = start(work, *ARGUMENTS)
        wait_until_it_writes(process, work)
        time.sleep(random.uniform(0.5, 1) * moment)
        process.kill()
        process.communicate(timeout=30)
        seen_leftovers |= bool(left_over(work))
        if (work / "out").exists():
            ran = amongst("verify", "out", "--json")
            assert ran.returncode == 0, ran.stdout
            assert json.loads(ran.stdout)["unchanged"] is True
            for path in (work / "out").iterdir():
                path.unlink()
            (work / "out").rmdir()
    assert seen_leftovers, "no run was killed while it wrote"
    ran = amongst(*ARGUMENTS)
    assert ran.returncode == 0, ran.stderr
    assert sorted(path.name for path in work.iterdir()) == ["large.parquet", "out", "out.inside"]


def test_kill_while_an_earlier_release_is_replaced(people, tmp_path, amongst):
    assert amongst("anonymize", people, "--out", "out", *ROLES, "-k", 4).returncode == 0
    before = (tmp_path / "out" / "release.parquet").read_bytes()
    process = start(tmp_path, "anonymize", str(people), "--out", "out", *ROLES, "-k", "8", "--force")
    wait_until_it_writes(process, tmp_path)
    process.kill()
    process.communicate(timeout=30)
    assert amongst("verify", "out").returncode == 0
    assert amongst("anonymize", people, "--out", "out", *ROLES, "-k", 8, "--force").returncode == 0
    assert (tmp_path / "out" / "release.parquet").read_bytes() != before
    assert left_over(tmp_path) == []


def test_two_runs_at_once_do_not_take_each_others_folders(work):
    first, second = start(work, *ARGUMENTS), start(work, *ARGUMENTS[:3], "other", *ARGUMENTS[4:])
    for process in (first, second):
        _, told = process.communicate(timeout=60)
        assert process.returncode == 0, told
    assert (work / "out" / "release.parquet").read_bytes() == (work / "other" / "release.parquet").read_bytes()
    assert left_over(work) == []


@pytest.mark.parametrize(
    ("n_bytes", "format"), [(0, "parquet"), (20_000, "parquet"), (20_000, "csv"), (3_000_000, "csv")]
)
def test_a_full_disk(work, n_bytes, format):
    def fill() -> None:
        signal.signal(signal.SIGXFSZ, signal.SIG_IGN)
        resource.setrlimit(resource.RLIMIT_FSIZE, (n_bytes, n_bytes))

    ran = subprocess.run(
        command(*ARGUMENTS, "--format", format),
        cwd=work,
        env=environment(PYTHONDONTWRITEBYTECODE="1"),
        capture_output=True,
        text=True,
        timeout=60,
        preexec_fn=fill,
    )
    assert ran.returncode == 1, ran.stdout + ran.stderr
    assert "disk is full" in ran.stderr
    assert "Traceback" not in ran.stderr
    assert [path.name for path in work.iterdir()] == ["large.parquet"]


def test_a_full_disk_leaves_no_job_file(people, tmp_path):
    def fill() -> None:
        signal.signal(signal.SIGXFSZ, signal.SIG_IGN)
        resource.setrlimit(resource.RLIMIT_FSIZE, (100, 100))

    ran = subprocess.run(
        command("inspect", people, "--write", "job.toml"),
        cwd=tmp_path,
        env=environment(PYTHONDONTWRITEBYTECODE="1"),
        capture_output=True,
        text=True,
        preexec_fn=fill,
    )
    assert ran.returncode == 1
    assert "disk is full" in ran.stderr
    assert [path.name for path in tmp_path.iterdir()] == ["people.csv"]
