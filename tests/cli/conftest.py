"""Fixtures: the command in a folder of its own, and a small table."""

from __future__ import annotations

import subprocess
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
from cli_process import command, environment, people_csv

from typed_commands import Commands, commands


@pytest.fixture(scope="session", autouse=True)
def compiled_once(tmp_path_factory: pytest.TempPathFactory) -> Iterator[None]:
    """Lets the many processes share compiled modules, as an installed package does."""
    with pytest.MonkeyPatch.context() as patch:
        patch.delenv("PYTHONDONTWRITEBYTECODE", raising=False)
        patch.setenv("PYTHONPYCACHEPREFIX", str(tmp_path_factory.mktemp("compiled")))
        yield


@pytest.fixture(scope="session")
def typed() -> Iterator[Commands]:
    with commands(fresh=False) as ready:
        yield ready


@pytest.fixture
def amongst(tmp_path: Path, typed: Commands) -> Callable[..., subprocess.CompletedProcess[str]]:
    """Runs the command in ``tmp_path``: a process of its own, forked from one that has loaded the libraries.

    With another environment it is a fresh interpreter.
    """

    def run(*arguments: object, **changes: str) -> subprocess.CompletedProcess[str]:
        if not changes:
            ended = typed.run([str(argument) for argument in arguments], tmp_path)
            return subprocess.CompletedProcess(command(*arguments), ended.code, ended.words, ended.error)
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
