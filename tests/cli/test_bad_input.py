"""Every bad input is told as what, found and fix: no traceback, no output, no cell of the table."""

from __future__ import annotations

import json

import pyarrow as pa
import pyarrow.parquet as pq
import pytest
from cli_process import JOB_COLUMNS, ROLES, SECRET, left_over, people_csv

HEADER = "name,age,zip,sex,disease\n"


def changed(old: str, new: str) -> str:
    text = people_csv()
    assert old in text
    return text.replace(old, new, 1)


TABLES = {
    "empty file": ("", "empty"),
    "header only": (HEADER, "no rows"),
    "one row": (HEADER + f"{SECRET},31,53701,Male,{SECRET}\n", "1 row"),
    "no header": ("\n" + people_csv(), "header"),
    "a row with a cell too many": (changed(",53702,", f",53702,{SECRET},"), "too few or too many cells"),
    "a row with a cell too few": (changed(",53702,", ","), "too few or too many cells"),
    "an open quote": (changed(f"{SECRET}-7,", f'"{SECRET}-7,'), ""),
    "no quasi-identifier": (people_csv(), "no column is a quasi-identifier"),
    "an unknown column": (
        people_csv().replace("zip", "postcode", 1),
        "'zip' is in the schema but not in the table",
    ),
    "undecided columns": (people_csv().replace("name,", "nickname,", 1), "'nickname'"),
    "nulls without a rule": (changed(",53702,", ",,"), "missing value"),
}


@pytest.mark.parametrize("case", TABLES)
def test_bad_tables(amongst, tmp_path, case):
    text, found = TABLES[case]
    (tmp_path / "people.csv").write_text(text, encoding="utf-8")
    roles = ROLES if case != "no quasi-identifier" else ["--identifier", "name", "--keep", "age,zip,sex,disease"]
    refused(amongst("anonymize", "people.csv", "--out", "out", *roles, "--k", 2), tmp_path, found)


def refused(ran, tmp_path, found: str, code: int = 1) -> None:
    assert ran.returncode == code, ran.stdout + ran.stderr
    assert ran.stdout == ""
    assert ran.stderr.startswith("Error: ")
    assert "  found:" in ran.stderr
    assert "  fix:" in ran.stderr
    assert found in ran.stderr
    assert "Traceback" not in ran.stderr
    assert SECRET not in ran.stderr
    assert not (tmp_path / "out").exists()
    assert left_over(tmp_path) == []


def test_a_column_that_does_not_fit_its_form(amongst, people, tmp_path):
    ran = amongst("anonymize", "people.csv", "--out", "out", *ROLES, "--k", 2, "--reads", "disease=dd.MM.yyyy")
    refused(ran, tmp_path, "'disease'", ran.returncode)
    assert ran.returncode in (1, 2)
    assert "--reads COLUMN=FORM, or COLUMN={form='1234,56', missing=['n.b.']}" in ran.stderr


def test_k_larger_than_the_table(amongst, people, tmp_path):
    ran = amongst("anonymize", people, "--out", "out", *ROLES, "--k", 41)
    refused(ran, tmp_path, "k <= 40")


def test_mixed_types_where_numbers_were_asked_for(amongst, people, tmp_path):
    people.write_text(changed(",22,", f",{SECRET},"), encoding="utf-8")
    (tmp_path / "job.toml").write_text(JOB_COLUMNS, encoding="utf-8")
    ran = amongst("anonymize", people, "--out", "out", "--schema", "job.toml", "--k", 2)
    refused(ran, tmp_path, "'age': kind is \"numeric\" but the column is text")


@pytest.mark.parametrize("number", [float("nan"), float("inf"), -float("inf")])
def test_numbers_that_are_not_finite(amongst, tmp_path, number):
    table = pa.table({"age": [number, *map(float, range(39))], "disease": [SECRET] * 40})
    pq.write_table(table, tmp_path / "people.parquet")
    ran = amongst("anonymize", "people.parquet", "--out", "out", "--quasi", "age", "--sensitive", "disease", "-k", 2)
    refused(ran, tmp_path, "NaN or infinite")


def test_huge_integers_stay_what_they_are(amongst, tmp_path):
    """They do not fit a number of 64 bits, so they are text; nothing is rounded and nothing overflows."""
    rows = [f"{10**25 + i % 4},{SECRET}" for i in range(40)]
    (tmp_path / "huge.csv").write_text("\n".join(["age,disease", *rows]), encoding="utf-8")
    ran = amongst("anonymize", "huge.csv", "--out", "out", "--quasi", "age", "--sensitive", "disease", "-k", 10)
    assert ran.returncode == 0, ran.stderr
    ages = set(pq.read_table(tmp_path / "out" / "release.parquet").column("age").to_pylist())
    assert ages == {str(10**25 + i) for i in range(4)}


def test_the_largest_integers_of_64_bits(amongst, tmp_path):
    ends = [-(2**63), 2**63 - 1]
    pq.write_table(pa.table({"age": pa.array(ends * 10, pa.int64()), "d": [SECRET] * 20}), tmp_path / "huge.parquet")
    ran = amongst("anonymize", "huge.parquet", "--out", "out", "--quasi", "age", "--sensitive", "d", "-k", 10)
    assert ran.returncode in (0, 1), ran.stderr
    assert "Traceback" not in ran.stderr


def test_text_that_is_not_utf_8(amongst, people, tmp_path):
    people.write_bytes(changed("flu", "Grippe-f\xfcr").encode("latin-1"))
    ran = amongst("anonymize", people, "--out", "out", *ROLES, "--k", 2)
    assert ran.returncode == 0, ran.stderr
    assert "read as windows-1252" in ran.stdout  # found, and told
    wrong = amongst("anonymize", people, "--out", "other", *ROLES, "--k", 2, "--encoding", "utf-8")
    assert wrong.returncode == 1
    assert "--encoding windows-1252" in wrong.stderr


def test_a_value_that_is_not_in_its_hierarchy(amongst, people, tmp_path):
    (tmp_path / "sex.csv").write_text("Male;*\n", encoding="utf-8")
    ran = amongst("anonymize", people, "--out", "out", *ROLES, "--k", 2, "--hierarchy", "sex=sex.csv")
    refused(ran, tmp_path, "1 value of the column is not")
    assert "Female" not in ran.stderr


@pytest.mark.parametrize("kind", [".parquet", ".feather", ".csv.gz"])
def test_a_file_of_another_kind_than_its_name_says(amongst, tmp_path, kind):
    (tmp_path / f"people{kind}").write_text(people_csv(), encoding="utf-8")
    refused(amongst("anonymize", f"people{kind}", "--out", "out", *ROLES, "--k", 2), tmp_path, "")


def test_no_such_file_no_such_kind_and_a_folder(amongst, tmp_path):
    refused(amongst("anonymize", "nowhere.csv", "--out", "out", *ROLES), tmp_path, "nowhere.csv")
    refused(amongst("anonymize", "adlut", "--out", "out"), tmp_path, "there is a data set 'adult'")
    refused(amongst("anonymize", tmp_path, "--out", "out", *ROLES), tmp_path, "folder")
    (tmp_path / "people.rds").write_text("x")
    refused(amongst("anonymize", "people.rds", "--out", "out", *ROLES), tmp_path, ".csv")


def test_a_place_that_cannot_be_written_to_is_refused_before_the_work(amongst, people, tmp_path):
    """The table is broken too: that it is not looked at shows that the place is checked first."""
    people.write_text("", encoding="utf-8")
    (tmp_path / "file").write_text("")
    for out in ("file/out", "nowhere/out", "file"):
        ran = amongst("anonymize", people, "--out", out, *ROLES, "--json")
        assert ran.returncode == 1
        assert json.loads(ran.stdout)["error"] == "bad-output"
    assert (tmp_path / "file").read_text() == ""


@pytest.mark.parametrize(
    "typed",
    [
        *("inspect", "verify", "attack", "risk", "evidence --out pack", "query", "run", "plan", "verify-database"),
        *("inspect-database", "anonymize --out out --quasi a", "register", "app"),
    ],
)
def test_a_path_with_nothing_at_it_is_told_as_that(amongst, tmp_path, typed):
    name, *options = typed.split()
    question = ["SELECT COUNT(*)"] if name == "query" else []
    done = amongst(name, "nothing-here", *question, *options)
    said = done.stdout + done.stderr
    assert done.returncode in (1, 2), said
    assert any(words in said for words in ("no file", "nothing at this path", "no such", "not there")), said
    assert left_over(tmp_path) == []
