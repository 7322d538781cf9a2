"""A release of several files, as a cluster writes it, and release folders that were carried elsewhere."""

from __future__ import annotations

import json
import shutil
from pathlib import Path

import pyarrow.parquet as pq
import pytest

import amongst as am
from amongst.errors import BadInput
from amongst.verify.checks.folder_files import digest_of_file


@pytest.fixture
def release(tmp_path: Path) -> am.Release:
    patients = am.datasets.load("patients")
    return am.anonymize(patients.table, patients.schema, [am.KAnonymity(2)], method="mondrian")


@pytest.fixture
def folder(release: am.Release, tmp_path: Path) -> Path:
    """A release folder whose table is two files."""
    out = tmp_path / "out"
    release.write(out)
    table = pq.read_table(out / "release.parquet")
    (out / "release.parquet").unlink()
    parts = out / "release.parquet"
    parts.mkdir()
    pq.write_table(table[:2], parts / "part-00000.parquet")
    pq.write_table(table[2:], parts / "part-00001.parquet")
    told = json.loads((out / "manifest.json").read_text())
    told["output"]["sha256"] = {f"release.parquet/{part.name}": digest_of_file(part) for part in parts.iterdir()}
    (out / "manifest.json").write_text(json.dumps(told))
    return out


def test_parts_are_one_table(folder, release):
    verdict = am.verify(folder, release.schema, [am.KAnonymity(2)])
    assert verdict.ok, verdict.findings
    assert verdict.n_rows == release.table.num_rows
    alone = am.verify(folder / "release.parquet", release.schema, [am.KAnonymity(2)])
    assert (alone.ok, alone.n_rows) == (True, verdict.n_rows)


@pytest.mark.parametrize("harm", ["changed", "gone", "more"])
def test_digests_of_parts_count(folder, release, harm):
    part = folder / "release.parquet" / "part-00001.parquet"
    rows = pq.read_table(part)
    if harm == "changed":
        pq.write_table(rows.take([1, 0, *range(2, len(rows))]), part)
    elif harm == "gone":
        part.unlink()
    else:
        shutil.copy(part, part.with_name("part-00002.parquet"))
    found = {one.code for one in am.verify(folder, release.schema, [am.KAnonymity(2)]).findings}
    assert ("digest-missing" if harm == "more" else "changed") in found


def test_parts_of_different_tables_are_refused(folder, release):
    part = folder / "release.parquet" / "part-00001.parquet"
    pq.write_table(pq.read_table(part).select([0]), part)
    with pytest.raises(BadInput, match="not parts of one table"):
        am.verify(folder, release.schema, [am.KAnonymity(2)])
    part.with_name("notes.txt").write_text("x")
    with pytest.raises(BadInput, match="Parquet files alone"):
        am.verify(folder, release.schema, [am.KAnonymity(2)])
    shutil.rmtree(folder / "release.parquet")
    (folder / "release.parquet").mkdir()
    with pytest.raises(BadInput, match="Parquet files alone"):
        am.verify(folder, release.schema, [am.KAnonymity(2)])
