"""Whatever the column is like that tells people apart: attacks, risk and evidence count the same people."""

from __future__ import annotations

import datetime
import decimal
import uuid

import numpy as np
import pyarrow as pa
import pytest

import amongst as am
from amongst.attack.boxes import open_boxes
from amongst.attack.people import read_people
from amongst.attack.split import split

SCHEMA = am.Schema(
    {
        "id": am.Column(role="identifier"),
        "age": am.Column(role="quasi", kind="numeric"),
        "disease": am.Column(role="sensitive"),
    }
)
DAY = datetime.datetime(2000, 1, 1)
KINDS = {
    "whole numbers": lambda i: pa.array(i),
    "large whole numbers": lambda i: pa.array(i.astype(np.uint64) + np.uint64(1 << 63)),
    "numbers": lambda i: pa.array(i * 1.5),
    "short numbers": lambda i: pa.array((i * 1.5).astype(np.float16)),
    "decimals": lambda i: pa.array([decimal.Decimal(int(one)) for one in i], pa.decimal128(10, 2)),
    "text": lambda i: pa.array([f"p{one}" for one in i]),
    "large text": lambda i: pa.array([f"p{one}" for one in i], pa.large_string()),
    "categories": lambda i: pa.array([f"p{one}" for one in i]).dictionary_encode(),
    "days": lambda i: pa.array([(DAY + datetime.timedelta(int(one))).date() for one in i]),
    "moments": lambda i: pa.array([DAY + datetime.timedelta(int(one)) for one in i]),
    "bytes": lambda i: pa.array([bytes([one]) for one in i]),
    "UUIDs": lambda i: pa.ExtensionArray.from_storage(
        pa.uuid(), pa.array([uuid.UUID(int=int(one)).bytes for one in i], pa.binary(16))
    ),
}
N = 90


def table_of(column):
    rng = np.random.default_rng(3)
    n = len(column)
    table = pa.table({"id": column, "age": rng.integers(0, 90, n), "disease": rng.choice(list("abcd"), n)})
    return pa.concat_tables([table.slice(0, n // 3), table.slice(n // 3)])  # files come in parts


@pytest.mark.parametrize("rows_each", [1, 2])
@pytest.mark.parametrize("kind", KINDS)
def test_the_halves_are_halves_of_the_people(kind, rows_each):
    person = np.repeat(np.arange(N), rows_each)
    table = table_of(KINDS[kind](person))
    release = am.anonymize(table, SCHEMA, [am.KAnonymity(3)], unit="id", method="mondrian")
    found = split(open_boxes(release, None), read_people(table), np.random.default_rng(0))
    assert not isinstance(found, str), found
    inside, outside = ({int(person[row]) for row in side.row} for side in found[1:])
    assert (len(inside), len(outside)) == (N // 2, N // 2)
    assert inside.isdisjoint(outside)
    assert {one.attack for one in am.attack(release).attacks} >= {"singling out", "inference"}
    assert am.risk(release).before.n_people == N


def test_two_people_who_are_true_and_false():
    table = table_of(pa.array(np.arange(40) % 2 == 0))
    release = am.anonymize(table, SCHEMA, [am.KAnonymity(2)], unit="id", method="mondrian")
    assert am.risk(release).before.n_people == 2
    assert am.attack(release).attacks


@pytest.mark.parametrize("kind", ["text", "whole numbers", "UUIDs", "categories", "decimals"])
def test_evidence_from_the_folder(kind, tmp_path):
    table = table_of(KINDS[kind](np.repeat(np.arange(N), 2)))
    am.anonymize(table, SCHEMA, [am.KAnonymity(3)], unit="id", method="mondrian").write(tmp_path / "out")
    pack = am.evidence(tmp_path / "out", schema=SCHEMA, original=table)
    assert pack.attacks.of("inference")
    assert pack.risk.before.n_people == N


@pytest.mark.parametrize("cell", [None, {"a": 1}, [1]])
def test_what_tells_nobody_apart_is_refused(cell):
    table = table_of(pa.array([cell] * 40))
    with pytest.raises(am.errors.AmongstError):
        am.anonymize(table, SCHEMA, [am.KAnonymity(2)], unit="id", method="mondrian")
    if cell is not None:
        with pytest.raises(am.errors.AmongstError):
            am.risk(table, SCHEMA, unit="id")


def test_missing_people_are_nobody():
    """As the halves go, rows without a person belong to one side, and the release is not made of them."""
    table = table_of(pa.array([None if one % 7 == 0 else f"p{one}" for one in range(80)]))
    with pytest.raises(am.errors.BadInput, match="belong to nobody"):
        am.anonymize(table, SCHEMA, [am.KAnonymity(2)], unit="id", method="mondrian")
    made = am.anonymize(
        table.filter(pa.compute.is_valid(table["id"])), SCHEMA, [am.KAnonymity(2)], unit="id", method="mondrian"
    )
    assert any("belong to nobody" in note for note in am.attack(made, original=table).notes)
