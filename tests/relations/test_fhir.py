"""FHIR resources: read, anonymized, written as valid resources again, and nothing that names somebody is left."""

from __future__ import annotations

import json
import re
from collections import Counter, defaultdict
from pathlib import Path
from typing import Any

import pytest
from cli_run import run
from made_up_resources import ICD, resources, write

import amongst as am
from amongst.relations.ready import ready_schema
from amongst.relations.stores import read_database

MODELS = [am.KAnonymity(4), am.KmAnonymity(4, m=2)]


@pytest.fixture(scope="module")
def bulk(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return write(resources(), tmp_path_factory.mktemp("fhir") / "bulk")


@pytest.fixture(scope="module")
def released(bulk: Path) -> Path:
    stored = read_database(bulk)
    release = am.anonymize_database(stored, ready_schema("fhir", stored), MODELS, persons_per_group=16)
    release.write(bulk.parent / "out")
    return bulk.parent / "out"


def lines(folder: Path) -> dict[str, list[dict[str, Any]]]:
    return {path.stem: [json.loads(line) for line in path.open()] for path in folder.glob("*.ndjson")}


def test_what_is_written_are_valid_resources(released: Path) -> None:
    models = pytest.importorskip("fhir.resources.R4B")
    made = lines(released)
    assert set(made) == {"Patient", "Encounter", "Condition", "Observation", "MedicationRequest"}
    for name, all_of_it in made.items():
        assert len(all_of_it) > 20
        for one in all_of_it:
            models.get_fhir_model_class(name).model_validate(one)


def test_nothing_that_names_somebody_is_left(bulk: Path, released: Path) -> None:
    """Ids, names, telecom, addresses, narrative, notes, displays, extensions, dates: in no file of the release."""
    texts = {path.name: path.read_text(errors="replace") for path in released.rglob("*") if path.is_file()}
    assert len(texts) > 5
    before = "".join(path.read_text() for path in bulk.glob("*.ndjson"))
    dates = set(re.findall(r"20[12]\d-\d\d-\d\d|19\d\d-03-04", before))
    assert len(dates) > 100
    for name, text in texts.items():
        assert "LEAK" not in text, name
        assert not name.endswith("ndjson") or not dates & set(re.findall(r"\d{4}-\d\d-\d\d", text)), name


def test_k_persons_are_alike_in_the_resources_themselves(released: Path) -> None:
    """From the lines as JSON, whatever the package reads out of them."""
    made = lines(released)
    own = {
        one["id"]: json.dumps({c: v for c, v in one.items() if c != "id"}, sort_keys=True) for one in made["Patient"]
    }
    assert min(Counter(own.values()).values()) >= 4
    held = defaultdict(set)
    for name, path in (
        ("Condition", "code"),
        ("Observation", "code"),
        ("MedicationRequest", "medicationCodeableConcept"),
    ):
        for one in made[name]:
            person = one["subject"]["reference"].removeprefix("Patient/")
            held[person].add((name, json.dumps(one[path], sort_keys=True)))
    pairs = Counter((own[person], *sorted({a, b})) for person, codes in held.items() for a in codes for b in codes)
    assert min(pairs.values()) >= 4


def test_what_is_kept_is_where_it_was(bulk: Path, released: Path) -> None:
    """References lead from resource to resource of one patient; codes, values and years are those of the originals."""
    made, before = lines(released), lines(bulk)
    visits = {one["id"]: one["subject"]["reference"] for one in made["Encounter"]}
    patients = {f"Patient/{one['id']}" for one in made["Patient"]}
    assert set(visits.values()) <= patients
    led = [one for name in ("Condition", "Observation") for one in made[name] if "encounter" in one]
    assert led
    assert all(visits[one["encounter"]["reference"].split("/")[1]] == one["subject"]["reference"] for one in led)
    values = Counter(one["valueQuantity"]["value"] for one in before["Observation"] if "valueQuantity" in one)
    assert not Counter(one["valueQuantity"]["value"] for one in made["Observation"] if "valueQuantity" in one) - values
    codes = [one["code"]["coding"][0] for one in made["Condition"]]
    exact = [one["code"] for one in codes if one["system"] == ICD]
    assert len(exact) > len(codes) / 2
    assert all(re.fullmatch(r"\d{4}", one["onsetDateTime"]) for one in made["Condition"])
    assert {one["meta"]["security"][0]["code"] for one in made["Patient"]} == {"ANONYED"}


def test_a_release_is_read_as_it_was_written(bulk: Path, released: Path) -> None:
    stored = read_database(bulk)
    release = am.anonymize_database(stored, ready_schema("fhir", stored), MODELS, persons_per_group=16)
    again = read_database(released)
    assert set(release.arrow) - set(again.tables) <= {"persons_with"}, "there are no resources for numbers of persons"
    for name, table in release.arrow.items():
        for column in table.column_names if name in again.tables else []:
            told = [None if cell is None else str(cell) for cell in table[column].to_pylist()]
            assert [None if cell is None else str(cell) for cell in again.tables[name][column].to_pylist()] == told
    assert am.verify_database(released, release.schema, MODELS).ok


def test_as_a_command_and_as_a_job(bulk: Path, tmp_path: Path) -> None:
    done = run(
        "anonymize-database", str(bulk), "--as", "fhir", "-k", "4", "--codes", "2", "--out", str(tmp_path / "out")
    )
    assert done.returncode == 0, done.stderr
    assert run("verify-database", str(tmp_path / "out")).returncode == 0
    assert run("inspect-database", str(bulk), "--as", "fhir", "--write", str(tmp_path / "job.toml")).returncode == 0
    job = (tmp_path / "job.toml").read_text()
    (tmp_path / "job.toml").write_text(
        job.replace("[method]", '[[privacy]]\nmodel = "km-anonymity"\nk = 4\nm = 1\n\n[method]')
        if "[method]" in job
        else job + '\n[[privacy]]\nmodel = "km-anonymity"\nk = 4\nm = 1\n'
    )
    done = run("run", str(tmp_path / "job.toml"), "--out", str(tmp_path / "again"))
    assert done.returncode == 0, done.stderr
    assert (tmp_path / "again" / "Patient.ndjson").exists()


def test_what_is_kept_is_of_closed_lists(tmp_path: Path) -> None:
    """Words, classes and units that are published as they are cannot hold what somebody wrote there."""
    coding = {"system": "http://x.org/own", "code": "LEAK"}
    quantity = {"value": 1, "system": "http://unitsofmeasure.org", "code": "{LEAK}"}
    subject = {"subject": {"reference": "urn:uuid:a"}}
    made: dict[str, list[dict[str, Any]]] = {
        "Patient": [{"id": "a", "gender": "LEAK in Words"}],
        "Encounter": [{"id": "b", "status": "LEAK!", "class": coding, **subject}],
        "Condition": [{"id": "c", "clinicalStatus": {"coding": [coding]}, "code": {"text": "LEAK"}, **subject}],
        "Observation": [{"id": "d", "status": "final", "code": {"text": "LEAK"}, "valueQuantity": quantity, **subject}],
    }
    write({name: [{"resourceType": name, **one} for one in all_of_it] for name, all_of_it in made.items()}, tmp_path)
    tables = read_database(tmp_path).tables
    assert "LEAK" not in str({name: table.to_pylist() for name, table in tables.items()})
    assert tables["Observation"]["patient"].to_pylist() == ["a"]
    assert tables["Observation"]["number"].to_pylist() == [1.0]


def test_what_cannot_be_read_is_told_without_what_is_in_it(tmp_path: Path) -> None:
    (tmp_path / "Patient.ndjson").write_text('{"resourceType":"Patient","id":"SECRET"\n')
    with pytest.raises(am.errors.BadInput, match="no JSON") as error:
        read_database(tmp_path)
    assert "SECRET" not in str(error.value)
    (tmp_path / "Patient.ndjson").write_text('{"resourceType":"Encounter","id":"a","status":"finished"}\n')
    (tmp_path / "Patient.ndjson").rename(tmp_path / "Encounter.ndjson")
    with pytest.raises(am.errors.BadInput, match="no patients"):
        read_database(tmp_path)


def test_tables_of_another_kind_are_no_resources(tmp_path: Path) -> None:
    made = am.datasets.load_database("transcripts")
    release = am.anonymize_database(made.tables, made.schema, [am.KAnonymity(2)])
    with pytest.raises(am.errors.BadOutput, match="FHIR"):
        release.write(tmp_path / "out", format="fhir")
