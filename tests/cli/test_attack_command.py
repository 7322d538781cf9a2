"""``amongst attack`` as a person would use it."""

from __future__ import annotations

import json

import amongst as am

ROWS = "\n".join(f"{20 + i % 40},{('F', 'M')[i % 2]},disease-okapi-{i % 5}" for i in range(120))


def published(tmp_path, folder="out", method="mondrian", k=5):
    (tmp_path / "people.csv").write_text(f"age,sex,disease\n{ROWS}\n", encoding="utf-8")
    (tmp_path / "voters.csv").write_text("name,age,sex\nAnn,25,M\nBob,99,M\n", encoding="utf-8")
    quasi = am.Column(role="quasi")
    schema = am.Schema({"age": quasi, "sex": quasi, "disease": am.Column(role="sensitive")})
    am.anonymize(tmp_path / "people.csv", schema, [am.KAnonymity(k)], method=method).write(tmp_path / folder)


def test_words_data_and_page(amongst, tmp_path):
    published(tmp_path)
    ran = amongst("attack", "out", "--outside", "voters.csv", "--original", "people.csv", "--html", "page.html")
    assert ran.returncode == 0, ran.stderr
    assert "Linkage with an outside table: does not succeed" in ran.stdout
    assert "okapi" not in ran.stdout
    assert (tmp_path / "page.html").read_text(encoding="utf-8").startswith("<!doctype html>")
    told = json.loads(amongst("attack", "out", "--outside", "voters.csv", "--json").stdout)
    assert [one["attack"] for one in told["findings"]["singling out"]] == ["linkage", "downcoding", "kept columns"]
    again = amongst("attack", "out", "--html", "page.html")
    assert again.returncode == 1
    assert "--force" in again.stderr


def test_a_file_of_another_tool(amongst, tmp_path):
    published(tmp_path)
    ran = amongst(
        "attack", "people.csv", "--quasi", "age,sex", "--sensitive", "disease", "--outside", "voters.csv",
        "--only", "linkage,homogeneity", "-k", "4", "--rows", "--json",
    )  # fmt: skip
    assert ran.returncode == 0, ran.stderr
    told = json.loads(ran.stdout)
    linkage = told["findings"]["singling out"][0]
    assert linkage["succeeded"]
    assert linkage["rows"] == [0]
    assert told["threshold"] == 4


def test_two_releases(amongst, tmp_path):
    published(tmp_path)
    published(tmp_path, "second", "hilbert", 6)
    ran = amongst("attack", "out", "--against", "second", "--original", "people.csv", "--only", "composition")
    assert ran.returncode == 0, ran.stderr
    assert "2 releases read together" in ran.stdout


def test_wrong_usage(amongst, tmp_path):
    published(tmp_path)
    ran = amongst("attack", "out", "--only", "nonsense")
    assert ran.returncode == 2
    assert "use one of" in ran.stderr
