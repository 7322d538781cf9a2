"""Names of people, contact data and text all its own: never suggested for publication, and told where it is."""

from __future__ import annotations

import warnings
from pathlib import Path
from typing import Any

import pyarrow as pa
import pytest

import amongst as am
from amongst.schema import person_names, profile
from amongst.schema.doubts import PublishedDoubt, doubts
from amongst.schema.suggest import suggest

GIVEN = person_names.GIVEN.split()
FAMILY = person_names.FAMILY.split()
RARE = [
    f"{a}{b}{c}" for a in ("Xo", "Qua", "Bri") for b in ("lan", "ret", "mu", "ziv") for c in ("ka", "do", "tte", "")
]


def role_of(name: str, values: list[Any]) -> str | None:
    return suggest(pa.table({name: values})).columns[name].column.role


def some(names: list[str], n: int) -> list[str]:
    return [names[(7 * i) % len(names)] for i in range(n)]


NAMES: dict[str, list[str]] = {
    "given": some(GIVEN, 300),
    "capitals": [name.upper() for name in some(FAMILY, 300)],
    "whole": [f"{a.title()} {b.title()}" for a, b in zip(some(GIVEN, 300), some(FAMILY[::-1], 300), strict=True)],
    "turned": [f"{b.title()}, {a.title()}" for a, b in zip(some(GIVEN, 300), some(FAMILY[::-1], 300), strict=True)],
    "umlauts": ["Jürgen Müller", "Jörg Weiß", "José Pérez", "Günter Groß", "Céline Dubois"] * 40,
    "titles": ["Dr. Abcde", "Prof. Fghij", "Frau Klmno"] * 50,
    "few": ["Anna", "Peter", "Maria", "Paul"] * 50,
    "mostly unknown": (RARE + some(GIVEN, 4)) * 5,
}


@pytest.mark.parametrize("what", NAMES)
@pytest.mark.parametrize("column", ["x", "first", "name", "col_7", "Betreuer"])
def test_names_are_identifiers_whatever_the_column_is_called(what: str, column: str) -> None:
    assert role_of(column, NAMES[what]) == "identifier"


@pytest.mark.parametrize("column", ["first", "last", "Nachname", "surname", "first_name", "fullname", "apellidos"])
def test_unknown_names_are_identifiers_where_the_column_is_called_so(column: str) -> None:
    assert role_of(column, RARE * 10) == "identifier"


OTHERS: dict[str, list[str]] = {
    "states": [
        "Alabama",
        "Alaska",
        "Arizona",
        "California",
        "Georgia",
        "Virginia",
        "Texas",
        "New York",
        "Ohio",
        "Utah",
    ],
    "countries": ["Germany", "France", "Chad", "Jordan", "Georgia", "Peru", "United States", "Spain", "Italy", "Japan"],
    "cities": ["Paris", "London", "Berlin", "Madrid", "Rome", "Vienna", "Lyon", "Austin", "Boston", "Chicago"],
    "treatments": ["placebo", "drug A", "drug B", "control"],
    "teams": ["Red Sox", "Yankees", "Dodgers", "Giants", "Cubs", "Mets", "Braves", "Astros", "Rangers", "Padres"],
    "jobs": ["Clerk", "Nurse", "Teacher", "Engineer", "Cook", "Baker", "Driver", "Farmer", "Lawyer", "Pilot"],
    "months": ["January", "April", "May", "June", "August", "July", "March"],
    "colours": ["brown", "black", "white", "green", "grey", "red"],
    "clinics": ["emergency dept", "picu", "laboratory", "inpatient ward a", "oncology day hosp", "radiology"],
    "truth": ["yes", "no"],
}


@pytest.mark.parametrize("what", OTHERS)
@pytest.mark.parametrize("column", ["x", "clinic_name", "state", "group"])
def test_other_lists_are_not_names(what: str, column: str) -> None:
    assert role_of(column, OTHERS[what] * 30) == ("sensitive" if what == "truth" and column in "xgroup" else "quasi")
    assert doubts(pa.table({column: OTHERS[what] * 30}), am.Schema({column: "keep"})) == ()


@pytest.mark.parametrize(
    ("column", "values", "role"),
    [
        ("num_open_accounts", [i % 30 for i in range(300)], "sensitive"),
        ("no_of_visits", [i % 40 for i in range(300)], "sensitive"),
        ("Mobile_developer", ["yes", "no", "partly"] * 60, "quasi"),
        ("Kosten EUR", [f"{1 + i}.{i:03},{i % 90 + 10}" for i in range(100, 400)], "sensitive"),
        ("value", [f"{i % 60},{i % 90 + 10}" for i in range(900)], "sensitive"),
        ("perweight", [i * 1.37 for i in range(300)], "weight"),
        ("fnlwgt", [i * 137 % 9999 for i in range(300)], "weight"),
        ("first", ["yes", "no"] * 150, "quasi"),
        ("first", [i % 2 for i in range(300)], "sensitive"),
        ("mobile", [f"+49 170 {1000000 + i}" for i in range(300)], "identifier"),
        ("Versichertennr.", [f"A{i % 200:08}" for i in range(300)], "identifier"),
        ("code", [f"{i:08}" for i in range(300)], "identifier"),
        ("x", [f"{i:08}" for i in range(300)], "identifier"),
        ("kunden_nr", [i // 10 for i in range(300)], "identifier"),
        ("Patid", [f"C{i % 70}" for i in range(300)], "identifier"),
        ("baker_last", [f"Kimber{chr(97 + i % 26)}{chr(97 + i // 26)}" for i in range(120)] * 2, "identifier"),
        ("created_at", [f"2009-12-{1 + i % 28:02}T17:38:18Z" for i in range(300)], "quasi"),
    ],
)
def test_values_speak_before_names(column: str, values: list[Any], role: str) -> None:
    assert role_of(column, values) == role


CONTACT = {
    "e-mail addresses": [f"p{i}@b.org" if i % 2 else "unknown" + str(i) for i in range(60)],
    "home addresses": [f"{i} Sunset Boulevard St" if i % 2 else f"Hauptstraße {i}" for i in range(1, 60)],
    "web addresses": [f"https://b.org/{i}" for i in range(60)],
    "telephone numbers": [f"+49 30 {100000 + i}" for i in range(60)],
    "names of people": NAMES["whole"],
    "free text": [f"the patient number {i} came in late" for i in range(60)],
    "a different text in nearly every row": [f"key {i * 7}" for i in range(60)],
}


@pytest.mark.parametrize("subject", CONTACT)
@pytest.mark.parametrize("role", ["quasi", "keep", "sensitive"])
@pytest.mark.parametrize("engine", [{}, {"memory": "8GB"}], ids=["memory", "files"])
def test_what_is_published_against_advice_is_told(
    tmp_path: Path, subject: str, role: str, engine: dict[str, Any]
) -> None:
    import pyarrow.parquet as pq

    values = CONTACT[subject]
    assert role_of("x", values) == "identifier"
    table = pa.table({"age": [i % 3 for i in range(len(values))], "x": values})
    pq.write_table(table, tmp_path / "t.parquet")
    schema = am.Schema({"age": "quasi", "x": role})
    with warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter("always")
        release = am.anonymize(tmp_path / "t.parquet", schema, [am.KAnonymity(2)], **engine)
    release.write(tmp_path / "out")
    page = (tmp_path / "out" / "report.html").read_text()
    told = [str(one.message) for one in caught if issubclass(one.category, PublishedDoubt)]
    if not engine:
        assert len(told) == 1
        assert subject in told[0]
    near_unique = subject.startswith("a different")
    if not (near_unique and role == "quasi"):  # neither labels nor counted rows tell how many values differ
        assert subject in page
    elif not engine:
        assert subject in (tmp_path / "out.inside" / "report.html").read_text()
    assert not any(value in text for value in values for text in told)


def test_nothing_is_told_of_what_is_dropped_or_harmless() -> None:
    table = pa.table({"who": NAMES["whole"], "age": [i % 9 for i in range(300)], "city": (OTHERS["cities"] * 30)})
    schema = am.Schema({"who": "identifier", "age": "quasi", "city": "keep"})
    assert doubts(table, schema) == ()


@pytest.mark.parametrize(("n", "role"), [(profile.FEW_KINDS, "quasi"), (profile.FEW_KINDS + 1, "identifier")])
def test_mostly_different_text_of_many_kinds(n: int, role: str) -> None:
    values = [f"zz{i}q" for i in range(n)]
    assert role_of("x", values + values[: n * 4 // 5]) == role


@pytest.mark.parametrize(("n_known", "found"), [(person_names.FEWEST - 1, False), (person_names.FEWEST, True)])
def test_so_many_common_names_at_least(n_known: int, found: bool) -> None:
    assert person_names.are_names(pa.array(GIVEN[:n_known] + RARE[:20])) is found


@pytest.mark.parametrize(("n_other", "found"), [(72, True), (73, False)])
def test_the_share_of_common_names(n_other: int, found: bool) -> None:
    others = [f"{a}{b}" for a in RARE for b in ("x", "y", "z")][:n_other]
    assert person_names.are_names(pa.array(GIVEN[:3] + others)) is found


@pytest.mark.parametrize(("n_odd", "found"), [(20, True), (21, False)])
def test_the_share_of_values_with_the_shape_of_names(n_odd: int, found: bool) -> None:
    assert person_names.are_names(pa.array(GIVEN[:80] + [f"{i} % of 3" for i in range(n_odd)])) is found


@pytest.mark.parametrize(("n_known", "found"), [(29, False), (30, True)])
def test_more_is_needed_where_the_column_is_called_otherwise(n_known: int, found: bool) -> None:
    others = [f"{a}{b}" for a in RARE for b in ("x", "y", "z")][: 100 - n_known]
    assert person_names.are_names(pa.array(GIVEN[:n_known] + others), against=True) is found
