"""A target: what is asked still holds, groups tell more of it, and what cannot be is refused."""

from __future__ import annotations

import numpy as np
import pyarrow as pa
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import amongst as am
from amongst.encode.target import encode_target
from amongst.errors import BadOption, Infeasible
from amongst.measure.classification_metric import classification_metric
from amongst.measure.utility import cm_of
from flow_tables import random_table


@pytest.fixture(scope="module")
def adult() -> am.datasets.Dataset:  # type: ignore[name-defined]
    return am.datasets.load("adult", part="train")


def cm(release: am.Release) -> float:
    column = encode_target(release.source.table, release.schema, "salary-class", release.coded.kept_rows)
    return cm_of(release.coded, release.plan, column)


@settings(max_examples=60, deadline=None)
@given(st.integers(0, 2**32 - 1), st.sampled_from(["mondrian", "gain-split", "mondrian-relaxed", "hilbert"]))
def test_what_is_asked_holds_with_a_target(seed: int, method: str) -> None:
    rng = np.random.default_rng(seed)
    made = random_table(rng, linked=False)
    target = next(name for name in made.table.column_names if made.schema[name].role in ("sensitive", "keep"))
    try:
        release = am.anonymize(made.table, made.schema, [am.KAnonymity(made.k)], method, target=target)
    except (Infeasible, BadOption):
        return
    assert release.verdict.ok
    assert release.verdict.smallest >= made.k
    assert release.utility.cm is None or 0 <= release.utility.cm <= 1
    assert release.utility.n_published + release.utility.n_suppressed == made.table.num_rows


@pytest.mark.parametrize("model", [am.LDiversity(1.2), am.TCloseness(0.2), am.LDiversity(1.5, "entropy")])
def test_models_of_the_target_itself_hold(adult: am.datasets.Dataset, model: am.LDiversity) -> None:  # type: ignore[name-defined]
    release = am.anonymize(adult.table, adult.schema, [am.KAnonymity(10), model], target="salary-class")
    assert release.verdict.ok
    assert release.utility.n_classes > 10


@pytest.mark.parametrize("method", ["mondrian", "gain-split", "incognito"])
@pytest.mark.parametrize("k", [25, 100])
def test_groups_tell_more_of_a_target(adult: am.datasets.Dataset, method: str, k: int) -> None:  # type: ignore[name-defined]
    plain = am.anonymize(adult.table, adult.schema, [am.KAnonymity(k)], method)
    steered = am.anonymize(adult.table, adult.schema, [am.KAnonymity(k)], method, target="salary-class")
    assert plain.utility.cm is None
    assert steered.utility.cm == pytest.approx(cm(steered))
    assert cm(steered) < cm(plain)


def test_the_columns_that_decide_are_kept() -> None:
    rng = np.random.default_rng(5)
    columns = {name: rng.integers(0, 64, 2000) for name in ("a", "b")}
    table = pa.table({**columns, "y": np.where(columns["b"] < 17, "yes", "no")})
    schema = am.Schema({"a": am.Column(role="quasi"), "b": am.Column(role="quasi"), "y": am.Column(role="keep")})
    for method in ("mondrian", "gain-split", "best"):
        release = am.anonymize(table, schema, [am.KAnonymity(50)], method, target="y")
        lost = release.utility.ncp
        assert lost["b"] < lost["a"], method
    assert am.anonymize(table, schema, [am.KAnonymity(50)], target="y").utility.cm == 0


def test_cm_by_hand() -> None:
    classes, targets = np.array([0, 0, 0, 1, 1, -1]), np.array([0, 0, 1, 1, 0, 0])
    assert classification_metric(classes, 2, targets, 2, 6) == pytest.approx(3 / 6)
    assert classification_metric(np.full(4, -1), 0, np.zeros(4, dtype=int), 1, 4) == 1.0


def test_reports_tell_target_and_cm(adult: am.datasets.Dataset) -> None:  # type: ignore[name-defined]
    from amongst.engines.store import Written
    from amongst.release.manifest import manifest_of
    from amongst.report import render, summary

    release = am.anonymize(adult.table, adult.schema, [am.KAnonymity(50)], target="salary-class")
    told = manifest_of(release, Written(), release.verdict)
    assert told["method"]["options"] == {"target": "salary-class"}
    assert told["utility"]["cm"] == release.utility.cm
    assert "CM 1" in summary(release.story())
    assert "classification metric" in render(release.story())
    assert any("as the models allow" in one for one in release.story().caveats)
    plain = am.anonymize(adult.table, adult.schema, [am.KAnonymity(50)], method="mondrian")
    assert "cm" not in manifest_of(plain, Written(), plain.verdict)["utility"]
    assert "CM" not in summary(plain.story())


@pytest.mark.parametrize("target", ["age", "nobody", "fnlwgt"])
def test_only_published_columns_are_targets(adult: am.datasets.Dataset, target: str) -> None:  # type: ignore[name-defined]
    with pytest.raises(BadOption, match="cannot be the target"):
        am.anonymize(adult.table, adult.schema, [am.KAnonymity(10)], target=target)


def test_a_target_has_classes_or_numbers() -> None:
    table = pa.table({"a": list(range(300)), "y": [f"name {i}" for i in range(300)]})
    schema = am.Schema({"a": am.Column(role="quasi"), "y": am.Column(role="keep")})
    with pytest.raises(BadOption, match="too many values"):
        am.anonymize(table, schema, [am.KAnonymity(3)], target="y")


@pytest.fixture(scope="module")
def paid() -> pa.Table:
    """The pay hangs on b alone, and of some nobody knows it."""
    rng = np.random.default_rng(6)
    columns = {name: rng.integers(0, 64, 900) for name in ("a", "b")}
    pay = np.where(columns["b"] < 17, 1000.0, 0.0) + columns["b"] + rng.normal(0, 3, 900)
    return pa.table({**columns, "pay": pa.array(pay, mask=rng.random(900) < 0.03), "ill": rng.choice(list("xyz"), 900)})


@pytest.mark.parametrize("method", ["mondrian", "gain-split", "incognito"])
@pytest.mark.parametrize("diverse", [False, True])
def test_groups_tell_more_of_numbers(paid: pa.Table, method: str, diverse: bool) -> None:
    columns = {name: am.Column(role="quasi", hierarchy=am.Hierarchy.intervals([4, 16])) for name in ("a", "b")}
    schema = am.Schema({**columns, "pay": am.Column(role="keep"), "ill": am.Column(role="sensitive")})
    models = [am.KAnonymity(20), *([am.LDiversity(2, "distinct")] if diverse else [])]
    plain, steered = (am.anonymize(paid, schema, models, method, target=target) for target in (None, "pay"))
    assert steered.verdict.ok
    assert steered.utility.cm is None
    assert method != "mondrian" or deviance(steered) < deviance(plain)  # others are steered by weights alone
    assert steered.utility.ncp["b"] < steered.utility.ncp["a"]


def deviance(release: am.Release) -> float:
    """The squared deviance of pays from the means of their groups, as a reader sees them."""
    rows = release.table.to_pandas().dropna()
    return float(rows.groupby(["a", "b"])["pay"].transform(lambda own: (own - own.mean()) ** 2).sum())


def test_numbers_have_no_classes_to_learn(paid: pa.Table) -> None:
    pytest.importorskip("sklearn")
    schema = am.Schema({"a": am.Column(role="quasi"), "b": am.Column(role="quasi"), "pay": am.Column(role="keep")})
    release = am.anonymize(paid.drop_columns(["ill"]), schema, [am.KAnonymity(20)], target="pay")
    with pytest.raises(BadOption, match="too many values"):
        am.classification(release)


def test_anatomy_cannot_be_steered() -> None:
    patients = am.datasets.load("patients")
    with pytest.raises(BadOption, match="nothing to steer"):
        am.anonymize(patients.table, patients.schema, [am.LDiversity(2)], "anatomy", target="Disease")
