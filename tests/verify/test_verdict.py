"""What a verdict shows, and what it never shows."""

import json

import pyarrow as pa
import pytest

from amongst.models import KAnonymity
from amongst.schema import Column, Schema
from amongst.verify import Finding, Verdict, verify
from amongst.verify.proofs import proof_of

TABLE = pa.table({"job": ["smith"] * 5 + ["astronaut"], "age": ["[20-29]"] * 6})
SCHEMA = Schema({"job": Column(role="quasi", kind="categorical"), "age": Column(role="quasi", kind="numeric")})


def test_true_and_false():
    good, bad = verify(TABLE, SCHEMA, [KAnonymity(1)]), verify(TABLE, SCHEMA, [KAnonymity(2)])
    assert isinstance(good, Verdict)
    assert (bool(good), good.findings) == (True, [])
    assert (bool(bad), len(bad.findings)) == (False, 1)
    assert all(isinstance(finding, Finding) for finding in bad.findings)


def test_every_model_is_reported():
    verdict = verify(TABLE.slice(0, 5), SCHEMA, [KAnonymity(2), KAnonymity(5), KAnonymity(6)])
    assert [(one.asked, one.reached, one.ok) for one in verdict.models] == [
        (2, 5, True),
        (5, 5, True),
        (6, 5, False),
    ]
    assert not verdict.ok


def test_figures():
    verdict = verify(TABLE, SCHEMA, KAnonymity(3))
    assert (verdict.class_sizes, verdict.class_counts) == ([1, 5], [1, 1])
    assert (verdict.n_unique_rows, verdict.smallest) == (1, 1)


def test_small_classes_are_counted_not_shown():
    verdict = verify(TABLE, SCHEMA, [KAnonymity(3)])
    shown = verdict.words() + json.dumps(verdict.to_dict()) + repr(verdict)
    assert "astronaut" not in shown
    assert "smith" not in shown
    assert "1 of 2 classes, with 1 row in all, are smaller" in shown


def test_numbers_of_rows_below_k_are_not_told():
    odd = pa.table({"job": ["smith"] * 9 + [None], "age": ["[20-29]"] * 8 + ["[29-20]", "x"]})
    verdict = verify(odd, SCHEMA, [KAnonymity(5)], nulls="suppress")
    found = {finding.code: finding.found for finding in verdict.findings}
    assert found["label-not-understood"] == "2 labels on fewer than 5 rows"
    assert found["null-published"] == "fewer than 5 rows with a missing cell"


def test_plain_data_round_trip():
    verdict = verify(TABLE, SCHEMA, [KAnonymity(3)])
    data = json.loads(json.dumps(verdict.to_dict()))
    assert data["ok"] is False
    assert data["models"] == [{"model": "k-anonymity", "asked": 3, "reached": 1, "ok": False}]
    assert data["class_sizes"] == {"size": [1, 5], "classes": [1, 1]}
    assert data["findings"][0]["code"] == "k-anonymity"


def test_a_verdict_does_not_change():
    verdict = verify(TABLE, SCHEMA, [KAnonymity(3)])
    with pytest.raises(AttributeError):
        verdict.ok = True


def test_there_is_a_proof_for_every_model():
    from amongst.models import MODELS

    assert all(callable(proof_of(name).prove) for name in MODELS)
    assert proof_of("no-such-model") is None
