"""``amongst lattice``, as a person runs it."""

from __future__ import annotations

import json

import pytest
from cli_process import JOB_COLUMNS, SECRET

from amongst.cli.lattice_job import suppression_in
from amongst.errors import BadOption

PATIENTS = ["lattice", "incognito-patients", "--k", "2"]


def job_of(people, method: str = "", k: int = 4) -> object:
    path = people.parent / "job.toml"
    privacy = f'[[privacy]]\nmodel = "k-anonymity"\nk = {k}\n'
    path.write_text(f'[input]\npath = "people.csv"\n{JOB_COLUMNS}\n{privacy}{method}')
    return path


def test_a_data_set_is_drawn(amongst, tmp_path):
    done = amongst(*PATIENTS)
    assert done.returncode == 0, done.stderr
    assert [line.split(maxsplit=1) for line in done.stdout.splitlines()] == [
        ["lattice", "12 generalizations of 3 columns"],
        ["safe", "5, of which 3 minimal"],
        ["chosen", "Birthdate, Sex: one value for all; Zipcode: as it is"],
        ["lost", "GCP 66.7%; suppresses no rows"],
        ["page", "lattice.html"],
    ]
    page = (tmp_path / "lattice.html").read_text()
    assert page.startswith("<!doctype html>")
    assert page.count('class="node"') == 12


def test_a_file_is_not_replaced_unasked(amongst, tmp_path):
    (tmp_path / "lattice.html").write_text("mine")
    done = amongst(*PATIENTS)
    assert done.returncode == 1
    assert "--force" in done.stderr
    assert (tmp_path / "lattice.html").read_text() == "mine"
    assert amongst(*PATIENTS, "--force").returncode == 0
    assert amongst(*PATIENTS, "--out", "other.html").returncode == 0
    assert (tmp_path / "other.html").read_text() == (tmp_path / "lattice.html").read_text()


def test_json_has_nodes_and_losses(amongst):
    options = ["--suppression", "2", "--limit", "Sex=0", "--choose", "dm"]
    told = json.loads(amongst(*PATIENTS, *options, "--json").stdout)
    assert told["choose"] == "dm"
    assert told["generalizations"] == len(told["drawn"]) == 6
    assert all(one["levels"]["Sex"] == 0 for one in told["drawn"])
    assert {"gcp", "lm", "dm", "c_avg", "precision", "entropy", "height"} <= set(told["measured"][0])
    assert told["asked"][1:] == ["At most 2 rows (33.3%) may be suppressed for it.", "Sex is kept as it is."]


def test_a_job_is_drawn_with_its_own_options(amongst, people):
    method = '[method]\nname = "samarati"\n[method.options]\nsuppression = 0.1\nlimits = { zip = 2 }\n'
    told = json.loads(amongst("lattice", job_of(people, method), "--json").stdout)
    assert (told["k"], told["method"], told["title"]) == (4, "samarati", "people.csv")
    assert told["asked"][1:] == [
        "At most 4 rows (10.0%) may be suppressed for it.",
        "zip may be generalized to level 2 at most (3 of 5 digits).",
    ]
    typed = ["--k", "2", "--method", "datafly", "--suppression", "0", "--force"]
    told = json.loads(amongst("lattice", job_of(people, method), *typed, "--json").stdout)
    assert (told["k"], told["method"], told["asked"][1]) == (2, "datafly", "No row may be suppressed for it.")


def test_a_job_of_another_method_is_drawn_too(amongst, people, tmp_path):
    done = amongst("lattice", job_of(people, '[method]\nname = "mondrian"\n[method.options]\ncuts = "ordered"\n'))
    assert done.returncode == 0, done.stderr
    assert SECRET not in (tmp_path / "lattice.html").read_text()
    assert SECRET not in done.stdout + done.stderr


def test_a_table_with_quasi_identifiers_named(amongst, people):
    roles = ["--quasi", "zip,sex", "--hierarchy", "zip=digits=5"]
    told = json.loads(amongst("lattice", people, *roles, "--k", "3", "--json").stdout)
    assert list(told["levels"]) == ["zip", "sex"]
    assert told["generalizations"] == 12


@pytest.mark.parametrize(
    ("options", "code", "words"),
    [
        (["--limit", "Sex=9"], 2, "there is no level 9"),
        (["--limit", "Sex"], 2, "--limit"),
        (["--suppression", "7"], 2, "does not fit the table"),
        (["--suppression", "many"], 2, "cannot be understood"),
        (["--choose", "gpc"], 2, "did you mean 'gcp'?"),
        (["--method", "mondrian"], 2, "does not search the lattice"),
        (["--quasi", "Weight"], 1, "Weight"),
        (["--k", "7"], 1, "use k <= 6"),
        (["--limit", "Birthdate=0", "--limit", "Zipcode=1"], 1, "use k <= 1"),
        (["--out", "missing/lattice.html"], 1, "no folder"),
    ],
)
def test_what_cannot_be_drawn(amongst, tmp_path, options, code, words):
    done = amongst(*PATIENTS, *options)
    assert done.returncode == code, done.stderr
    assert words in done.stderr
    assert "Traceback" not in done.stderr
    assert not (tmp_path / "lattice.html").exists()


def test_a_table_needs_quasi_identifiers(amongst, people):
    done = amongst("lattice", people)
    assert done.returncode == 2
    assert "--quasi" in done.stderr


def test_what_is_typed_for_suppression():
    assert [suppression_in(text) for text in ("200", "0.05", "5%", "0", "1.0", "100%")] == [
        200,
        0.05,
        0.05,
        0,
        1.0,
        1.0,
    ]
    assert isinstance(suppression_in("1"), int)
    assert isinstance(suppression_in("1.0"), float)
    with pytest.raises(BadOption):
        suppression_in("five")
