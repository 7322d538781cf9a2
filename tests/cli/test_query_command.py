"""Asking a release as a person would."""

from __future__ import annotations

import json
import subprocess
from pathlib import Path

import pytest
from cli_process import command, environment


def amongst(*arguments: object) -> subprocess.CompletedProcess[str]:
    return subprocess.run(command(*arguments), capture_output=True, text=True, env=environment())


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    made = tmp_path_factory.mktemp("query") / "out"
    assert (
        amongst(
            "anonymize", "--method", "mondrian", "patients", "-k", "2", "--out", str(made), "--format", "csv", "-q"
        ).returncode
        == 0
    )
    return made


def test_a_question_and_its_answer(folder: Path) -> None:
    done = amongst("query", str(folder), "SELECT COUNT(*), AVG(Age) FROM x WHERE Age <= 26")
    assert done.returncode == 0
    assert "3, exactly" in done.stdout
    assert "between" in done.stdout


def test_groups_as_a_table(folder: Path) -> None:
    done = amongst("query", str(folder), "SELECT COUNT(*) GROUP BY Age")
    assert done.stdout.splitlines()[0].split() == [
        "Age",
        "COUNT(*)",
        "COUNT(*)",
        "at",
        "least",
        "COUNT(*)",
        "at",
        "most",
    ]
    assert len(done.stdout.splitlines()) == 5


def test_json_and_a_file_without_its_manifest(folder: Path, tmp_path: Path) -> None:
    alone = tmp_path / "copy.csv"
    alone.write_bytes((folder / "release.csv").read_bytes())
    sql = "SELECT COUNT(*) WHERE Disease = 'Flu'"
    told = json.loads(amongst("query", str(alone), sql, "--quasi", "Age,Sex,Zipcode", "--json").stdout)
    assert told["lines"][0]["answers"][0]["exact"] is True
    assert told["suppressed"] is None


def test_a_question_that_is_refused(folder: Path) -> None:
    done = amongst("query", str(folder), "SELECT Age")
    assert done.returncode == 2
    assert "found:" in done.stderr
    assert amongst("query", str(folder / "nothing"), "SELECT COUNT(*)").returncode == 1
