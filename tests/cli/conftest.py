"""Fixtures: the command in a folder of its own, and a small table."""

from __future__ import annotations

import subprocess
from collections.abc import Callable
from pathlib import Path

import pytest
from cli_process import command, environment, people_csv

from typed_commands import typed


@pytest.fixture
def amongst(tmp_path: Path) -> Callable[..., subprocess.CompletedProcess[str]]:
    """Runs the command in ``tmp_path``: a process of its own, forked from one that has loaded the libraries.

    With another environment it is a fresh interpreter.
    """

    def run(*arguments: object, **changes: str) -> subprocess.CompletedProcess[str]:
        if not changes:
            return typed([str(argument) for argument in arguments], tmp_path)
        return subprocess.run(
            command(*arguments),
            cwd=tmp_path,
            env=environment(**changes),
            capture_output=True,
            text=True,
            encoding="utf-8",
            timeout=60,
        )

    return run


@pytest.fixture
def people(tmp_path: Path) -> Path:
    """A small table with a name, three quasi-identifiers and a disease."""
    path = tmp_path / "people.csv"
    path.write_text(people_csv(), encoding="utf-8")
    return path
