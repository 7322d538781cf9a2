"""Spellings of one sensitive value are one value: for the search, for the verifier, on every engine, in SQL."""

from __future__ import annotations

import random

import pyarrow as pa
import pyarrow.parquet as pq
import pytest
from hypothesis import example, given
from hypothesis import strategies as st

import amongst as am
from amongst.encode.spellings import spelling_key
from amongst.published.spellings import folded
from amongst.verify.sql import as_sql

PLAIN = ("hiv", "flu", "cold", "broken leg")
SPELLED = {
    "hiv": ["hiv", "HIV", "HIV ", " hiv", "H\u200bIV", "\uff28\uff29\uff36", "hi\u00adv"],
    "flu": ["flu", "Flu", "FLU", "\ufb02u", "flu\u00a0"],
    "cold": ["cold", "COLD", "cold\t"],
    "broken leg": ["broken leg", "Broken  Leg", "broken\u2003leg"],
}
MODELS = [
    am.LDiversity(2),
    am.LDiversity(2, "distinct"),
    am.LDiversity(1.5, "entropy"),
    am.LDiversity(2, ("recursive", 3.0)),
    am.TCloseness(0.6),
    am.AlphaK(0.6, 3),
    am.BetaLikeness(2.0),
    am.DeltaDisclosure(1.5),
]
SCHEMA = am.Schema({"age": am.Column(role="quasi", kind="numeric"), "d": am.Column(role="sensitive")})


def tables(n_rows=60, seed=3):
    """The same table in one spelling and in many."""
    rng = random.Random(seed)
    plain = [rng.choice(PLAIN) for _ in range(n_rows)]
    ages = [rng.randrange(20, 50) for _ in range(n_rows)]
    return (
        pa.table({"age": ages, "d": plain}),
        pa.table({"age": ages, "d": [rng.choice(SPELLED[one]) for one in plain]}),
    )


@given(st.text())
@example("ẞ ß SS")
@example("\u1fd3\u0390")
@example("\x1c a\x00b")
def test_search_and_verifier_fold_alike(text):
    assert folded(text) == spelling_key(text)
    assert folded(folded(text)) == folded(text)


@pytest.mark.parametrize("plain", PLAIN)
def test_all_spellings_are_one(plain):
    assert {folded(text) for text in SPELLED[plain]} == {plain}


@pytest.mark.parametrize("model", MODELS, ids=lambda model: f"{model.name} {getattr(model, 'kind', '')}")
def test_the_verifier_counts_values_and_not_spellings(model):
    plain, spelled = tables()
    blurred = [
        table.set_column(0, "age", pa.array([age // 10 * 10 for age in table["age"].to_pylist()]))
        for table in (plain, spelled)
    ]
    one, many = (am.verify(table, SCHEMA, [model]) for table in blurred)
    assert one.models == many.models
    assert one.ok == many.ok
    assert [note.code for note in many.notes] == ["spellings"]
    assert "hiv" not in many.words().lower()


def test_one_disease_in_three_spellings_is_one():
    rows = pa.table({"age": ["[20-29]"] * 3, "d": ["HIV", "hiv", "HIV "]})
    assert not am.verify(rows, SCHEMA, [am.LDiversity(2, "distinct")]).ok
    assert am.verify(rows, SCHEMA, [am.LDiversity(2, "distinct")]).models[0].reached == 1


@pytest.mark.parametrize("method", ["mondrian", "hilbert", "gain-split", "best", "incognito", "top-down"])
@pytest.mark.parametrize("model", MODELS[:5], ids=lambda model: f"{model.name} {getattr(model, 'kind', '')}")
def test_the_search_groups_as_if_all_were_spelled_alike(method, model):
    plain, spelled = tables()
    one, many = (am.anonymize(table, SCHEMA, [am.KAnonymity(3), model], method=method) for table in (plain, spelled))
    assert many.verdict.ok
    if method in ("mondrian", "incognito"):  # elsewhere ties are broken by the order of the values
        assert one.verdict.class_sizes == many.verdict.class_sizes
    assert sorted(many.table["d"].to_pylist()) == sorted(spelled["d"].to_pylist())  # published as they were


def test_two_tables():
    _, spelled = tables()
    made = am.anonymize(spelled, SCHEMA, [am.LDiversity(2)], method="anatomy")
    assert made.verdict.ok
    assert "spellings" in {note.code for note in made.verdict.notes}
    published = made.sensitive_arrow
    told = [
        d for d, n in zip(published["d"].to_pylist(), published["count"].to_pylist(), strict=True) for _ in range(n)
    ]
    assert sorted(told) == sorted(spelled["d"].to_pylist())


@pytest.mark.parametrize("options", [{"engine": "duckdb"}, {"engine": "duckdb", "memory": "8GB"}], ids=str)
def test_rows_that_are_not_in_memory(options, tmp_path):
    plain, spelled = tables(n_rows=400)
    verdicts = []
    for name, table in (("plain", plain), ("spelled", spelled)):
        pq.write_table(table, tmp_path / f"{name}.parquet")
        made = am.anonymize(
            tmp_path / f"{name}.parquet", SCHEMA, [am.KAnonymity(3), am.LDiversity(2, "distinct")], **options
        )
        verdicts.append(made.write(tmp_path / name))
    assert all(verdicts)
    assert verdicts[0].class_sizes == verdicts[1].class_sizes
    assert verdicts[0].models == verdicts[1].models


def test_sql_says_that_it_does_not_check_what_it_would_count_otherwise(tmp_path):
    for table, checked in zip(tables(), (True, False), strict=True):
        pq.write_table(table, tmp_path / "r.parquet")
        query = as_sql(SCHEMA, [am.LDiversity(2)], tmp_path / "r.parquet")
        assert ("not checked here" not in query) == checked


PEOPLE = am.DatabaseSchema(
    {
        "people": am.Relation({"town": am.Column(role="quasi")}, key="key"),
        "visits": am.Relation({"d": am.Column(role="sensitive")}, parent="people", foreign_key="person"),
    }
)


@pytest.mark.parametrize("sense", ["frequency", "distinct", "entropy", "recursive"])
@pytest.mark.parametrize("coded", [False, True])
def test_many_tables_count_values_not_spellings(sense, coded):
    asked = [am.KAnonymity(2), am.Diversity(1.9 if sense in ("frequency", "entropy") else 2, sense, c=2.0)]
    spelled = pa.array([SPELLED["hiv"][i % 7] for i in range(12)])
    both = pa.array([SPELLED["hiv"][i % 7] if i % 2 else SPELLED["flu"][i % 5] for i in range(12)])
    for values, holds in ((spelled, False), (both, True)):
        visits = pa.table({"person": list(range(12)), "d": values.dictionary_encode() if coded else values})
        data = {"people": pa.table({"key": list(range(12)), "town": ["oslo"] * 12}), "visits": visits}
        assert am.verify_database(data, PEOPLE, asked).ok == holds
        if holds:
            assert am.anonymize_database(data, PEOPLE, asked).verdict.ok
        else:
            with pytest.raises(am.errors.AmongstError):
                am.anonymize_database(data, PEOPLE, asked)


@pytest.mark.parametrize("attack", ["homogeneity", "background knowledge", "skewness", "inference"])
def test_attacks_count_values_not_spellings(attack):
    plain, spelled = tables()
    decades = pa.array([f"[{age // 10}0-{age // 10}9]" for age in plain.column("age").to_pylist()])
    one, many = (
        am.attack(
            table.set_column(0, "age", decades), SCHEMA, original=table, split=False, attacks=[attack], k=2, seed=1
        )[attack].to_dict()
        for table in (plain, spelled)
    )
    assert one == many


def test_a_class_of_one_disease_is_found_however_it_is_spelled():
    table = pa.table({"age": ["[20-29]"] * 7 + ["[30-39]"] * 5, "d": [*SPELLED["hiv"], *SPELLED["flu"]]})
    assert am.attack(table, SCHEMA, attacks=["homogeneity"], k=2)["homogeneity"].rates[0].success == 12
