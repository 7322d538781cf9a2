"""What nobody expected is told without its text, which may hold values of the data."""

from __future__ import annotations

import subprocess
import sys

import pytest
from cli_process import SECRET, environment

BROKEN = """
import sys
import amongst.anonymize
from amongst.errors import BadInput

def broken(*arguments, **options):
    raise {error}

sys.modules["amongst.anonymize"].open_store = broken
sys.argv[1:] = ["anonymize", "patients", "--out", "out", "--k", "2"]
from amongst.cli import main
main()
"""


def run(tmp_path, error: str, **changes: str) -> subprocess.CompletedProcess[str]:
    code = BROKEN.replace("{error}", error)
    return subprocess.run(
        [sys.executable, "-c", code], cwd=tmp_path, env=environment(**changes), capture_output=True, text=True
    )


@pytest.mark.parametrize("error", [f"ValueError('{SECRET}')", f"KeyError('{SECRET}')", f"OSError(5, '{SECRET}')"])
def test_a_defect_shows_its_type_and_place_only(tmp_path, error):
    ran = run(tmp_path, error)
    assert ran.returncode == 3
    assert "defect in amongst" in ran.stderr
    assert f"{error.partition('(')[0]} at amongst/anonymize.py:" in ran.stderr
    assert SECRET not in ran.stdout + ran.stderr
    assert "Traceback" not in ran.stderr
    assert not (tmp_path / "out").exists()


def test_all_of_it_is_shown_to_who_asks(tmp_path):
    ran = run(tmp_path, f"ValueError('{SECRET}')", AMONGST_DEBUG="1")
    assert ran.returncode == 3
    assert SECRET in ran.stderr
    assert "Traceback" in ran.stderr


def test_too_little_memory(tmp_path):
    ran = run(tmp_path, f"MemoryError('{SECRET}')")
    assert ran.returncode == 1
    assert "not enough memory" in ran.stderr
    assert SECRET not in ran.stderr


def test_an_error_that_a_signal_became_is_told_as_stopped(monkeypatch: pytest.MonkeyPatch) -> None:
    """A database turns the exception of a signal into one of its own."""
    from amongst.cli import ending
    from amongst.cli.guard import guarded

    @guarded
    def interrupted() -> None:
        raise RuntimeError("Query interrupted")

    monkeypatch.setattr(ending, "ASKED", [2])
    with pytest.raises(ending.Ended) as caught:
        interrupted()
    assert caught.value.number == 2


def test_a_library_that_finds_no_room(capsys: pytest.CaptureFixture[str]) -> None:
    import typer

    from amongst.cli.guard import REFUSED, guarded

    @guarded
    def loads() -> None:
        raise ImportError("x.so: failed to map segment from shared object")

    with pytest.raises(typer.Exit) as caught:
        loads()
    assert caught.value.exit_code == REFUSED
    assert "not enough memory" in capsys.readouterr().err
