"""Lists, the version, and the ways to speak: text, JSON, hardly at all."""

from __future__ import annotations

import json
import subprocess
import sys

import pyarrow.csv
import pyarrow.parquet as pq
import pytest
from cli_process import ROLES, environment

import amongst as am


@pytest.mark.parametrize("where", ["before", "after"])
def test_json_is_one_object_wherever_it_is_asked_for(amongst, where):
    for part in ("methods", "datasets"):
        ran = amongst("--json", part) if where == "before" else amongst(part, "--json")
        assert ran.returncode == 0
        assert ran.stderr == ""
        assert list(json.loads(ran.stdout)) == [part]


def test_the_lists_name_what_there_is(amongst):
    methods = amongst("methods").stdout
    assert all(method["name"] in methods for method in am.methods())
    datasets = amongst("datasets").stdout
    assert all(name in datasets for name in am.datasets.names())


def test_the_version(amongst):
    assert amongst("--version").stdout == f"amongst {am.__version__}\n"


def test_help_names_the_exit_codes_and_every_command(amongst):
    text = " ".join(amongst("--help").stdout.split())
    for word in ("demo", "inspect", "anonymize", "run", "verify", "methods", "datasets", "2 wrong usage"):
        assert word in text


@pytest.mark.parametrize("name", ["patients.csv", "patients.parquet"])
def test_a_data_set_is_written_to_a_file(amongst, tmp_path, name):
    assert amongst("datasets", "patients", "--write", name).returncode == 0
    path = tmp_path / name
    table = pyarrow.csv.read_csv(path) if path.suffix == ".csv" else pq.read_table(path)
    assert table.num_rows == 6
    assert amongst("datasets", "patients", "--write", name).returncode == 1
    assert amongst("datasets", "patients", "--write", "patients.xlsx").returncode == 2


def test_a_generated_data_set_takes_options(amongst, tmp_path):
    ran = amongst("datasets", "uniform", "--option", "n_rows=50", "--write", "u.parquet", "--json")
    assert json.loads(ran.stdout)["rows"] == 50
    assert amongst("datasets", "uniform", "--option", "n_row=50").returncode == 2
    assert amongst("datasets", "nothing").returncode == 2


def test_quiet_prints_nothing_but_errors(amongst, people):
    ran = amongst("anonymize", people, "--out", "out", *ROLES, "-k", 4, "--quiet")
    assert (ran.returncode, ran.stdout, ran.stderr) == (0, "", "")
    again = amongst("anonymize", people, "--out", "out", *ROLES, "-k", 4, "-q")
    assert again.returncode == 1
    assert again.stdout == ""
    assert "exists" in again.stderr


def test_errors_are_json_too(amongst, people):
    ran = amongst("anonymize", people, "--out", "out", *ROLES, "-k", 41, "--json")
    assert ran.returncode == 1
    told = json.loads(ran.stdout)
    assert told["error"] == "infeasible"
    assert {"what", "found", "fix"} <= set(told)
    assert ran.stderr == ""


@pytest.mark.parametrize(
    "arguments",
    [
        ["anonymise"],
        ["anonymize"],
        ["anonymize", "x.csv", "--out", "out", "--k", "many"],
        ["anonymize", "x.csv", "--out", "out", "--k", "0"],
        ["anonymize", "x.csv", "--out", "out", "--form", "tuples"],
        ["anonymize", "x.csv", "--out", "out", "--format", "csv", "--form", "structs"],
        ["anonymize", "x.csv", "--out", "out", "--method", "mondriaan"],
        ["anonymize", "x.csv", "--out", "out", "--option", "cuts"],
        ["anonymize", "x.csv", "--out", "out", "--option", "slices=3"],
        ["anonymize", "x.csv", "--out", "out", "--quasi", "a", "--keep", "a"],
        ["anonymize", "x.csv", "--out", "out", "--nulls-rule", "drop"],
        ["anonymize", "x.csv", "--out", "out", "--hierarchy", "zip=digits=["],
    ],
)
def test_wrong_usage_ends_in_2_for_people_and_machines(amongst, tmp_path, arguments):
    ran = amongst(*arguments, "--json")
    assert ran.returncode == 2, ran.stdout + ran.stderr
    assert json.loads(ran.stdout)["what"]
    assert not (tmp_path / "out").exists()


def test_people_are_told_of_wrong_usage_on_stderr(amongst):
    ran = amongst("anonymize", "x.csv", "--out", "out", "--k", "many")
    assert ran.returncode == 2
    assert ran.stdout == ""
    assert "--k" in ran.stderr
    assert "Traceback" not in ran.stderr


def test_a_reader_that_goes_away_is_no_defect(tmp_path):
    line = f"{sys.executable} -m amongst datasets | head -n 1; exit ${{PIPESTATUS[0]}}"
    ran = subprocess.run(["bash", "-c", line], cwd=tmp_path, env=environment(), capture_output=True, text=True)
    assert "defect" not in ran.stderr
    assert "Traceback" not in ran.stderr


def test_importing_the_command_is_cheap():
    heavy = "{'numpy', 'pyarrow', 'pandas', 'polars', 'duckdb', 'jinja2', 'narwhals', 'rich', 'pydantic'}"
    code = f"import sys, amongst.cli; print(sorted({heavy} & set(sys.modules)))"
    ran = subprocess.run([sys.executable, "-c", code], env=environment(), capture_output=True, text=True)
    assert ran.stdout.strip() == "[]", ran.stdout


def test_a_run_does_without_frames_and_databases(tmp_path, people):
    code = (
        "import sys; sys.argv[1:] = ['anonymize', 'adult', '--out', 'out', '--quiet']\n"
        "from amongst.cli import main\n"
        "frames = {'pandas', 'polars', 'duckdb', 'narwhals', 'rich', 'altair'}\n"
        "try: main()\n"
        "finally: print(sorted(frames & set(sys.modules)))"
    )
    ran = subprocess.run([sys.executable, "-c", code], cwd=tmp_path, env=environment(), capture_output=True, text=True)
    assert ran.returncode == 0, ran.stderr
    assert ran.stdout.strip() == "[]", ran.stdout
