"""CSV files and folders of Parquet files part by part; files that change; many distinct numbers."""

from __future__ import annotations

import datetime as dt
from pathlib import Path

import numpy as np
import pyarrow as pa
import pyarrow.csv as csv
import pyarrow.parquet as pq
import pytest
from parts_runs import by_parts, group_of_row, stored

import amongst as am
from amongst.engines.parts import rows as rows_module
from amongst.errors import Changed

SCHEMA = am.Schema(
    {
        "age": am.Column(role="quasi"),
        "height": am.Column(role="quasi", nulls="own value"),
        "born": am.Column(role="quasi"),
        "zip": am.Column(role="quasi", hierarchy=am.Hierarchy.digits(4)),
        "note": am.Column(role="keep"),
        "pay": am.Column(role="sensitive"),
    }
)


def people(n: int, seed: int = 3) -> pa.Table:
    rng = np.random.default_rng(seed)
    height = [None if rng.random() < 0.1 else round(float(rng.normal(170, 9)), 3) for _ in range(n)]
    return pa.table(
        {
            "age": rng.integers(18, 90, n),
            "height": pa.array(height, pa.float64()),
            "born": [dt.date(1950, 1, 1) + dt.timedelta(days=int(day)) for day in rng.integers(0, 15_000, n)],
            "zip": [f"{code:04d}" for code in rng.integers(0, 2_000, n)],
            "note": [f"note {i}" for i in rng.integers(0, n, n)],
            "pay": pa.array(
                [None if rng.random() < 0.1 else int(rng.integers(0, 9_000)) for _ in range(n)], pa.int64()
            ),
        }
    )


@pytest.mark.parametrize("method", ["mondrian", "hilbert"])
@pytest.mark.parametrize("kind", ["csv", "folder", "parquet"])
def test_same_bytes_from_every_kind_of_file(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, kind: str, method: str
) -> None:
    monkeypatch.setattr(rows_module, "BLOCK", 100)
    table = people(900)
    path = _written(table, tmp_path, kind)
    expected = am.anonymize(path if kind == "csv" else table, SCHEMA, [am.KAnonymity(5)], method)
    release = by_parts(path, SCHEMA, 5, method, folder=tmp_path, part_rows=100, bucket_rows=250)
    np.testing.assert_array_equal(group_of_row(release), expected.partition.group_of_row)
    assert release.write(tmp_path / "parts").ok
    expected.write(tmp_path / "memory")
    own, other = (tmp_path / name / "release.parquet" for name in ("parts", "memory"))
    assert own.read_bytes() == other.read_bytes()


def _written(table: pa.Table, folder: Path, kind: str) -> Path:
    if kind == "parquet":
        return stored(table, folder, 128)
    if kind == "csv":
        csv.write_csv(table, folder / "people.csv")
        return folder / "people.csv"
    (folder / "people").mkdir()
    for number, start in enumerate(range(0, table.num_rows, 400)):
        pq.write_table(table.slice(start, 400), folder / "people" / f"{number}.parquet")
    return folder / "people"


def test_csv_out_is_the_same_too(tmp_path: Path) -> None:
    path = stored(people(300), tmp_path, 64)
    am.anonymize(path, SCHEMA, [am.KAnonymity(5)], method="mondrian").write(tmp_path / "memory", format="csv")
    by_parts(path, SCHEMA, 5, "mondrian", folder=tmp_path, part_rows=50).write(tmp_path / "parts", format="csv")
    own, other = (tmp_path / name / "release.csv" for name in ("parts", "memory"))
    assert own.read_bytes() == other.read_bytes()


def test_a_file_that_changes_is_noticed(tmp_path: Path) -> None:
    path = stored(people(300), tmp_path)
    release = by_parts(path, SCHEMA, 5, "mondrian", folder=tmp_path)
    stored(people(300, seed=4), tmp_path)
    with pytest.raises(Changed):
        release.write(tmp_path / "out")
    assert not (tmp_path / "out").exists()


def test_reports_tell_the_values_of_rows_not_of_groups(tmp_path: Path) -> None:
    path = stored(people(300), tmp_path)
    release = by_parts(path, SCHEMA, 5, "mondrian", folder=tmp_path)
    expected = am.anonymize(path, SCHEMA, [am.KAnonymity(5)], method="mondrian")
    own, other = (
        [d.before.tolist() for d in r.story(verdict=expected.verdict).distributions] for r in (release, expected)
    )
    assert own == other
