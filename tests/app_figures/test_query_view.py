"""Answers beside the truth: right, within bounds, and silent about few people."""

from __future__ import annotations

import json

import pytest

import amongst as am
from amongst.app import figures


@pytest.fixture(scope="module")
def adult() -> am.datasets.Dataset:
    return am.datasets.load("adult", part="train")


@pytest.fixture(scope="module")
def release(adult: am.datasets.Dataset) -> am.Release:
    return am.anonymize(adult.table, adult.schema, [am.KAnonymity(10)], method="mondrian")


def test_examples_can_be_answered(adult: am.datasets.Dataset, release: am.Release) -> None:
    examples = figures.example_questions(release)
    assert len(examples) >= 4
    for sql in examples:
        view = figures.query_view(release, adult.table, sql)
        json.dumps(view, allow_nan=False)
        assert "error" not in view
        assert all(one["inside"] in (True, None) for line in view["lines"] for one in line["answers"])


def test_truth_is_that_of_the_rows(adult: am.datasets.Dataset, release: am.Release) -> None:
    sql = "SELECT sex, COUNT(*), AVG(age), SUM(age) WHERE age BETWEEN 30 AND 40 GROUP BY sex"
    view = figures.query_view(release, adult.table, sql)
    rows = [row for row in adult.table.select(["age", "sex"]).to_pylist() if 30 <= row["age"] <= 40]
    told = {line["key"][0]: [one["truth"] for one in line["answers"]] for line in view["lines"]}
    assert set(told) == {"Male", "Female"}
    for sex, truth in told.items():
        ages = [row["age"] for row in rows if row["sex"] == sex]
        assert truth == pytest.approx([len(ages), sum(ages) / len(ages), sum(ages)])


def test_few_people_are_not_counted_out(adult: am.datasets.Dataset, release: am.Release) -> None:
    ages = adult.table["age"].to_pylist()
    rare = next(age for age in range(90, 60, -1) if 0 < ages.count(age) < 10)
    for figure in ("COUNT(*)", "AVG(age)", "SUM(age)"):
        view = figures.query_view(release, adult.table, f"SELECT {figure} WHERE age = {rare}")
        answer = view["lines"][0]["answers"][0]
        assert answer["truth"] is None
        assert answer["truth_words"] == "not told: fewer than 10 rows"
    none = figures.query_view(release, adult.table, "SELECT COUNT(*) WHERE age = 16")["lines"][0]["answers"][0]
    assert none["truth"] == 0


def test_the_value_of_one_person_is_not_told(adult: am.datasets.Dataset, release: am.Release) -> None:
    sql = "SELECT MAX(age) WHERE occupation = 'Sales'"
    answer = figures.query_view(release, adult.table, sql)["lines"][0]["answers"][0]
    assert answer["exact"] or answer["truth"] is None
    assert answer["exact"] or answer["truth_words"] == "not told: it is one person's value"


def test_a_question_that_cannot_be_answered_says_why(adult: am.datasets.Dataset, release: am.Release) -> None:
    for sql in ("SELECT nothing", "DROP TABLE x", "SELECT COUNT(*) FROM a JOIN b", "", "SELECT COUNT(*) WHERE"):
        view = figures.query_view(release, adult.table, sql)
        assert view["error"]["what"]
        assert view["error"]["fix"]


def test_many_lines_are_cut(adult: am.datasets.Dataset, release: am.Release) -> None:
    view = figures.query_view(release, adult.table, "SELECT age, COUNT(*) GROUP BY age")
    assert len(view["lines"]) == 60
    assert view["n_lines"] > 60


def test_suppressed_rows_widen_the_bounds(adult: am.datasets.Dataset) -> None:
    options = {"method": "incognito", "suppression": 0.05}
    release = am.anonymize(adult.table.slice(0, 3000), adult.schema, [am.KAnonymity(5)], **options)
    view = figures.query_view(release, adult.table.slice(0, 3000), "SELECT COUNT(*) WHERE sex = 'Male'")
    answer = view["lines"][0]["answers"][0]
    assert view["n_suppressed"] == release.utility.n_suppressed
    assert answer["lower"] <= answer["truth"] <= answer["upper"]
