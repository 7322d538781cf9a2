"""A release is two folders: the public one, and the inside that is written first and that its owner alone reads."""

from __future__ import annotations

import errno
import json
import os
import subprocess
import sys
from pathlib import Path
from typing import Any

import pyarrow as pa
import pyarrow.parquet as pq
import pytest

import amongst as am
from amongst import staging
from amongst.errors import BadOutput
from amongst.manifest import Manifest
from amongst.release.folder import release_in


def release(k: int = 2, **options: Any) -> am.Release:
    patients = am.datasets.load("patients")
    return am.anonymize(patients.table, patients.schema, [am.KAnonymity(k)], **options)


def anatomy() -> am.Release:
    patients = am.datasets.load("patients")
    return am.anonymize(patients.table, patients.schema, [am.LDiversity(2)], method="anatomy")


def database() -> Any:
    made = am.datasets.load_database("transcripts")
    return am.anonymize_database(made.tables, made.schema, [am.KAnonymity(2)])


def contents(folder: Path) -> dict[str, bytes]:
    return {path.name: path.read_bytes() for path in folder.iterdir()}


@pytest.fixture(params=[release, anatomy, database], ids=["one table", "two tables", "many tables"])
def made(request: pytest.FixtureRequest) -> Any:
    return request.param()


@pytest.mark.parametrize("mask", [0o022, 0o000])
def test_the_inside_is_for_its_owner_alone(tmp_path: Path, made: Any, mask: int) -> None:
    before = os.umask(mask)
    try:
        made.write(tmp_path / "out")
    finally:
        os.umask(before)
    assert sorted(path.name for path in tmp_path.iterdir()) == ["out", "out.inside"]
    assert (tmp_path / "out.inside").stat().st_mode & 0o777 == 0o700
    assert {path.stat().st_mode & 0o777 for path in (tmp_path / "out.inside").iterdir()} == {0o600}
    assert (tmp_path / "out").stat().st_mode & 0o777 == 0o777 & ~mask
    public, inside = (json.loads((tmp_path / name / "manifest.json").read_text()) for name in ("out", "out.inside"))
    assert (public["document"], inside["document"]) == ("public", "inside")
    assert public["output"]["sha256"] == inside["output"]["sha256"]
    assert public["input"] == {}
    assert {"name", "rows"} <= set(inside["input"])
    assert "seed" in inside["method"]
    assert "seed" not in public["method"]
    pages = [(tmp_path / name / "report.html").read_text(encoding="utf-8") for name in ("out", "out.inside")]
    assert ["inside: not to be published" in page for page in pages] == [False, True]


def test_the_inside_goes_where_it_is_told(tmp_path: Path, made: Any) -> None:
    (tmp_path / "vault").mkdir()
    made.write(tmp_path / "out", inside=tmp_path / "vault" / "of-out")
    assert sorted(path.name for path in tmp_path.iterdir()) == ["out", "vault"]
    assert (tmp_path / "vault" / "of-out" / "report.html").is_file()


@pytest.mark.parametrize("place", ["out", "out/below", "."])
def test_the_inside_is_never_in_the_public_folder(tmp_path: Path, place: str) -> None:
    with pytest.raises(BadOutput, match="cannot lie in the public folder"):
        release().write(tmp_path / "out", inside=tmp_path / place)
    assert list(tmp_path.iterdir()) == []


def test_the_inside_is_written_first_and_taken_back_when_the_public_folder_fails(
    tmp_path: Path, made: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    seen, real = [], staging._take_place

    def fails(source: Path, target: Path, force: bool) -> None:
        seen.append(target.name)
        if target.name == "out":
            assert (tmp_path / "out.inside" / "manifest.json").is_file()
            raise OSError(errno.EIO, "no")
        real(source, target, force)

    monkeypatch.setattr(staging, "_take_place", fails)
    with pytest.raises(BadOutput):
        made.write(tmp_path / "out")
    assert seen == ["out.inside", "out"]
    assert list(tmp_path.iterdir()) == []


@pytest.mark.parametrize("one_step", [True, False])
def test_a_failed_replacement_leaves_the_old_pair(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, one_step: bool
) -> None:
    release().write(tmp_path / "out")
    old = {name: contents(tmp_path / name) for name in ("out", "out.inside")}
    if not one_step:
        monkeypatch.setattr(staging, "_exchange", lambda one, other: False)
    real = staging._take_place

    def fails(source: Path, target: Path, force: bool) -> None:
        if target.name == "out":
            raise OSError(errno.EIO, "no")
        real(source, target, force)

    monkeypatch.setattr(staging, "_take_place", fails)
    with pytest.raises(BadOutput):
        release(3).write(tmp_path / "out", force=True)
    monkeypatch.setattr(staging, "_take_place", real)
    assert {name: contents(tmp_path / name) for name in ("out", "out.inside")} == old
    assert sorted(path.name for path in tmp_path.iterdir()) == ["out", "out.inside"]
    release(3, seed=9).write(tmp_path / "out", force=True)
    assert sorted(path.name for path in tmp_path.iterdir()) == ["out", "out.inside"]
    assert all(contents(tmp_path / name) != old[name] for name in old)
    assert (tmp_path / "out.inside").stat().st_mode & 0o777 == 0o700


def test_killed_between_the_two_there_is_no_public_folder(tmp_path: Path) -> None:
    program = f"""
import os
import amongst as am
from amongst import staging
real = staging._take_place
def dies(source, target, force):
    if target.name == "out":
        os.kill(os.getpid(), 9)
    real(source, target, force)
staging._take_place = dies
patients = am.datasets.load("patients")
am.anonymize(patients.table, patients.schema, [am.KAnonymity(2)]).write({str(tmp_path / "out")!r})
"""
    assert subprocess.run([sys.executable, "-c", program]).returncode == -9
    assert not (tmp_path / "out").exists()
    assert (tmp_path / "out.inside").stat().st_mode & 0o777 == 0o700
    release().write(tmp_path / "out", force=True)
    assert sorted(path.name for path in tmp_path.iterdir()) == ["out", "out.inside"]


@pytest.mark.parametrize("where", ["out", "out.inside"])
@pytest.mark.parametrize("other", ["thesis.txt", "sub/thesis.txt", ".hidden", "release.csv"])
def test_force_replaces_only_what_a_release_consists_of(tmp_path: Path, made: Any, where: str, other: str) -> None:
    made.write(tmp_path / "out")
    made.write(tmp_path / "out", force=True)
    path = tmp_path / where / other
    path.parent.mkdir(exist_ok=True)
    path.write_text("years of work")
    with pytest.raises(BadOutput, match="more than a release"):
        made.write(tmp_path / "out", force=True)
    assert path.read_text() == "years of work"


@pytest.mark.parametrize("text", ["{}", "[]", "no json", '{"name": "a web page"}', '{"format": "x", "output": {}}'])
def test_a_manifest_of_something_else_is_no_release(tmp_path: Path, text: str) -> None:
    (tmp_path / "out").mkdir()
    (tmp_path / "out" / "manifest.json").write_text(text)
    with pytest.raises(BadOutput, match="not a release"):
        release().write(tmp_path / "out", force=True)
    assert (tmp_path / "out" / "manifest.json").read_text() == text


def test_a_folder_of_an_earlier_version_is_replaced_and_read(tmp_path: Path) -> None:
    """Format 1 had the whole manifest in the folder, and no inside."""
    release(seed=7).write(tmp_path / "out")
    full = json.loads((tmp_path / "out.inside" / "manifest.json").read_text())
    del full["document"]
    (tmp_path / "out" / "manifest.json").write_text(json.dumps({**full, "format": 1}))
    for path in (tmp_path / "out.inside").iterdir():
        path.unlink()
    (tmp_path / "out.inside").rmdir()
    stored = release_in(tmp_path / "out")
    assert stored.inside is None
    assert stored.full["method"]["seed"] == 7
    assert am.risk(tmp_path / "out").after is not None
    assert am.query(tmp_path / "out", "SELECT COUNT(*)").estimate == 6
    release().write(tmp_path / "out", force=True)
    assert (tmp_path / "out.inside").is_dir()


def test_the_inside_of_another_release_is_not_taken_for_ones_own(tmp_path: Path) -> None:
    release().write(tmp_path / "out")
    release(6).write(tmp_path / "other")
    told = json.loads((tmp_path / "out" / "manifest.json").read_text())
    assert Manifest(told).inside(tmp_path / "out")
    assert Manifest(told).inside(tmp_path / "out", tmp_path / "other.inside") is None


def test_people_are_numbered_in_the_order_of_the_published_rows(tmp_path: Path) -> None:
    table = pa.table({"who": ["a", "a", "b", "c", "c", "d"], "age": [1, 1, 2, 3, 3, 4]})
    schema = am.Schema({"who": am.Column(role="identifier"), "age": am.Column(role="quasi")})
    am.anonymize(table, schema, [am.KAnonymity(2)], unit="who", method="mondrian").write(tmp_path / "out")
    people = pq.read_table(tmp_path / "out.inside" / "people.parquet")
    assert people.column_names == ["person"]
    assert pa.types.is_integer(people.schema.field("person").type)
    assert am.verify(tmp_path / "out" / "release.parquet", schema, [am.KAnonymity(2)], units=people.column("person")).ok
    assert sorted(path.name for path in (tmp_path / "out").iterdir()) == [
        "manifest.json",
        "release.parquet",
        "report.html",
    ]
