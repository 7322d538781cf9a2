"""Nothing half-written: the folder appears complete or not at all, and nothing else is touched."""

from __future__ import annotations

import errno
import json
import os
import signal
import subprocess
import sys
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

import amongst as am
from amongst import staging
from amongst.engines import in_memory
from amongst.errors import AmongstError, BadOutput
from amongst.release import account
from amongst.staging import PREFIX, remove_leftovers, staged


def names(folder: Path) -> list[str]:
    return sorted(path.name for path in folder.iterdir())


def make(target: Path, text: str = "new", **options: Any) -> None:
    with staged(target, **options) as folder:
        (folder / "manifest.json").write_text(json.dumps({"format": 2, "text": text, "output": {"sha256": {}}}))


def told(target: Path) -> str:
    return str(json.loads((target / "manifest.json").read_text())["text"])


def fail(target: Path, error: BaseException, **options: Any) -> None:
    with staged(target, **options) as folder:
        (folder / "manifest.json").write_text("half")
        raise error


@pytest.fixture
def release() -> am.Release:
    patients = am.datasets.load("patients")
    return am.anonymize(patients.table, patients.schema, [am.KAnonymity(2)], method="mondrian")


def test_the_folder_appears_when_the_block_ends(tmp_path: Path) -> None:
    with staged(tmp_path / "out") as folder:
        (folder / "manifest.json").write_text("{}")
        assert folder.parent == tmp_path
        assert folder.name.startswith(PREFIX)
        assert folder.stat().st_mode & 0o077 == 0
        assert not (tmp_path / "out").exists()
    assert names(tmp_path) == ["out"]
    assert names(tmp_path / "out") == ["manifest.json"]


@pytest.mark.parametrize("mask", [0o022, 0o077])
def test_permissions_are_those_the_user_gives_to_new_files(tmp_path: Path, mask: int) -> None:
    before = os.umask(mask)
    try:
        make(tmp_path / "out")
        assert os.umask(mask) == mask
    finally:
        os.umask(before)
    assert (tmp_path / "out").stat().st_mode & 0o777 == 0o777 & ~mask
    assert (tmp_path / "out" / "manifest.json").stat().st_mode & 0o777 == 0o666 & ~mask


@pytest.mark.parametrize("error", [ValueError, KeyboardInterrupt, SystemExit, MemoryError])
def test_an_error_in_the_block_leaves_nothing(tmp_path: Path, error: type[BaseException]) -> None:
    with pytest.raises(error):
        fail(tmp_path / "out", error())
    assert names(tmp_path) == []


@pytest.mark.parametrize(
    ("number", "words"),
    [(errno.ENOSPC, "disk is full"), (errno.EDQUOT, "disk is full"), (errno.EIO, "could not be written")],
)
def test_trouble_with_the_disk_is_told(tmp_path: Path, number: int, words: str) -> None:
    with pytest.raises(BadOutput, match=words):
        fail(tmp_path / "out", OSError(number, os.strerror(number)))
    assert names(tmp_path) == []


def test_an_existing_release_is_replaced_only_when_asked(tmp_path: Path) -> None:
    make(tmp_path / "out", "old")
    with pytest.raises(BadOutput, match="something already"):
        make(tmp_path / "out")
    assert told(tmp_path / "out") == "old"
    make(tmp_path / "out", force=True)
    assert told(tmp_path / "out") == "new"
    assert names(tmp_path) == ["out"]


def test_a_failed_replacement_leaves_the_old_release(tmp_path: Path) -> None:
    make(tmp_path / "out", "old")
    with pytest.raises(ValueError):
        fail(tmp_path / "out", ValueError(), force=True)
    assert told(tmp_path / "out") == "old"
    assert names(tmp_path) == ["out"]


def test_replacing_where_folders_cannot_change_names_in_one_step(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(staging, "_exchange", lambda one, other: False)
    make(tmp_path / "out", "old")
    make(tmp_path / "out", force=True)
    assert told(tmp_path / "out") == "new"
    assert names(tmp_path) == ["out"]
    real = os.rename

    def fails(source: Any, target: Any) -> None:
        if Path(target) == tmp_path / "out" and Path(source).name != "old":
            raise OSError(errno.EIO, "no")
        real(source, target)

    monkeypatch.setattr(os, "rename", fails)
    with pytest.raises(BadOutput):
        make(tmp_path / "out", "newer", force=True)
    assert told(tmp_path / "out") == "new"
    assert names(tmp_path) == ["out"]


@pytest.mark.skipif(sys.platform != "linux", reason="one step is known on Linux only")
def test_folders_change_names_in_one_step(tmp_path: Path) -> None:
    for name in ("one", "other"):
        (tmp_path / name).mkdir()
        (tmp_path / name / name).touch()
    assert staging._exchange(tmp_path / "one", tmp_path / "other")
    assert (names(tmp_path / "one"), names(tmp_path / "other")) == (["other"], ["one"])
    assert not staging._exchange(tmp_path / "one", tmp_path / "none")


@pytest.mark.parametrize("force", [False, True])
def test_what_is_no_release_is_never_replaced(tmp_path: Path, force: bool) -> None:
    (tmp_path / "folder").mkdir()
    (tmp_path / "folder" / "thesis.txt").write_text("years of work")
    (tmp_path / "file").write_text("text")
    make(tmp_path / "release", "old")
    (tmp_path / "link").symlink_to(tmp_path / "release")
    (tmp_path / "dangling").symlink_to(tmp_path / "nothing")
    before = names(tmp_path)
    for name in ("folder", "file", "link", "dangling", "file/below", "none/below"):
        with pytest.raises(BadOutput):
            make(tmp_path / name, force=force)
    assert names(tmp_path) == before
    assert (tmp_path / "folder" / "thesis.txt").read_text() == "years of work"
    assert told(tmp_path / "release") == "old"


@pytest.mark.parametrize("force", [False, True])
def test_an_empty_folder_may_be_filled(tmp_path: Path, force: bool) -> None:
    (tmp_path / "out").mkdir()
    make(tmp_path / "out", force=force)
    assert names(tmp_path) == ["out"]
    assert names(tmp_path / "out") == ["manifest.json"]


def test_a_folder_that_appears_meanwhile_is_not_overwritten(tmp_path: Path) -> None:
    def slow() -> None:
        with staged(tmp_path / "out"):
            make(tmp_path / "out", "theirs")

    with pytest.raises(BadOutput):
        slow()
    assert told(tmp_path / "out") == "theirs"
    assert names(tmp_path) == ["out"]


@pytest.mark.skipif(os.geteuid() == 0, reason="root may write anywhere")
def test_a_folder_that_may_not_be_written(tmp_path: Path) -> None:
    tmp_path.chmod(0o500)
    try:
        with pytest.raises(BadOutput, match="cannot be written there"):
            make(tmp_path / "out")
    finally:
        tmp_path.chmod(0o700)


def test_a_relative_path_and_one_with_a_slash(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, release: am.Release
) -> None:
    monkeypatch.chdir(tmp_path)
    release.write("one")
    release.write("two/")
    (tmp_path / "sub").mkdir()
    release.write(Path("sub/../sub/three"))
    assert names(tmp_path) == ["one", "one.inside", "sub", "two", "two.inside"]
    assert names(tmp_path / "sub") == ["three", "three.inside"]


@pytest.fixture
def busy(tmp_path: Path) -> Iterator[subprocess.Popen[str]]:
    """Another process in the middle of writing a release."""
    code = (
        "import sys, time; from pathlib import Path; from amongst.staging import staged\n"
        "with staged(Path(sys.argv[1])) as folder:\n"
        "    (folder / 'data').write_text('half'); print(folder.name, flush=True); time.sleep(60)\n"
    )
    process = subprocess.Popen(
        [sys.executable, "-c", code, str(tmp_path / "theirs")], stdout=subprocess.PIPE, text=True
    )
    assert process.stdout is not None
    process.stdout.readline()
    yield process
    process.kill()
    process.wait()


def test_folders_of_running_processes_stay_and_those_of_killed_ones_go(
    tmp_path: Path, busy: subprocess.Popen[str]
) -> None:
    make(tmp_path / "ours")
    assert len([name for name in names(tmp_path) if name.startswith(PREFIX)]) == 1
    busy.send_signal(signal.SIGKILL)
    busy.wait()
    assert len([name for name in names(tmp_path) if name.startswith(PREFIX)]) == 1
    make(tmp_path / "more")
    assert names(tmp_path) == ["more", "ours"]


def test_a_process_that_is_asked_to_stop_cleans_up(tmp_path: Path, busy: subprocess.Popen[str]) -> None:
    busy.send_signal(signal.SIGINT)
    busy.wait()
    assert names(tmp_path) == []


def test_leftovers_are_removed_whatever_is_in_them(tmp_path: Path) -> None:
    for name in ("a", "b"):
        (tmp_path / f"{PREFIX}{name}").mkdir()
    (tmp_path / f"{PREFIX}a" / "release.parquet").write_text("complete")
    (tmp_path / f"{PREFIX}file").write_text("not ours: we make folders")
    (tmp_path / "elsewhere").mkdir()
    (tmp_path / "elsewhere" / "keep").write_text("x")
    (tmp_path / f"{PREFIX}link").symlink_to(tmp_path / "elsewhere")
    remove_leftovers(tmp_path)
    assert names(tmp_path) == [f"{PREFIX}file", f"{PREFIX}link", "elsewhere"]
    assert names(tmp_path / "elsewhere") == ["keep"]


def test_many_at_once_beside_each_other(tmp_path: Path) -> None:
    code = (
        "import sys, time; from pathlib import Path; from amongst.staging import staged\n"
        "for i in range(40):\n"
        "    with staged(Path(sys.argv[1]) / f'{sys.argv[2]}-{i}') as folder:\n"
        "        (folder / 'manifest.json').write_text('x')\n"
    )
    running = [subprocess.Popen([sys.executable, "-c", code, str(tmp_path), str(i)]) for i in range(4)]
    deadline = time.monotonic() + 60
    assert [process.wait(timeout=deadline - time.monotonic()) for process in running] == [0] * 4
    assert len(names(tmp_path)) == 160


@pytest.mark.parametrize(("home", "step"), [(in_memory, "write_data"), (account, "manifest_of")])
def test_a_release_that_breaks_while_it_is_written_leaves_nothing(
    tmp_path: Path, release: am.Release, home: Any, step: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    def breaks(*args: Any, **told: Any) -> None:
        raise OSError(errno.ENOSPC, "full")

    monkeypatch.setattr(home, step, breaks)
    with pytest.raises(AmongstError, match="disk is full"):
        release.write(tmp_path / "out")
    assert names(tmp_path) == []
