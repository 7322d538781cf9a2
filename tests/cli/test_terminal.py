"""On a terminal: colours, and a bar for what takes long; neither anywhere else."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest
from cli_process import ROLES, environment

pty = pytest.importorskip("pty")

AT_ONCE = """
import sys, time
import amongst.cli.progress as progress
from amongst.cli import main
progress.PATIENCE = 0.0
work = progress.Steps.say
def slow(steps, step, done=0, total=0):
    work(steps, step, done, total)
    time.sleep(0.15)
progress.Steps.say = slow
main()
"""


def on_terminal(folder: Path, *arguments: object, code: str = AT_ONCE) -> tuple[int, str, str]:
    """Run with a terminal as stderr and a pipe as stdout: exit code, stdout, what the terminal got."""
    leader, follower = pty.openpty()
    process = subprocess.Popen(
        [sys.executable, "-c", code, *map(str, arguments)],
        cwd=folder,
        env={key: value for key, value in environment(TERM="xterm").items() if key != "NO_COLOR"},
        stdout=subprocess.PIPE,
        stderr=follower,
    )
    os.close(follower)
    shown = b""
    while True:
        try:
            part = os.read(leader, 4096)
        except OSError:  # the other end is closed
            break
        if not part:
            break
        shown += part
    os.close(leader)
    out, _ = process.communicate(timeout=60)
    return process.returncode, out.decode(), shown.decode()


def test_a_bar_with_steps_and_time_left_on_stderr(people, tmp_path):
    code, out, shown = on_terminal(tmp_path, "anonymize", people, "--out", "out", *ROLES, "-k", 4)
    assert code == 0, shown
    assert "━" in shown
    assert " left" in shown
    assert any(step in shown for step in ("encode", "group", "publish", "write"))
    assert "━" not in out
    assert "\x1b" not in out
    assert "verified" in out


@pytest.mark.parametrize("silence", ["--json", "--quiet"])
def test_no_bar_for_machines(people, tmp_path, silence):
    code, _, shown = on_terminal(tmp_path, "anonymize", people, "--out", "out", *ROLES, "-k", 4, silence)
    assert (code, shown) == (0, "")


def test_errors_in_colour_with_names_taken_literally(tmp_path):
    (tmp_path / "odd.csv").write_text("[red],[/]\n1,2\n3,4\n", encoding="utf-8")
    code, _, shown = on_terminal(tmp_path, "anonymize", "odd.csv", "--out", "out", "--quasi", "[red]", "-k", 2)
    assert code == 1
    assert "\x1b[1;31mError: The schema does not fit the table." in shown
    assert "'[/]'" in shown


def test_the_bar_shows_the_loss_that_a_method_tells(people, tmp_path):
    code, _, shown = on_terminal(tmp_path, "anonymize", people, "--out", "out", *ROLES, "-k", 4, "-m", "best")
    assert code == 0, shown
    assert "loss 0." in shown
