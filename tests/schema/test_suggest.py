"""Suggestions: roles by name, spread and pattern, with reasons that hold no values."""

from __future__ import annotations

import datetime as dt
from typing import Any

import pyarrow as pa
import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from amongst.errors import BadSchema
from amongst.schema.check import check
from amongst.schema.hierarchy import Hierarchy
from amongst.schema.name_evidence import name_evidence
from amongst.schema.schema import Schema
from amongst.schema.suggest import ColumnSuggestion, suggest


def one(name: str, values: Any) -> ColumnSuggestion:
    return suggest(pa.table({name: values})).columns[name]


@pytest.mark.parametrize(
    ("role", "names"),
    [
        (
            "identifier",
            "name ssn MRN patient_id PatientName e-mail Telefonnummer address ip_address Straße Nachname "
            "prénom apellidos id remarks UserID kunden-nr Kundennr Versichertennr. Aktennummer",
        ),
        (
            "quasi",
            "age Alter edad sex Geschlecht sexe dateOfBirth DOB Geburtsdatum fecha_nacimiento zip PLZ "
            "code_postal race marital-status Familienstand education Beruf native-country fatheduc daded numdep "
            "nadults marstat clerocc othrural northcen fulltime "
            "country_code city_name pays admission_date hours-per-week",
        ),
        (
            "sensitive",
            "diagnosis Krankheit maladie ICD10 salary salary-class Einkommen revenu ingresos religion "
            "hiv_status test_result drug capital-gain blood_pressure relstat rfstime pcdx",
        ),
    ],
)
def test_roles_by_name(role: str, names: str) -> None:
    for name in names.split():
        found = name_evidence(name)
        assert found is not None, name
        assert found.role == role, name


@pytest.mark.parametrize("name", ["valid", "x1", "", "image", "value", "küche"])
def test_names_that_say_nothing(name: str) -> None:
    assert name_evidence(name) is None


@pytest.mark.parametrize(
    ("values", "role", "subject"),
    [
        (["a@b.org", "c.d@e.co.uk"], "identifier", "e-mail"),
        (["https://x.org/1", "http://y.org"], "identifier", "web"),
        (["10.0.0.1", "192.168.1.77"], "identifier", "IP"),
        (
            ["DE89370400440532013000", "GB29NWBK60161331926819", "FR1420041010050500013M02606"],
            "identifier",
            "IBAN",
        ),
        (["123-45-6789", "987-65-4321"], "identifier", "social security"),
        (["+49 30 1234567", "+1 (555) 123-4567", "030/1234567"], "identifier", "telephone"),
        (["03/02/2020", "11.12.1999"], "quasi", "dates"),
        (["SW1A 1AA", "M1 1AE", "EC1A 1BB"], "quasi", "postal"),
        (["A00.1", "J45", "E11.9", "I10"], "sensitive", "ICD-10"),
        (["52.5200,13.4050", "48.8566, 2.3522"], "quasi", "coordinates"),
        ([f"the patient number {i} came in late" for i in range(30)], "identifier", "free text"),
    ],
)
def test_roles_by_pattern(values: list[str], role: str, subject: str) -> None:
    found = one("x", values * 2)
    assert found.column.role == role
    assert any(subject in reason for reason in found.reasons)


def test_patterns_hold_only_when_nearly_all_values_fit() -> None:
    assert one("x", ["a@b.org", "none", "other", "x"] * 10).column.role == "quasi"
    mostly = [f"p{i}@b.org" for i in range(30)] + ["unknown"]
    assert one("x", mostly).column.role == "identifier"


def test_spread() -> None:
    assert one("x", list(range(100, 200))).confidence == "sure"
    assert one("x", list(range(100, 200))).column.role == "identifier"
    assert one("x", [i * i for i in range(100)]).column.role == "identifier"
    assert one("x", [f"key {i}" for i in range(100)]).column.role == "identifier"
    assert one("x", [i % 40 * 0.37 for i in range(100)]).column.role == "sensitive"  # measured
    assert one("x", [i % 150 * 7 for i in range(200)]).column.role == "quasi"  # as they are they would find people
    fractions = one("x", [i % 150 * 0.37 for i in range(200)])
    assert fractions.column.role == "sensitive"
    assert "a value of their own" in fractions.reasons[0]
    assert one("hb", [i * 0.37 for i in range(100)]).column.role == "sensitive"  # the name speaks of health
    assert one("x", [1, 2, 3]).column.role == "sensitive"  # too few rows to tell
    assert one("x", [i % 5 for i in range(100)]).confidence == "guess"
    assert one("x", ["a", "b", "c"] * 40).column.role == "quasi"  # a text that others may know
    assert one("x", ["same"] * 10).column.role == "keep"
    assert one("x", pa.nulls(10, pa.string())).column.role == "keep"
    assert one("x", [[1], [2]]).column.role == "identifier"
    assert one("x", [dt.time(12), dt.time(13)]).column.role == "identifier"


def test_words_mean_something_else_where_the_values_say_so() -> None:
    assert one("number", [i % 5 for i in range(200)]).column.role == "sensitive"  # how many
    assert one("number", list(range(7, 1400, 7))).column.role == "identifier"
    assert one("size", [i % 7 for i in range(200)]).column.role == "quasi"
    assert one("size", [i % 60 for i in range(200)]).column.role == "sensitive"  # no family
    assert one("death_stat", [i % 2 for i in range(200)]).column.role == "sensitive"  # whether, not when
    assert one("farms", ["favor", "oppose"] * 60).column.role == "quasi"  # a name that says more than its values
    assert one("x", ["strongly agree", "agree", "neutral"] * 60).column.role == "sensitive"
    assert one("x", ["placebo", "drug", "drug"] * 60).column.role == "sensitive"


def test_an_answer_as_the_name_of_a_column_of_yes_and_no_tells_its_subject() -> None:
    assert one("junior", [i % 2 for i in range(200)]).column.role == "quasi"
    assert "education" in one("junior", [i % 2 for i in range(200)]).reasons[0]
    assert one("junior", [i % 5 for i in range(200)]).column.role == "sensitive"
    assert one("Individual", [i // 2 * 3 for i in range(201)]).column.role == "identifier"


def test_answers_of_which_no_row_has_two_have_one_role() -> None:
    """Regions and trades in columns of 0 and 1: what one of them is, the others are; by chance some rows had two."""
    rows = range(300)
    among = {name: [int(i % 4 == at) for i in rows] for at, name in enumerate(("zzq", "south", "zzr"))}
    found = suggest(pa.table({"age": [i % 60 for i in rows], **among})).columns
    assert {found[name].column.role for name in among} == {"quasi"}
    assert "no row has two" in found["zzq"].reasons[0]
    apart = {**among, "zzr": [int(i % 4 in (1, 2)) for i in rows]}  # some are of the south too
    assert suggest(pa.table({"age": [i % 60 for i in rows], **apart})).columns["zzr"].column.role == "sensitive"
    rare = {name: [int(i == at) for i in rows] for at, name in enumerate(("south", "zzq"))}
    assert suggest(pa.table({"age": [i % 60 for i in rows], **rare})).columns["zzq"].column.role == "sensitive"


def test_names_and_spread_together() -> None:
    assert one("age", list(range(30))).column.role == "identifier"  # counts up: a key, whatever its name
    assert one("loan_id", [i * 7 + i % 3 for i in range(99)]).column.role == "identifier"  # no money
    assert one("job_id", [f"j{i}" for i in range(50)]).column.role == "identifier"
    assert one("job_id", [f"j{i % 4}" for i in range(100)]).column.role == "quasi"
    assert one("code", [i % 4 for i in range(100)]).column.role == "quasi"
    assert one("code", [i % 60 for i in range(100)]).column.role == "identifier"
    assert one("name", ["same"] * 10).column.role == "identifier"
    assert one("dob", [dt.date(1950, 1, 1) + dt.timedelta(days=i * i) for i in range(99)]).column.role == "quasi"


def test_hierarchies_for_codes_and_ideas_for_the_rest() -> None:
    assert one("zip", ["01234", "53711", "53712"] * 9).column.hierarchy == Hierarchy.digits(5)
    numbers = one("zip", [1234, 53711, 53712] * 9).column
    assert (numbers.kind, numbers.hierarchy) == ("categorical", Hierarchy.digits(5))
    age = one("age", [31, 42, 42] * 9)
    assert (age.column.kind, age.column.hierarchy, age.idea) == (
        "numeric",
        None,
        Hierarchy.intervals([5, 10, 20]),
    )
    assert one("dob", [dt.date(1950, 1, 1)] * 2 + [dt.date(1960, 1, 1)]).idea == Hierarchy.dates(
        "month", "quarter", "year"
    )
    assert one("height", [0.0, 0.5, 1.0] * 9).idea == Hierarchy.intervals([0.05, 0.1, 0.2])


def test_nulls_are_told_and_never_decided() -> None:
    found = one("age", [31, None, 42, None])
    assert found.column.nulls is None
    assert found.needs_null_rule
    assert any("2 missing values" in reason for reason in found.reasons)
    assert not one("diagnosis", ["x", None, "y"]).needs_null_rule


def problems(schema: Schema, table: pa.Table) -> set[str]:
    try:
        check(schema, table)
    except BadSchema as error:
        return {problem["problem"] for problem in error.facts["problems"]}
    return set()


COLUMN = st.one_of(
    st.lists(st.one_of(st.none(), st.integers(-100, 100_000)), min_size=30, max_size=30),
    st.lists(st.one_of(st.none(), st.text("ab019.@ ", max_size=6)), min_size=30, max_size=30),
    st.lists(st.one_of(st.none(), st.floats(-1e300, 1e300)), min_size=30, max_size=30),
    st.lists(st.one_of(st.none(), st.dates()), min_size=30, max_size=30),
    st.lists(st.one_of(st.none(), st.booleans()), min_size=30, max_size=30),
)
NAME = st.sampled_from(["age", "zip", "id", "x", "salary", "dob", "name", "code"])


@given(st.dictionaries(NAME, COLUMN, min_size=1, max_size=4))
def test_a_suggested_schema_fits_its_table_but_for_what_only_the_user_can_say(
    columns: dict[str, list[Any]],
) -> None:
    table = pa.table(columns)
    suggestion = suggest(table)
    for suggested in suggestion.columns.values():
        assert suggested.reasons
        assert suggested.confidence in ("sure", "likely", "guess")
        if suggested.idea is not None:
            values = [value for value in dict.fromkeys(columns[suggested.name]) if value is not None]
            assert suggested.idea.tree(values, suggested.column.kind).n_leaves == len(values)
    assert problems(suggestion.schema, table) <= {"nulls", "no quasi-identifier"}


def test_reasons_hold_no_values() -> None:
    table = pa.table({"x": ["qwertz", "asdfgh"] * 20, "y": ["777777", "888888"] * 20})
    for suggested in suggest(table).columns.values():
        text = " ".join(suggested.reasons)
        assert not any(secret in text for secret in ("qwertz", "asdfgh", "777777", "888888"))


@pytest.mark.parametrize(
    ("name", "subject"),
    [
        ("degree", "education"),
        ("highest_degree", "education"),
        ("charge_degree", "private life"),
        ("c_charge_degree", "private life"),
        ("burn degree", None),
    ],
)
def test_a_degree_is_of_education_where_the_name_says_so(name: str, subject: str | None) -> None:
    from amongst.schema.name_evidence import name_evidence

    found = name_evidence(name)
    assert (None if found is None else found.subject) == subject


def test_answers_of_one_question_are_no_diagnoses() -> None:
    import pyarrow as pa

    from amongst.schema.value_evidence import value_evidence

    assert value_evidence(pa.array(["A11", "A12", "A13", "A14"])) is None
    for codes in (["A11", "J12", "B20"], ["C34.9", "C50.1", "C61", "C18.0"]):
        found = value_evidence(pa.array(codes))
        assert found is not None
        assert found.subject == "ICD-10 codes"


@pytest.mark.parametrize("name", ["ID", "Subject", "patient_id", "x", "unit", "who"])
@pytest.mark.parametrize("letters", ["X", "XY", "PQRS"])
def test_codes_of_people_are_no_diagnoses(name: str, letters: str) -> None:
    """Numbered people: a code for every row is dropped whatever its letters, and none is published as sensitive."""
    codes = [f"{letters[i % len(letters)]}{i:02}" for i in range(90)]
    assert one(name, codes).column.role == "identifier"
    if name in ("ID", "Subject", "patient_id"):
        assert one(name, codes * 3).column.role == "identifier"
        assert one(name, codes[:12] * 20).column.role == "identifier", "few people, many rows each"
    elif letters != "PQRS":
        assert one(name, codes * 3).column.role == "quasi"


def test_few_answers_are_no_codes_of_people() -> None:
    assert one("passport", ["yes", "no", "lost"] * 40).column.role == "quasi"
    assert one("subject", ["maths", "music", "physics"] * 40).column.role == "quasi"
    assert one("student", [0, 1] * 60).column.role == "quasi"
    assert one("patient_id", [1 + i % 12 for i in range(240)]).column.role == "identifier"


def test_a_code_for_every_row_is_doubted_where_it_is_published() -> None:
    from amongst.schema.doubts import doubts

    codes = pa.table({"x": [f"{'PQRS'[i % 4]}{i:02}" for i in range(90)]})
    for role in ("sensitive", "keep"):
        assert "nearly every row" in " ".join(doubts(codes, Schema({"x": role})))


def test_a_table_of_nothing_but_answers_has_quasi_identifiers() -> None:
    """Somebody may know the answers: a table is never suggested to be published as it is."""
    answers = pa.table({f"q{j:02}": [i % (2 + j % 5) for i in range(200)] for j in range(20)})
    assert set(Schema.suggest(answers).quasi) == set(answers.column_names)
    beside = answers.append_column("age", pa.array([20 + i % 50 for i in range(200)]))
    assert "age" in Schema.suggest(beside).quasi


VALUES = {
    "keys": [1000 + i % 60 for i in range(180)],
    "numbers": [1 + i for i in range(180)],
    "halves": pa.array([0.5 * (i % 60) for i in range(180)], pa.float32()).cast(pa.float16()),
    "texts": [f"v{i % 90}" for i in range(180)],
    "few": ["abc"[i % 3] for i in range(180)],
    "days": [dt.date(2000, 1, 1) + dt.timedelta(i % 50) for i in range(180)],
    "truth": [i % 2 == 0 for i in range(180)],
    "nothing": pa.nulls(180),
}


@given(st.lists(st.text(max_size=12), min_size=len(VALUES), max_size=len(VALUES), unique=True))
@example(["*", "", "年齢", "возраст пациента", "العمر", "#", "_", "💉"])
def test_whatever_the_columns_are_called(names: list[str]) -> None:
    for called in (names, names[1:] + names[:1]):
        suggestion = suggest(pa.table(dict(zip(called, VALUES.values(), strict=True))))
        assert list(suggestion.columns) == called
