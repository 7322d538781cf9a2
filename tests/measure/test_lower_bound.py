"""The lower bound: against all pairs of rows, and below every release there is."""

from __future__ import annotations

import numpy as np
import pyarrow as pa
import pytest

import amongst as am
from amongst.encode import CodedTable, encode
from amongst.errors import BadOption, Infeasible
from amongst.measure.ncp import ncp_of_group
from amongst.partition import METHODS
from amongst.partition.lower_bound import bound_of
from amongst.schema.check import check
from flow_tables import random_table


def naive_bound(coded: CodedTable, k: int) -> float:
    """For every row the mean NCP to each other row, sorted; the row itself is the first of the k."""
    total = 0.0
    for r in range(coded.n_rows):
        cost = np.zeros(coded.n_rows)
        for column in coded.columns:
            codes = column.codes.astype(np.int64)
            lo, hi = np.minimum(codes, codes[r]), np.maximum(codes, codes[r])
            wild = (lo == column.wildcard) | (hi == column.wildcard)
            safe = np.where(wild, 0, lo), np.where(wild, 0, hi)
            cost += np.where(wild, 0.0, ncp_of_group(column, *safe)) / coded.n_qi
        cost[r] = -1
        total += max(0.0, float(np.sort(cost)[k - 1]))
    gone = coded.n_input - coded.n_rows
    return (total + gone) / coded.n_input


def coded_of(seed: int, most_rows: int = 60) -> tuple:
    made = random_table(np.random.default_rng(seed), most_rows=most_rows)
    try:
        schema = check(made.schema, made.table)
        return made, schema, encode(made.table, schema)
    except Infeasible:
        return made, None, None


@pytest.mark.parametrize("seed", range(60))
def test_the_bound_is_that_of_all_pairs(seed: int) -> None:
    made, _, coded = coded_of(seed)
    if coded is None or coded.n_rows < made.k:
        return
    if any(c.wildcard >= 0 and c.position is None for c in coded.columns):  # told too low there, see the next test
        return
    bound = bound_of(coded, made.k, [False] * coded.n_qi)
    assert bound.exact
    assert bound.gcp == pytest.approx(naive_bound(coded, made.k), abs=2e-5)


@pytest.mark.parametrize("method", METHODS.names(lambda method: method.publishes == "one table"))
def test_no_release_is_below_the_bound(method: str) -> None:
    checked = 0
    for seed in range(16):
        made, _, coded = coded_of(seed, most_rows=40)
        if coded is None or coded.n_rows < made.k:
            continue
        release = am.anonymize(made.table, made.schema, [am.KAnonymity(made.k)], method)
        assert release.lower_bound().gcp <= release.utility.gcp + 1e-9
        checked += 1
    assert checked > 8


def test_a_row_with_a_far_neighbour_pays_for_it() -> None:
    table = pa.table({"age": [0, 1, 10]})
    schema = am.Schema({"age": am.Column(role="quasi", kind="numeric")})
    assert am.lower_bound(table, schema, 2).gcp == pytest.approx((0.1 + 0.1 + 0.9) / 3, abs=1e-5)
    assert am.lower_bound(table, schema, 3).gcp == pytest.approx((1.0 + 0.9 + 1.0) / 3, abs=1e-5)
    assert am.lower_bound(table, schema, 1).gcp == 0


def test_weights_do_not_change_the_bound_of_gcp() -> None:
    adult = am.datasets.load("adult", part="train")
    table = adult.table.slice(0, 400)
    heavy = am.Schema(
        {
            name: am.Column(**{**column.__dict__, "weight": 3.0 if name == "age" else 1.0})
            for name, column in adult.schema.items()
        }
    )
    assert am.lower_bound(table, adult.schema, 5) == am.lower_bound(table, heavy, 5)


def test_a_sample_estimates_the_bound() -> None:
    census = am.datasets.census(4_000, seed=2)
    exact = am.lower_bound(census.table, census.schema, 10)
    about = am.lower_bound(census.table, census.schema, 10, most_pairs=2_000_000)
    assert exact.exact
    assert not about.exact
    assert 0 < about.n_asked < 4_000
    assert abs(about.gcp - exact.gcp) < 4 * about.standard_error
    assert "standard error" in about.words()
    assert about == am.lower_bound(census.table, census.schema, 10, most_pairs=2_000_000)


def test_what_cannot_be_asked_is_refused() -> None:
    patients = am.datasets.load("patients")
    for k in (0, -1, 2.5, True, "2"):
        with pytest.raises(BadOption):
            am.lower_bound(patients.table, patients.schema, k)
    with pytest.raises(Infeasible):
        am.lower_bound(patients.table, patients.schema, 7)


def test_reports_tell_it_where_it_is_cheap_or_asked_for(monkeypatch: pytest.MonkeyPatch) -> None:
    from amongst.report import summary

    patients = am.datasets.load("patients")
    for bound, told in ((None, True), (True, True), (False, False)):
        release = am.anonymize(patients.table, patients.schema, [am.KAnonymity(2)], bound=bound, method="mondrian")
        assert ("no grouping loses less than GCP" in summary(release.story())) == told
    monkeypatch.setattr("amongst.partition.lower_bound.CHEAP_PAIRS", 600)
    many = am.datasets.adult_like(700)
    for bound, told in ((None, False), (True, True)):
        release = am.anonymize(many.table, many.schema, [am.KAnonymity(50)], bound=bound, method="mondrian")
        assert (release.reported_bound is not None) == told
    assert 0 < release.story().utility.least_gcp < release.utility.gcp
    assert release.story().utility.times_least > 1
