"""The verifier against plain Python, on random tables."""

import itertools
import math

import numpy as np
import pyarrow as pa
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import amongst as am
from amongst.verify import verify
from judges import classes, counts, shares, size
from judges.beta_likeness import beta, enhanced
from judges.delta_disclosure import delta
from judges.l_diversity import distinct, entropy, frequency, recursive
from judges.proximity import proximity
from judges.t_closeness import equal, hierarchical, ordered
from thorough import some

NUMBERS = [1, 2, 3, 7, 7.5, 20, None]
TREE = {"lung": ["flu", "cold"], "heart": {"muscle": ["attack"], "valve": ["leak", "tear"]}, "none": ["none at all"]}
PATHS = {
    "flu": ["flu", "flu", "lung", "*"],
    "cold": ["cold", "cold", "lung", "*"],
    "attack": ["attack", "muscle", "heart", "*"],
    "leak": ["leak", "valve", "heart", "*"],
    "tear": ["tear", "valve", "heart", "*"],
    "none at all": ["none at all", "none at all", "none", "*"],
}
LEVELS = ["low", "mid", "high", "top"]
SCHEMA = am.Schema(
    {
        "a": am.Column(role="quasi", kind="categorical"),
        "b": am.Column(role="quasi", kind="categorical"),
        "c": am.Column(role="quasi", kind="categorical"),
        "disease": am.Column(role="sensitive", kind="categorical", hierarchy=am.Hierarchy.nested(TREE)),
        "job": am.Column(role="sensitive", kind="categorical"),
        "pay": am.Column(role="sensitive", kind="numeric"),
        "grade": am.Column(role="sensitive", kind="ordered", order=tuple(LEVELS)),
    }
)
ROWS = st.lists(
    st.fixed_dictionaries(
        {
            "a": st.sampled_from("xy"),
            "b": st.sampled_from("xyz"),
            "c": st.sampled_from("xy"),
            "disease": st.sampled_from(list(PATHS)),
            "job": st.sampled_from(["cook", "nurse", "clerk", None]),
            "pay": st.sampled_from(NUMBERS),
            "grade": st.sampled_from(LEVELS[:3]),
            "who": st.integers(0, 8),
        }
    ),
    min_size=1,
    max_size=40,
)


def table_of(rows):
    types = {"pay": pa.float64()}
    return pa.table({name: pa.array([row[name] for row in rows], types.get(name)) for name in SCHEMA})


def reached(rows, model, units=None):
    verdict = verify(table_of(rows), SCHEMA, [model], units=units)
    return verdict.models[0].reached, verdict.models[0].ok


def groups(rows):
    return classes(rows, ["a", "b", "c"])


units_or_none = st.booleans()


@settings(max_examples=some(40), deadline=None)
@given(ROWS, units_or_none, st.sampled_from(["disease", "job", "pay"]))
def test_l_in_every_sense(rows, with_people, column):
    unit, units = ("who", [row["who"] for row in rows]) if with_people else (None, None)
    all_counts = [(counts(g, column, unit), size(g, unit)) for g in groups(rows)]
    expected = {
        "frequency": min(frequency(count, n) for count, n in all_counts),
        "distinct": min(distinct(count) for count, _ in all_counts),
        "entropy": min(entropy(count) for count, _ in all_counts),
        ("recursive", 1.5): min(recursive(count, 1.5) for count, _ in all_counts),
    }
    for sense, value in expected.items():
        for asked in (1, 3):
            best, ok = reached(rows, am.LDiversity(asked, sense, column), units)
            assert best == pytest.approx(value, abs=1e-9)
            assert ok == (value >= asked - 1e-9)


@settings(max_examples=some(40), deadline=None)
@given(ROWS, units_or_none)
def test_t_with_every_distance(rows, with_people):
    unit, units = ("who", [row["who"] for row in rows]) if with_people else (None, None)

    def expected(column, distance):
        table = shares(counts(rows, column, unit))
        return max(distance(shares(counts(g, column, unit)), table) for g in groups(rows))

    numbers = sorted({row["pay"] for row in rows} - {None})
    numbers += [None] * any(row["pay"] is None for row in rows)
    cases = [
        (am.TCloseness(0.3, column="job"), expected("job", equal)),
        (am.TCloseness(0.3, "equal", "pay"), expected("pay", equal)),
        (am.TCloseness(0.3, column="pay"), expected("pay", lambda own, table: ordered(own, table, numbers))),
        (am.TCloseness(0.3, column="grade"), expected("grade", lambda own, table: ordered(own, table, LEVELS))),
        (
            am.TCloseness(0.3, column="disease"),
            expected("disease", lambda own, table: hierarchical(own, table, PATHS)),
        ),
    ]
    for model, value in cases:
        best, ok = reached(rows, model, units)
        assert best == pytest.approx(value, abs=1e-9), model
        assert ok == (value <= 0.3 + 1e-9)


@settings(max_examples=some(40), deadline=None)
@given(ROWS)
def test_a_missing_value_hangs_from_the_root(rows):
    rows = [row | {"disease": None if row["who"] < 3 else row["disease"]} for row in rows]
    paths = PATHS | {None: [None, None, None, "*"]}
    table = shares(counts(rows, "disease"))
    value = max(hierarchical(shares(counts(g, "disease")), table, paths) for g in groups(rows))
    assert reached(rows, am.TCloseness(0.5, column="disease"))[0] == pytest.approx(value, abs=1e-9)


@settings(max_examples=some(40), deadline=None)
@given(ROWS, units_or_none, st.sampled_from(["disease", "job", "pay"]))
def test_alpha_beta_delta(rows, with_people, column):
    unit, units = ("who", [row["who"] for row in rows]) if with_people else (None, None)
    table = shares(counts(rows, column, unit))
    per_class = [(counts(g, column, unit), size(g, unit)) for g in groups(rows)]
    own = [shares(count) for count, _ in per_class]
    alpha = max(max(count.values()) / n for count, n in per_class)
    best, ok = reached(rows, am.AlphaK(0.5, 2, column), units)
    assert best == pytest.approx(alpha)
    assert ok == (alpha <= 0.5 + 1e-9 and min(n for _, n in per_class) >= 2)
    gained = max(beta(one, table) for one in own)
    best, ok = reached(rows, am.BetaLikeness(1.5, column=column), units)
    assert best == pytest.approx(gained, abs=1e-9)
    assert ok == (gained <= 1.5 + 1e-9)
    _, ok = reached(rows, am.BetaLikeness(1.5, True, column), units)
    assert ok == all(enhanced(one, table, 1.5) for one in own)
    for absent in ("ignored", "counted"):
        moved = max(delta(one, table, absent) for one in own)
        best, ok = reached(rows, am.DeltaDisclosure(1.2, absent, column), units)
        assert best == pytest.approx(moved, abs=1e-9) or (math.isinf(best) and math.isinf(moved))
        assert ok == (moved <= 1.2 + 1e-9)


@settings(max_examples=some(40), deadline=None)
@given(ROWS, st.sampled_from([0, 0.5, 1, 5]))
def test_numbers_close_together(rows, width):
    value = min(proximity([row["pay"] for row in g], width) for g in groups(rows))
    for asked in (1, 2.5):
        best, ok = reached(rows, am.Proximity(asked, width))  # the only numeric sensitive column
        assert best == pytest.approx(value)
        assert ok == (value >= asked - 1e-9)


@settings(max_examples=some(40), deadline=None)
@given(ROWS, units_or_none, st.integers(1, 4))
def test_k_of_every_subset(rows, with_people, m):
    unit, units = ("who", [row["who"] for row in rows]) if with_people else (None, None)
    least = [size(g, unit) for names in itertools.combinations("abc", min(m, 3)) for g in classes(rows, names)]
    best, ok = reached(rows, am.KOfSubsets(2, m), units)
    assert (best, ok) == (min(least), min(least) >= 2)


@settings(max_examples=some(40), deadline=None)
@given(ROWS)
def test_people_are_counted_where_nulls_match_anything(rows):
    rows = [row | {"a": None if row["pay"] is None else row["a"]} for row in rows]
    units = [row["who"] for row in rows]
    fits = [
        {
            units[j]
            for j, other in enumerate(rows)
            if all(row[name] == other[name] or row[name] is None or other[name] is None for name in "abc")
        }
        for row in rows
    ]
    verdict = verify(table_of(rows), SCHEMA, [am.KAnonymity(2)], nulls="match anything", units=units)
    assert verdict.smallest == min(map(len, fits))


def test_every_sensitive_column_counts_where_none_is_named():
    rows = [{"a": "x", "b": "x", "c": "x", "disease": d, "job": j, "pay": p, "grade": g} for d, j, p, g in [
        ("flu", "cook", 1, "low"), ("cold", "cook", 2, "mid"), ("leak", "nurse", 3, "high")]]  # fmt: skip
    verdict = verify(table_of(rows), SCHEMA, [am.LDiversity(3, "distinct")])
    assert verdict.models[0].reached == 2
    assert [f.what for f in verdict.findings] == ["The published table does not hold l-diversity on 'job', with l = 3."]


def test_many_values_and_classes_against_dense_arithmetic():
    rng = np.random.default_rng(5)
    a, pay = rng.integers(0, 300, 6000), rng.integers(0, 2000, 6000)
    verdict = verify(
        pa.table({"a": a, "pay": pay}),
        am.Schema({"a": am.Column(role="quasi"), "pay": am.Column(role="sensitive", kind="numeric")}),
        [am.TCloseness(0.2)],
    )
    _, code = np.unique(pay, return_inverse=True)
    dense = np.zeros((300, code.max() + 1))
    np.add.at(dense, (a, code), 1)
    dense = dense[dense.sum(axis=1) > 0]
    own, table = dense / dense.sum(axis=1, keepdims=True), dense.sum(axis=0) / dense.sum()
    apart = np.abs(np.cumsum(own - table, axis=1)).sum(axis=1) / (dense.shape[1] - 1)
    assert verdict.models[0].reached == pytest.approx(apart.max())
