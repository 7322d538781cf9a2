"""A workload as a guide: errors on questions not seen before fall, and everything that was asked still holds."""

from __future__ import annotations

import numpy as np
import pyarrow as pa
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from random_questions import random_where

import amongst as am
from amongst.errors import BadOption, Infeasible
from amongst.partition.requested import encode_for
from amongst.query.steer import UNASKED, steered, wants
from amongst.schema.check import check
from flow_tables import random_table
from thorough import some

WORKLOADS = {
    "two columns": {"kind": "selectivity", "columns": ["age", "education"], "selectivity": 0.05},
    "three columns": {"kind": "all", "columns": ["age", "sex", "occupation"]},
    "one value": {"kind": "equality", "columns": ["occupation"]},
}


@pytest.fixture(scope="module")
def adult() -> am.datasets.Dataset:  # type: ignore[name-defined]
    return am.datasets.load("adult", part="train")


@pytest.mark.parametrize("method", ["mondrian", "gain-split"])
@pytest.mark.parametrize("name", WORKLOADS)
def test_the_error_falls_on_questions_not_seen(adult: am.datasets.Dataset, method: str, name: str) -> None:  # type: ignore[name-defined]
    known, other = (am.Workload.random(adult.table, adult.schema, 200, seed=seed, **WORKLOADS[name]) for seed in (1, 2))
    plain = am.anonymize(adult.table, adult.schema, [am.KAnonymity(10)], method)
    guided = am.anonymize(adult.table, adult.schema, [am.KAnonymity(10)], method, workload=known)
    assert guided.verdict.ok
    before, after = plain.workload_error(other), guided.workload_error(other)
    assert after.mean_absolute < before.mean_absolute / 3
    assert after.mean_relative < before.mean_relative / 3


@settings(max_examples=some(60), deadline=None)
@given(st.integers(0, 2**32 - 1), st.sampled_from(["mondrian", "gain-split", "incognito", "top-down"]))
def test_what_is_asked_holds_with_a_workload(seed: int, method: str) -> None:
    rng = np.random.default_rng(seed)
    made = random_table(rng, linked=False)
    wheres = [random_where(rng, made, [name], 1).sql for name in made.schema.quasi]
    work = am.Workload.of([f"SELECT COUNT(*) WHERE {where}" for where in wheres], made.table.column_names)
    try:
        release = am.anonymize(made.table, made.schema, [am.KAnonymity(made.k)], method, workload=work)
    except (Infeasible, BadOption):
        return
    assert release.verdict.ok
    assert release.verdict.smallest >= made.k


def line(n: int = 10) -> tuple[pa.Table, am.Schema]:
    table = pa.table({"a": [*range(n)] * 4, "b": [*range(n)] * 4, "s": ["x", "y"] * (2 * n)})
    quasi = am.Column(role="quasi", kind="numeric")
    return table, am.Schema({"a": quasi, "b": quasi, "s": am.Column(role="sensitive")})


def test_width_lies_where_conditions_begin_and_end() -> None:
    table, schema = line()
    checked = check(schema, table)
    coded = encode_for(table, checked, [am.KAnonymity(2)])
    work = am.Workload.of(["SELECT COUNT(*) WHERE a BETWEEN 3 AND 6"], table.column_names, [5.0])
    a, b = wants(coded, checked, work)
    assert a.border.tolist() == [0, 0, 2.5, 0, 0, 0, 2.5, 0, 0]
    assert (a.importance, b.importance) == (5.0, 0.0)
    one, other = steered(coded, checked, work).columns
    assert other.weight == pytest.approx(UNASKED * one.weight)
    gaps = np.diff(one.position)
    assert gaps[2] == gaps[6] == gaps.max()
    assert np.array_equal(other.position, coded.columns[1].position)
    assert coded.columns[0].weight == 1.0, "what is measured keeps its weights"


def test_narrow_conditions_pull_more_and_weights_count() -> None:
    table, schema = line()
    checked = check(schema, table)
    coded = encode_for(table, checked, [am.KAnonymity(2)])
    sqls = ["SELECT COUNT(*) WHERE a = 4 AND b BETWEEN 1 AND 8 AND s = 'x'"]
    a, b = wants(coded, checked, am.Workload.of(sqls, table.column_names))
    assert a.importance == pytest.approx(8 * b.importance)
    both = [f"SELECT COUNT(*) WHERE {name} = 4" for name in "ab"]
    a, b = wants(coded, checked, am.Workload.of(both, table.column_names, [1.0, 3.0]))
    assert b.importance == pytest.approx(3 * a.importance)


def test_sums_and_groups_want_every_value() -> None:
    table, schema = line()
    checked = check(schema, table)
    coded = encode_for(table, checked, [am.KAnonymity(2)])
    for sql in ("SELECT SUM(b)", "SELECT COUNT(*) GROUP BY b"):
        a, b = wants(coded, checked, am.Workload.of([sql], table.column_names))
        assert a.importance == 0
        assert len(set(b.border.tolist())) == 1, sql


def test_a_workload_without_quasi_identifiers_is_refused() -> None:
    table, schema = line()
    work = am.Workload.of(["SELECT COUNT(*) WHERE s = 'x'"], table.column_names)
    with pytest.raises(BadOption, match="cannot steer"):
        am.anonymize(table, schema, [am.KAnonymity(2)], workload=work)


def test_utility_is_measured_as_ever() -> None:
    table, schema = line()
    work = am.Workload.of(["SELECT COUNT(*) WHERE a BETWEEN 3 AND 6"], table.column_names)
    release = am.anonymize(table, schema, [am.KAnonymity(4)], workload=work)
    assert release.told_options == {"workload": "1 questions"}
    assert release.utility.gcp == release.utility.weighted_gcp
