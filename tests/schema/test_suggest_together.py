"""What columns tell about each other, and what only values can tell: check digits, lists, spellings, weights."""

from __future__ import annotations

import random
from typing import Any

import numpy as np
import pyarrow as pa
import pytest

import amongst as am
from amongst.errors import BadSchema
from amongst.job.draft import draft
from amongst.schema.check_digits import is_iban, is_luhn
from amongst.schema.suggest import suggest


def visits(n_people: int = 60, rows_each: int = 4, *, same: bool = True) -> dict[str, Any]:
    """People with several rows each; or numbers that were dealt out to rows by chance."""
    draw = random.Random(7)
    person = [i % n_people for i in range(n_people * rows_each)]
    sex = [draw.choice("mf") for _ in range(n_people)]
    born = [draw.randrange(1940, 2000) for _ in range(n_people)]
    rows = range(len(person))
    return {
        "nr": [1000 + 7 * who for who in person],
        "sex": [sex[who] if same else draw.choice("mf") for who in person],
        "born": [born[who] if same else draw.randrange(1940, 2000) for who in person],
        "x": [draw.random() for _ in rows],
    }


def test_a_person_with_several_rows_is_found_by_what_lasts_and_proposed() -> None:
    found = suggest(pa.table(visits()))
    assert found.person == "nr"
    assert found.columns["nr"].column.role == "identifier"
    assert any("4.0 rows" in note for note in found.notes)
    assert 'unit = "nr"' in draft("t.csv", found)
    assert suggest(pa.table({**visits(), "nr": visits()["x"]})).person is None


def test_numbers_dealt_out_by_chance_tell_nobody_apart() -> None:
    found = suggest(pa.table(visits(same=False)))
    assert found.person is None
    assert "unit" not in draft("t.csv", found)


def test_one_row_for_everybody_proposes_nobody() -> None:
    assert suggest(pa.table(visits(rows_each=1, n_people=200))).person is None


def test_what_follows_from_a_column_has_its_role() -> None:
    draw = np.random.default_rng(3)
    age = draw.integers(18, 90, 400)
    wage = np.round(draw.lognormal(7, 1, 400), 2)
    table = pa.table({"age": age, "zq": age // 10, "wage": wage, "zr": np.log(wage), "zs": draw.integers(0, 9, 400)})
    roles = {name: one.column.role for name, one in suggest(table).columns.items()}
    assert roles == {"age": "quasi", "zq": "quasi", "wage": "sensitive", "zr": "sensitive", "zs": "sensitive"}
    assert any("follows from 'age'" in reason for reason in suggest(table).columns["zq"].reasons)


def test_check_digits() -> None:
    assert is_iban("DE89 3704 0044 0532 0130 00")
    assert not is_iban("DE88370400440532013000")
    assert is_luhn("4539578763621486")
    assert not is_luhn("4539578763621487")


def test_numbers_that_only_look_like_accounts_are_none() -> None:
    wrong = [f"DE{10 + i % 80}37040044053201{i:04}" for i in range(40)]
    reasons = " ".join(suggest(pa.table({"x": wrong * 3})).columns["x"].reasons)
    assert "IBAN" not in reasons


def test_lists_of_codes_are_what_the_codes_are() -> None:
    draw = random.Random(1)
    codes = [f"{letter}{i:02}.{i % 9}" for letter in "AEIJK" for i in range(10, 14)]
    cells = [", ".join(draw.sample(codes, draw.randint(1, 2))) for _ in range(900)]
    found = suggest(pa.table({"x": cells})).columns["x"]
    assert (found.column.role, found.reasons[0]) == ("sensitive", "the values look like lists of ICD-10 codes")


def test_spellings_of_one_value_are_told_without_the_value() -> None:
    found = suggest(pa.table({"town": ["Ulm", "ulm ", "ULM", "Bonn"] * 30}))
    assert found.notes == ("'town': 2 values that others have in another spelling: make them one",)


@pytest.mark.parametrize(
    ("name", "values", "role"),
    [
        ("weight", [60 + i % 40 for i in range(300)], "quasi"),
        ("weight", [25.07 * (1 + i * i % 4001) for i in range(300)], "weight"),
        ("pweight", [0.8 + (i % 41) / 100 for i in range(300)], "weight"),
        ("wt", [50 + i % 60 for i in range(300)], "quasi"),
        ("survey_wt", [50 + i % 60 for i in range(300)], "weight"),
        ("survey_body_wt", [50 + i % 60 for i in range(300)], "sensitive"),
    ],
)
def test_a_weight_is_that_of_a_body_or_of_a_sample_as_its_values_are(name: str, values: list[float], role: str) -> None:
    assert suggest(pa.table({name: values})).columns[name].column.role == role


def test_weights_are_published_and_risks_are_told_for_the_population() -> None:
    table = pa.table({"age": [30, 31, 32, 33] * 5, "w": [100.0, 50.0, 10.0, 20.0] * 5, "ill": ["a", "b"] * 10})
    schema = am.Schema({"age": "quasi", "w": "weight", "ill": "sensitive"})
    release = am.anonymize(table, schema, [am.KAnonymity(5)], method="mondrian")
    assert sorted(release.arrow.column("w").to_pylist()) == sorted(table.column("w").to_pylist())
    found = am.risk(release)
    named = am.risk(table, schema, weights="w")
    assert found.before.fewest_in_population == named.before.fewest_in_population == 50.0  # five rows of 10 each
    assert found.after.journalist is not None
    assert "people of the population in a class" in found.words()


@pytest.mark.parametrize("cells", [[1.0, 0.0] * 10, [1.0, None] * 10, ["a", "b"] * 10])
def test_weights_that_are_none_are_refused(cells: list[Any]) -> None:
    table = pa.table({"age": [30, 31] * 10, "w": cells})
    with pytest.raises(BadSchema) as refused:
        am.anonymize(table, {"age": "quasi", "w": "weight"}, [am.KAnonymity(2)], method="mondrian")
    assert "weight" in str(refused.value)


def test_one_column_at_most_is_a_sampling_weight() -> None:
    wide, wider = [1 + i * i % 997 for i in range(300)], [1 + i * i % 9973 for i in range(300)]
    people = {"age": [20 + i % 50 for i in range(300)], "sex": ["f", "m"] * 150}

    def weights(**columns: list[int]) -> list[str]:
        suggested = suggest(pa.table({**people, **columns})).schema
        assert am.anonymize(pa.table({**people, **columns}), suggested, k=2).verdict.ok
        return [name for name, one in suggested.items() if one.role == "weight"]

    assert weights(pweight=wide, body_wt=wider) == ["pweight"]
    assert weights(sampling_weight=wide, body_wt=wider) == weights(sampling_weight=wide, weight=wider)
    assert weights(sampling_weight=wide, body_wt=wider) == ["sampling_weight"]
    assert weights(brain_wt=wide, body_wt=wider) == []
    assert weights(weight=[1600 + i * 7 % 3500 for i in range(300)]) == []  # of cars, or of children in grams


def test_another_key_of_the_same_people_is_one() -> None:
    """What has another value for everybody leads back to them, whatever it is called and however often it is there."""
    table = visits()
    account = {who: f"Q{90_000 + 37 * i}" for i, who in enumerate(dict.fromkeys(table["nr"]))}
    found = suggest(pa.table({**table, "zz": [account[who] for who in table["nr"]]}))
    assert found.person == "nr"
    assert found.columns["zz"].column.role == "identifier"


@pytest.mark.parametrize(
    ("name", "values", "role"),
    [
        ("childid", [7001 + 13 * (i % 40) for i in range(160)], "identifier"),
        ("Bankverb.", [f"DE{10**10 + 7 * (i % 50)}" for i in range(160)], "identifier"),
        ("steroid", [i % 2 for i in range(160)], "sensitive"),
        ("Nota media", [4 + i % 7 + 0.5 for i in range(160)], "sensitive"),
        ("Note Mathe", [1 + i % 6 for i in range(160)], "sensitive"),
        ("y94", [i % 2 for i in range(160)], "quasi"),
    ],
)
def test_names_in_one_word_and_words_of_two_meanings(name: str, values: list[Any], role: str) -> None:
    table = pa.table({"age": [20 + i % 60 for i in range(160)], name: values})
    assert suggest(table).columns[name].column.role == role


def test_a_date_is_no_money_whatever_its_name_says() -> None:
    days = pa.array([18_000 + i for i in range(160)], pa.int32()).cast(pa.date32())
    table = pa.table({"edad": [20 + i % 60 for i in range(160)], "Fecha ingreso": days})
    assert suggest(table).columns["Fecha ingreso"].column.role == "quasi"


@pytest.mark.parametrize(
    ("numbers", "codes"),
    [
        ([12.5, 13.1, 14.9, -99, -99], "-99"),
        ([0, 1, 2, 3, 4, 99, -9], "-9, 99"),
        ([1, 2, 3, 4, 5, 6, 9], ""),  # a scale that goes on
        ([1, 2, 3, 9], "9"),
        ([31, 55, 78, 90, 99], ""),  # people who are as old as that
        ([31, 55, 78, 999, 998], "998, 999"),
        ([-120, -99, 4, 5], ""),
        ([0, 1], ""),
        ([-99, 9], ""),
    ],
)
def test_codes_far_from_all_numbers_are_told_and_not_read(numbers: list[float], codes: str) -> None:
    notes = [
        note for note in suggest(pa.table({"x": numbers * 5, "sex": ["f"] * (5 * len(numbers))})).notes if "'x'" in note
    ]
    assert [f"say {codes}," in note for note in notes] == ([True] if codes else [])


def test_days_as_a_spreadsheet_counts_them_are_told() -> None:
    born = [20_000 + 7 * i for i in range(60)]
    assert any("spreadsheet" in note for note in suggest(pa.table({"date of birth": born})).notes)
    seconds = [1_600_000_000 + 86_411 * i for i in range(60)]
    assert any("1970" in note for note in suggest(pa.table({"admitted": seconds})).notes)
    odd = [f"{i % 28 + 1}th day of {i}" for i in range(60)]
    assert any("no form that is known" in note for note in suggest(pa.table({"admitted": odd})).notes)
    assert not any("spreadsheet" in note for note in suggest(pa.table({"wage": born, "born": [1950] * 60})).notes)


@pytest.mark.parametrize(
    ("name", "values", "role"),
    [
        ("wall_area", [0.37 + i * 1.13 for i in range(200)], "sensitive"),
        ("area", ["north", "south"] * 100, "quasi"),
        ("distance", [0.5 + i * 0.31 for i in range(200)], "quasi"),
        ("lntotal", [7.1 + i * 0.013 for i in range(200)], "sensitive"),
        ("time", [3 * i + i % 7 for i in range(200)], "sensitive"),
        ("weeks", [39 + i % 3 - i % 5 for i in range(200)], "sensitive"),
        ("weeks", [(7 * i) % 53 for i in range(200)], "quasi"),
        ("tv", [i % 6 for i in range(200)], "sensitive"),
        ("tv", [i % 2 for i in range(200)], "quasi"),
        ("vlgcity", [i % 2 for i in range(200)], "quasi"),
        ("faminc", [100 + 17 * i for i in range(200)], "sensitive"),
        ("lowinc", [i % 40 / 7 for i in range(200)], "sensitive"),
        ("y85educ", [i % 18 for i in range(200)], "quasi"),
        ("class", ["freshman", "senior", "junior"] * 60, "quasi"),
        ("class", ["benign", "malignant"] * 90, "sensitive"),
    ],
)
def test_a_name_means_what_its_values_can_be(name: str, values: list[Any], role: str) -> None:
    table = pa.table({name: values, "sex": ["m", *["f"] * (len(values) - 1)]})
    assert suggest(table).columns[name].column.role == role
