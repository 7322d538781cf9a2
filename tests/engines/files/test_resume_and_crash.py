"""Long jobs that are cut short: what is kept on purpose, what is not, and who may read it."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import time
from pathlib import Path

import pyarrow as pa
import pytest
from stored_files import written

import amongst as am
from amongst.engines.checkpoint import Checkpoint
from amongst.engines.duckdb.file_store import FileStore
from amongst.staging import KEPT

RUN = """
import sys, time
import amongst as am
from amongst.engines.duckdb.file_store import FileStore
path, work, out, stop, resume = sys.argv[1:]
adult = am.datasets.load("adult")
if stop == "count":
    FileStore.count = lambda *told: print("now", flush=True) or time.sleep(60)
def say(step, done=0, total=0):
    if step == stop:
        print("now", flush=True)
        time.sleep(60)
release = am.anonymize(
    path, adult.schema, [am.KAnonymity(5)], memory="8GB", work=work, resume=resume == "resume", progress=say
)
release.write(out, step=say)
"""


def killed(path: Path, work: Path, out: Path, stop: str, resume: str, number: int = signal.SIGKILL) -> None:
    """Run until a step, and end the process there."""
    process = subprocess.Popen(
        [sys.executable, "-c", RUN, str(path), str(work), str(out), stop, resume], stdout=subprocess.PIPE, text=True
    )
    assert process.stdout is not None
    assert process.stdout.readline() == "now\n"
    process.send_signal(number)
    process.wait(timeout=30)
    process.stdout.close()


@pytest.fixture
def people(tmp_path: Path) -> tuple[Path, Path]:
    work = tmp_path / "work"
    work.mkdir()
    table = am.datasets.load("adult").table.slice(0, 700)
    return written(pa.concat_tables([table] * 3), tmp_path), work


@pytest.mark.parametrize("stop", ["count", "group", "write", "verify"])
def test_a_killed_run_leaves_nothing_under_its_name_and_the_next_cleans_up(
    people: tuple[Path, Path], stop: str, tmp_path: Path
) -> None:
    path, work = people
    killed(path, work, tmp_path / "out", stop, "no")
    assert not (tmp_path / "out").exists()
    left = list(work.iterdir())
    assert all(folder.stat().st_mode & 0o077 == 0 for folder in left)
    adult = am.datasets.load("adult")
    am.anonymize(path, adult.schema, [am.KAnonymity(5)], memory="8GB", work=work).write(tmp_path / "out")
    assert list(work.iterdir()) == []
    assert sorted(one.name for one in tmp_path.iterdir()) == ["out", "out.inside", "people.parquet", "work"]


def test_a_run_resumes_with_what_was_counted(
    people: tuple[Path, Path], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    path, work = people
    killed(path, work, tmp_path / "out", "group", "resume")
    kept = [one for one in work.iterdir() if one.name.startswith(KEPT)]
    assert [one.stat().st_mode & 0o077 for one in kept] == [0]
    adult = am.datasets.load("adult")
    fresh = am.anonymize(path, adult.schema, [am.KAnonymity(5)], method="mondrian")
    fresh.write(tmp_path / "fresh")
    with monkeypatch.context() as patched:
        patched.setattr(FileStore, "count", None)  # a resumed run does not count again
        am.anonymize(path, adult.schema, [am.KAnonymity(5)], memory="8GB", work=work, resume=True).write(
            tmp_path / "out"
        )
    assert (tmp_path / "out/release.parquet").read_bytes() == (tmp_path / "fresh/release.parquet").read_bytes()
    assert list(work.iterdir()) == []


def test_a_run_by_parts_resumes_with_its_codes(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    from amongst.engines.parts import store as parts

    work = tmp_path / "work"
    work.mkdir()
    path = written(am.datasets.load("adult").table.slice(0, 2000), tmp_path)  # nearly all of them differ
    killed(path, work, tmp_path / "out", "group", "resume")
    [kept] = [one for one in work.iterdir() if one.name.startswith(KEPT)]
    assert [one.name.partition("-")[0] for one in sorted(kept.iterdir())] == ["codes", "counts", "state"]
    adult = am.datasets.load("adult")
    am.anonymize(path, adult.schema, [am.KAnonymity(5)], method="mondrian").write(tmp_path / "fresh")
    with monkeypatch.context() as patched:
        patched.setattr(parts, "encode_rows", None)  # a resumed run does not encode again
        release = am.anonymize(path, adult.schema, [am.KAnonymity(5)], memory="8GB", work=work, resume=True)
        release.write(tmp_path / "out")
    assert (tmp_path / "out/release.parquet").read_bytes() == (tmp_path / "fresh/release.parquet").read_bytes()
    del release
    assert list(work.iterdir()) == []


def test_a_changed_file_is_counted_again(people: tuple[Path, Path], tmp_path: Path) -> None:
    path, work = people
    killed(path, work, tmp_path / "out", "group", "resume")
    adult = am.datasets.load("adult")
    os.utime(path, ns=(time.time_ns(), time.time_ns() + 10**9))
    release = am.anonymize(path, adult.schema, [am.KAnonymity(5)], memory="8GB", work=work, resume=True)
    [kept] = [one for one in work.iterdir() if one.name.startswith(KEPT)]
    assert len(list(kept.glob("counted-*"))) == 1  # what was counted of the file as it was is gone
    release.write(tmp_path / "out")
    del release
    assert list(work.iterdir()) == []


def test_a_run_that_does_not_resume_removes_what_was_kept(people: tuple[Path, Path], tmp_path: Path) -> None:
    path, work = people
    killed(path, work, tmp_path / "out", "group", "resume")
    adult = am.datasets.load("adult")
    am.anonymize(path, adult.schema, [am.KAnonymity(5)], memory="8GB", work=work).write(tmp_path / "out")
    assert list(work.iterdir()) == []


def test_an_interrupted_run_cleans_up_itself(people: tuple[Path, Path], tmp_path: Path) -> None:
    path, work = people
    killed(path, work, tmp_path / "out", "group", "no", signal.SIGINT)
    assert list(work.iterdir()) == []


def test_a_folder_of_somebody_else_is_not_used(tmp_path: Path) -> None:
    first = Checkpoint(tmp_path, "a table")
    assert first.usable
    folder = first.folder
    first.drop()
    folder.mkdir(mode=0o755)
    folder.chmod(0o755)
    assert not Checkpoint(tmp_path, "a table").usable
