"""``amongst risk``, ``amongst register`` and ``amongst verify --against`` as a person runs them."""

from __future__ import annotations

import json

import pytest
from cli_process import JOB_COLUMNS, ROLES, SECRET, left_over


def test_risk_before_and_after(amongst, people, tmp_path):
    (tmp_path / "job.toml").write_text(
        '[input]\npath = "people.csv"\n[output]\nfolder = "out"\n'
        f'[[privacy]]\nmodel = "k-anonymity"\nk = 4\n{JOB_COLUMNS}'
    )
    assert amongst("run", "job.toml").returncode == 0
    done = amongst("risk", "out", "--original", "job.toml", "--out", "risk.html")
    assert done.returncode == 0, done.stderr
    assert "prosecutor" in done.stdout
    assert "at the threshold k = 4" in done.stdout
    told = json.loads(amongst("risk", "out", "--original", "job.toml", "--json").stdout)
    assert told["after"]["prosecutor"]["highest"] <= 0.25 < told["before"]["prosecutor"]["highest"]
    page = (tmp_path / "risk.html").read_text(encoding="utf-8")
    for text in (done.stdout, page, json.dumps(told)):
        assert SECRET not in text
    again = amongst("risk", "out", "--out", "risk.html")
    assert (again.returncode, "exists" in again.stderr) == (1, True)
    assert left_over(tmp_path) == []


def test_risk_of_a_plain_table(amongst, people):
    done = amongst("risk", people, "--quasi", "age,zip,sex", "--fraction", "0.1", "--columns", "2", "--json")
    told = json.loads(done.stdout)
    assert told["before"]["minimal_uniques"]["columns_up_to"] == 2
    assert told["before"]["journalist"]["highest"] < told["before"]["prosecutor"]["highest"]
    assert amongst("risk", people).returncode == 2
    wrong = amongst("risk", people, "--quasi", "age", "--fraction", "7")
    assert (wrong.returncode, "share of the population" in wrong.stderr) == (2, True)


def test_a_register_and_a_release_held_against_it(amongst, people, tmp_path):
    for name, method in (("one", "mondrian"), ("two", "hilbert")):
        done = amongst("anonymize", people, *ROLES, "--k", "4", "--method", method, "--out", name)
        assert done.returncode == 0, done.stderr
    assert amongst("register", "kept", "add", "one", "--people", "patients").returncode == 0
    listed = amongst("register", "kept")
    assert "patients" in listed.stdout
    assert "as it was written" in listed.stdout
    done = amongst("verify", "two", "--against", "kept", "--people", "patients")
    assert done.returncode == 1
    assert "against  one: together they do NOT hold what was asked (k = 4)" in done.stdout
    told = json.loads(amongst("verify", "two", "--against", "one", "--json").stdout)
    assert told["ok"] is True
    assert told["against"][0]["ok"] is False
    quiet = amongst("verify", "two", "--against", "one", "--quiet")
    assert (quiet.returncode, "Together with the earlier release" in quiet.stderr) == (1, True)
    same = amongst("verify", "one", "--against", "kept")
    assert (same.returncode, "NOT compared" in same.stdout) == (1, True)
    for text in (done.stdout, listed.stdout, quiet.stderr):
        assert SECRET not in text


def test_wrong_usage_of_a_register(amongst, tmp_path):
    assert amongst("register", "kept").returncode == 1
    assert amongst("register", "kept", "add").returncode == 2
    assert amongst("register", "kept", "remove", "x").returncode == 2
    assert amongst("register", "kept", "add", "nothing").returncode == 1
    assert not (tmp_path / "kept").exists()


def test_evidence_is_written_beside_the_release(amongst, people, tmp_path):
    (tmp_path / "job.toml").write_text(
        '[input]\npath = "people.csv"\n[output]\nfolder = "out"\n'
        f'[[privacy]]\nmodel = "k-anonymity"\nk = 4\n{JOB_COLUMNS}'
    )
    assert amongst("run", "job.toml").returncode == 0
    done = amongst("evidence", "out", "--original", "job.toml")
    assert done.returncode == 0, done.stderr
    assert "threshold  k = 4, 1/k = 0.25" in done.stdout
    public = json.loads((tmp_path / "out-evidence" / "evidence-public.json").read_text(encoding="utf-8"))
    assert public["proofs"]["ok"]
    for path in (tmp_path / "out-evidence").iterdir():
        assert SECRET not in path.read_text(encoding="utf-8")
        assert str(tmp_path) not in path.read_text(encoding="utf-8")
    again = amongst("evidence", "out")
    assert (again.returncode, "exists" in again.stderr) == (1, True)
    assert amongst("evidence", "out", "--force", "--quiet").returncode == 0
    (tmp_path / "out" / "release.parquet").unlink()
    assert amongst("evidence", "out", "--force").returncode == 1
    assert left_over(tmp_path) == []


def test_pages_about_the_original_are_for_their_owner_alone(amongst, people, tmp_path):
    """What can be counted in the published file is written as any other file; everything else is not."""
    (tmp_path / "job.toml").write_text(
        '[input]\npath = "people.csv"\n[output]\nfolder = "out"\n'
        f'[[privacy]]\nmodel = "k-anonymity"\nk = 4\n{JOB_COLUMNS}'
    )
    assert amongst("run", "job.toml", "--quiet").returncode == 0
    pages = {
        "public.html": ("risk", "out", "--out"),
        "risk.html": ("risk", "out", "--original", "job.toml", "--out"),
        "attack.html": ("attack", "out", "--html"),
    }
    for name, command in pages.items():
        done = amongst(*command, name)
        assert done.returncode == 0, done.stderr
        inside = name != "public.html"
        assert ((tmp_path / name).stat().st_mode & 0o077 == 0) == inside, name
        assert ("inside: not to be published" in (tmp_path / name).read_text(encoding="utf-8")) == inside
        assert ("inside: not to be published" in done.stdout) == inside


def test_a_window_that_ends_before_it_begins_is_refused() -> None:
    from amongst.cli.commands.register import _window
    from amongst.errors import BadOption

    assert _window("2024-01-31..2024-01-31") == ("2024-01-31", "2024-01-31")
    with pytest.raises(BadOption, match="the earlier one first"):
        _window("2024-02-01..2024-01-31")
