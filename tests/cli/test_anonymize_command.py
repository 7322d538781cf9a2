"""amongst anonymize and amongst demo, from files to release folders."""

from __future__ import annotations

import json

import pyarrow.csv
import pyarrow.parquet as pq
import pytest
from cli_process import JOB_COLUMNS, ROLES, SECRET, left_over, people_csv

import amongst as am

QUASI = ["age", "zip", "sex"]


@pytest.mark.parametrize("format", ["parquet", "csv"])
def test_a_csv_becomes_a_release_folder(amongst, people, tmp_path, format):
    ran = amongst("anonymize", people, "--out", "out", *ROLES, "--k", 4, "--format", format)
    assert ran.returncode == 0, ran.stderr
    assert {path.name for path in (tmp_path / "out").iterdir()} == {
        f"release.{format}",
        "manifest.json",
        "report.html",
    }
    assert "k = 4 asked" in ran.stdout
    assert "out/report.html" in ran.stdout
    assert ran.stderr == ""
    data = tmp_path / "out" / f"release.{format}"
    table = pq.read_table(data) if format == "parquet" else pyarrow.csv.read_csv(data)
    assert table.num_rows == 40
    assert table.column_names == [*QUASI, "disease"]
    groups = table.group_by(QUASI).aggregate([([], "count_all")])
    assert min(groups.column("count_all").to_pylist()) >= 4
    for told in ("manifest.json", "report.html"):
        assert SECRET not in (tmp_path / "out" / told).read_text(encoding="utf-8")
    assert left_over(tmp_path) == []


@pytest.mark.parametrize("form", ["bounds", "structs"])
def test_parquet_in_and_numbers_out(amongst, people, tmp_path, form):
    pq.write_table(pyarrow.csv.read_csv(people), tmp_path / "people.parquet")
    roles = ["--identifier", "name", "--quasi", "age,zip", "--quasi", "sex", "--sensitive", "disease"]
    ran = amongst("anonymize", "people.parquet", "-o", "out", *roles, "-k", 4, "--form", form)
    assert ran.returncode == 0, ran.stderr
    names = pq.read_schema(tmp_path / "out" / "release.parquet").names
    assert ("age_lower" in names) == (form == "bounds")
    assert ("age" in names) == (form == "structs")


def test_the_command_gives_what_the_library_gives(amongst, tmp_path):
    ran = amongst(
        "anonymize",
        "adult",
        "--out",
        "out",
        "--option",
        "cuts=ordered",
        "--method",
        "mondrian",
        "--seed",
        7,
        "--json",
    )
    assert ran.returncode == 0, ran.stderr
    adult = am.datasets.load("adult")
    release = am.anonymize(adult.table, adult.schema, [am.KAnonymity(10)], cuts="ordered", method="mondrian")
    told = json.loads(ran.stdout)
    assert told["utility"]["gcp"] == pytest.approx(release.utility.gcp)
    assert told["method"] == {"name": "mondrian", "options": {"cuts": "ordered"}}
    full = json.loads((tmp_path / "out.inside" / "manifest.json").read_text(encoding="utf-8"))
    assert full["method"] == {"name": "mondrian", "options": {"cuts": "ordered"}, "seed": 7}
    written = pq.read_table(tmp_path / "out" / "release.parquet")
    assert written.equals(release.table.cast(written.schema))


def test_roles_come_from_a_job_file_and_the_command_line_goes_before(amongst, people, tmp_path):
    (tmp_path / "job.toml").write_text(JOB_COLUMNS, encoding="utf-8")
    arguments = ["--schema", "job.toml", "--keep", "sex", "-k", "8", "--json"]
    ran = amongst("anonymize", people, "--out", "out", *arguments)
    assert ran.returncode == 0, ran.stdout
    schema = json.loads(ran.stdout)["schema"]
    assert schema["name"]["role"] == "identifier"
    assert schema["sex"]["role"] == "keep"
    assert schema["zip"]["publish"] == "ancestor"


def test_how_to_read_and_whom_to_count_come_from_the_job_file_too(amongst, tmp_path):
    rows = [f"P{i // 2};{i % 28 + 1:02d}.{i % 12 + 1:02d}.1970;{i % 5},5" for i in range(60)]
    (tmp_path / "in.txt").write_text("\n".join(["id;birth;dose", *rows]) + "\n", encoding="utf-8")
    job = """
    input = { unit = "id", reads = { birth = "dd.MM.yyyy", dose = "1234,56" } }
    columns = { id.role = "identifier", birth.role = "quasi", dose.role = "keep" }
    """
    (tmp_path / "job.toml").write_text("\n".join(line.strip() for line in job.splitlines()), encoding="utf-8")
    ran = amongst("anonymize", "in.txt", "--out", "out", "--schema", "job.toml", "-k", "4", "--json")
    assert ran.returncode == 0, ran.stdout
    told = json.loads(ran.stdout)
    assert told["schema"]["birth"]["kind"] == "date"
    full = json.loads((tmp_path / "out.inside" / "manifest.json").read_text(encoding="utf-8"))
    assert full["input"]["unit"] == "id"
    assert pq.read_schema(tmp_path / "out" / "release.parquet").field("dose").type == "double"
    ran = amongst("anonymize", "in.txt", "--out", "out2", "--schema", "job.toml", "-k", "4", "--reads", "dose=text")
    assert ran.returncode == 0, ran.stdout  # what is typed goes before: the other column stays text
    assert pq.read_schema(tmp_path / "out2" / "release.parquet").field("dose").type == "string"


def test_hierarchies_from_a_file_and_in_words(amongst, people, tmp_path):
    (tmp_path / "sex.csv").write_text("Male;*\nFemale;*\n", encoding="utf-8")
    hierarchies = [
        "--hierarchy",
        "sex=sex.csv",
        "--hierarchy",
        "zip=digits=5",
        "--hierarchy",
        "age=intervals=[5, 10]",
    ]
    ran = amongst("anonymize", people, "--out", "out", *ROLES, "-k", 15, *hierarchies)
    assert ran.returncode == 0, ran.stderr
    published = set(pq.read_table(tmp_path / "out" / "release.parquet").column("sex").to_pylist())
    assert published <= {"Male", "Female", "*"}


def test_a_rule_for_nulls_on_the_command_line(amongst, people, tmp_path):
    people.write_text(people_csv().replace(",53701,", ",NA,"), encoding="utf-8")
    without = amongst("anonymize", people, "--out", "out", *ROLES, "--nulls", "NA", "-k", 2)
    assert without.returncode == 1
    assert "--nulls-rule" in without.stderr
    ran = amongst("anonymize", people, "--out", "out", *ROLES, "--nulls", "NA", "-k", 2, "--nulls-rule", "own value")
    assert ran.returncode == 0, ran.stderr
    assert pq.read_table(tmp_path / "out" / "release.parquet").num_rows == 40


def test_a_name_with_a_comma_and_a_name_that_looks_like_markup(amongst, tmp_path):
    rows = [f"{i % 3},{i % 2},{i}" for i in range(12)]
    text = "\n".join(['"[red]","city, state",\x1b[31mcolour', *rows]) + "\n"
    (tmp_path / "odd.csv").write_text(text, encoding="utf-8")
    ran = amongst("anonymize", "odd.csv", "--out", "out", "--quasi", '[red],"city, state"', "-k", 2)
    assert ran.returncode == 1
    assert "\x1b" not in ran.stderr
    shown = amongst("inspect", "odd.csv")
    assert "[red]" in shown.stdout
    assert "city, state" in shown.stdout
    assert "\x1b" not in shown.stdout


def test_nothing_is_replaced_unasked_and_only_releases_are_replaced(amongst, people, tmp_path):
    assert amongst("anonymize", people, "--out", "out", *ROLES, "-k", 4).returncode == 0
    before = (tmp_path / "out" / "manifest.json").read_bytes()
    refused = amongst("anonymize", people, "--out", "out", *ROLES, "-k", 5)
    assert refused.returncode == 1
    assert "--force" in refused.stderr
    assert (tmp_path / "out" / "manifest.json").read_bytes() == before
    assert amongst("anonymize", people, "--out", "out", *ROLES, "-k", 5, "--force").returncode == 0
    assert json.loads((tmp_path / "out" / "manifest.json").read_text())["privacy"][0]["k"] == 5

    (tmp_path / "mine").mkdir()
    (tmp_path / "mine" / "thesis.txt").write_text("years of work")
    refused = amongst("anonymize", people, "--out", "mine", *ROLES, "-k", 5, "--force")
    assert refused.returncode == 1
    assert [path.name for path in (tmp_path / "mine").iterdir()] == ["thesis.txt"]


def test_the_demo_runs_twice_and_says_where_its_report_is(amongst, tmp_path):
    for k in (10, 25):
        ran = amongst("demo", "--k", k)
        assert ran.returncode == 0, ran.stderr
        assert "amongst-demo/report.html" in ran.stdout
        assert json.loads((tmp_path / "amongst-demo" / "manifest.json").read_text())["privacy"][0]["k"] == k
    assert left_over(tmp_path) == []


def test_the_demo_leaves_a_folder_alone_that_is_no_release(amongst, tmp_path):
    (tmp_path / "amongst-demo").mkdir()
    (tmp_path / "amongst-demo" / "thesis.txt").write_text("years of work")
    assert amongst("demo").returncode == 1
    assert (tmp_path / "amongst-demo" / "thesis.txt").exists()


def test_a_target_and_a_workload_on_the_command_line(amongst, people, tmp_path):
    (tmp_path / "questions.txt").write_text("SELECT COUNT(*) WHERE age < 40\n", encoding="utf-8")
    guides = ["--target", "disease", "--workload", "questions.txt"]
    ran = amongst("anonymize", people, "--out", "out", *ROLES, "--k", 4, *guides)
    assert ran.returncode == 0, ran.stderr
    told = json.loads((tmp_path / "out" / "manifest.json").read_text(encoding="utf-8"))
    assert told["method"]["options"] == {"target": "disease", "workload": "questions.txt"}
    full = json.loads((tmp_path / "out.inside" / "manifest.json").read_text(encoding="utf-8"))
    assert 0 <= full["utility"]["cm"] <= 1
    assert amongst("verify", "out").returncode == 0
    ran = amongst("anonymize", people, "--out", "out2", *ROLES, "--k", 4, "--target", "age")
    assert ran.returncode == 2
    assert "cannot be the target" in ran.stderr
    assert not (tmp_path / "out2").exists()
