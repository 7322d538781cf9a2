"""The command as a step of a pipeline: lines of a log, exit codes, the same bytes when it is run again."""

from __future__ import annotations

import json
import subprocess
from collections.abc import Callable
from hashlib import sha256
from pathlib import Path

import pytest
from cli_process import JOB_COLUMNS, ROLES, SECRET

from amongst.cli.log import EVENTS

Command = Callable[..., subprocess.CompletedProcess[str]]
ALWAYS = {"time", "event", "process", "seconds"}
PAGE = Path(__file__).parents[2] / "docs" / "pipeline.md"


def lines(done: subprocess.CompletedProcess[str]) -> list[dict[str, object]]:
    """What was told; anything else on stderr is no JSON and fails here."""
    told = [json.loads(line) for line in done.stderr.splitlines()]
    assert all(set(line) >= ALWAYS and line["event"] in EVENTS for line in told)
    assert [line["seconds"] for line in told] == sorted(line["seconds"] for line in told)
    assert (told[0]["event"], told[-1]["event"]) == ("start", "end")
    assert told[-1]["exit_code"] == done.returncode
    assert SECRET not in done.stderr
    return told


def job_in(folder: Path, k: int = 4) -> Path:
    path = folder / "job.toml"
    path.write_text(
        f'[input]\npath = "people.csv"\n{JOB_COLUMNS}\n[[privacy]]\nmodel = "k-anonymity"\nk = {k}\n'
        '[output]\nfolder = "out"\n'
    )
    return path


def digests(folder: Path) -> dict[str, str]:
    return {path.name: sha256(path.read_bytes()).hexdigest() for path in folder.iterdir()}


def test_a_run_and_the_same_run_again(amongst: Command, people: Path) -> None:
    job = job_in(people.parent)
    first = amongst("run", job, "--quiet", "--log", "json")
    assert (first.returncode, first.stdout) == (0, "")
    told = lines(first)
    assert told[0]["command"] == "run"
    steps = [line["step"] for line in told if line["event"] == "step"]
    assert (steps[0], steps[-1]) == ("read", "report")
    assert told[-1]["cpu_seconds"] > 0
    assert told[-1]["peak_bytes"] > 10**7
    written = digests(people.parent / "out")
    refused = amongst("run", job, "--log=json")
    assert (refused.returncode, refused.stdout) == (1, "")
    assert [line["error"] for line in lines(refused) if line["event"] == "error"] == ["bad-output"]
    assert amongst("run", job, "--force", "--quiet").stderr == ""
    assert digests(people.parent / "out") == written


@pytest.mark.parametrize(
    ("arguments", "code", "error"),
    [
        (["run", "nothing.toml"], 1, "bad-job"),
        (["anonymize", "people.csv", *ROLES, "-k", "400", "--out", "x"], 1, "infeasible"),
        (["anonymize", "people.csv", *ROLES, "--method", "none", "--out", "x"], 2, "bad-option"),
        (["anonymize", "people.csv", "--nosuch"], 2, "usage"),
    ],
)
def test_errors_are_lines_and_answers(
    amongst: Command, people: Path, arguments: list[str], code: int, error: str
) -> None:
    done = amongst("--log", "json", *arguments)
    assert (done.returncode, done.stdout) == (code, "")
    [line] = [line for line in lines(done) if line["event"] == "error"]
    assert line["error"] == error
    both = amongst(*arguments, "--log", "json", "--json")
    assert json.loads(both.stdout)["error"] == error
    assert lines(both)


def test_the_environment_asks_for_lines_too(amongst: Command, people: Path) -> None:
    done = amongst("verify", "people.csv", "--quasi", "sex", "-k", "2", AMONGST_LOG="json")
    assert (done.returncode, "holds" in done.stdout) == (0, True)
    assert [line["event"] for line in lines(done)] == ["start", "step", "end"]


def test_another_kind_of_log_is_refused(amongst: Command, people: Path) -> None:
    done = amongst("methods", "--log", "xml")
    assert (done.returncode, done.stdout) == (2, "")


def test_the_page_tells_every_event_and_key() -> None:
    page = PAGE.read_text()
    assert all(f"| `{event}` |" in page for event in EVENTS)
    assert all(f"`{key}`" in page for key in (*ALWAYS, "exit_code", "cpu_seconds", "peak_bytes"))
