"""amongst inspect drafts a job, amongst run carries it out."""

from __future__ import annotations

import json
import os

from cli_process import SECRET, people_csv


def test_from_a_table_to_a_release_through_a_job_file(amongst, people, tmp_path):
    (tmp_path / "work").mkdir()
    looked = amongst("inspect", people, "--write", "work/job.toml")
    assert looked.returncode == 0, looked.stderr
    assert "work/job.toml" in looked.stdout
    assert SECRET not in looked.stdout
    job = tmp_path / "work" / "job.toml"
    assert SECRET not in job.read_text(encoding="utf-8")
    job.write_text(job.read_text(encoding="utf-8").replace("k = 10", "k = 4"), encoding="utf-8")

    ran = amongst("run", "work/job.toml", "--json")
    assert ran.returncode == 0, ran.stdout
    told = json.loads(ran.stdout)
    assert told["privacy"] == [{"model": "k-anonymity", "k": 4}]
    assert told["proved"]["ok"] is True
    assert os.path.commonpath([tmp_path / "work", tmp_path / told["folder"]]) == str(tmp_path / "work")
    again = amongst("run", "work/job.toml")
    assert again.returncode == 1
    assert "--force" in again.stderr
    elsewhere = amongst("run", "work/job.toml", "--out", "elsewhere", "--quiet")
    assert (elsewhere.returncode, elsewhere.stdout, elsewhere.stderr) == (0, "", "")
    release, other = tmp_path / told["folder"], tmp_path / "elsewhere"
    assert (release / "release.parquet").read_bytes() == (other / "release.parquet").read_bytes()


def test_a_job_file_is_not_replaced_unasked(amongst, people, tmp_path):
    (tmp_path / "job.toml").write_text("mine", encoding="utf-8")
    assert amongst("inspect", people, "--write", "job.toml").returncode == 1
    assert (tmp_path / "job.toml").read_text(encoding="utf-8") == "mine"
    assert amongst("inspect", people, "--write", "job.toml", "--force").returncode == 0
    assert "[columns.age]" in (tmp_path / "job.toml").read_text(encoding="utf-8")


def test_inspect_tells_a_machine_role_kind_and_reasons(amongst, people, tmp_path):
    people.write_text(people_csv().replace(",53701,", ",NA,"), encoding="utf-8")
    told = json.loads(amongst("inspect", people, "--nulls", "NA", "--json").stdout)
    assert told["rows"] == 40
    column = {one["name"]: one for one in told["columns"]}
    assert column["name"]["role"] == "identifier"
    assert column["age"]["kind"] == "numeric"
    assert column["zip"]["nulls"] == 6
    assert all(one["reasons"] for one in told["columns"])
    assert SECRET not in json.dumps(told)


def test_a_data_set_can_be_looked_at_but_not_drafted_from(amongst, tmp_path):
    assert "marital-status" in amongst("inspect", "adult").stdout
    refused = amongst("inspect", "adult", "--write", "job.toml")
    assert refused.returncode == 2
    assert "amongst datasets adult --write adult.csv" in refused.stderr
    assert not (tmp_path / "job.toml").exists()


def test_a_job_that_cannot_be_understood(amongst, tmp_path):
    (tmp_path / "job.toml").write_text('[input]\npath = "people.csv"\n[colums]\n', encoding="utf-8")
    ran = amongst("run", "job.toml")
    assert ran.returncode == 1
    assert "did you mean 'columns'" in ran.stderr
    assert amongst("run", "nowhere.toml").returncode == 1


def test_a_run_tells_which_texts_only_a_text_file_would_keep(amongst, tmp_path):
    rows = [
        {"age": 30 + i % 9, "sex": "mf"[i % 2], "lab": "<1.5" if i % 10 == 0 else f"{i / 7:.2f}"} for i in range(80)
    ]
    (tmp_path / "t.jsonl").write_text("\n".join(map(json.dumps, rows)) + "\n", encoding="utf-8")
    asked = ("--quasi", "age,sex", "--sensitive", "lab", "--k", "4", "--reads", "found", "--method", "mondrian")
    told = amongst("anonymize", "t.jsonl", *asked, "--format", "jsonl", "--out", "lines")
    assert "'lab': 8 cells with limits or words for missing are empty in the release" in told.stdout
    kept = ("--quasi", "age,sex", "--keep", "lab", *asked[4:])
    told = amongst("anonymize", "t.jsonl", *kept, "--format", "jsonl", "--out", "kept")
    assert "are empty" not in told.stdout
    assert (tmp_path / "kept" / "release.jsonl").read_text(encoding="utf-8").count("<1.5") == 8
    (tmp_path / "t.csv").write_text("\n".join(["age,sex,lab", *(",".join(map(str, row.values())) for row in rows), ""]))
    told = amongst("anonymize", "t.csv", *asked, "--format", "csv", "--out", "text")
    assert told.returncode == 0, told.stderr
    assert "are empty" not in told.stdout
    assert (tmp_path / "text" / "release.csv").read_text(encoding="utf-8").count("<1.5") == 8
