"""Signatures over the public folder, and the description of its manifest."""

from __future__ import annotations

import json
import stat
from pathlib import Path

import jsonschema
import pyarrow as pa
import pytest

import amongst as am
from amongst.errors import BadInput, BadOption, NotVerified
from amongst.signature import check_signature, new_key, sign

DESCRIPTION = json.loads((Path(am.__file__).parent / "manifest-2.json").read_text())


@pytest.fixture
def folder(tmp_path):
    patients = am.datasets.load("patients")
    am.anonymize(patients.table, patients.schema, [am.KAnonymity(2)], method="mondrian").write(tmp_path / "out")
    return tmp_path / "out"


def test_a_signed_folder_verifies_and_nothing_in_it_can_be_changed(folder, tmp_path):
    public = new_key(tmp_path / "key")
    assert stat.S_IMODE((tmp_path / "key").stat().st_mode) == 0o600
    with pytest.raises(NotVerified, match="not signed"):
        check_signature(folder, public)
    sign(folder, tmp_path / "key")
    check_signature(folder, public)
    patients = am.datasets.load("patients")
    assert am.verify(folder, patients.schema, [am.KAnonymity(2)]).ok  # the signature is no stranger in the folder
    other = new_key(tmp_path / "other")
    with pytest.raises(NotVerified, match="not that of this signer"):
        check_signature(folder, other)
    manifest = (folder / "manifest.json").read_bytes()
    (folder / "manifest.json").write_bytes(manifest.replace(b'"k": 2', b'"k": 3'))
    with pytest.raises(NotVerified, match="not that of this signer"):
        check_signature(folder, public)
    (folder / "manifest.json").write_bytes(manifest)
    check_signature(folder, public)
    (folder / "manifest.json.sig").write_text("nothing")
    with pytest.raises(NotVerified, match="not that of this signer"):
        check_signature(folder, public)


def test_keys_that_are_none_are_refused(folder, tmp_path):
    (tmp_path / "text").write_text("no key")
    with pytest.raises(BadInput, match="key cannot be read"):
        sign(folder, tmp_path / "text")
    new_key(tmp_path / "key")
    with pytest.raises(BadOption, match="never replaced"):
        new_key(tmp_path / "key")
    with pytest.raises(BadInput, match="no release folder"):
        sign(tmp_path, tmp_path / "key")
    with pytest.raises(BadInput, match="cannot be written"):
        new_key(tmp_path / "no folder" / "key")


def test_a_private_key_never_lies_in_a_release(folder, tmp_path):
    before = sorted(folder.iterdir())
    with pytest.raises(BadOption, match="would lie in a release"):
        new_key(folder / "key")
    new_key(tmp_path / "key")
    (tmp_path / "key").rename(folder / "key")
    with pytest.raises(BadOption, match="would lie in a release"):
        sign(folder, folder / "key")
    assert sorted(folder.iterdir()) == sorted([*before, folder / "key"])


@pytest.mark.parametrize("form", ["labels", "bounds", "structs"])
def test_every_public_manifest_is_as_described(form, tmp_path):
    adult = am.datasets.load("adult")
    table = adult.table.slice(0, 300)
    loose = am.Harden(membership=None) if form == "labels" else None
    am.anonymize(table, adult.schema, [am.KAnonymity(3)], form=form, harden=loose).write(tmp_path / "out")
    told = json.loads((tmp_path / "out" / "manifest.json").read_text())
    jsonschema.validate(told, DESCRIPTION)
    inside = json.loads((tmp_path / "out.inside" / "manifest.json").read_text())
    with pytest.raises(jsonschema.ValidationError):
        jsonschema.validate(inside, DESCRIPTION)  # what is for the inside is not taken for the public one


def test_a_release_with_sampling_weights_is_as_described(tmp_path):
    table = pa.table({"age": [30, 31, 50, 51], "weight": [1.5, 2.0, 1.0, 3.0], "ill": ["a", "b", "a", "b"]})
    am.anonymize(table, quasi="age", weight="weight", sensitive="ill", k=2, method="mondrian").write(tmp_path / "out")
    told = json.loads((tmp_path / "out" / "manifest.json").read_text())
    assert told["schema"]["weight"]["role"] == "weight"
    jsonschema.validate(told, DESCRIPTION)


def test_two_tables_and_people_are_as_described_too(tmp_path):
    adult = am.datasets.load("adult")
    work = {**adult.schema, "occupation": am.Column(role="sensitive"), "salary-class": am.Column(role="keep")}
    am.anonymize(adult.table.slice(0, 300), am.Schema(work), [am.LDiversity(2)], method="anatomy").write(
        tmp_path / "two"
    )
    jsonschema.validate(json.loads((tmp_path / "two" / "manifest.json").read_text()), DESCRIPTION)
    for change in ({"format": 3}, {"document": "inside"}, {"privacy": []}):
        told = json.loads((tmp_path / "two" / "manifest.json").read_text())
        with pytest.raises(jsonschema.ValidationError):
            jsonschema.validate({**told, **change}, DESCRIPTION)
