"""Membership: a planted leak is seen, nothing is seen where there is nothing, and people are scored as by hand."""

from __future__ import annotations

from importlib import import_module

import numpy as np
import pyarrow as pa
import pytest

import amongst as am
from amongst.attack.boxes import open_boxes
from amongst.attack.people import read_people
from amongst.attack.rate import Rate, apart

attack = import_module("amongst.attack.membership")
RULES = {"age": am.Column(role="quasi", kind="numeric"), "zip": am.Column(role="quasi", kind="numeric")}


def people(seed: int, n: int = 600) -> pa.Table:
    rng = np.random.default_rng(seed)
    return pa.table({"age": rng.integers(0, 1000, n), "zip": rng.integers(0, 1000, n)})


def found(release, **given):
    return am.attack(release, attacks=["membership"], **given)["membership"]


def test_raw_points_give_members_away_and_one_class_of_all_does_not():
    members, others = people(0), people(1)
    raw = found(am.anonymize(members, RULES, [am.KAnonymity(1)], method="mondrian"), control=others, k=1)
    assert raw.figures["advantage"] > 0.9
    assert raw.succeeded
    assert raw.rates[2].value > 0.9  # also where one percent of false alarms is all that is allowed
    assert raw.rates[3].value < 0.05
    whole = {name: am.Column(role="quasi", kind="numeric", grid=1000) for name in RULES}
    none = found(am.anonymize(members, whole, [am.KAnonymity(600)], method="mondrian"), control=others)
    assert none.figures["advantage"] == 0
    assert not none.succeeded


def test_tight_boxes_tell_and_larger_groups_tell_less():
    members, others = people(0, 2000), people(1, 2000)
    told = [
        found(am.anonymize(members, RULES, [am.KAnonymity(k)], method="mondrian"), control=others).figures
        for k in (3, 100)
    ]
    assert told[0]["interval"][0] > told[1]["interval"][1]


def test_without_people_outside_of_the_data_nothing_is_said():
    release = am.anonymize(people(0), RULES, [am.KAnonymity(5)], method="mondrian")
    told = am.attack(release, attacks=["membership"], split=False)
    assert told.skipped[0][1] == "there is no control group of people who are not in the data"
    divided = found(release)
    assert divided.figures["members"] == 4 * 300
    assert "divided 4 times" in divided.works


def test_scores_are_those_of_loops():
    members, others = people(2, 60), people(3, 40)
    boxes = open_boxes(am.anonymize(members, RULES, [am.KAnonymity(4)], method="mondrian"))
    own, odd = np.arange(60) % 2, np.arange(40) % 2
    scored = attack._scored(boxes, read_people(members), own, read_people(others), odd, 0, boxes.names)
    ends = [
        [tuple(map(float, text.strip("[]").split("-"))) for text in boxes.readings[name].texts[0].to_pylist()]
        for name in boxes.names
    ]
    ends = [[(pair[0], pair[-1]) for pair in one] for one in ends]

    def lies_in(row, box):
        return all(
            lo <= row[name] <= hi
            for name, one in zip(boxes.names, ends, strict=True)
            for lo, hi in [one[boxes.readings[name].columns[0].codes[box]]]
        )

    rows, reference = members.to_pylist()[0::2], others.to_pylist()[1::2]
    for i, row in enumerate(rows):
        here = [box for box in range(boxes.n_boxes) if lies_in(row, box)]
        assert scored["fits"].members[i] == sum(boxes.size[box] for box in here)
        crowd = sum(boxes.size[box] / (1 + sum(lies_in(one, box) for one in reference)) for box in here)
        assert scored["crowd"].members[i] == pytest.approx(crowd)


def test_thresholds_are_the_best_of_all():
    rng = np.random.default_rng(0)
    scores = attack.Scores(rng.integers(0, 9, 50).astype(float), rng.integers(0, 7, 40).astype(float))
    gain, least = attack._threshold(scores)
    by_hand = [((scores.members >= at).mean() - (scores.others >= at).mean(), -at) for at in range(9)]
    assert (gain, -least) == pytest.approx(max(by_hand))


def test_newcombes_interval_holds_the_truth_as_often_as_it_says():
    rng = np.random.default_rng(0)
    truth, held = 0.3 - 0.25, 0
    for _ in range(400):
        one, other = (Rate("", float(rng.binomial(200, p)), 200) for p in (0.3, 0.25))
        low, high = apart(one, other)[1]
        held += low <= truth <= high
    assert 0.92 <= held / 400 <= 0.98


def test_the_interval_is_as_wide_as_what_divisions_differ_by():
    """People of one box are right or wrong together: what they differ by is more than their number says."""
    with_spread = attack.with_spread
    ends = (-0.01, 0.03)
    assert with_spread(0.01, ends, [0.0, 0.02]) == ends  # two say nothing
    low, high = with_spread(0.01, ends, [-0.09, 0.11] * 4)
    assert (high - low) / 2 == pytest.approx(2.365 * 0.1 * (8 / 7) ** 0.5 / 8**0.5, rel=0.01)
    assert with_spread(0.01, ends, [0.01] * 8) == ends
