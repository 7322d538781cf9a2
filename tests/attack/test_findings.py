"""What is told: all statements, no cell value, no small count; the same as words, as data and as a page."""

from __future__ import annotations

import json

import numpy as np
import pyarrow as pa
import pytest

import amongst as am
from amongst.attack.declared import ATTACKS
from amongst.attack.finding import KINDS

SCHEMA = am.Schema(
    {
        "age": am.Column(role="quasi", kind="numeric"),
        "town": am.Column(role="quasi", kind="categorical"),
        "disease": am.Column(role="sensitive", kind="categorical"),
    }
)


def people(n, seed):
    rng = np.random.default_rng(seed)
    return pa.table(
        {
            "age": rng.integers(20, 80, n),
            "town": rng.choice(["okapi-1", "okapi-2", "okapi-3"], n),
            "disease": rng.choice(["zebra-1", "zebra-2", "zebra-3", "zebra-4"], n),
        }
    )


IN, OUT = people(300, 0), people(300, 1)


@pytest.fixture(scope="module")
def found():
    release = am.anonymize(IN, SCHEMA, [am.KAnonymity(4), am.LDiversity(2)], method="mondrian")
    other = am.anonymize(IN, SCHEMA, [am.KAnonymity(5)], method="hilbert")
    return am.attack(release, outside=OUT, control=OUT, against=[other, other])


@pytest.fixture(scope="module")
def anatomy():
    release = am.anonymize(IN, SCHEMA, [am.LDiversity(3)], method="anatomy")
    return am.attack(release, outside=OUT, control=OUT)


def test_every_attack_is_carried_out_or_said_not_to_be(found, anatomy):
    for one in (found, anatomy):
        assert {finding.attack for finding in one.attacks} | {name for name, _ in one.skipped} == set(ATTACKS)
    assert {finding.attack for finding in (*found.attacks, *anatomy.attacks)} >= set(ATTACKS) - {
        "similarity",
        "figures",
    }


def test_findings_lie_under_the_three_headings(found):
    assert list(found.findings) == list(KINDS)
    assert sum(map(len, found.findings.values())) == len(found.attacks)
    assert all(found.findings[kind] for kind in KINDS)


def test_every_finding_has_all_statements(found, anatomy):
    for finding in (*found.attacks, *anatomy.attacks):
        for text in (finding.title, finding.knows, finding.works, finding.lower, finding.paper, *finding.achieved):
            assert len(text) > 3
        assert finding.achieved


@pytest.mark.parametrize("form", ["words", "json", "html"])
def test_no_cell_values_and_no_promises(found, anatomy, form):
    for one in (found, anatomy):
        text = one.words if form == "words" else one.to_html() if form == "html" else json.dumps(one.to_dict())
        assert "okapi" not in text
        assert "zebra" not in text
        assert "anonymous" not in text.lower()
        assert "compliant" not in text.lower()


def test_small_counts_are_not_in_the_data(found):
    def counts(told):
        if isinstance(told, dict):
            if "count" in told and told["count"] is not None:
                yield told["count"], told["of"]
            for value in told.values():
                yield from counts(value)
        elif isinstance(told, list):
            for value in told:
                yield from counts(value)

    seen = [pair for pair in counts(found.to_dict()) if pair[0] > 1]
    assert seen
    assert not [pair for pair in seen if 0 < pair[0] < 4]


def test_a_page_needs_nothing_else(found):
    page = found.to_html()
    assert page.startswith("<!doctype html>")
    assert "<script" not in page
    assert "Singling out" in page


def test_names_of_columns_are_escaped():
    table = pa.table({"<b>age": ["a"] * 4, "<i>d": ["x", "y"] * 2})
    schema = am.Schema({"<b>age": am.Column(role="quasi"), "<i>d": am.Column(role="sensitive")})
    page = am.attack(table, schema, original=table, k=2).to_html()
    assert "<b>age" not in page
    assert "<i>d" not in page


def test_rows_are_named_only_when_asked_for():
    quiet = am.attack(IN, SCHEMA, original=IN, control=OUT, k=2)
    loud = am.attack(IN, SCHEMA, original=IN, control=OUT, k=2, rows=True)
    assert all(finding.rows is None for finding in quiet.attacks)
    assert loud["re-identification"].rows
    row = loud["re-identification"].rows[0]
    assert IN.slice(row, 1).select(["age", "town"]).to_pylist()[0] in IN.select(["age", "town"]).to_pylist()


def test_unknown_attacks_are_refused():
    with pytest.raises(am.errors.BadOption, match="no such attack"):
        am.attack(IN, SCHEMA, attacks=["guessing"])


def test_a_table_of_another_tool_by_names():
    found = am.attack(IN, ["age", "town"], sensitive=["disease"], outside=OUT, k=3)
    assert found["homogeneity"].column == "disease"
    assert found["linkage"].rates


def test_a_table_without_sensitive_columns():
    found = am.attack(IN.select(["age", "town"]), ["age", "town"], original=IN, control=OUT, k=3)
    assert {name for name, _ in found.skipped} >= {"homogeneity", "inference", "skewness"}
    assert found["re-identification"].succeeded


@pytest.mark.parametrize("form", ["bounds", "structs"])
def test_bounds_and_structs(form, tmp_path):
    release = am.anonymize(IN, SCHEMA, [am.KAnonymity(4)], form=form, method="mondrian")
    labels = am.anonymize(IN, SCHEMA, [am.KAnonymity(4)], method="mondrian")
    attacks = ["linkage", "re-identification", "inference", "downcoding"]
    told = [
        am.attack(one, outside=OUT, control=OUT, attacks=attacks).to_dict()["findings"] for one in (release, labels)
    ]
    assert told[0] == told[1]
    release.write(tmp_path / form)
    on_disk = am.attack(tmp_path / form, SCHEMA, outside=OUT, original=IN, control=OUT, attacks=attacks)
    assert on_disk.to_dict()["findings"] == told[0]
