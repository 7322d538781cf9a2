"""Answers beside the truth: right, within bounds, and silent about few people."""

from __future__ import annotations

import json
from collections import Counter

import pyarrow as pa
import pytest
from hypothesis import given
from hypothesis import strategies as st

import amongst as am
from amongst.app import figures
from amongst.query.in_sql import in_sql, lacks_a_value
from amongst.query.question import Condition
from amongst.query.sql import parse_question


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


def test_examples_of_columns_without_a_value() -> None:
    """The app could not show what it had made of a table with an empty column of numbers."""
    nothing = pa.nulls(40, pa.int64())
    table = pa.table({"empty": nothing, "town": ["Ulm", "Bonn"] * 20, "none": nothing.cast(pa.string())})
    columns = {name: am.Column(role="quasi", nulls="own value") for name in table.column_names}
    made = am.anonymize(table, am.Schema(columns), [am.KAnonymity(3)], method="mondrian")
    for sql in (found := figures.example_questions(made)):
        assert "error" not in figures.query_view(made, table, sql)
    assert found
    assert not any("empty" in sql or "none" in sql for sql in found)


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


def test_only_values_that_many_share_are_offered(adult: am.datasets.Dataset, release: am.Release) -> None:
    offered = {one["name"]: one for one in figures.columns_to_ask(release)}
    assert list(offered) == release.table.column_names
    for name in ("native-country", "occupation", "salary-class"):
        counts = Counter(adult.table[name].to_pylist())
        assert set(offered[name]["values"]) == {value for value, count in counts.items() if count >= 10}
    assert offered["age"] == {"name": "age", "holds": "number", "values": []}


WORDS = st.text("ab'\"; -%\\", min_size=1, max_size=6).filter(str.strip)


@given(WORDS, st.lists(WORDS, min_size=1, max_size=3), st.sampled_from(["one of", "none of"]))
def test_what_is_chosen_from_lists_is_what_is_asked(name: str, values: list[str], relation: str) -> None:
    condition = {"column": name, "holds": "name", "relation": relation, "values": values}
    asked = parse_question(in_sql("COUNT", None, [condition, {}], name), [name, "other"])
    assert asked.group_by == (name,)
    assert asked.where == Condition(name, "in", tuple(map(str.strip, values)), negated=relation == "none of")


@pytest.mark.parametrize(
    ("relation", "ends"), [("at least", (3, None)), ("at most", (None, 3)), ("between", (3, 4)), ("is", (3,))]
)
def test_numbers_are_compared(relation: str, ends: tuple[int | None, ...]) -> None:
    condition = {"column": "n", "holds": "number", "relation": relation, "values": ["3", "4" * (relation == "between")]}
    assert not lacks_a_value([condition, {}])
    asked = parse_question(in_sql("AVG", "n", [condition], None), ["n"])
    assert asked.where == Condition("n", "in" if relation == "is" else "range", ends)
    assert lacks_a_value([{**condition, "values": ["", ""]}])
