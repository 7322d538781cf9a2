"""Comparing as a person would."""

from __future__ import annotations

import json
import subprocess
from collections.abc import Callable
from pathlib import Path

from cli_process import JOB_COLUMNS, SECRET

Run = Callable[..., subprocess.CompletedProcess[str]]


def test_a_job_is_compared(amongst: Run, people: Path, tmp_path: Path) -> None:
    job = f'[input]\npath = "people.csv"\n{JOB_COLUMNS}\n[[privacy]]\nmodel = "k-anonymity"\nk = 3\n'
    job += '[analysis]\nformulas = ["age ~ sex"]\n'
    (tmp_path / "job.toml").write_text(job)
    done = amongst("compare", "job.toml", "--methods", "mondrian,hilbert", "-k", "3,5", "--processes", "1")
    assert done.returncode == 0, done.stderr
    assert "recommended" in done.stdout
    assert "why" in done.stdout
    assert "analysis kept" in done.stdout
    page, told = (tmp_path / "compare.html").read_text(), json.loads((tmp_path / "compare.json").read_text())
    assert len(told["candidates"]) == 4
    assert SECRET not in page + json.dumps(told) + done.stdout
    again = amongst("compare", "job.toml")
    assert again.returncode == 1
    assert "exists" in again.stderr


def test_wrong_requests(amongst: Run) -> None:
    assert amongst("compare", "patients", "-k", "two").returncode == 2
    assert amongst("compare", "patients", "--methods", "none").returncode == 2
    assert amongst("compare", "nothing.csv").returncode == 2
    told = amongst("compare", "patients", "-k", "2", "--methods", "mondrian", "--json", "--processes", "1")
    assert json.loads(told.stdout)["candidates"][0]["state"] == "verified"


def test_what_is_refused_says_why(amongst: Run) -> None:
    done = amongst("compare", "patients", "-k", "2,7", "--methods", "mondrian,hilbert", "--processes", "1")
    assert done.returncode == 0, done.stderr
    assert "2: No grouping can reach 7-anonymity." in done.stdout


def test_nothing_that_holds_ends_with_1(amongst: Run, tmp_path: Path) -> None:
    done = amongst("compare", "patients", "--methods", "mondrian", "-k", "30", "--processes", "1")
    assert done.returncode == 1
    assert (tmp_path / "compare.html").exists()
