"""Singling out, linkability, inference beside a control group: raw tables give them success, stars do not."""

from __future__ import annotations

import numpy as np
import pyarrow as pa
import pytest
from naive_intruder import NaiveIntruder

import amongst as am
from amongst.attack.boxes import open_boxes
from amongst.attack.inference import coarse
from amongst.attack.people import read_people
from amongst.attack.split import split

SCHEMA = am.Schema(
    {
        "age": am.Column(role="quasi", kind="numeric"),
        "zip": am.Column(role="quasi", kind="categorical", hierarchy=am.Hierarchy.digits(5)),
        "sex": am.Column(role="quasi", kind="categorical"),
        "disease": am.Column(role="sensitive", kind="categorical"),
    }
)


def people(n, seed, n_diseases=8):
    """Values that have nothing to do with each other: what can be learned is about single people."""
    rng = np.random.default_rng(seed)
    return pa.table(
        {
            "age": rng.integers(0, 1000, n),
            "zip": [f"{code:05d}" for code in rng.integers(10000, 11000, n)],
            "sex": rng.choice(["F", "M"], n),
            "disease": rng.choice(
                [f"d{i}" for i in range(n_diseases)], n, p=[0.3] + [0.7 / (n_diseases - 1)] * (n_diseases - 1)
            ),
        }
    )


def starred(table):
    """Everything suppressed: stars for quasi-identifiers, and one disease for all."""
    stars = {name: ["*"] * table.num_rows for name in ("age", "zip", "sex")}
    return pa.table({**stars, "disease": table["disease"]})


IN, OUT = people(1500, 1), people(1500, 2)
MEASURED = ("singling out", "linkability", "inference")


@pytest.mark.parametrize("attack", MEASURED)
def test_it_succeeds_on_the_table_itself(attack):
    found = am.attack(IN, SCHEMA, original=IN, control=OUT, attacks=[attack], k=1)[attack]
    assert found.succeeded
    assert found.risk.value > 0.5
    assert found.risk.interval[0] <= found.risk.value <= found.risk.interval[1]


@pytest.mark.parametrize("attack", MEASURED)
def test_it_does_not_behind_stars(attack):
    found = am.attack(starred(IN), SCHEMA, original=IN, control=OUT, attacks=[attack], k=1)[attack]
    assert not found.succeeded
    assert found.risk.value < 0.05


def test_inference_of_people_in_the_population_is_no_success():
    """Sex tells the disease for everybody: the release adds nothing about its own people."""
    rng = np.random.default_rng(0)

    def made(n):
        sex = rng.choice(["F", "M"], n)
        disease = np.where(rng.random(n) < 0.8, np.where(sex == "F", "x", "y"), "z")
        return pa.table({"sex": sex, "disease": disease})

    schema = am.Schema({"sex": SCHEMA["sex"], "disease": SCHEMA["disease"]})
    inside, outside = made(2000), made(2000)
    release = am.anonymize(inside, schema, [am.KAnonymity(20)], method="mondrian")
    found = am.attack(release, original=inside, control=outside, attacks=["inference"])["inference"]
    assert found.rates[0].value > 0.75
    assert not found.succeeded
    without = am.attack(release, original=inside, attacks=["inference"], split=False)["inference"]
    assert without.succeeded  # beside guessing the commonest disease it does tell much


def test_inference_counts_what_a_naive_intruder_counts():
    names = ["age", "sex", "disease"]
    schema = am.Schema({name: SCHEMA[name] for name in names})
    inside, outside = IN.slice(0, 80).select(names), OUT.slice(0, 60).select(names)
    release = am.anonymize(inside, schema, [am.KAnonymity(5)], method="hilbert")
    found = am.attack(release, control=outside, attacks=["inference"])["inference"]
    beliefs = open_boxes(release).beliefs["disease"]
    published = release.arrow["disease"].to_pylist()
    naive = NaiveIntruder(release.arrow, release.schema, pa.concat_tables([inside, outside]))
    for rate, table in zip(found.rates, (inside, outside), strict=False):
        right = 0
        for person in table.to_pylist():
            values = naive.values(person, "disease")
            right += person["disease"] == max(beliefs.values, key=lambda one: (values[one], published.count(one)))
        assert rate.success == right


def test_inference_of_numbers_is_right_when_it_is_near():
    pay = {"age": [30, 30, 50, 50], "pay": [1000.0, 1001.0, 9000.0, 9002.0]}
    many = pa.table({"age": list(range(100, 160)), "pay": [float(i * 100) for i in range(60)]})
    table = pa.concat_tables([pa.table(pay), many])
    schema = am.Schema({"age": am.Column(role="quasi", kind="numeric"), "pay": am.Column(role="sensitive")})
    found = am.attack(table, schema, original=table, attacks=["inference"], k=1)["inference"]
    assert found.rates[0].value == 1.0
    stars = table.set_column(0, "age", pa.array(["*"] * table.num_rows))
    hidden = am.attack(stars, schema, original=table, attacks=["inference"], k=1)["inference"]
    assert hidden.rates[0].value < 0.1
    assert hidden.rate("commonest value guessed").success == hidden.rates[0].success > 0  # the median, both times


def test_without_a_control_group_half_is_published_anew():
    release = am.anonymize(IN, SCHEMA, [am.KAnonymity(5)], method="mondrian")
    found = am.attack(release, attacks=list(MEASURED))
    assert any("750 rows" in note for note in found.notes)
    assert found["inference"].rates[1].name == "guessed right in the control group"
    assert found["inference"].succeeded  # with 5 records and random diseases one in five guesses is right
    again = am.attack(release, attacks=list(MEASURED))
    assert again.to_dict() == found.to_dict()


def test_a_release_on_disk_is_split_too(tmp_path):
    am.anonymize(IN, SCHEMA, [am.KAnonymity(5)], method="mondrian").write(tmp_path / "out")
    with_schema = am.attack(tmp_path / "out", SCHEMA, original=IN, attacks=["inference"])
    assert any("made anew" in note for note in with_schema.notes)
    release = am.attack(starred(IN), SCHEMA, original=IN, attacks=["inference"], k=1)
    assert any("no control group" in note for note in release.notes)


def test_a_person_with_many_rows_is_on_one_side():
    table = IN.append_column("who", pa.array([f"p{i // 3}" for i in range(IN.num_rows)]))
    schema = am.Schema({**SCHEMA, "who": am.Column(role="identifier")})
    release = am.anonymize(table, schema, [am.KAnonymity(5)], unit="who", method="mondrian")
    _, inside, outside = split(open_boxes(release), read_people(table), np.random.default_rng(0))
    assert inside.n + outside.n == table.num_rows
    assert not set(inside.table["who"].to_pylist()) & set(outside.table["who"].to_pylist())


def test_singling_out_counts_exactly_one():
    """The disease x is alone in its class, and nobody else in the original has it there."""
    table = pa.table({"age": [30, 31, 32, 30, 31, 32], "disease": ["x", "y", "y", "y", "y", "y"]})
    schema = am.Schema({"age": SCHEMA["age"], "disease": SCHEMA["disease"]})
    release = am.anonymize(table, schema, [am.KAnonymity(6)], method="mondrian")
    found = am.attack(release, original=table, control=table.slice(1), attacks=["singling out"], k=1)["singling out"]
    assert found.rate("record: in the original").success == 1
    assert found.rate("record: in the original").n == 1
    assert found.rate("record: in the control group").success == 0


def test_linkability_needs_two_columns():
    schema = am.Schema({"age": SCHEMA["age"], "disease": SCHEMA["disease"]})
    release = am.anonymize(IN.select(["age", "disease"]), schema, [am.KAnonymity(5)], method="mondrian")
    assert am.attack(release, attacks=["linkability"]).skipped[0][0] == "linkability"


def test_very_many_numbers_are_taken_together():
    rng = np.random.default_rng(0)
    pay = rng.lognormal(8, 1, 5000)
    table = pa.table({"age": np.arange(5000) // 2, "pay": np.sort(pay)})
    schema = am.Schema({"age": am.Column(role="quasi", kind="numeric"), "pay": am.Column(role="sensitive")})
    found = am.attack(table, schema, original=table, attacks=["inference"], k=1)["inference"]
    assert found.rates[0].value > 0.99
    beliefs = open_boxes(table, schema).beliefs["pay"]
    few = coarse(beliefs)
    assert few.n_values == 2000
    assert few.total.sum() == beliefs.total.sum()
    off = [
        abs(float(few.values[b]) / float(beliefs.values[a]) - 1) for a, b in zip(beliefs.value, few.value, strict=True)
    ]
    assert np.quantile(off, 0.98) < 0.05
