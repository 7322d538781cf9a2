"""``amongst republish``: what it refuses, and that nothing is lost by it."""

from __future__ import annotations

import pyarrow.csv as pc
import pytest

import amongst as am
from amongst.job.job import Input, Job, Output
from amongst.republish.two_steps import only_run

MODELS = (am.KAnonymity(5), am.LDiversity(2, "distinct"))
TOLD = ("republish", "job.toml", "--person", "person", "--series", "series", "--key", "key")


@pytest.fixture
def begun(amongst, tmp_path):
    """A folder with a series of one release, and the table of another month."""
    year = am.datasets.hospital_year(n_persons=300, n_months=2)
    for number, month in enumerate(year):
        pc.write_csv(month.table, tmp_path / f"{number}.csv")
    job = Job(Input("0.csv"), year[0].schema, MODELS, output=Output(folder="january"))
    (tmp_path / "job.toml").write_text(job.to_toml())
    assert amongst(*TOLD, "--new-key").returncode == 0
    return tmp_path


def test_a_series_does_not_go_on_as_if_more_was_promised_than_it_was_begun_with(amongst, begun) -> None:
    before = (begun / "series").read_bytes()
    for more in (["--newcomers", "3"], ["--crowd", "4"], ["--method", "m-invariance"], ["--counterfeits"]):
        done = amongst(*TOLD, "--input", "1.csv", "--out", "b", *more)
        assert done.returncode == 2, done.stderr
        assert "begun with" in done.stderr
        assert not (begun / "b").exists()
    assert (begun / "series").read_bytes() == before
    same = ["--newcomers", "2", "--crowd", "1", "--method", "boxes"]
    assert amongst(*TOLD, "--input", "1.csv", "--out", "b", *same).returncode == 0


def test_half_a_series_is_told_as_one_that_cannot_be_read(amongst, begun) -> None:
    whole = (begun / "series").read_bytes()
    (begun / "series").write_bytes(whole[: len(whole) // 2])
    done = amongst(*TOLD, "--input", "1.csv", "--out", "b")
    assert done.returncode == 1
    assert "The series cannot be read." in done.stderr


def test_two_runs_at_once_do_not_forget_each_other(amongst, begun) -> None:
    """The second would go on from the same release as the first, and publish what does not hold beside it."""
    before = (begun / "series").read_bytes()
    with only_run(begun / "series"):
        done = amongst(*TOLD, "--input", "1.csv", "--out", "b")
    assert done.returncode == 1
    assert "Another release of a series is being made" in done.stderr
    assert not (begun / "b").exists()
    assert (begun / "series").read_bytes() == before
    assert amongst(*TOLD, "--input", "1.csv", "--out", "b").returncode == 0
