"""A few runs that are killed, starved or misled; ``make faults`` does it a hundred times."""

from __future__ import annotations

import os
import random
import signal
import subprocess
import sys
from pathlib import Path

import pytest
from fault_runs import SCENARIOS, SOURCE, left_over, make_inputs, memory, mislead, starve, stop_at_random

import amongst as am
from amongst.staging import PREFIX, staged_file

WRONG_CLOCK = """
import time
real, moments = time.time, iter(range(10**9))
time.time = lambda: 4e9 - 86400 * next(moments)  # a day back at every look
time.monotonic_ns()
"""


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    (tmp_path / "work").mkdir()
    make_inputs(tmp_path / "work", n_rows=1500)
    return tmp_path / "work"


@pytest.mark.parametrize("name", ["anatomy csv", "duckdb"])
def test_killed_at_any_moment(name: str, folder: Path) -> None:
    counts = stop_at_random(folder, SCENARIOS[name], 3, signal.SIGKILL, random.Random(4))
    assert counts.runs == counts.complete + counts.nothing == 3


def test_little_memory(folder: Path) -> None:
    counts = starve(folder, SCENARIOS["csv"], [memory(megabytes << 20) for megabytes in (260, 700)])
    assert counts.runs == 2


def test_a_clock_that_runs_backwards(folder: Path, tmp_path: Path) -> None:
    (tmp_path / "clock").mkdir()
    (tmp_path / "clock" / "sitecustomize.py").write_text(WRONG_CLOCK)
    counts = mislead(folder, SCENARIOS["parquet"], [{"PYTHONPATH": f"{tmp_path / 'clock'}{os.pathsep}{SOURCE}"}])
    assert counts.complete == 1


def test_a_single_file_is_whole_or_not_there_and_leaves_nothing_hidden(tmp_path: Path) -> None:
    """A killed run leaves a hidden folder; whoever writes next beside it removes it."""
    code = (
        "import os, sys; from pathlib import Path; from amongst.staging import staged_file\n"
        "with staged_file(Path(sys.argv[1])) as part:\n"
        "    part.write_text('half'); os.kill(os.getpid(), 9)\n"
    )
    ran = subprocess.run([sys.executable, "-c", code, str(tmp_path / "job.toml")], check=False)
    assert ran.returncode == -signal.SIGKILL
    assert [path.name.startswith(PREFIX) for path in tmp_path.iterdir()] == [True]
    with staged_file(tmp_path / "job.toml") as part:
        part.write_text("whole")
    assert [path.name for path in tmp_path.iterdir()] == ["job.toml"]
    assert (tmp_path / "job.toml").read_text() == "whole"


@pytest.mark.parametrize("mask", [0o022, 0o077])
def test_a_single_file_is_for_whom_the_user_says(mask: int, tmp_path: Path) -> None:
    before = os.umask(mask)
    try:
        am.Hierarchy.digits(2).tree(["53", "57"])
        with staged_file(tmp_path / "page.html") as part:
            part.write_text("x")
    finally:
        os.umask(before)
    assert (tmp_path / "page.html").stat().st_mode & 0o777 == 0o666 & ~mask
    assert left_over(tmp_path) == []


def test_an_error_leaves_the_file_that_was_there(tmp_path: Path) -> None:
    (tmp_path / "page.html").write_text("before")

    def stopped() -> None:
        with staged_file(tmp_path / "page.html") as part:
            part.write_text("half")
            raise ValueError("stop")

    with pytest.raises(ValueError, match="stop"):
        stopped()
    assert (tmp_path / "page.html").read_text() == "before"
    assert left_over(tmp_path) == []
