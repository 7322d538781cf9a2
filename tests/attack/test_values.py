"""Homogeneity, background knowledge, skewness and similarity, each where it succeeds and where it cannot."""

from __future__ import annotations

import pyarrow as pa
import pytest

import amongst as am

STOMACH = am.Hierarchy.nested({"stomach": ["ulcer", "gastritis"], "lung": ["asthma", "bronchitis"]})


def attacked(values, classes, attack, k=2, **column):
    table = pa.table({"age": classes, "d": values})
    schema = am.Schema({"age": am.Column(role="quasi"), "d": am.Column(role="sensitive", **column)})
    return am.attack(table, schema, attacks=[attack], k=k)[attack]


def test_homogeneity_counts_people_of_classes_with_one_value():
    found = attacked(["flu"] * 4 + ["flu", "cold", "acne", "flu"], ["a"] * 4 + ["b"] * 4, "homogeneity")
    assert found.succeeded
    assert found.rate("in classes with one value").success == 4
    assert found.figures == {"guess_by_class": 0.75, "guess_by_release": 0.75}


def test_homogeneity_fails_where_every_class_has_two_values():
    assert not attacked(["flu", "cold"] * 4, ["a"] * 4 + ["b"] * 4, "homogeneity").succeeded


def test_homogeneity_has_nothing_to_learn_from_a_constant():
    assert not attacked(["flu"] * 8, ["a"] * 4 + ["b"] * 4, "homogeneity").succeeded


def test_background_counts_classes_by_their_distinct_values():
    values = ["flu", "cold", "flu", "cold", "acne", "gout", "flu", "cold"]
    found = attacked(values, ["a"] * 4 + ["b"] * 4, "background knowledge")
    assert [rate.success for rate in found.rates] == [4, 4]  # a has 2 values, b 4; 3 of 4 ruled out is no attack
    assert found.succeeded
    assert not attacked(["flu", "cold", "acne"] * 2, ["a"] * 3 + ["b"] * 3, "background knowledge").succeeded


def test_background_is_not_tried_on_two_values():
    with pytest.raises(KeyError):
        attacked(["flu", "cold"] * 2, ["a"] * 4, "background knowledge")


def test_skewness_sees_a_value_that_gathers_in_a_class():
    values = ["hiv", "hiv", "no", "no"] + ["no"] * 16
    found = attacked(values, ["a"] * 4 + ["b"] * 16, "skewness")
    assert found.rate("a value is 5 times as likely").success == 4
    # |2/4 - 2/20| = 0.4 of the probability in a, 0.1 in b.
    assert found.figures["mean_total_variation"] == pytest.approx((4 * 0.4 + 16 * 0.1) / 20)
    assert not attacked(["hiv", "no", "no", "no"] * 5, list("abcde") * 0 + sorted("abcde" * 4), "skewness").succeeded


def test_similarity_by_a_hierarchy():
    values = ["ulcer", "gastritis"] * 2 + ["ulcer", "asthma"] * 2
    found = attacked(values, ["a"] * 4 + ["b"] * 4, "similarity", hierarchy=STOMACH, kind="categorical")
    assert found.rates[0].success == 4
    mixed = ["ulcer", "asthma"] * 4
    assert not attacked(mixed, ["a"] * 4 + ["b"] * 4, "similarity", hierarchy=STOMACH, kind="categorical").succeeded


def test_similarity_of_numbers():
    pay = [1000, 1010, 1020, 5000, 9000, 1000]
    found = attacked(pay, ["a"] * 3 + ["b"] * 3, "similarity")
    assert found.rates[0].success == 3
    assert not attacked([1000, 9000, 5000] * 2, ["a"] * 3 + ["b"] * 3, "similarity").succeeded


def test_similarity_says_why_it_is_not_tried():
    table = pa.table({"age": ["a"] * 4, "d": ["flu", "cold"] * 2})
    schema = am.Schema({"age": am.Column(role="quasi"), "d": am.Column(role="sensitive")})
    found = am.attack(table, schema, attacks=["similarity"])
    assert found.attacks == ()
    assert "hierarchy" in found.skipped[0][1]


def test_groups_of_two_tables_are_classes():
    table = pa.table({"age": list(range(12)), "d": list("abc") * 4})
    schema = am.Schema({"age": am.Column(role="quasi"), "d": am.Column(role="sensitive")})
    release = am.anonymize(table, schema, [am.LDiversity(3)], method="anatomy")
    found = am.attack(release, attacks=["homogeneity", "background knowledge"])
    assert found["homogeneity"].figures["guess_by_class"] == pytest.approx(1 / 3, abs=1e-6)
    assert not found["homogeneity"].succeeded
    assert found["background knowledge"].figures["median_distinct_values"] == 3
