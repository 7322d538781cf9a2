"""Privacy models on the command line: anonymize, the manifest, and verify again."""

from __future__ import annotations

import json

import pyarrow as pa
import pyarrow.parquet as pq
import pytest
from cli_process import JOB_COLUMNS, SECRET

import amongst as am
from amongst.cli.privacy import models_in, on_columns
from amongst.errors import BadOption

HEADER = "name,age,zip,sex,disease,pay"
ROLES = ["--quasi", "age,zip,sex", "--sensitive", "disease,pay"]


@pytest.fixture
def wards(tmp_path):
    """Two rows a person; diseases and pay go round."""
    rows = [
        f"p{i // 2},{20 + i % 30},{53700 + i % 7},{('f', 'm')[i % 2]},{('flu', SECRET, 'cold')[i % 3]},{i % 11}"
        for i in range(120)
    ]
    path = tmp_path / "wards.csv"
    path.write_text("\n".join([HEADER, *rows]) + "\n", encoding="utf-8")
    return path


def made(amongst, wards, *options, out="out"):
    ran = amongst("anonymize", wards, "--out", out, "--identifier", "name", *ROLES, *options)
    assert ran.returncode == 0, ran.stderr
    return ran


@pytest.mark.parametrize(
    ("options", "said"),
    [
        (["--l", "disease=2"], "l = 2 asked"),
        (["--l", 2, "--l-sense", "entropy"], "l = 2 asked"),
        (["--l", "disease=2", "--l-sense", "recursive=3"], "l = 2 asked"),
        (["--t", 0.4, "--t-distance", "equal"], "t = 0.4 asked"),
        (["--alpha", "0.6", "-k", 5], "alpha = 0.6 asked"),
        (["--beta", 1.5, "--delta-disclosure", 2], "delta = 2 asked"),
        (["--privacy", 'model="proximity", l=2, width=1, column="pay"'], "proximity l = 2 asked"),
    ],
)
def test_a_release_holds_what_was_typed_and_its_manifest_says_so(amongst, wards, options, said):
    ran = made(amongst, wards, *options)
    assert said in ran.stdout
    assert "k = 10 asked" in ran.stdout or "-k" in options
    assert SECRET not in ran.stdout
    again = amongst("verify", "out")
    assert again.returncode == 0, again.stdout


def test_sensitive_figures_are_told_whatever_was_asked(amongst, wards):
    told = [line.split() for line in made(amongst, wards).stdout.splitlines()]
    assert ["sensitive", "disease", "l"] in [line[:3] for line in told]
    told = json.loads((wards.parent / "out" / "manifest.json").read_text())
    assert [one["column"] for one in told["sensitive"]] == ["disease", "pay"]
    page = (wards.parent / "out" / "report.html").read_text()
    assert "What stays hidden" in page
    assert SECRET not in page


def test_people_are_counted_and_the_file_alone_does_not_prove_it(amongst, wards, tmp_path):
    made(amongst, wards, "--unit", "name", "-k", 5)
    told = json.loads((tmp_path / "out" / "manifest.json").read_text())
    assert told["input"]["unit"] == "name"
    assert amongst("verify", "out").returncode == 0  # with the inside beside it, people are counted
    (tmp_path / "out.inside").rename(tmp_path / "elsewhere")
    alone = amongst("verify", "out", "--json")
    assert alone.returncode == 1
    assert [one["code"] for one in json.loads(alone.stdout)["findings"]] == ["people-not-counted"]
    rows = amongst("verify", "out", "--rows")
    assert rows.returncode == 0
    assert "be content with --rows" in rows.stdout
    schema = am.Schema(
        {
            name: am.Column(role="quasi" if name in ("age", "zip", "sex") else "sensitive")
            for name in HEADER.split(",")[1:]
        }
    ).with_columns(name=am.Column(role="identifier"))
    release = am.anonymize(str(wards), schema, [am.KAnonymity(5)], unit="name")
    pq.write_table(pa.table({"person": release.person_of_row}), tmp_path / "units.parquet")
    assert amongst("verify", "out", "--units", "units.parquet").returncode == 0
    (tmp_path / "units.csv").write_text("person\n" + "p1\n" * 120)
    assert amongst("verify", "out", "--units", "units.csv").returncode == 1
    (tmp_path / "two.csv").write_text("person,other\n" + "p1,2\n" * 120)
    assert "one column" in amongst("verify", "out", "--units", "two.csv").stderr


def test_t_closeness_by_a_hierarchy_needs_the_job_file(amongst, wards, tmp_path):
    levels = tmp_path / "levels.csv"
    levels.write_text(f"flu;lung;*\ncold;lung;*\n{SECRET};other;*\n")
    made(amongst, wards, "--t", "disease=0.5", "--hierarchy", "disease=levels.csv", "--hierarchy", "zip=digits=5")
    alone = amongst("verify", "out")
    assert alone.returncode == 1
    assert "is not in the manifest" in alone.stdout
    job = JOB_COLUMNS + '\nhierarchy = { csv = "levels.csv" }\n[columns.pay]\nrole = "sensitive"\n'
    (tmp_path / "job.toml").write_text(job)
    again = amongst("verify", "out", "--schema", "job.toml")
    assert again.returncode == 0, again.stdout


def test_a_population_by_a_hierarchy_needs_the_job_file(amongst, wards, tmp_path):
    (tmp_path / "everybody.csv").write_text(wards.read_text())
    (tmp_path / "sexes.csv").write_text("f;anybody\nm;anybody\n")
    made(amongst, wards, "-k", 4, "--hierarchy", "sex=sexes.csv")
    asked = ["verify", "out", "--k-map", 4, "--population", "everybody.csv"]
    alone = amongst(*asked, "--json")
    assert alone.returncode == 1
    assert [one["code"] for one in json.loads(alone.stdout)["findings"]] == ["hierarchy-not-told"]
    assert "NOT proved" in amongst(*asked).stdout
    assert amongst("verify", "out").returncode == 0  # k-anonymity needs no hierarchy
    roles = {"name": "identifier", "age": "quasi", "zip": "quasi", "disease": "sensitive", "pay": "sensitive"}
    job = [f'[columns.{name}]\nrole = "{role}"' for name, role in roles.items()]
    job.append('[columns.sex]\nrole = "quasi"\nhierarchy = { csv = "sexes.csv" }')
    (tmp_path / "job.toml").write_text("\n".join(job) + "\n")
    told = amongst(*asked, "--schema", "job.toml")
    assert told.returncode == 0, told.stdout


def test_a_foreign_file_and_its_sensitive_column(amongst, tmp_path):
    rows = ["[25-26],flu"] * 2 + ["[25-26],cold"] * 2 + ["*,flu", "*,cold", "*,cough"]
    (tmp_path / "other.csv").write_text("\n".join(["age,disease", *rows]) + "\n")
    base = ["verify", "other.csv", "--quasi", "age"]
    assert amongst(*base, "--sensitive", "disease", "--l", 2).returncode == 0
    assert amongst(*base, "--l", "disease=2", "--k", 3).returncode == 0
    assert amongst(*base, "--sensitive", "disease", "--l", 3).returncode == 1
    assert amongst(*base, "--sensitive", "disease", "--t", 0.15, "--t-distance", "equal").returncode == 1
    assert amongst(*base, "--l", 2).returncode == 2


def test_a_population(amongst, wards, tmp_path):
    (tmp_path / "everybody.csv").write_text(wards.read_text())
    made(amongst, wards, "-k", 4)
    table = 'model="k-map", k=4, population="everybody.csv"'
    assert amongst("verify", "out", "--k-map", 4, "--population", "everybody.csv").returncode == 0
    assert amongst("verify", "out", "--privacy", table).returncode == 0
    assert amongst("verify", "out", "--k-map", 90, "--population", "everybody.csv").returncode == 1
    asked_nothing = amongst("verify", "out", "--delta-presence", "0,1", "--population", "everybody.csv")
    assert asked_nothing.returncode == 1
    assert "nothing is proved" in asked_nothing.stdout
    head, *rows = wards.read_text().splitlines()
    (tmp_path / "twice.csv").write_text("\n".join([head, *rows, *rows]) + "\n")
    assert amongst("verify", "out", "--delta-presence", "0,0.6", "--population", "twice.csv").returncode == 0
    assert amongst("verify", "out", "--delta-presence", "0,0.1", "--population", "twice.csv").returncode == 1
    assert amongst("verify", "out", "--k-map", 4).returncode == 2


@pytest.mark.parametrize(
    ("options", "code"),
    [
        (["--l", "many"], 2),
        (["--l", "0.5"], 2),
        (["--l", 2, "--l-sense", "odd"], 2),
        (["--t", 2], 2),
        (["--t", 0.2, "--t-distance", "odd"], 2),
        (["--privacy", "proximity"], 2),
        (["--delta-presence", "0.5"], 2),
        (["--l", "disease=9"], 1),  # infeasible: three diseases
        (["--alpha", "disease=0.2"], 1),
        (["--unit", "nobody"], 1),
        (["--unit", "disease"], 1),
        (["--l", "age=2"], 2),
    ],
)
def test_what_cannot_be_asked(amongst, wards, options, code):
    ran = amongst("anonymize", wards, "--out", "out", "--identifier", "name", *ROLES, *options)
    assert ran.returncode == code, ran.stderr
    assert "Traceback" not in ran.stderr
    assert SECRET not in ran.stderr
    assert not (wards.parent / "out").exists()


def test_k_is_ten_unless_a_population_is_there():
    assert models_in({}) == [am.KAnonymity(10)]
    assert models_in({"l": ["2"]}) == [am.KAnonymity(10), am.LDiversity(2)]
    assert models_in({"k_map": 3, "population": "p.csv"}) == [am.KMap(3, "p.csv")]
    assert models_in({"k": 2, "k_map": 3, "population": "p.csv"}) == [am.KAnonymity(2), am.KMap(3, "p.csv")]
    assert models_in({"alpha": ["a=0.5"], "k": 4})[1] == am.AlphaK(0.5, 4, "a")
    assert models_in({}, default_k=None) == []
    with pytest.raises(BadOption, match="population"):
        models_in({"delta_presence": "0,0.5"})


def test_models_spread_over_columns():
    assert on_columns([am.KAnonymity(2), am.LDiversity(2)], ["a", "b"]) == [
        am.KAnonymity(2),
        am.LDiversity(2, column="a"),
        am.LDiversity(2, column="b"),
    ]
