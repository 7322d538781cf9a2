"""Two tables from the command line: a job file, a folder, and its verification."""

from __future__ import annotations

import json

from cli_process import JOB_COLUMNS

JOB = """
[input]
path = "people.csv"
{columns}
[[privacy]]
model = "l-diversity"
l = 3
[method]
name = "anatomy"
options = {{ order = "near" }}
[output]
folder = "out"
format = "csv"
"""


def people_of_many_diseases(tmp_path):
    rows = [f"person {i},{20 + i % 30},{53700 + i % 7},{('F', 'M')[i % 2]},disease-okapi-{i % 5}" for i in range(40)]
    (tmp_path / "people.csv").write_text("\n".join(["name,age,zip,sex,disease", *rows]) + "\n", encoding="utf-8")
    (tmp_path / "job.toml").write_text(JOB.format(columns=JOB_COLUMNS), encoding="utf-8")


def test_a_job_makes_two_tables_and_the_folder_verifies(amongst, tmp_path):
    people_of_many_diseases(tmp_path)
    ran = amongst("run", "job.toml")
    assert ran.returncode == 0, ran.stderr
    assert "l = 3 asked, l = 3 reached" in ran.stdout
    assert "sensitive.csv" in ran.stdout
    assert "okapi" not in ran.stdout
    assert (tmp_path / "out" / "sensitive.csv").read_text().splitlines()[0] == '"group","disease","count"'
    verified = amongst("verify", "out", "--json")
    assert verified.returncode == 0, verified.stdout
    told = json.loads(verified.stdout)
    assert (told["ok"], told["unchanged"], told["rows"]) == (True, True, 40)


def test_a_changed_pair_does_not_verify(amongst, tmp_path):
    people_of_many_diseases(tmp_path)
    assert amongst("run", "job.toml", "--quiet").returncode == 0
    path = tmp_path / "out" / "sensitive.csv"
    path.write_text("\n".join(path.read_text().splitlines()[:-1]) + "\n", encoding="utf-8")
    verified = amongst("verify", "out")
    assert verified.returncode == 1
    assert "do not add up" in verified.stdout
    assert "changed since it was written" in verified.stdout
    assert "okapi" not in verified.stdout


def test_what_it_cannot_do_is_said_with_an_exit_code(amongst, tmp_path):
    people_of_many_diseases(tmp_path)
    job = tmp_path / "job.toml"
    job.write_text(job.read_text().replace("l = 3", "l = 6"), encoding="utf-8")
    ran = amongst("run", "job.toml")
    assert ran.returncode != 0
    assert "use l <= 5" in ran.stderr
    assert "okapi" not in ran.stderr
    refused = amongst(
        "anonymize",
        "people.csv",
        "--quasi",
        "age,zip,sex",
        "--sensitive",
        "disease",
        "--identifier",
        "name",
        "--method",
        "anatomy",
        "--out",
        "out2",
    )
    assert refused.returncode != 0
    assert "l-diversity and nothing else" in refused.stderr
