"""A job whose columns have limits is an original like any other for what looks back at it."""

from __future__ import annotations

from pathlib import Path

import pytest
from cli_process import people_csv

from amongst.cli.commands.workload import original_of
from typed_commands import typed

JOB = """
[input]
path = "people.csv"

[columns]
name = { role = "identifier" }
age = { role = "quasi", kind = "numeric", finest = 5, top = 45 }
zip = { role = "quasi", kind = "categorical", hierarchy = { digits = 5 } }
sex = { role = "quasi" }
disease = { role = "sensitive" }

[[privacy]]
model = "k-anonymity"
k = 3

[output]
folder = "out"
"""


@pytest.fixture
def released(tmp_path: Path) -> Path:
    (tmp_path / "people.csv").write_text(people_csv(90))
    (tmp_path / "job.toml").write_text(JOB)
    assert typed(["run", "job.toml"], tmp_path).returncode == 0
    return tmp_path


@pytest.mark.parametrize(
    "line",
    [
        "fidelity out job.toml",
        "workload out job.toml",
        "risk out --original job.toml",
        "attack out --original job.toml",
    ],
)
def test_what_looks_back_ends_well(released: Path, line: str) -> None:
    ended = typed(line.split(), released)
    assert ended.returncode == 0, ended.stderr


def test_no_finer_than_the_limits(released: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(released)
    table, schema = original_of("job.toml")
    assert set(table["age"].to_pylist()) == {"[20-24]", "[25-29]", "[30-34]", "[35-39]", "[40-44]", "45 or more"}
    assert not schema["age"].has_limits
