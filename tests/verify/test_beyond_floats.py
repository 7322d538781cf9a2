"""Numbers and times that a float cannot tell apart are told apart, wherever a verdict hangs on them."""

from __future__ import annotations

import datetime
import math
from decimal import Decimal
from fractions import Fraction

import numpy as np
import pyarrow as pa
import pytest
from hypothesis import given
from hypothesis import strategies as st

import amongst as am
from amongst.published.exact_numbers import beyond_floats

BIG = 2**62
NS = pa.timestamp("ns")
MOMENT = 1_600_000_000_123_456_700  # nanoseconds
KINDS = {
    "int64": ("numeric", pa.array([BIG, BIG + 1, BIG + 2])),
    "negative": ("numeric", pa.array([-BIG, -BIG + 1, -BIG + 2])),
    "uint64": ("numeric", pa.array([2**64 - 3, 2**64 - 2, 2**64 - 1], pa.uint64())),
    "decimal": ("numeric", pa.array([Decimal("0.12345678901234567890") + Decimal(i) / 10**20 for i in range(3)])),
    "text": ("numeric", pa.array([str(BIG + i) for i in range(3)])),
    "nanoseconds": ("date", pa.array([MOMENT, MOMENT + 1, MOMENT + 2], NS)),
    "microseconds": ("date", pa.array([datetime.datetime(9000, 1, 1, 0, 0, 0, i) for i in range(3)])),
}


def texts(values):
    return values.cast(pa.string()).to_pylist()


def published_forms(values):
    """The first value alone, published in every way there is."""
    first = texts(values)[0]
    one = values[:1]
    between = " - " if "-" in first[1:] else "-"
    yield "value", pa.table({"case": [first]})
    yield "range", pa.table({"case": [f"[{first}{between}{first}]"]})
    yield "set", pa.table({"case": ["{" + first + "}"]})
    yield "typed", pa.table({"case": one})
    yield "bounds", pa.table({"case_lower": one, "case_upper": one})
    yield "struct", pa.table({"case": pa.StructArray.from_arrays([one, one], ["lower", "upper"])})
    yield "half open", pa.table({"case": [f"[{first}{between}{texts(values)[1]}["]})


@given(st.lists(st.floats(allow_nan=False, allow_infinity=False, width=64), min_size=1, max_size=5), st.integers(0, 2))
def test_floats_lie_as_the_texts_that_they_were_written_as(numbers, steps):
    """Where texts are said to be within floats, floats tell them apart and order them as fractions do."""
    for _ in range(steps):
        numbers = [*numbers, *(math.nextafter(one, math.inf) for one in numbers)]
    shown = [text for text in map(repr, numbers) if "inf" not in text]
    shown += [text + "1" for text in shown[:1] if "." in text and "e" not in text]
    if not beyond_floats(pa.array(shown)):
        exact = [Fraction(text) for text in shown]
        for one, a in zip(shown, exact, strict=True):
            for other, b in zip(shown, exact, strict=True):
                assert (a < b) == (float(one) < float(other))


def test_texts_of_floats_are_within_floats_and_longer_ones_are_not():
    """A column of measured floats need not be compared digit by digit; what no float holds must be."""
    measured = np.random.default_rng(0).normal(size=50).tolist()
    assert not beyond_floats(pa.array([*map(repr, measured), f"[{measured[0]}-{abs(measured[1])}]", None]))
    for text in (
        "9007199254740993",
        "0.1000000000000000055",
        "[1-9007199254740993]",
        "2020-01-01 10:00:00.123",
        "x1234567890123456",
    ):
        assert beyond_floats(pa.array(["1", text])), text


@pytest.mark.parametrize("name", KINDS)
def test_k_map_counts_only_who_fits(name):
    kind, values = KINDS[name]
    schema = am.Schema({"case": am.Column(role="quasi", kind=kind)})
    town = pa.table({"case": values})
    for form, published in published_forms(values):
        verdict = am.verify(published, schema, [am.KMap(2, town)])
        assert not verdict.ok, form
        assert verdict.models[0].reached == 1, form
        assert am.verify(published, schema, [am.DeltaPresence(1, 1, town)]).models[0].reached == 1.0, form


@pytest.mark.parametrize("name", KINDS)
def test_a_range_of_two_fits_two(name):
    kind, values = KINDS[name]
    schema = am.Schema({"case": am.Column(role="quasi", kind=kind)})
    published = pa.table({"case_lower": values[:1], "case_upper": values[1:2]})
    assert am.verify(published, schema, [am.KMap(1, pa.table({"case": values}))]).models[0].reached == 2


@pytest.mark.parametrize("name", KINDS)
@pytest.mark.parametrize("data_format", ["table", "csv"])
def test_sensitive_values_stay_apart(name, data_format, tmp_path):
    """Every class has one value, the table three: nothing holds but what every table holds."""
    kind, values = KINDS[name]
    table = pa.table({"a": ["x", "x", "y", "y", "z", "z"], "s": values.take(pa.array([0, 0, 1, 1, 2, 2]))})
    if data_format == "csv":
        rows = zip(table["a"].to_pylist(), texts(table["s"].combine_chunks()), strict=True)
        (tmp_path / "t.csv").write_text("a,s\n" + "".join(f"{a},{s}\n" for a, s in rows), encoding="utf-8")
        table = tmp_path / "t.csv"
    schema = am.Schema({"a": am.Column(role="quasi"), "s": am.Column(role="sensitive", kind=kind)})
    for model in (am.TCloseness(0.3), am.TCloseness(0.3, "equal"), am.BetaLikeness(1), am.DeltaDisclosure(1)):
        assert not am.verify(table, schema, [model]).ok, model
    apart = pa.table({"a": ["x"] * 3, "s": values})
    assert am.verify(apart, schema, [am.LDiversity(3, "distinct")]).ok


def test_widths_are_exact():
    """2^53 + 1 and 2^53 + 3 lie 2 apart; as floats they lie 4 apart."""
    near = pa.table({"a": ["x"] * 2, "s": [2**53 + 1, 2**53 + 3]})
    schema = am.Schema({"a": am.Column(role="quasi"), "s": am.Column(role="sensitive", kind="numeric")})
    assert not am.verify(near, schema, [am.Proximity(2, 2)]).ok
    assert am.verify(near, schema, [am.Proximity(2, 1)]).ok
    far = pa.table({"a": ["x"] * 3, "s": [-(2**62), 2**62 + 1, 2**62 + 3]})
    assert not am.verify(far, schema, [am.Proximity(2, 2)]).ok
    assert am.verify(far, schema, [am.Proximity(2, 1)]).ok


@pytest.mark.parametrize("name", KINDS)
def test_bounds_the_wrong_way_round(name):
    kind, values = KINDS[name]
    schema = am.Schema({"case": am.Column(role="quasi", kind=kind)})
    for low, high, ok in ((0, 1, True), (1, 1, True), (1, 0, False)):
        bounds = {"case_lower": values.take([low, low]), "case_upper": values.take([high, high])}
        verdict = am.verify(pa.table(bounds), schema, [am.KAnonymity(2)])
        assert verdict.ok == ok, (low, high)
        assert ok or [one.code for one in verdict.findings] == ["label-not-understood"]


def extents(published, kind):
    from amongst.published.classes import classes_of
    from amongst.published.layout import lay_out
    from amongst.published.open_published import open_published
    from amongst.published.readings import read_labels
    from amongst.verify.together.overlap import extents_of

    schema = am.Schema({"case": am.Column(role="quasi", kind=kind)})
    source = open_published(published)
    layout = lay_out(source, schema)
    return extents_of(read_labels(layout, classes_of(source, layout).tally)[0], schema["case"], untold=False)


@pytest.mark.parametrize("name", KINDS)
def test_labels_of_two_releases_meet_only_where_they_do(name):
    from amongst.verify.together.overlap import overlap, within

    kind, values = KINDS[name]
    second = list(published_forms(values[1:]))
    for form, first in published_forms(values):
        ours = extents(first, kind)
        assert overlap(ours, ours).all(), form
        for other, theirs in [(other, extents(table, kind)) for other, table in second]:
            assert not overlap(ours, theirs).any(), (form, other)
            assert not overlap(theirs, ours).any(), (form, other)
            assert not within(ours, theirs).any(), (form, other)


LONG = {name: values for name, (_, values) in KINDS.items() if name not in ("text",)}


@pytest.mark.parametrize("name", LONG)
@pytest.mark.parametrize("steps", [0, 1])
def test_the_search_sees_what_the_verifier_sees(name, steps):
    """Six people with three values next to each other: how many lie within a width is told apart by both."""
    values = LONG[name]
    width = float(steps)
    if name == "decimal":
        width = steps / 10**20 * (1 + 1e-9)
    elif name == "nanoseconds":
        width = steps / (86_400 * 10**9) * (1 + 1e-9)
    elif name == "microseconds":
        width = steps / (86_400 * 10**6) * (1 + 1e-9)
    spread = pa.concat_arrays([values[:1].cast(values.type), values, values[1:]])
    table = pa.table({"age": [30] * 6, "case": spread})
    schema = am.Schema({"age": am.Column(role="quasi"), "case": am.Column(role="sensitive", kind=KINDS[name][0])})
    most = {0: 2, 1: 4}[steps]
    for least, holds in ((6 / most, True), (6 / most + 0.1, False)):
        model = am.Proximity(least, width=width, column="case")
        verdict = am.verify(table, schema, [am.KAnonymity(2), model])
        assert verdict.ok == holds
        if holds:
            assert am.anonymize(table, schema, [am.KAnonymity(2), model], method="mondrian").verdict.ok
        else:
            with pytest.raises(am.errors.AmongstError):
                am.anonymize(table, schema, [am.KAnonymity(2), model], method="mondrian")


@pytest.mark.parametrize("of", [pa.int64(), pa.uint64()])
def test_far_apart_and_near_at_once(of):
    from fractions import Fraction

    from amongst.partition.value_conditions import _last_near

    low = 0 if of == pa.uint64() else -(2**63)
    high = 2**64 - 1 if of == pa.uint64() else 2**63 - 1
    numbers = [low, low + 1, low + 3, high - 2, high]
    for width in (0.0, 1.0, 2.5, 2.0**63, 2.0**70):
        found = _last_near(pa.array(numbers, of), width, 1.0).tolist()
        assert found == [max(j for j in range(5) if numbers[j] - one <= Fraction(width)) for one in numbers]
