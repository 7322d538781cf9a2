"""Candidates by bits are those that a naive intruder finds, whatever the labels are."""

from __future__ import annotations

import numpy as np
import pyarrow as pa
import pytest
from naive_intruder import NaiveIntruder

import amongst as am
from amongst.attack import fits
from amongst.attack.boxes import open_boxes
from amongst.attack.fits import believed, candidates, count_people, count_records
from amongst.attack.people import read_people
from flow_tables import random_table

METHODS = ["mondrian", "hilbert", "top-down", "incognito", "full-subtree", "cell-generalization"]


def released(seed, method, form="labels"):
    """A release of a random table, or None where the method cannot make one."""
    made = random_table(np.random.default_rng(seed), linked=False, most_columns=3, most_rows=30)
    try:
        return made, am.anonymize(made.table, made.schema, [am.KAnonymity(min(made.k, 3))], method=method, form=form)
    except am.errors.AmongstError:
        return None


CASES = [(seed, METHODS[seed % len(METHODS)], "labels") for seed in range(60)]
CASES += [(seed, "mondrian", "bounds") for seed in range(100, 115)]


@pytest.mark.parametrize("by_ends", [False, True], ids=["by pairs", "by ends"])
@pytest.mark.parametrize(("seed", "method", "form"), CASES)
def test_candidates_are_those_of_a_naive_intruder(seed, method, form, by_ends, monkeypatch):
    if by_ends:
        monkeypatch.setattr(fits, "MOST_COMPARED", 0)
    found = released(seed, method, form)
    if found is None:
        return
    made, release = found
    boxes, people = open_boxes(release), read_people(made.table)
    naive = NaiveIntruder(release.arrow, release.schema, made.table)
    persons = made.table.to_pylist()
    want = [len(naive.candidates(person)) for person in persons]
    assert count_records(boxes, people, boxes.names).tolist() == want
    beliefs = boxes.beliefs["disease"]
    got = believed(boxes, beliefs, people, boxes.names)
    for person, weights in zip(persons, got, strict=True):
        told = {value: int(n) for value, n in zip(beliefs.values, weights, strict=True) if n}
        assert told == dict(naive.values(person, "disease"))


def test_most_cases_can_be_made():
    assert sum(released(*case) is not None for case in CASES) > 45


def test_small_blocks_find_the_same(monkeypatch):
    made, release = released(1, "mondrian")
    boxes, people = open_boxes(release), read_people(made.table)
    want = sorted(zip(*map(np.concatenate, zip(*candidates(boxes, people, boxes.names), strict=True)), strict=True))
    monkeypatch.setattr(fits, "MOST_WORDS", 1)
    monkeypatch.setattr(fits, "MOST_BITS", 64)
    got = sorted(zip(*map(np.concatenate, zip(*candidates(boxes, people, boxes.names), strict=True)), strict=True))
    assert got == want
    assert len(want) >= made.table.num_rows


def test_people_are_counted_for_every_box():
    release = pa.table({"age": ["[20-29]", "[20-29]", "[25-40]"], "sex": ["F", "F", "*"]})
    schema = am.Schema({"age": am.Column(role="quasi", kind="numeric"), "sex": am.Column(role="quasi")})
    boxes = open_boxes(release, schema)
    people = read_people({"age": [22, 27, 27, 35, 50], "sex": ["F", "F", "M", "M", "F"]})
    assert count_records(boxes, people, boxes.names).tolist() == [2, 3, 1, 1, 0]
    assert sorted(count_people(boxes, people, boxes.names).tolist()) == [2, 3]
    assert count_records(boxes, people, ["sex"]).tolist() == [3, 3, 1, 1, 3]


def test_a_hierarchy_that_is_not_known_rules_nobody_out(tmp_path):
    places = am.Hierarchy.nested({"North": ["oslo", "york"], "South": ["rome", "nice"]})
    schema = am.Schema({"city": am.Column(role="quasi", hierarchy=places), "d": am.Column(role="sensitive")})
    table = pa.table({"city": ["oslo", "york", "rome", "nice"], "d": ["a", "b", "c", "d"]})
    am.anonymize(table, schema, [am.KAnonymity(2)], method="mondrian").write(tmp_path / "out")
    people = read_people(table)
    with_schema, without = open_boxes(tmp_path / "out", schema), open_boxes(tmp_path / "out")
    assert count_records(with_schema, people, ["city"]).tolist() == [2, 2, 2, 2]
    assert count_records(without, people, ["city"]).tolist() == [4, 4, 4, 4]
    assert "city" in without.notes[0]
