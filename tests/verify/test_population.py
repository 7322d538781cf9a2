"""How many people of a population a published row fits: label by label, and over all columns."""

import datetime
import itertools

import numpy as np
import pyarrow as pa
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import amongst as am
from amongst.errors import BadInput
from amongst.verify import population, verify
from thorough import some

COUNTRY = am.Hierarchy.nested({"Europe": ["Italy", "France"], "America": {"North": ["Canada"], "South": ["Peru"]}})
DAY = datetime.date


def n_fitting(column, label, people, nulls=None):
    schema = am.Schema({"a": column})
    verdict = verify(pa.table({"a": pa.array([label])}), schema, [am.KMap(1, pa.table({"a": people}))], nulls=nulls)
    return verdict.models[0].reached


@pytest.mark.parametrize(
    ("column", "people", "fitting"),
    [
        (
            am.Column(role="quasi", kind="numeric"),
            [18, 20, 25, 29, 30, 65, 70],
            {"[20-29]": 3, "25": 1, "25.0": 1, "[20, 30[": 3, "]20, 30]": 3, ">=65": 2, "<20": 1, "*": 7, "{20,65}": 2},
        ),
        (am.Column(role="quasi", kind="numeric"), [0.1, 0.25, 2.5], {"[0.1-0.25]": 2, "{0.10,2.5}": 2, "1": 0}),
        (
            am.Column(role="quasi", kind="categorical", hierarchy=COUNTRY),
            ["Italy", "Italy", "France", "Canada"],
            {"Europe": 3, "Italy": 2, "North": 1, "South": 0, "America": 1, "*": 4, "{Italy,Canada}": 3},
        ),
        (
            am.Column(role="quasi", kind="categorical", hierarchy=am.Hierarchy.digits(5)),
            ["53711", "53712", "53721", "03711"],
            {"53711": 1, "5371*": 2, "537**": 3, "0****": 1, "*": 4, "*****": 4},
        ),
        (
            am.Column(role="quasi", kind="categorical", hierarchy=am.Hierarchy.digits(5)),
            [53711, 3711],
            {"53711": 1, "537**": 1, "037**": 1, "*": 2},
        ),
        (
            am.Column(role="quasi", kind="categorical", hierarchy=am.Hierarchy.prefix([3, 1])),
            ["NW10", "NW1", "N1", "SE20"],
            {"NW1*": 2, "N*": 3, "SE20": 1},
        ),
        (
            am.Column(role="quasi", kind="categorical", hierarchy=am.Hierarchy.prefix([3, 1])),
            ["NW10", "N1"],
            {"NW1": 0},
        ),
        (
            am.Column(role="quasi", kind="date", hierarchy=am.Hierarchy.dates("month", "year")),
            [DAY(1990, 1, 1), DAY(1990, 1, 31), DAY(1990, 5, 2), DAY(1991, 1, 1)],
            {"1990-01": 2, "1990": 3, "1991-01-01": 1, "[1990-01-31 - 1991-01-01]": 3, "*": 4},
        ),
        (
            am.Column(role="quasi", kind="ordered", order=("low", "mid", "high")),
            ["low", "mid", "mid", "high"],
            {"[low-mid]": 3, "high": 1, "*": 4, "{low,high}": 2},
        ),
        (
            am.Column(role="quasi", kind="categorical", hierarchy=am.Hierarchy.fanout(2)),
            ["a", "b", "c", "d"],
            {"[a-b]": 2, "c": 1, "*": 4},
        ),
        (am.Column(role="quasi", kind="categorical"), ["a", "a", "b,c"], {"a": 2, '{a,"b,c"}': 3, "{b}": 0}),
    ],
)
def test_labels(column, people, fitting):
    for label, n in fitting.items():
        assert n_fitting(column, label, people) == n, label


def test_missing_labels_and_missing_people():
    column, people = am.Column(role="quasi", kind="categorical"), ["a", None, "b"]
    missing = pa.scalar(None, pa.string())
    assert n_fitting(column, missing, people, nulls="own value") == 1
    assert n_fitting(column, missing, people, nulls="match anything") == 3
    assert n_fitting(column, "a", people) == 1
    assert n_fitting(column, "*", people) == 3


@pytest.mark.parametrize("form", ["bounds", "structs"])
def test_bounds(form):
    people = pa.table({"a": [1, 2, 2, 5, 9]})
    low, high = pa.array([1, 2, None], pa.int64()), pa.array([2, 9, None], pa.int64())
    if form == "bounds":
        table = pa.table({"a_lower": low, "a_upper": high})
    else:
        table = pa.table({"a": pa.StructArray.from_arrays([low, high], names=["lower", "upper"])})
    schema = am.Schema({"a": am.Column(role="quasi", kind="numeric", nulls="own value")})
    assert verify(table, schema, [am.KMap(3, people)]).ok
    assert verify(table, schema, [am.KMap(4, people)]).models[0].reached == 3


BOX = st.tuples(*[st.tuples(st.integers(0, 6), st.integers(0, 6)).map(sorted)] * 3)
PERSON = st.tuples(*[st.integers(0, 6)] * 3)


@settings(max_examples=some(60), deadline=None)
@given(st.lists(BOX, min_size=1, max_size=12), st.lists(PERSON, max_size=30), st.sampled_from([3, 1 << 22]))
def test_overlapping_boxes_against_counting(boxes, people, most_pairs):
    columns = {name: am.Column(role="quasi", kind="numeric") for name in "abc"}
    table = pa.table({n: [f"[{box[c][0]}-{box[c][1]}]" for box in boxes] for c, n in enumerate("abc")})
    everybody = pa.table({n: pa.array([one[c] for one in people], pa.int64()) for c, n in enumerate("abc")})
    inside = [[all(lo <= x <= hi for (lo, hi), x in zip(box, one, strict=True)) for one in people] for box in boxes]
    n_people = [sum(row) for row in inside]
    before, population._MOST_PAIRS = population._MOST_PAIRS, most_pairs
    try:
        verdict = verify(table, am.Schema(columns), [am.KMap(2, everybody), am.DeltaPresence(0.3, 0.6, everybody)])
    finally:
        population._MOST_PAIRS = before
    assert verdict.models[0].reached == min(n_people)
    sizes = [boxes.count(box) for box in boxes]
    within = all(0.3 * n - 1e-9 <= size <= 0.6 * n + 1e-9 for size, n in zip(sizes, n_people, strict=True))
    covered = all(any(row[i] for row in inside) for i in range(len(people)))
    assert verdict.models[1].ok == (within and covered)
    if min(n_people):
        assert verdict.models[1].reached == max(size / n for size, n in zip(sizes, n_people, strict=True))
    else:
        assert verdict.to_dict()["models"][1]["reached"] is None


@pytest.mark.parametrize("form", ["labels", "bounds"])
def test_everybody_of_a_release_fits_their_own_row(form):
    rng = np.random.default_rng(3)
    n = 400
    table = pa.table(
        {
            "age": rng.integers(18, 90, n),
            "zip": rng.choice(["53711", "53712", "53721", "03711", "01711"], n),
            "country": rng.choice(["Italy", "France", "Canada", "Peru"], n),
            "born": pa.array([DAY(1950, 1, 1) + datetime.timedelta(int(d)) for d in rng.integers(0, 9000, n)]),
            "sport": rng.choice(["golf", "a,b", "{x}", "rowing*"], n),
        }
    )
    schema = am.Schema(
        {
            "age": am.Column(role="quasi"),
            "zip": am.Column(role="quasi", hierarchy=am.Hierarchy.digits(5)),
            "country": am.Column(role="quasi", hierarchy=COUNTRY),
            "born": am.Column(role="quasi", hierarchy=am.Hierarchy.dates("month", "year", "decade")),
            "sport": am.Column(role="quasi"),
        }
    )
    for method, k in itertools.product(("mondrian", "datafly"), (3, 40)):
        release = am.anonymize(table, schema, [am.KAnonymity(k)], method=method, form=form)
        verdict = verify(release.arrow, release.schema, [am.KMap(k, table), am.DeltaPresence(0.0, 1.0, table)])
        assert verdict.ok, (method, verdict.words())


def test_a_population_without_a_column_is_refused():
    table = pa.table({"a": ["1"], "b": ["2"]})
    with pytest.raises(BadInput, match="cannot be compared"):
        verify(table, ["a", "b"], [am.KMap(1, pa.table({"a": ["1"]}))])


def test_a_population_file_is_read_as_the_release_is(tmp_path):
    (tmp_path / "people.csv").write_text("age\n20\n25\n31\n")
    schema = am.Schema({"age": am.Column(role="quasi", kind="numeric")})
    verdict = verify(pa.table({"age": ["[20-29]"]}), schema, [am.KMap(3, tmp_path / "people.csv")])
    assert not verdict.ok
    assert verdict.models[0].reached == 2
    assert "people.csv" not in verdict.words()
