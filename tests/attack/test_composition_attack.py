"""Two releases together, beside a naive intruder; and the learner against two tables."""

from __future__ import annotations

import numpy as np
import pyarrow as pa
import pytest
from naive_intruder import NaiveIntruder

import amongst as am

DISEASE = am.Column(role="sensitive", kind="categorical")
AGE = am.Column(role="quasi", kind="numeric")
ZIP = am.Column(role="quasi", kind="categorical", hierarchy=am.Hierarchy.digits(5))
PEOPLE = pa.table(
    {
        "age": [30, 31, 50, 51],
        "zip": ["10001", "20002", "20003", "10004"],
        "disease": ["flu", "cancer", "asthma", "diabetes"],
    }
)


def by_one(column):
    other = {"age": "zip", "zip": "age"}[column]
    rules = {"age": AGE, "zip": ZIP, "disease": DISEASE}
    schema = am.Schema({**rules, other: am.Column(role="identifier")})
    return am.anonymize(PEOPLE, schema, [am.KAnonymity(2)], method="mondrian")


def test_two_releases_tell_what_each_hides():
    found = am.attack(by_one("age"), original=PEOPLE, against=by_one("zip"), attacks=["composition"], rows=True)[
        "composition"
    ]
    assert found.succeeded
    assert found.rate("value of disease known").success == 4
    assert found.rate("one candidate left").success == 4
    assert found.rows == (0, 1, 2, 3)


def test_the_same_release_twice_tells_nothing_more():
    found = am.attack(by_one("age"), original=PEOPLE, against=[by_one("age")], attacks=["composition"])["composition"]
    assert not found.succeeded


def test_it_says_what_it_lacks():
    assert "no other release" in am.attack(by_one("age"), attacks=["composition"]).skipped[0][1]
    plain = pa.table({"age": ["[30-31]"] * 2})
    against = am.attack(plain, ["age"], original=PEOPLE, against=plain, attacks=["composition"])
    assert "in common" in against.skipped[0][1]


@pytest.mark.parametrize("seed", range(6))
def test_counts_are_those_of_a_naive_intruder(seed):
    rng = np.random.default_rng(seed)
    n = 40
    table = pa.table(
        {
            "age": rng.integers(20, 60, n),
            "sex": rng.choice(["F", "M"], n),
            "disease": rng.choice(list("abcd"), n),
            "well": rng.choice([True, False], n),
        }
    )
    rules = {"age": AGE, "sex": am.Column(role="quasi", kind="categorical")}
    schema = am.Schema({**rules, "disease": DISEASE, "well": am.Column(role="keep")})
    k = 3
    releases = [am.anonymize(table, schema, [am.KAnonymity(k)], method=method) for method in ("mondrian", "hilbert")]
    found = am.attack(releases[0], against=releases[1], attacks=["composition"], k=k)["composition"]
    naive = [NaiveIntruder(one.arrow, one.schema, table) for one in releases]
    few = one_left = pinned = 0
    for person in table.to_pylist():
        rows = [[(row["disease"], row["well"]) for row in one.candidates(person)] for one in naive]
        both = sum(min(rows[0].count(pair), rows[1].count(pair)) for pair in set(rows[0]))
        few += both < k and min(map(len, rows)) >= k
        one_left += both <= 1 and min(map(len, rows)) > 1
        values = [{disease for disease, _ in one} for one in rows]
        pinned += len(values[0] & values[1]) == 1 and min(map(len, values)) > 1
    assert found.rate(f"fewer than {k} candidates left").success == few
    assert found.rate("one candidate left").success == one_left
    assert found.rate("value of disease known").success == pinned


def two_tables(rng, n, follows):
    """People whose disease follows from age and sex, or has nothing to do with them."""
    age, sex = rng.integers(0, 4, n), rng.integers(0, 2, n)
    disease = (age * 2 + sex) if follows else rng.integers(0, 8, n)
    return pa.table({"age": age, "sex": sex, "disease": [f"d{one}" for one in disease]})


SCHEMA = am.Schema({"age": AGE, "sex": am.Column(role="quasi", kind="categorical"), "disease": DISEASE})


def test_a_learner_beats_random_worlds_where_there_is_something_to_learn():
    table = two_tables(np.random.default_rng(1), 2000, follows=True)
    release = am.anonymize(table, SCHEMA, [am.LDiversity(4)], method="anatomy")
    found = am.attack(release, attacks=["learner"])["learner"]
    assert found.succeeded
    assert found.rate("guessed right by the learner").value > found.rate("guessed right within the groups").value + 0.2


def test_a_learner_learns_nothing_where_there_is_nothing():
    table = two_tables(np.random.default_rng(2), 2000, follows=False)
    release = am.anonymize(table, SCHEMA, [am.LDiversity(4)], method="anatomy")
    found = am.attack(release, attacks=["learner"])["learner"]
    assert not found.succeeded


def test_beliefs_stay_those_of_a_group_and_a_row():
    from amongst.attack.boxes import open_boxes
    from amongst.attack.learner import learned

    table = two_tables(np.random.default_rng(3), 400, follows=True)
    boxes = open_boxes(am.anonymize(table, SCHEMA, [am.LDiversity(3)], method="anatomy"))
    before = boxes.beliefs["disease"]
    after = learned(boxes, before)
    assert np.bincount(after.box, after.weight) == pytest.approx(boxes.size)
    assert after.total == pytest.approx(before.total, rel=0.05)


def test_a_learner_is_for_two_tables():
    assert am.attack(by_one("age"), attacks=["learner"]).skipped[0][0] == "learner"


def joined(method="full-subtree", extra=1):
    """The same people twice; in the second release some more."""
    rng = np.random.default_rng(3)
    n = 200
    table = pa.table(
        {
            "age": rng.integers(20, 60, n + extra),
            "sex": rng.choice(["F", "M"], n + extra),
            "disease": [*rng.choice(["flu", "cold"], n), *["hiv"] * extra],
        }
    )
    rules = {"age": am.Column(role="quasi", kind="numeric", hierarchy=am.Hierarchy.intervals([10, 40]))}
    rules["sex"] = am.Column(role="quasi", kind="categorical", hierarchy=am.Hierarchy.flat())
    schema = am.Schema({**rules, "disease": DISEASE})
    return [am.anonymize(part, schema, [am.KAnonymity(5)], method=method) for part in (table.slice(0, n), table)]


@pytest.mark.parametrize("method", ["full-subtree", "mondrian"])
def test_somebody_who_came_in_between_is_found_without_any_table_of_people(method):
    earlier, later = joined(method)
    found = am.attack(later, against=earlier, attacks=["newcomers"])["newcomers"]
    assert found.succeeded
    assert any("disease of people who came is known for sure: fewer than 5" in text for text in found.achieved)
    left = am.attack(earlier, against=later, attacks=["newcomers"])["newcomers"]
    assert any("disease of people who went" in text for text in left.achieved)


def test_the_attack_and_the_verifier_find_the_same_newcomers(tmp_path):
    for extra in (0, 1, 4, 40):
        releases = joined(extra=extra)
        for name, release in zip(("earlier", "later"), releases, strict=True):
            release.write(tmp_path / name, force=True)
        (proved,) = am.verify_against(tmp_path / "later", tmp_path / "earlier")
        for given in (releases, [tmp_path / "earlier", tmp_path / "later"]):
            found = am.attack(given[1], against=given[0], attacks=["newcomers"])["newcomers"]
            seen = {one.code for one in proved.findings} & {"newcomers", "leavers", "newcomers-certain"}
            assert found.succeeded == bool(seen), extra
