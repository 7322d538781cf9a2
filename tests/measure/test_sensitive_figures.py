"""Figures on sensitive columns, against the verifier that counts them anew from the published table."""

import json

import numpy as np
import pyarrow as pa
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import amongst as am
from amongst.verify import verify
from thorough import some

TREE = am.Hierarchy.nested({"lung": ["flu", "cold"], "heart": {"valve": ["leak", "tear"]}, "none": ["well"]})


def table_of(seed, n):
    rng = np.random.default_rng(seed)
    return pa.table(
        {
            "who": rng.integers(0, max(n // 2, 1), n),
            "age": rng.integers(20, 30, n),
            "disease": pa.array(rng.choice(["flu", "cold", "leak", "well", None], n), pa.string()),
            "job": pa.array(rng.choice(["cook", "nurse", "clerk"], n)),
            "pay": pa.array([None if x == 9 else float(x) for x in rng.integers(0, 10, n)], pa.float64()),
            "grade": pa.array(rng.choice(["low", "high"], n)),
        }
    )


SCHEMA = am.Schema(
    {
        "who": am.Column(role="identifier"),
        "age": am.Column(role="quasi"),
        "disease": am.Column(role="sensitive", hierarchy=TREE),
        "job": am.Column(role="sensitive"),
        "pay": am.Column(role="sensitive"),
        "grade": am.Column(role="sensitive", order=("low", "mid", "high")),
    }
)
MODELS = {
    "l_frequency": lambda name: am.LDiversity(1, column=name),
    "l_distinct": lambda name: am.LDiversity(1, "distinct", name),
    "l_entropy": lambda name: am.LDiversity(1, "entropy", name),
    "l_recursive": lambda name: am.LDiversity(1, ("recursive", 2.0), name),
    "t": lambda name: am.TCloseness(1.0, column=name),
    "beta": lambda name: am.BetaLikeness(1, column=name),
    "delta": lambda name: am.DeltaDisclosure(1, column=name),
}


@settings(max_examples=some(25), deadline=None)
@given(seed=st.integers(0, 10**6), n=st.integers(3, 60), with_people=st.booleans())
def test_before_and_after_as_the_verifier_counts_them(seed, n, with_people):
    table = table_of(seed, n)
    unit = "who" if with_people else None
    release = am.anonymize(table, SCHEMA, [am.KAnonymity(1 if with_people else 3)], unit=unit, method="mondrian")
    assert {name: one.distance for name, one in release.sensitive.items()} == {
        "disease": "hierarchical",
        "job": "equal",
        "pay": "ordered",
        "grade": "ordered",
    }
    people = table.column("who") if with_people else None
    for name, figures in release.sensitive.items():
        models = [make(name) for make in MODELS.values()]
        after = verify(release.arrow, release.schema, models, units=release.person_of_row)
        before = verify(table.drop_columns(["who"]), release.schema, models, units=people)
        for told, counted in ((figures.after, after), (figures.before, before)):
            assert list(told.to_dict().values()) == pytest.approx([one.reached for one in counted.models], abs=1e-9)


def test_suppressed_rows_are_in_before_alone(tmp_path):
    table = table_of(1, 200)
    table = table.set_column(1, "age", pa.array([90, 90, *table.column("age").to_pylist()[2:]]))
    schema = SCHEMA.with_columns(age=am.Column(role="quasi", hierarchy=am.Hierarchy.intervals([5])))
    release = am.anonymize(table, schema, [am.KAnonymity(3)], method="datafly", suppression=0.2)
    assert release.utility.n_suppressed > 0
    release.write(tmp_path / "out")
    told = json.loads((tmp_path / "out" / "manifest.json").read_text())["sensitive"]
    assert [one["column"] for one in told] == ["disease", "job", "pay", "grade"]
    assert all("before" not in one and "n_values" not in one for one in told)
    assert told[0]["after"]["beta"] == pytest.approx(release.sensitive["disease"].after.beta)


def test_a_table_without_sensitive_columns_has_no_figures():
    table = pa.table({"age": [1, 2, 3]})
    assert (
        am.anonymize(
            table, am.Schema({"age": am.Column(role="quasi")}), [am.KAnonymity(2)], method="mondrian"
        ).sensitive
        == {}
    )


def test_no_sums_are_lost_with_many_values():
    rng = np.random.default_rng(0)
    table = pa.table({"a": rng.integers(0, 50, 5000), "pay": rng.normal(size=5000)})
    schema = am.Schema({"a": am.Column(role="quasi"), "pay": am.Column(role="sensitive")})
    release = am.anonymize(table, schema, [am.KAnonymity(100)], method="mondrian")
    assert 0 < release.sensitive["pay"].after.t < 0.2
    assert release.sensitive["pay"].after.l_distinct >= 100
