"""amongst verify: exit code 0 when a table holds what was asked, 1 when it does not."""

from __future__ import annotations

import json

import pytest
from cli_process import JOB_COLUMNS, ROLES, SECRET


@pytest.fixture
def release(amongst, people, tmp_path):
    ran = amongst("anonymize", people, "--out", "out", *ROLES, "-k", 4, "--format", "csv")
    assert ran.returncode == 0, ran.stderr
    return tmp_path / "out"


def test_a_release_folder_is_held_against_its_own_manifest(amongst, release):
    for published in ("out", "out/release.csv"):
        ran = amongst("verify", published)
        assert ran.returncode == 0, ran.stdout
        assert "4 asked" in ran.stdout
        assert "as it was written" in ran.stdout


def test_the_public_folder_alone_suffices_wherever_it_lies(amongst, people, release, tmp_path):
    import shutil

    elsewhere = tmp_path / "elsewhere" / "carried"
    shutil.copytree(release, elsewhere)
    for path in (*elsewhere.iterdir(), elsewhere):
        path.chmod(0o555 if path.is_dir() else 0o444)
    for path in (release, release.with_name("out.inside")):
        shutil.rmtree(path)
    people.unlink()
    before = [(path.name, path.stat().st_mtime_ns) for path in (elsewhere, *sorted(elsewhere.iterdir()))]
    ran = amongst("verify", elsewhere)
    assert ran.returncode == 0, ran.stdout + ran.stderr
    assert [(path.name, path.stat().st_mtime_ns) for path in (elsewhere, *sorted(elsewhere.iterdir()))] == before
    assert [path.name for path in elsewhere.parent.iterdir()] == ["carried"]


def test_asking_for_more_than_a_release_has(amongst, release):
    ran = amongst("verify", "out", "--k", 30, "--json")
    assert ran.returncode == 1
    told = json.loads(ran.stdout)
    assert told["ok"] is False
    assert told["models"][0]["asked"] == 30
    assert told["unchanged"] is True
    assert told["findings"][0]["fix"]


def test_a_release_that_was_changed_by_one_row_fails(amongst, release):
    data = release / "release.csv"
    header, first, *rows = data.read_text(encoding="utf-8").splitlines()
    data.write_text("\n".join([header, "99," + first.partition(",")[2], *rows]) + "\n", encoding="utf-8")
    ran = amongst("verify", "out")
    assert ran.returncode == 1
    assert "changed since it was written" in ran.stdout
    quiet = amongst("verify", "out", "--quiet")
    assert (quiet.returncode, quiet.stdout) == (1, "")
    assert "does not hold" in quiet.stderr


def test_a_table_of_another_tool(amongst, tmp_path):
    rows = ["[25-26],5371*,flu"] * 3 + ["*,{a,b},cold".replace("{a,b}", '"{a,b}"')] * 2
    (tmp_path / "other.csv").write_text("\n".join(["age,zip,disease", *rows]) + "\n", encoding="utf-8")
    assert amongst("verify", "other.csv", "--quasi", "age,zip", "--k", 2).returncode == 0
    assert amongst("verify", "other.csv", "--quasi", "age,zip", "--k", 3).returncode == 1


def test_raw_data_fails_and_shows_no_cell(amongst, people):
    ran = amongst("verify", people, "--quasi", "age,zip,sex", "--k", 5)
    assert ran.returncode == 1
    assert SECRET not in ran.stdout + ran.stderr


@pytest.mark.parametrize(
    ("arguments", "code"),
    [
        (["people.csv", "--k", "5"], 2),
        (["people.csv", "--quasi", "age"], 2),
        (["people.csv", "--quasi", "age", "--k", "0"], 2),
        (["people.csv", "--quasi", "age", "--schema", "job.toml", "--k", "2"], 2),
        (["nowhere.csv", "--quasi", "age", "--k", "5"], 1),
        (["people.csv", "--quasi", "height", "--k", "1"], 1),
    ],
)
def test_what_cannot_be_verified(amongst, people, arguments, code):
    ran = amongst("verify", *arguments)
    assert ran.returncode == code, ran.stdout + ran.stderr
    assert "Traceback" not in ran.stderr


def test_a_damaged_manifest_is_an_error_and_not_a_pass(amongst, release):
    (release / "manifest.json").write_text('{"schema": 3}', encoding="utf-8")
    ran = amongst("verify", "out")
    assert ran.returncode == 1
    assert "manifest" in ran.stderr
    whole = ("--quasi", "age,zip,sex", "--k", 4)
    assert amongst("verify", "out", *whole).returncode == 1  # nobody can tell whether its files are as written
    assert amongst("verify", "out/release.csv", *whole).returncode == 0


def test_a_job_file_says_what_the_columns_are(amongst, people, tmp_path):
    (tmp_path / "job.toml").write_text(JOB_COLUMNS, encoding="utf-8")
    assert amongst("anonymize", people, "--out", "out", "--schema", "job.toml", "-k", 4).returncode == 0
    ran = amongst("verify", "out/release.parquet", "--schema", "job.toml", "--k", 4)
    assert ran.returncode == 0, ran.stdout
    raw = amongst("verify", people, "--schema", "job.toml", "--k", 1, "--json")
    assert raw.returncode == 1
    assert "identifier" in {finding["code"] for finding in json.loads(raw.stdout)["findings"]}
