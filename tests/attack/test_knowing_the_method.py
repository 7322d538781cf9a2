"""Downcoding and minimality: what is known of the method may narrow boxes and values, and never says what is not so."""

from __future__ import annotations

from itertools import permutations

import numpy as np
import pyarrow as pa
import pytest

import amongst as am
from amongst.attack.boxes import open_boxes
from amongst.attack.diverse import diverse
from amongst.attack.downcoding import _sure
from amongst.attack.rate import wilson
from amongst.attack.worlds import lower_end
from flow_tables import LINK, random_table

AGE = am.Column(role="quasi", kind="numeric", hierarchy=am.Hierarchy.intervals([10]))
SCHEMA = am.Schema({"age": AGE, "disease": am.Column(role="sensitive")})
BUILT = pa.table({"age": [30, 30, 40, 40, 40, 40], "disease": ["hiv", "hiv", "flu", "cold", "acne", "gout"]})


@pytest.mark.parametrize("method", ["mondrian", "incognito"])
def test_a_class_left_undivided_tells_who_has_hiv(method):
    """Dividing at 35 leaves two and four people, so only l-diversity can have forbidden it: both of 30 have hiv."""
    release = am.anonymize(BUILT, SCHEMA, [am.KAnonymity(2), am.LDiversity(2)], method=method)
    assert release.verdict.n_classes == 1
    found = am.attack(release, attacks=["minimality"])["minimality"]
    assert found.succeeded
    assert found.rate("known for sure").success == 2
    assert found.figures["own_value_before"] == pytest.approx((2 * 2 / 6 + 4 / 6) / 6, abs=1e-6)
    # Those of 30 are sure; each of the others has one of four values.
    assert found.figures["own_value_after"] == pytest.approx((2 + 4 / 4) / 6, abs=0.05)


def test_the_worlds_that_are_left_are_those_of_all_permutations():
    """Where no cut can be told from another, enumerate: beliefs are the shares over the worlds that were not cut."""
    table = pa.table({"age": [30, 31, 40, 41, 42], "disease": ["hiv", "a", "hiv", "b", "c"]})
    model, k = am.LDiversity(2), 2
    worlds = []
    for world in sorted(set(permutations(table["disease"].to_pylist()))):
        sides = [(world[:at], world[at:]) for at in (2, 3)]
        allowed = [all(max(map(side.count, side)) * 2 <= len(side) for side in pair) for pair in sides]
        if not any(allowed):
            worlds.append(world)
    table = table.set_column(1, "disease", pa.array(worlds[0]))  # one that Mondrian does not cut
    release = am.anonymize(table, SCHEMA, [am.KAnonymity(k), model], method="mondrian")
    assert release.verdict.n_classes == 1
    found = am.attack(release, attacks=["minimality"])["minimality"]
    own = [sum(world[i] == value for world in worlds) / len(worlds) for i, value in enumerate(worlds[0])]
    assert found.figures["own_value_after"] == pytest.approx(np.mean(own), abs=1e-6)


def test_k_alone_tells_nothing_about_values():
    release = am.anonymize(BUILT, SCHEMA, [am.KAnonymity(3)], method="mondrian")
    assert "nothing was asked of disease" in am.attack(release, attacks=["minimality"]).skipped[0][1]


def test_nothing_follows_where_k_forbids_every_cut():
    release = am.anonymize(BUILT, SCHEMA, [am.KAnonymity(4), am.LDiversity(2)], method="mondrian")
    found = am.attack(release, attacks=["minimality"])["minimality"]
    assert not found.succeeded
    assert found.figures["classes_that_tell"] == 0


@pytest.mark.parametrize(
    "model",
    [
        am.LDiversity(2),
        am.LDiversity(2, "distinct"),
        am.LDiversity(1.8, "entropy"),
        am.LDiversity(2, ("recursive", 1.5)),
    ],
)
def test_diversity_is_that_of_the_verifier(model):
    rng = np.random.default_rng(0)
    for _ in range(40):
        counts = rng.integers(0, 4, 4)
        if counts.sum() == 0:
            continue
        table = pa.table({"q": ["x"] * int(counts.sum()), "d": np.repeat(list("abcd"), counts)})
        schema = am.Schema({"q": am.Column(role="quasi"), "d": am.Column(role="sensitive")})
        assert bool(diverse(counts, model)) == am.verify(table, schema, [model]).ok, counts


def test_lower_ends_are_wilsons():
    success = np.array([0, 1, 7, 40])
    assert lower_end(success, 40).tolist() == pytest.approx([wilson(int(one), 40)[0] for one in success])


def test_downcoding_of_tight_ranges_and_not_of_levels():
    ranges = am.anonymize(BUILT, SCHEMA, [am.KAnonymity(3)], method="mondrian")
    found = am.attack(ranges, attacks=["downcoding"])["downcoding"]
    assert found.succeeded
    assert found.rate("generalized cells narrowed").success == 2
    levels = am.anonymize(BUILT, SCHEMA, [am.KAnonymity(3)], method="incognito")
    assert not am.attack(levels, attacks=["downcoding"])["downcoding"].succeeded
    grid = am.Schema({**SCHEMA, "age": am.Column(role="quasi", kind="numeric", grid=10)})
    coarse = am.anonymize(BUILT, grid, [am.KAnonymity(3)], method="mondrian")
    assert not am.attack(coarse, attacks=["downcoding"])["downcoding"].succeeded


def test_a_class_of_two_is_known_whole():
    table = pa.table({"age": [30, 31, 50, 51], "disease": list("abcd")})
    found = am.attack(am.anonymize(table, SCHEMA, [am.KAnonymity(2)], method="mondrian"), attacks=["downcoding"])[
        "downcoding"
    ]
    assert found.rate("in classes reconstructed in a column").success == 4
    means = am.Schema({**SCHEMA, "age": am.Column(role="quasi", kind="numeric", statistic="mean")})
    three = pa.table({"age": [30, 31, 33], "disease": list("abc")})
    found = am.attack(am.anonymize(three, means, [am.KAnonymity(3)], method="mondrian"), attacks=["downcoding"])[
        "downcoding"
    ]
    assert found.rate("in classes reconstructed in a column").success == 3


def test_a_node_of_two_children_has_somebody_below_each():
    tree = am.Hierarchy.nested({"A": ["a1", "a2"], "B": ["b1", "b2", "b3"]})
    schema = am.Schema({"q": am.Column(role="quasi", hierarchy=tree), "d": am.Column(role="sensitive")})
    table = pa.table({"q": ["a1", "a2", "b1", "b3"], "d": list("wxyz")})
    release = am.anonymize(table, schema, [am.KAnonymity(2)], method="mondrian")
    assert sorted(set(release.arrow["q"].to_pylist())) == ["A", "B"]
    found = am.attack(release, attacks=["downcoding"])["downcoding"]
    assert found.rate("generalized cells narrowed").success == 2  # both of A; of B it is not known which two


@pytest.mark.parametrize("seed", range(40))
def test_what_is_narrowed_is_so(seed):
    """As many values as are said to be known for sure do occur in the class."""
    made = random_table(np.random.default_rng(seed), linked=True, most_columns=3, most_rows=40)
    method = ["mondrian", "hilbert", "top-down", "incognito"][seed % 4]
    try:
        release = am.anonymize(made.table, made.schema, [am.KAnonymity(min(made.k, 3))], method=method)
    except am.errors.AmongstError:
        return
    boxes = open_boxes(release)
    origin = {row[LINK]: row for row in made.table.to_pylist()}
    published = release.arrow.to_pylist()
    for name, reading in boxes.readings.items():
        if reading.key.form != "label":
            continue
        wide, sure = _sure(boxes, name, reading)
        for box in np.flatnonzero(wide & (sure > 0)).tolist():
            key = {other: one.texts[0][int(one.columns[0].codes[box])].as_py() for other, one in boxes.readings.items()}
            rows = [row for row in published if all(row[other] == label for other, label in key.items())]
            cells = {origin[row[LINK]][name] for row in rows}
            assert len(rows) == boxes.size[box]
            assert len(cells) >= min(int(sure[box]), len(rows))
