"""What there is after a release of many tables: a verdict with the job that made it, and plain words from the rest."""

from __future__ import annotations

import json
import sqlite3
from pathlib import Path

import pytest
from cli_run import run

import amongst as am

JOB = """
[input]
path = "clinic.sqlite"
[tables.person.columns.born]
role = "quasi"
[tables.visit.columns.ward]
role = "sensitive"
[[privacy]]
model = "k-anonymity"
k = {k}
"""


@pytest.fixture
def clinic(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A database that states its keys, and a job that names none."""
    monkeypatch.chdir(tmp_path)
    with sqlite3.connect("clinic.sqlite") as database:
        database.execute("create table person(nr integer primary key, born integer)")
        database.execute("create table visit(nr integer primary key, who integer references person(nr), ward text)")
        database.executemany("insert into person values (?, ?)", [(i, 1950 + i // 6) for i in range(24)])
        database.executemany("insert into visit values (?, ?, ?)", [(i, i % 24, "abc"[i % 3]) for i in range(60)])
    database.close()
    for k in (4, 7):
        Path(f"job{k}.toml").write_text(JOB.format(k=k))
    return tmp_path


@pytest.mark.parametrize("kind", ["parquet", "csv", "duckdb", "sqlite"])
def test_a_release_is_verified_with_the_job_that_made_it(kind: str, clinic: Path) -> None:
    made = run(
        "anonymize-database", "clinic.sqlite", "--schema", "job4.toml", "-k", "4", "--out", "out", "--format", kind
    )
    assert made.returncode == 0, made.stdout + made.stderr
    said = run("verify-database", "out", "--schema", "job4.toml")
    assert said.returncode == 0, said.stdout + said.stderr
    assert "by job4.toml" in (said.stdout + said.stderr)
    if kind == "parquet":  # how it was written has no say in these
        assert run("verify-database", "out").returncode == 0
        more = run("verify-database", "out", "--schema", "job7.toml")  # what the job asks counts, not the folder
        assert more.returncode == 1
    schema = am.DatabaseSchema.from_file("job4.toml")
    if kind in ("duckdb", "sqlite"):
        assert am.verify_database("out", schema, [am.KAnonymity(4)]).ok


def test_the_command_says_how_many_of_how_many_rows(clinic: Path) -> None:
    made = run("anonymize-database", "clinic.sqlite", "--schema", "job4.toml", "-k", "12", "--out", "out")
    assert made.returncode == 0, made.stdout + made.stderr
    inside = json.loads(Path("out.inside/manifest.json").read_text())["utility"]["tables"]["visit"]
    published = inside["rows"] - inside["suppressed"]
    words = (
        f"all {published} rows published"
        if not inside["suppressed"]
        else f"{published} of 60 rows published"
        if inside["suppressed"] >= 12
        else f"{published} rows published, fewer than 12 left out"
    )
    assert words in made.stdout
    assert words in Path("out.inside/report.html").read_text() or not inside["suppressed"]


def test_other_commands_say_that_they_are_for_one_table(clinic: Path) -> None:
    assert (
        run("anonymize-database", "clinic.sqlite", "--schema", "job4.toml", "-k", "4", "--out", "out").returncode == 0
    )
    releases = [
        ["risk", "out"],
        ["evidence", "out"],
        ["fidelity", "out", "adult"],
        ["workload", "out", "adult"],
        ["register", "book", "add", "out"],
        ["verify", "out"],
    ]
    for command in releases:
        said = run(*command)
        assert said.returncode not in (0, 70), command
        assert "many tables" in (said.stdout + said.stderr), (command, said.stderr)
        assert "verify-database" in (said.stdout + said.stderr), (command, said.stderr)
        assert "damaged" not in (said.stdout + said.stderr)
    for command in (["compare", "job4.toml"], ["plan", "job4.toml"], ["lattice", "job4.toml"]):
        said = run(*command)
        assert said.returncode not in (0, 70), command
        assert "many tables" in (said.stdout + said.stderr), (command, said.stderr)
