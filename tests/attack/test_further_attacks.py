"""The further attacks: each against a naive version, or a planted leak beside a release without it."""

from __future__ import annotations

import json
from itertools import combinations

import numpy as np
import pyarrow as pa
import pytest

import amongst as am
from amongst.attack.boxes import open_boxes
from amongst.attack.declared import ATTACKS, Attack

N = 600


@pytest.fixture(scope="module")
def table() -> pa.Table:
    rng = np.random.default_rng(0)
    age = rng.integers(0, 60, N)
    return pa.table(
        {
            "age": age,
            "zip": rng.integers(0, 30, N),
            "ill": np.where(rng.random(N) < age / 60, "yes", "no"),
            "visit": rng.integers(0, 5, N),
            "room": rng.integers(0, 40, N),
        }
    )


RULES = am.Schema(
    {
        "age": am.Column(role="quasi"),
        "zip": am.Column(role="quasi"),
        "ill": am.Column(role="sensitive"),
        "visit": am.Column(role="keep"),
        "room": am.Column(role="keep"),
    }
)


def attacked(release, name, **given):
    return am.attack(release, attacks=[name], **given)[name]


def test_every_attack_declares_itself_and_one_from_elsewhere_is_carried_out(table):
    assert {"membership", "refinement", "kept columns", "figures"} <= set(ATTACKS)
    places = [one.place for one in ATTACKS.values()]
    assert len(set(places)) == len(places)
    ATTACKS["made up"] = Attack(
        name="made up", place=99, kind="inference", words="Nothing.", carry_out=lambda intruder: ["not today"]
    )
    try:
        release = am.anonymize(table, RULES, [am.KAnonymity(5)], method="mondrian")
        assert am.attack(release, attacks=["made up"]).skipped == (("made up", "not today"),)
    finally:
        del ATTACKS["made up"]


def test_kept_columns_are_counted_as_by_hand(table):
    release = am.anonymize(table, RULES, [am.KAnonymity(5)], method="mondrian")
    found = attacked(release, "kept columns", k=1)
    rows = release.table.to_pylist()

    def alone(chosen):
        keys = [tuple(row[name] for name in ("age", "zip", *chosen)) for row in rows]
        return sum(keys.count(key) == 1 for key in keys)

    kept = ("ill", "visit", "room")
    by_size = [max(alone(chosen) for chosen in combinations(kept, size)) for size in (1, 2, 3)]
    assert [rate.success for rate in found.rates] == by_size
    assert found.figures["fewest"] == ["room"]
    none = am.Schema({**RULES, **{name: am.Column(role="identifier") for name in ("visit", "room", "ill")}})
    assert am.attack(am.anonymize(table, none, [am.KAnonymity(5)], method="mondrian"), attacks=["kept columns"]).skipped


def test_confident_guesses_are_counted_as_by_hand(table):
    release = am.anonymize(table, RULES, [am.KAnonymity(5)], method="mondrian")
    found = attacked(release, "confident inference", split=False, k=1)
    classes: dict[tuple, list[str]] = {}
    for row in release.table.to_pylist():
        classes.setdefault((row["age"], row["zip"]), []).append(row["ill"])

    def holds(label, value):
        ends = [int(end) for end in label.strip("[]").split("-")]
        return ends[0] <= value <= ends[-1]

    hit = dict.fromkeys((0.8, 0.95, 1.0), 0)
    for row in table.to_pylist():
        seen = [
            ill
            for key, own in classes.items()
            if holds(key[0], row["age"]) and holds(key[1], row["zip"])
            for ill in own
        ]
        best = max(("no", "yes"), key=seen.count)
        for sure in hit:
            hit[sure] += seen.count(best) / len(seen) >= sure and best == row["ill"]
    assert [found.rate(f"guessed right where {sure:.0%} sure").success for sure in hit] == list(hit.values())
    diverse = am.anonymize(table, RULES, [am.KAnonymity(5), am.LDiversity(1.6)], method="mondrian")
    assert attacked(diverse, "confident inference", split=False).rates[0].success < hit[0.8]


def test_a_learner_on_labels_finds_what_labels_tell(table):
    release = am.anonymize(table, RULES, [am.KAnonymity(20)], method="mondrian")
    found = attacked(release, "label learner", control=table)
    assert found.rates[0].value > found.rates[1].value + 0.1  # it beats the commonest value
    assert found.rates[0].value == found.rates[2].value  # and tells the same of equal people who are not in it
    assert not found.succeeded


def test_refinement_narrows_wide_classes_around_narrow_ones():
    """Ten of 1, and one each of 1 to 9 in a class that says 1 to 9: who is 1 would have been put with the ten."""
    ages = [1] * 10 + [2, 3, 4, 5, 6, 7, 8, 9, 2, 3]
    table = pa.table({"age": ages, "ill": ["yes", "no"] * 10})
    rules = am.Schema({"age": am.Column(role="quasi"), "ill": am.Column(role="sensitive")})
    release = am.anonymize(table, rules, [am.KAnonymity(10)], method="mondrian")
    assert sorted(set(release.table["age"].to_pylist())) == ["1", "[2-9]"]
    assert attacked(release, "refinement").rates[0].success == 0  # they do not overlap
    wide = pa.table({"age": ["1"] * 10 + ["[1-9]"] * 10, "ill": ["yes", "no"] * 10})
    found = am.attack(wide, ["age"], original=table, attacks=["refinement"], k=1)["refinement"]
    assert found.rates[0].success == 10
    assert found.succeeded


def test_figures_are_those_of_the_table_or_are_named(table, tmp_path):
    am.anonymize(table, RULES, [am.KAnonymity(5)], method="mondrian").write(tmp_path / "out")
    clean = attacked(tmp_path / "out", "figures")
    assert not clean.succeeded
    assert clean.figures["figures"] > 5
    told = json.loads((tmp_path / "out" / "manifest.json").read_text())
    told["utility"]["gcp"] *= 1.01  # as if the span of suppressed people had been counted
    told["utility"]["lm"] = 0.25
    (tmp_path / "out" / "manifest.json").write_text(json.dumps(told))
    planted = attacked(tmp_path / "out", "figures")
    assert planted.figures["unexplained"] == ["utility.gcp", "utility.lm"]
    means = am.Schema({**RULES, "age": am.Column(role="quasi", statistic=("mean",))})
    assert attacked(am.anonymize(table, means, [am.KAnonymity(5)], method="mondrian"), "figures").succeeded


def test_three_releases_are_compared_two_by_two(table):
    rules = am.Schema({**RULES, "visit": am.Column(role="identifier"), "room": am.Column(role="identifier")})
    first, second = (
        am.anonymize(part, rules, [am.KAnonymity(20)], method="mondrian") for part in (table.slice(1), table)
    )
    found = am.attack(first, against=[second, first], attacks=["newcomers"])
    assert [one.succeeded for one in found.of("newcomers")] == [True, False, True]
    assert open_boxes(first).n_records == N - 1
