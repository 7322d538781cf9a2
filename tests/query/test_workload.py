"""Workloads: the quick way gives the answers of the slow one, and errors are what they say."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pyarrow as pa
import pytest
from hypothesis import given
from hypothesis import strategies as st
from random_questions import random_where

import amongst as am
from amongst.query.ask import ask
from amongst.query.count_many import count_many, parts_by_column
from amongst.query.in_memory import open_in_memory
from amongst.query.open_release import open_original
from amongst.query.question import conditions_of
from amongst.query.sql import parse_question
from flow_tables import random_table


@pytest.fixture(scope="module")
def adult() -> tuple[am.datasets.Dataset, am.Release]:  # type: ignore[name-defined]
    data = am.datasets.load("adult")
    return data, am.anonymize(data.table, data.schema, [am.KAnonymity(20)], method="mondrian")


@given(st.integers(0, 2**32 - 1))
def test_many_counts_are_those_of_one_at_a_time(seed: int) -> None:
    rng = np.random.default_rng(seed)
    made = random_table(rng, linked=False)
    try:
        release = am.anonymize(made.table, made.schema, [am.KAnonymity(made.k)], method="mondrian")
    except am.errors.AmongstError:
        return
    names = [name for name in made.table.column_names if made.schema[name].role != "identifier"]
    for opened in (open_in_memory(release), open_original(made.table, release.schema)):
        wheres = [
            " AND ".join(f"({random_where(rng, made, [name], 1).sql})" for name in rng.permutation(names)[:2])
            for _ in range(6)
        ]
        questions = [parse_question(f"SELECT COUNT(*) WHERE {where}", opened.columns) for where in wheres]
        parts = [parts_by_column(question) for question in questions]
        counts = count_many(opened, [one for one in parts if one is not None])
        slow = [ask(opened, question).only for question, one in zip(questions, parts, strict=True) if one is not None]
        assert counts.lower.tolist() == [one.lower for one in slow]
        assert counts.upper.tolist() == [one.upper for one in slow]
        assert counts.estimate == pytest.approx([one.estimate for one in slow], abs=1e-9)


def test_the_root_of_a_hierarchy_is_an_inner_node_and_asks_nothing() -> None:
    """Xu et al., section 5.1: a value, or the values of an inner node; with two levels that is all of them."""
    table = pa.table({"sex": ["f", "m"] * 20, "size": list(range(40))})
    schema = am.Schema({"sex": am.Column(role="quasi", kind="categorical"), "size": am.Column(role="quasi")})
    asked = [one.where for one in am.Workload.random(table, schema, 200).questions]
    of_sex = [{c.values for c in conditions_of(one) if c.column == "sex"} for one in asked]
    assert {frozenset(one) for one in of_sex} == {frozenset(), frozenset({("f",)}), frozenset({("m",)})}
    assert all(any(c.column == "size" for c in conditions_of(one)) for one in asked)


@pytest.mark.parametrize("kind", ["all", "selectivity", "equality"])
def test_the_truth_is_within_the_bounds_of_every_question(adult: tuple, kind: str) -> None:
    data, release = adult
    work = am.Workload.random(data.table, data.schema, 300, kind, seed=3)
    error = release.workload_error(work)
    assert (error.lower <= error.truth).all()
    assert (error.truth <= error.upper).all()
    assert len(error.truth) == (300 if kind != "equality" else len(work.questions))


def test_equality_asks_every_value_once(adult: tuple) -> None:
    """Mondrian, section 6.3: COUNT where X = value, for all values; the original's counts sum to all rows."""
    data, release = adult
    work = am.Workload.random(data.table, data.schema, kind="equality", columns=["age"])
    error = release.workload_error(work)
    assert error.truth.sum() == data.table.num_rows
    assert error.estimate.sum() == pytest.approx(data.table.num_rows)
    assert error.mean_absolute == pytest.approx(np.abs(error.estimate - error.truth).mean())
    assert error.std_absolute == pytest.approx(np.abs(error.estimate - error.truth).std())


def test_selectivity_is_about_what_was_asked() -> None:
    rng = np.random.default_rng(0)
    table = pa.table({"x": rng.integers(0, 100, 5000), "y": rng.integers(0, 100, 5000)})
    schema = am.Schema({"x": am.Column(role="quasi"), "y": am.Column(role="quasi")})
    release = am.anonymize(table, schema, [am.KAnonymity(10)], method="mondrian")
    work = am.Workload.random(table, schema, 200, "selectivity", selectivity=0.1)
    assert release.workload_error(work).truth.mean() / 5000 == pytest.approx(0.1, rel=0.1)
    total = am.Workload.random(table, schema, 20, figure="SUM", target="x")
    error = release.workload_error(total)
    assert error.mean_relative < 0.2
    assert (error.lower <= error.truth).all()
    nothing = am.Workload.of(["SELECT SUM(x) WHERE y > 1000", "SELECT AVG(x) WHERE y > 1000"], ["x", "y"])
    assert release.workload_error(nothing).truth.tolist() == pytest.approx([0.0, np.nan], nan_ok=True)


def test_weights_count(tmp_path: Path, adult: tuple) -> None:
    data, release = adult
    path = tmp_path / "work.toml"
    path.write_text(
        '[[query]]\nsql = "SELECT COUNT(*)"\nweight = 3\n[[query]]\nsql = "SELECT COUNT(*) WHERE age = 17"\n'
    )
    error = release.workload_error(am.Workload.from_file(path, data.schema.published))
    assert error.weight.tolist() == [3, 1]
    assert error.mean_absolute == pytest.approx(error.absolute[1] / 4)
    assert error.exact >= 0.75


@pytest.mark.parametrize(
    ("name", "text"),
    [
        ("w.toml", "[[query]]\nsq = 3"),
        ("w.toml", '[[query]]\nsql = "SELECT COUNT(*)"\nweight = -1'),
        ("w.sql", "-- nothing\n"),
        ("w.sql", "SELECT COUNT(*)\nSELECT age\n"),
    ],
)
def test_bad_files_are_refused(tmp_path: Path, name: str, text: str) -> None:
    path = tmp_path / name
    path.write_text(text)
    with pytest.raises((am.errors.BadInput, am.errors.BadQuestion)) as error:
        am.Workload.from_file(path, ["age"])
    assert error.value.fix


def test_bad_options_are_refused(adult: tuple) -> None:
    data, _ = adult
    for options in ({"kind": "some"}, {"columns": ["none"]}, {"kind": "selectivity", "selectivity": 2.0}):
        with pytest.raises(am.errors.BadOption):
            am.Workload.random(data.table, data.schema, 5, **options)
