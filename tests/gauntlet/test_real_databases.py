"""Databases that others made: from the first look to the release, or a refusal that says why."""

from __future__ import annotations

from pathlib import Path

import pytest
from real_tables import FOLDER, THOROUGH

from typed_commands import typed

pytestmark = pytest.mark.skipif(FOLDER is None, reason="the real tables are not here")


@pytest.mark.parametrize("name", ["chinook.sqlite", "berka"])
def test_a_database_is_published_or_refused_in_words(name: str, tmp_path: Path) -> None:
    assert FOLDER is not None
    place = FOLDER / name
    if place.is_dir():  # as somebody would who has read that files must end in .csv
        (tmp_path / name).mkdir()
        for file in place.glob("*.asc"):
            (tmp_path / name / f"{file.stem}.csv").symlink_to(file)
        place = tmp_path / name
    steps = [
        ["inspect-database", str(place), "--write", "job.toml"],
        ["run", "job.toml", "--out", "out"],
        ["verify-database", "out"],
    ]
    for step in steps:
        ended = typed(step, tmp_path, fresh=THOROUGH)
        words = ended.stdout + ended.stderr
        assert ended.returncode in (0, 1, 2), words
        assert "Traceback" not in words, words
        if ended.returncode:
            assert "Error" in ended.stderr, words
            assert not (tmp_path / "out").exists(), "what was refused leaves nothing"
            break
