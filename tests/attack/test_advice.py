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
    released = [am.anonymize(table, schema(), [am.KAnonymity(k)], method="mondrian") for k in (2, 20)]
    found = [am.attack(one, attacks=["re-identification"], k=10)["re-identification"] for one in released]
    assert [one.succeeded for one in found] == [True, False]


def test_singling_out_by_coarser_values(table):
    fine = am.anonymize(table, schema(), [am.KAnonymity(5)], method="mondrian")
    coarse = am.anonymize(table, schema("identifier", "sensitive"), [am.KAnonymity(5)], method="mondrian")
    found = [am.attack(one, attacks=["singling out"])["singling out"] for one in (fine, coarse)]
    assert found[0].succeeded
    assert found[1].risk.attack.success < found[0].risk.attack.success / 2


def test_minimality_by_k_alone():
    table = pa.table({"age": [30, 30, 40, 40, 40, 40], "disease": ["hiv", "hiv", "flu", "cold", "acne", "gout"]})
    rules = am.Schema({"age": am.Column(role="quasi"), "disease": am.Column(role="sensitive")})
    both = am.attack(
        am.anonymize(table, rules, [am.KAnonymity(2), am.LDiversity(2)], method="mondrian"), attacks=["minimality"]
    )
    assert both["minimality"].succeeded
    alone = am.attack(am.anonymize(table, rules, [am.KAnonymity(2)], method="mondrian"), attacks=["minimality"])
    assert not alone.attacks
    assert "nothing was asked of disease" in alone.skipped[0][1]


def outcome(table, models, attack, rules=None, **given):
    release = am.anonymize(table, rules or schema(), models, method="mondrian")
    return am.attack(release, attacks=[attack], **given)[attack]


def test_membership_by_a_larger_k_and_by_boxes_that_leave_no_gaps(table):
    tight = outcome(table, [am.KAnonymity(2)], "membership").figures["advantage"]
    assert outcome(table, [am.KAnonymity(50)], "membership").figures["interval"][1] < tight
    assert outcome(table, [am.KAnonymity(2)], "membership", schema(grid=20)).figures["interval"][1] < tight


def test_refinement_by_classes_that_do_not_overlap(table):
    overlapping = am.anonymize(table, schema(), [am.KAnonymity(5)], method="hilbert")
    tree = am.Hierarchy.intervals([10, 20, 40])
    apart = am.anonymize(table, schema(hierarchy=tree, publish="ancestor"), [am.KAnonymity(5)], method="regions")
    found = [am.attack(one, attacks=["refinement"])["refinement"].rates[0].success for one in (overlapping, apart)]
    assert found[0] > 0 == found[1]


def test_confident_guesses_by_l_by_frequency(table):
    before, after = (
        outcome(table, models, "confident inference", split=False).rates[0].success
        for models in ([am.KAnonymity(2)], [am.KAnonymity(2), am.LDiversity(2)])
    )
    assert after == 0 < before


def test_a_learner_on_labels_by_t_closeness(table):
    before, after = (
        outcome(table, models, "label learner", split=False).rates[0].value
        for models in ([am.KAnonymity(3)], [am.KAnonymity(3), am.TCloseness(0.3, distance="equal")])
    )
    assert after < before


def test_kept_columns_by_leaving_them_out(table):
    kept = outcome(table, [am.KAnonymity(5)], "kept columns", schema(two="keep")).rates[-1].success
    less = outcome(table, [am.KAnonymity(5)], "kept columns").rates[-1].success
    assert less < kept


def test_figures_by_publishing_no_means(table):
    rules = schema()
    means = am.Schema({**rules, "age": am.Column(role="quasi", kind="numeric", statistic=("mean",))})
    assert outcome(table, [am.KAnonymity(5)], "figures", means).succeeded
    assert am.attack(am.anonymize(table, rules, [am.KAnonymity(5)], method="mondrian"), attacks=["figures"]).skipped


def test_similarity_by_proximity(table):
    pay = table.append_column("pay", pa.array(np.arange(N) % 97 * 10 + table["age"].to_numpy() * 20))
    rules = am.Schema({**schema("identifier"), "pay": am.Column(role="sensitive", kind="numeric")})
    before = outcome(pay, [am.KAnonymity(2)], "similarity", rules).rates[0].success
    after = outcome(pay, [am.KAnonymity(2), am.Proximity(l=3, width=250)], "similarity", rules).rates[0].success
    assert after < before


def test_linkage_and_linkability_by_a_larger_k(table):
    outside = table.select(["age", "zip"]).slice(0, 300)
    few, many = (outcome(table, [am.KAnonymity(k)], "linkage", outside=outside, k=10) for k in (2, 20))
    assert few.succeeded
    assert not many.succeeded
    one, other = (outcome(table, [am.KAnonymity(k)], "linkability", k=1).rates[0].success for k in (2, 50))
    assert other < one


def test_composition_and_newcomers_by_publishing_the_same_again(table):
    first = am.anonymize(table, schema(), [am.KAnonymity(5)], method="mondrian")
    other = am.anonymize(table.slice(3), schema(), [am.KAnonymity(5)], method="hilbert")
    attacks = ["composition", "newcomers"]
    assert [one.attack for one in am.attack(first, against=other, attacks=attacks).succeeded] == attacks
    assert not am.attack(first, against=first, attacks=attacks).succeeded


@pytest.mark.parametrize("method", ["mondrian", "hilbert", "anatomy"])
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
