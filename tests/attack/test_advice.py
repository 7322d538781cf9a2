"""What an attack says would lower it is carried out: it does. What was not tried recommends nothing."""

from __future__ import annotations

import numpy as np
import pyarrow as pa
import pytest

import amongst as am
from amongst.attack.declared import ATTACKS
from amongst.partition import METHODS

N = 900


@pytest.fixture(scope="module")
def table():
    rng = np.random.default_rng(0)
    age = rng.integers(20, 80, N)
    return pa.table(
        {
            "age": age,
            "zip": rng.integers(0, 40, N),
            "disease": [f"d{i}" for i in (age // 8 + rng.integers(0, 6, N)) % 12],
            "two": rng.choice(["yes", "no"], N),
        }
    )


def schema(disease="sensitive", two="identifier", **ways):
    columns = {name: am.Column(role="quasi", kind="numeric", **ways) for name in ("age", "zip")}
    return am.Schema({**columns, "disease": am.Column(role=disease), "two": am.Column(role=two)})


def rate(table, models, attack, rules=None, **options):
    """How often an attack succeeds, by its first figure."""
    release = am.anonymize(table, rules or schema(), models, **options)
    return am.attack(release, attacks=[attack])[attack].rates[0].value


def test_downcoding_by_a_grid_by_nodes_and_by_a_larger_k(table):
    before = rate(table, [am.KAnonymity(2)], "downcoding")
    tree = am.Hierarchy.intervals([5, 10, 20, 40])
    assert rate(table, [am.KAnonymity(2)], "downcoding", schema(grid=10)) == 0
    assert rate(table, [am.KAnonymity(2)], "downcoding", schema(hierarchy=tree, publish="ancestor")) < before / 2
    assert rate(table, [am.KAnonymity(20)], "downcoding") < before / 2


def test_homogeneity_background_and_skewness_by_models_of_values(table):
    k = am.KAnonymity(3)
    assert rate(table, [k], "homogeneity") > 0
    assert rate(table, [k, am.LDiversity(2, "distinct")], "homogeneity") == 0
    assert rate(table, [k, am.LDiversity(2, "distinct")], "background knowledge") > 0
    assert rate(table, [k, am.LDiversity(3, "distinct")], "background knowledge") == 0
    assert rate(table, [k], "skewness") > 0
    assert rate(table, [k, am.BetaLikeness(0.9)], "skewness") == 0
    assert rate(table, [k, am.LDiversity(4)], "inference") < rate(table, [k], "inference")


def test_a_learner_by_a_larger_l(table):
    rates = [rate(table, [am.LDiversity(least)], "learner", method="anatomy") for least in (2, 5)]
    assert rates[1] < rates[0]


def test_re_identification_by_a_larger_k(table):
    released = [am.anonymize(table, schema(), [am.KAnonymity(k)]) for k in (2, 20)]
    found = [am.attack(one, attacks=["re-identification"], k=10)["re-identification"] for one in released]
    assert [one.succeeded for one in found] == [True, False]


def test_singling_out_by_coarser_values(table):
    fine = am.anonymize(table, schema(), [am.KAnonymity(5)])
    coarse = am.anonymize(table, schema("identifier", "sensitive"), [am.KAnonymity(5)])
    found = [am.attack(one, attacks=["singling out"])["singling out"] for one in (fine, coarse)]
    assert found[0].succeeded
    assert found[1].risk.attack.success < found[0].risk.attack.success / 2


def test_minimality_by_k_alone():
    table = pa.table({"age": [30, 30, 40, 40, 40, 40], "disease": ["hiv", "hiv", "flu", "cold", "acne", "gout"]})
    rules = am.Schema({"age": am.Column(role="quasi"), "disease": am.Column(role="sensitive")})
    both = am.attack(am.anonymize(table, rules, [am.KAnonymity(2), am.LDiversity(2)]), attacks=["minimality"])
    assert both["minimality"].succeeded
    alone = am.attack(am.anonymize(table, rules, [am.KAnonymity(2)]), attacks=["minimality"])
    assert not alone.attacks
    assert "nothing was asked of disease" in alone.skipped[0][1]


@pytest.mark.parametrize("method", ["mondrian", "hilbert", "top-down", "gain-split", "anatomy"])
def test_no_advice_names_a_method(method, table):
    """None was tried against the attacks, so none is recommended; not tried is said to be just that."""
    models = [am.LDiversity(3)] if method == "anatomy" else [am.KAnonymity(4), am.LDiversity(2)]
    release = am.anonymize(table, schema(), models, method=method)
    told = am.attack(release, attacks=list(ATTACKS))
    advice = [one.lower for one in told.attacks]
    assert len(advice) >= 7
    words = {word.strip(".,;:").lower() for text in advice for word in text.split()}
    assert not words & {*METHODS, "clustering"}
    assert not [why for _, why in told.skipped if "instead" in why or "use " in why]
