"""What there is after a release of many tables: a verdict with the job that made it, and plain words from the rest."""

from __future__ import annotations

import json
import sqlite3
from pathlib import Path

import numpy as np
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


def test_commands_for_one_table_say_so(clinic: Path) -> None:
    assert (
        run("anonymize-database", "clinic.sqlite", "--schema", "job4.toml", "-k", "4", "--out", "out").returncode == 0
    )
    for command in (["risk", "out"], ["verify", "out"], ["lattice", "job4.toml"]):
        said = run(*command)
        assert said.returncode not in (0, 70), command
        assert "many tables" in (said.stdout + said.stderr), (command, said.stderr)
        assert "damaged" not in (said.stdout + said.stderr)
    said = run("evidence", "out", "--population", "clinic.sqlite")
    assert said.returncode == 2 or "releases of one table" in said.stderr


def test_every_other_command_answers(clinic: Path) -> None:
    """What is told of one table is told of many: likeness, questions, plan, comparison, register, evidence."""
    made = run("anonymize-database", "clinic.sqlite", "--schema", "job4.toml", "-k", "4", "--out", "out")
    assert made.returncode == 0, made.stderr
    alike = json.loads(run("fidelity", "out", "job4.toml", "--json").stdout)["tables"]
    assert [one["column"] for one in alike["visit"]["marginals"]] == ["born"]
    asked = json.loads(run("workload", "out", "job4.toml", "--n", "20", "--json").stdout)["tables"]
    assert {name: one["n_questions"] for name, one in asked.items()} == {"person": 20, "visit": 20}
    plan = json.loads(run("plan", "job4.toml", "--json").stdout)
    assert (plan["engine"], plan["n_rows"]) == ("memory", 84)
    compared = json.loads(run("compare", "job4.toml", "-m", "miracle-x,bitmap", "-k", "4,6", "--json").stdout)
    assert [one["state"] for one in compared["candidates"]] == ["verified"] * 4
    assert compared["measure"] == "LM"
    assert "LM" in Path("compare.html").read_text()
    assert "GCP" not in Path("compare.html").read_text()
    entry = json.loads(run("register", "book", "add", "out", "--json").stdout)
    assert (entry["threshold"], entry["rows"], entry["there"]) == (4, 24, True)
    pack = run("evidence", "out", "--original", "job4.toml")
    assert pack.returncode == 0, pack.stderr
    public = json.loads(Path("out-evidence/evidence-public.json").read_text())
    inside = json.loads(Path("out-evidence.inside/evidence-internal.json").read_text())
    assert public["ok"]
    assert public["threshold"]["k"] == 4
    assert len(inside["singling out"]["facts"]) > 3
    assert "alone" not in public["figures"]
    assert "reached" not in public["proofs"]["models"][0]
    for name in ("out-evidence/evidence-public.html", "out-evidence.inside/evidence-internal.html"):
        assert "LM" in Path(name).read_text()


def test_a_release_of_many_tables_is_not_said_to_hold_beside_one_table(clinic: Path) -> None:
    made = run("anonymize-database", "clinic.sqlite", "--schema", "job4.toml", "-k", "4", "--out", "out")
    assert made.returncode == 0, made.stderr
    patients = am.datasets.load("patients")
    am.anonymize(patients.table, patients.schema, [am.KAnonymity(2)]).write("one")
    register = am.Register("book")
    register.add("out", people="we")
    register.add("one", people="we")
    found = am.verify_against("one", "book", people="we")
    assert len(found) == 1
    assert not found[0].compared
    assert not found[0]
    with pytest.raises(am.errors.BadInput, match="releases of one table"):
        am.verify_together(["book"])


def test_an_attack_takes_what_may_be_known_from_the_release(tmp_path: Path) -> None:
    """The job need not say it again: an intruder who knows all is not what the release is about."""
    made = am.datasets.load_database("hospital", n_persons=200)
    known = {"visits": "nothing", "diagnoses": "codes", "prescriptions": "codes"}
    models = [am.KAnonymity(5), am.KmAnonymity(5, 2)]
    am.anonymize_database(made.tables, made.schema.with_known(known), models).write(tmp_path / "out")
    found = am.attack_database(tmp_path / "out", made.schema, original=made.tables, attacks=["few codes"])
    assert not found.skipped
    assert not found["few codes"].succeeded


def test_likeness_and_questions_of_many_tables_are_those_of_their_join() -> None:
    """Held against a naive count: rows of a table by a column of the persons, in the original and in the release."""
    made = am.datasets.load_database("students", n_persons=120)
    release = am.anonymize_database(made.tables, made.schema, [am.KAnonymity(4)])
    alike = am.fidelity_database(release, made.tables, made.schema)
    assert list(alike) == ["courses", "books"]
    assert [one.columns for one in am.fidelity_database(release, made.tables, made.schema)["books"].associations]
    average = am.query_database(release, "SELECT AVG(average) FROM students").only
    assert abs(average.estimate - float(np.mean(made.tables["students"]["average"]))) < 1e-9
    asked = am.workload_database(release, made.tables, made.schema, n=40, kind="equality", columns=["course"])
    counts = made.tables["courses"]["course"].value_counts().to_pylist()
    assert sorted(asked["courses"].truth.tolist()) == sorted(one["counts"] for one in counts)
    assert (asked["courses"].lower <= asked["courses"].truth).all()
    known = ~np.isnan(asked["courses"].upper)
    assert (asked["courses"].upper[known] >= asked["courses"].truth[known]).all()
