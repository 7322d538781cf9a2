"""Job files of many tables, the command, the report."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from cli_run import run

import amongst as am
from amongst.job.job import Input, Job
from amongst.relations.stores import read_database
from amongst.report.charts.schema_tree import TableBox, schema_chart

JOB = """
[input]
path = "clinic"
leave_out = ["logs"]

[tables.people]
key = "id"
[tables.people.columns.age]
role = "quasi"
hierarchy = { intervals = [5, 10] }
publish = "ancestor"

[tables.visits]
parent = "people"
foreign_key = "person"
[tables.visits.columns.ward]
role = "quasi"
[tables.visits.columns.cost]
role = "sensitive"

[[privacy]]
model = "k-anonymity"
k = 2
[[privacy]]
model = "l-diversity"
l = 2
sense = "distinct"

[method]
name = "miracle-x"
seed = 3
[method.options]
cluster_limit = 10

[output]
folder = "out"
"""


def clinic(folder: Path) -> Path:
    (folder / "clinic").mkdir()
    (folder / "clinic" / "people.csv").write_text("id,age\n" + "".join(f"{i},{20 + i}\n" for i in range(12)))
    rows = "".join(f"{i % 12},{'AB'[i % 2]},{i}\n" for i in range(30))
    (folder / "clinic" / "visits.csv").write_text("person,ward,cost\n" + rows)
    (folder / "clinic" / "logs.csv").write_text("x\n1\n")
    (folder / "job.toml").write_text(JOB)
    return folder / "job.toml"


def test_a_job_survives_being_written() -> None:
    schema = am.datasets.load_database("hospital", n_persons=5).schema
    job = Job(
        Input("clinic.duckdb"),
        schema,
        (am.KAnonymity(3), am.Diversity(2, "entropy", table="visits")),
        "miracle-x",
        {"threshold": 0.2},
    )
    again = Job.from_dict(__import__("tomllib").loads(job.to_toml()))
    assert {name: again.schema[name] for name in schema} == dict(schema)
    assert (again.models, again.method, again.options) == (job.models, job.method, job.options)


def test_run_carries_out_a_job_of_many_tables(tmp_path: Path) -> None:
    clinic(tmp_path)
    done = run("run", "job.toml", cwd=str(tmp_path))
    assert done.returncode == 0, done.stderr
    assert "verified" in done.stdout
    assert {path.name for path in (tmp_path / "out").iterdir()} == {
        "people.csv",
        "visits.csv",
        "manifest.json",
        "report.html",
    }
    assert run("verify-database", "out", cwd=str(tmp_path)).returncode == 0
    assert "verify-database out" in run("verify", "out", cwd=str(tmp_path)).stderr
    failed = run("verify-database", "clinic", "--schema", "job.toml", "--k", "2", "--json", cwd=str(tmp_path))
    assert failed.returncode == 1
    assert not json.loads(failed.stdout)["ok"]


def test_anonymize_database_with_the_tables_of_a_job(tmp_path: Path) -> None:
    clinic(tmp_path)
    done = run(
        "anonymize-database", "clinic", "--schema", "job.toml", "-k", "3", "-o", "made", "--format", "duckdb",
        "--diversity", "2", "--sense", "distinct", "--json", cwd=str(tmp_path),
    )  # fmt: skip
    assert done.returncode == 0, done.stderr
    told = json.loads(done.stdout)
    assert told["proved"]["ok"]
    assert told["privacy"][1] == {"model": "l-diversity", "l": 2.0, "sense": "distinct"}
    assert (tmp_path / "made" / "release.duckdb").is_file()
    assert run("verify-database", "made", "-q", cwd=str(tmp_path)).returncode == 0


def test_inspect_database_drafts_a_job(tmp_path: Path) -> None:
    clinic(tmp_path)
    run(
        "anonymize-database",
        "clinic",
        "--schema",
        "job.toml",
        "-k",
        "2",
        "-o",
        "made",
        "--format",
        "duckdb",
        cwd=str(tmp_path),
    )
    done = run("inspect-database", "made/release.duckdb", "--write", "draft.toml", "--json", cwd=str(tmp_path))
    assert done.returncode == 0, done.stderr
    told = json.loads(done.stdout)["tables"]
    assert told["visits"]["parent"] == "people"
    assert am.DatabaseSchema.from_file(tmp_path / "draft.toml").complete().person == "people"


@pytest.mark.parametrize(
    ("old", "new", "said"),
    [
        ('parent = "people"', 'parent = ["people", "places"]', "several tables"),
        ('key = "id"', 'kee = "id"', "kee"),
        ('role = "sensitive"', 'role = "secret"', "[tables.visits.columns.cost]"),
        ("k = 2", "k = 0", "[[privacy]] 1"),
        ('folder = "out"', 'format = "xlsx"', "[output]"),
    ],
)
def test_a_wrong_job_says_where(tmp_path: Path, old: str, new: str, said: str) -> None:
    clinic(tmp_path)
    (tmp_path / "job.toml").write_text(JOB.replace(old, new, 1))
    done = run("run", "job.toml", "--out", "out", cwd=str(tmp_path))
    assert done.returncode == 1
    assert said in done.stderr
    assert not (tmp_path / "out").exists()


def test_the_report_draws_every_table_and_column() -> None:
    made = am.datasets.load_database("hospital", n_persons=50)
    page = am.anonymize_database(made.tables, made.schema, [am.KAnonymity(3)]).report()
    for name, relation in made.schema.items():
        assert f">{name}<" in page
        for column in relation.schema.quasi:
            assert f"{column}: " in page
    assert page.count('class="wire"') == 3
    assert "<script" not in page


def test_tables_are_drawn_right_of_their_parents_and_do_not_overlap() -> None:
    boxes = [
        TableBox("a", None, 1, "", [("x", 0.5)] * 9),
        *[TableBox(f"b{i}", "a", 1, "", [("y", None)] * 3) for i in range(3)],
    ]
    chart = schema_chart([*boxes, TableBox("c", "b0", 1, "")])
    assert chart.count('class="tablebox"') == 5
    assert chart.count('class="wire"') == 4


def test_keys_are_guessed_where_nobody_states_them(tmp_path: Path) -> None:
    made = am.datasets.load_database("hospital", n_persons=50)
    guessed = read_database(made.tables).suggested()
    for name, relation in made.schema.items():
        assert (guessed[name].parent, guessed[name].foreign_key) == (relation.parent, relation.foreign_key)
    clinic(tmp_path)
    done = run("inspect-database", "clinic", "--json", cwd=str(tmp_path))
    told = json.loads(done.stdout)["tables"]
    assert (told["people"]["key"], told["visits"]["parent"], told["visits"]["foreign_key"]) == (
        "id",
        "people",
        "person",
    )
    (tmp_path / "clinic" / "people.csv").rename(tmp_path / "clinic" / "persons.csv")
    told = json.loads(run("inspect-database", "clinic", "--json", cwd=str(tmp_path)).stdout)["tables"]
    assert (told["visits"]["parent"], told["visits"]["foreign_key"]) == ("persons", "person")
