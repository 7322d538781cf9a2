"""The papers' voter lists, and what an outside table finds in general."""

from __future__ import annotations

import datetime as dt

import pyarrow as pa
import pytest

import amongst as am

VOTERS = {  # Incognito, figure 1
    "Name": ["Andre", "Beth", "Carol", "Dan", "Ellen"],
    "Birthdate": [
        dt.date(1976, 1, 21),
        dt.date(1981, 1, 10),
        dt.date(1944, 10, 1),
        dt.date(1984, 2, 21),
        dt.date(1972, 4, 19),
    ],
    "Sex": ["Male", "Female", "Female", "Male", "Female"],
    "Zipcode": ["53715", "55410", "90210", "02174", "02237"],
}


@pytest.mark.known_answer(
    "incognito", "figure 1", what="voter list joined with the patients", answer="Andre alone is found, in one record"
)
def test_incognito_figure_1_the_voter_list_finds_andre():
    patients = am.datasets.load("incognito-patients")
    found = am.attack(patients.table, patients.schema, outside=VOTERS, k=1, rows=True)["linkage"]
    assert found.succeeded
    assert found.rows == (0,)
    assert found.rate("fit one record alone").success == 1
    assert found.rate("fit no record").success == 4


@pytest.mark.parametrize(("levels", "fits"), [((0, 1, 2), 2), ((1, 0, 2), 3), ((1, 1, 0), 2)])
def test_incognito_figure_1_the_voter_list_does_not_find_andre_in_a_2_anonymous_table(levels, fits):
    patients = am.datasets.load("incognito-patients")
    birth = {0: "{0}", 1: "*"}
    sex = {0: "{0}", 1: "Person"}
    zipcode = {0: "{0}", 1: "{1}", 2: "537**"}
    rows = patients.table.to_pylist()
    published = pa.table(
        {
            "Birthdate": [birth[levels[0]].format(row["Birthdate"]) for row in rows],
            "Sex": [sex[levels[1]].format(row["Sex"]) for row in rows],
            "Zipcode": [zipcode[levels[2]].format(row["Zipcode"], row["Zipcode"][:4] + "*") for row in rows],
            "Disease": [row["Disease"] for row in rows],
        }
    )
    found = am.attack(published, patients.schema, outside=VOTERS, k=2)["linkage"]
    assert not found.succeeded
    assert found.figures["smallest_candidates"] == fits
    # No other voter lives in 537**, but one level of everything is true of nobody else.
    assert found.rate("fit no record").success == 4


@pytest.mark.known_answer(
    "mondrian", "figure 1", what="voter list joined with the patients", answer="Ahmed is found, in one record"
)
def test_mondrian_figure_1_ahmed_is_found_in_the_patients_and_not_in_their_release():
    patients = am.datasets.load("patients")
    ahmed = {"Name": ["Ahmed"], "Age": [25], "Sex": ["Male"], "Zipcode": [53711]}
    assert am.attack(patients.table, patients.schema, outside=ahmed, k=1)["linkage"].succeeded
    release = am.anonymize(patients.table, patients.schema, [am.KAnonymity(2)], method="mondrian")
    found = am.attack(release, outside=ahmed)["linkage"]
    assert not found.succeeded
    assert found.figures["smallest_candidates"] == 3


def test_a_star_hides_everybody():
    published = pa.table({"age": ["*"] * 6, "zip": ["*"] * 6})
    schema = am.Schema({"age": am.Column(role="quasi", kind="numeric"), "zip": am.Column(role="quasi")})
    found = am.attack(published, schema, outside={"age": [1, 50], "zip": ["a", "b"]}, k=5)["linkage"]
    assert not found.succeeded
    assert found.figures["smallest_candidates"] == 6


def test_an_outside_table_may_have_some_columns_only():
    patients = am.datasets.load("patients")
    found = am.attack(patients.table, patients.schema, outside={"Age": [25, 28]}, k=1)["linkage"]
    assert found.rate("fit one record alone").success == 1
    with pytest.raises(am.errors.BadInput, match="outside table"):
        am.attack(patients.table, patients.schema, outside={"age": [25]})


def test_columns_that_are_kept_may_be_known_too():
    visits = pa.table({"age": [34, 36, 38], "visit": [901, 902, 903]})
    schema = am.Schema({"age": am.Column(role="quasi"), "visit": am.Column(role="keep")})
    release = am.anonymize(visits, schema, [am.KAnonymity(3)], method="mondrian")
    receipt = {"visit": [902]}
    assert not am.attack(release, attacks="re-identification")["re-identification"].succeeded
    assert am.attack(release, known=["age", "visit"], attacks="re-identification")["re-identification"].succeeded
    assert am.attack(release, known=["visit"], outside=receipt, attacks="linkage")["linkage"].succeeded
    with pytest.raises(am.errors.BadOption, match="published"):
        am.attack(release, known=["name"])


def test_few_people_are_not_counted_in_words_or_data():
    table = pa.table({"age": ["[20-29]"] * 5 + ["35"], "d": list("abcdef")})
    schema = am.Schema({"age": am.Column(role="quasi", kind="numeric"), "d": am.Column(role="sensitive")})
    found = am.attack(table, schema, outside={"age": [25, 35, 36]}, k=5)["linkage"]
    assert found.succeeded
    assert "Fit one record alone: fewer than 5 of 3" in found.achieved[0]
    told = found.to_dict()
    assert told["rates"][1]["count"] is None
    assert told["figures"]["smallest_candidates"] is None
    assert "rows" not in told
    assert found.rows is None
