"""The dual problem: the largest k for a loss, against trying every k."""

from __future__ import annotations

import pyarrow as pa
import pytest

import amongst as am
from amongst.errors import BadOption, Infeasible


@pytest.fixture(scope="module")
def census() -> am.datasets.Dataset:
    return am.datasets.census(600, seed=5)


@pytest.mark.parametrize("max_loss", [0.12, 0.15, 0.3, 0.6])
def test_the_answer_holds_and_the_next_do_not(census, max_loss: float) -> None:
    found = am.largest_k(census.table, census.schema, max_loss, method="mondrian")
    assert found.release.utility.gcp <= max_loss
    assert found.release.utility.smallest >= found.k
    assert found.release.verdict.ok
    by_k = {one.k: one for one in found.tried}
    assert by_k[found.k].holds
    for k in range(found.k + 1, found.k + 4):
        assert not by_k[k].holds
        assert am.anonymize(census.table, census.schema, [am.KAnonymity(k)], method="mondrian").utility.gcp > max_loss
    assert [one.k for one in found.tried] == sorted(by_k)


def test_where_loss_grows_with_k_it_is_the_largest_there_is() -> None:
    """One column of different numbers in even steps: k rows in a row span k - 1 steps."""
    table = pa.table({"x": list(range(32))})
    schema = am.Schema({"x": am.Column(role="quasi", kind="numeric")})
    for limit in (1, 4, 9, 31):
        found = am.largest_k(table, schema, limits={"x": limit}, method="mondrian")
        assert found.k == max(
            k
            for k in range(2, 33)
            if _widest(am.anonymize(table, schema, [am.KAnonymity(k)], method="mondrian")) <= limit
        )
        assert _widest(found.release) <= limit
    assert am.largest_k(table, schema, 1.0, method="mondrian").k == 32


def _widest(release: am.Release) -> int:
    return int((release.partition.hi.astype(int) - release.partition.lo).max())


def test_limits_of_columns_are_kept() -> None:
    adult = am.datasets.load("adult", part="train")
    table = adult.table.slice(0, 2_000)
    found = am.largest_k(table, adult.schema, 0.5, method="mondrian", limits={"age": 40}, losses={"education": 0.5})
    assert found.release.utility.ncp["education"] <= 0.5
    bounds = am.anonymize(
        table, found.release.schema, [am.KAnonymity(found.k)], "mondrian", form="bounds"
    ).table.to_pandas()
    assert (bounds["age_upper"] - bounds["age_lower"]).max() <= 40
    broken = [one for one in found.tried if not one.holds]
    assert broken
    assert all(
        "age" in " ".join(one.broken) or "GCP" in " ".join(one.broken) or "education" in " ".join(one.broken)
        for one in broken
    )


def test_values_of_a_category_are_counted() -> None:
    table = pa.table({"c": ["a", "b", "c", "d"] * 3})
    tree = am.Hierarchy.nested({"left": ["a", "b"], "right": ["c", "d"]})
    schema = am.Schema({"c": am.Column(role="quasi", kind="categorical", hierarchy=tree)})
    assert am.largest_k(table, schema, limits={"c": 1}, method="mondrian").k == 3
    assert am.largest_k(table, schema, limits={"c": 2}, method="mondrian").k == 6
    assert am.largest_k(table, schema, limits={"c": 4}, method="mondrian").k == 12


def test_what_no_k_keeps_is_an_error_with_the_least_loss(census) -> None:
    with pytest.raises(Infeasible) as raised:
        am.largest_k(census.table, census.schema, 0.0, method="mondrian")
    least = am.anonymize(census.table, census.schema, [am.KAnonymity(2)], method="mondrian").utility.gcp
    assert raised.value.facts["least_loss"] == pytest.approx(least)


@pytest.mark.parametrize(
    "wrong",
    [
        {},
        {"max_loss": 2},
        {"max_loss": "0.1"},
        {"limits": {"nobody": 3}},
        {"limits": {"age": -1}},
        {"losses": {"age": 2}},
        {"max_loss": 0.1, "method": "?"},
    ],
)
def test_what_cannot_be_asked_is_refused(census, wrong: dict) -> None:
    with pytest.raises(BadOption):
        am.largest_k(census.table, census.schema, **{"method": "mondrian", **wrong})


def test_a_narrow_limit_is_reached_by_a_heavier_weight() -> None:
    adult = am.datasets.load("adult", part="train")
    table = adult.table.slice(0, 3_000)
    plain = am.anonymize(table, adult.schema, [am.KAnonymity(5)], "gain-split")
    assert _width_of_age(plain) > 10
    found = am.largest_k(table, adult.schema, limits={"age": 10}, method="gain-split")
    assert found.k >= 5
    assert _width_of_age(found.release) <= 10
    used = {one.k: one.heavier for one in found.tried}[found.k]
    assert found.release.schema["age"].weight == adult.schema["age"].weight * used["age"]
    again = am.anonymize(table, found.release.schema, [am.KAnonymity(found.k)], "gain-split")
    assert again.utility == found.release.utility


def _width_of_age(release: am.Release) -> float:
    c = release.schema.quasi.index("age")
    position = release.coded.columns[c].position
    return float((position[release.partition.hi[:, c]] - position[release.partition.lo[:, c]]).max())


@pytest.mark.parametrize("sense", ["frequency", "distinct", "entropy"])
def test_the_largest_l_that_keeps_a_loss(sense: str) -> None:
    people = am.datasets.load("census", n_rows=1500)
    found = am.largest_l(people.table, people.schema, 0.3, sense=sense, column="occupation", method="gain-split")
    assert found.release.utility.gcp <= 0.3
    assert found.release.verdict.ok
    assert found.release.models[-1] == am.LDiversity(found.l, sense, "occupation")
    at = {one.k: one for one in found.tried}
    assert at[found.l].holds
    assert not at[found.l + 1].holds
    assert (
        am.largest_l(people.table, people.schema, 0.9, sense=sense, column="occupation", method="gain-split").l
        > found.l
    )


def test_no_l_above_what_the_table_allows_is_tried() -> None:
    table = pa.table({"age": [20, 30, 40, 50, 60, 70], "s": list("aabbcc")})
    schema = am.Schema({"age": am.Column(role="quasi"), "s": am.Column(role="sensitive")})
    found = am.largest_l(table, schema, 1.0, method="mondrian")
    assert found.l == 3
    assert max(one.k for one in found.tried) == 3
    with pytest.raises(am.errors.Infeasible, match="no l of 2 or more"):
        am.largest_l(table, schema, 0.01, method="mondrian")
