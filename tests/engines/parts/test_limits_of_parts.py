"""Too little memory, a full disk, Ctrl-C and kill -9: clear words, and nothing left behind."""

from __future__ import annotations

import errno
import gc
import os
import signal
import subprocess
import sys
import time
from pathlib import Path

import pyarrow.parquet as pq
import pytest
from parts_runs import by_parts, stored

import amongst as am
from amongst.engines.memory import Budget
from amongst.engines.parts import code_file
from amongst.engines.parts.code_file import CodeWriter
from amongst.engines.parts.plan import FIXED
from amongst.engines.work import Work
from amongst.errors import BadOption, BadOutput

RUN = """
import sys, time
import amongst as am
from amongst.request import Request
from amongst.engines.duckdb.open_store import open_store
from amongst.engines.memory import budget
from amongst.anonymize import release_of
from amongst.engines.parts.store import PartsStore
from amongst.engines.work import Work

path, place, memory, stop_at = sys.argv[1:]

def say(step, done, total):
    if step == stop_at:
        print("there", flush=True)
        time.sleep(60)

room, work = budget(memory), Work(place)
request = Request(schema=am.datasets.wide(n_rows=10).schema, models=[am.KAnonymity(10)], method="mondrian")
store = open_store(path, work.folder, room.for_queries)
store = PartsStore(store.name, store.paths, store.folder, store.memory, work=work, budget=room)
release = release_of(store, request, say)
release.write(place + "/out")
# Not ru_maxrss: that of a process which was forked off a large one begins with what the large one had.
peak = next(line for line in open("/proc/self/status") if line.startswith("VmHWM"))
print(release.partition.facts["parts"], int(peak.split()[1]) * 1024)
"""


@pytest.fixture(scope="module")
def wide_file(tmp_path_factory: pytest.TempPathFactory) -> Path:
    path = tmp_path_factory.mktemp("wide") / "wide.parquet"
    pq.write_table(am.datasets.wide(n_rows=400_000).table, path)
    return path


def started(path: Path, place: Path, memory: str = "600MB", stop_at: str = "") -> subprocess.Popen[str]:
    command = [sys.executable, "-c", RUN, str(path), str(place), memory, stop_at]
    return subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)


@pytest.mark.skipif(not sys.platform.startswith("linux"), reason="memory is counted in other units elsewhere")
def test_the_process_keeps_to_the_limit(wide_file: Path, tmp_path: Path) -> None:
    told, problems = started(wide_file, tmp_path, "470MB").communicate(timeout=300)
    assert told, problems
    n_parts, peak = map(int, told.split())
    assert n_parts >= 1
    assert peak <= 470 * 10**6


def test_the_least_memory_is_said(tmp_path: Path) -> None:
    path, schema = _small(tmp_path)
    with pytest.raises(BadOption) as refused:
        by_parts(path, schema, 3, "mondrian", folder=tmp_path, planned=False, budget=Budget(3 * 10**8, 10**8))
    least = refused.value.facts["least"]
    assert least >= 2 * 10**8 + FIXED
    assert f"{least / 1e9:.1f}GB" in refused.value.fix
    enough = Budget(least, least - 2 * 10**8)
    assert by_parts(path, schema, 3, "mondrian", folder=tmp_path, planned=False, budget=enough).partition.n_groups


@pytest.mark.parametrize("file", ["codes", "part_0", "kinds_0"])
def test_a_full_disk(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, file: str) -> None:
    path, schema = _small(tmp_path)
    place = tmp_path / "place"
    place.mkdir()
    write = CodeWriter.write

    def full(self: CodeWriter, records: object) -> None:
        if self.path.name == file:
            raise OSError(errno.ENOSPC, "No space left on device")
        write(self, records)  # type: ignore[arg-type]

    monkeypatch.setattr(CodeWriter, "write", full)
    with pytest.raises(BadOutput, match="no room left") as refused:
        by_parts(path, schema, 3, "mondrian", folder=place)
    del refused
    gc.collect()
    assert list(place.iterdir()) == []


def test_what_is_on_disk_is_private_and_goes_with_the_release(tmp_path: Path) -> None:
    path, schema = _small(tmp_path)
    place = tmp_path / "place"
    place.mkdir()
    release = by_parts(path, schema, 3, "mondrian", folder=place)
    [folder] = place.iterdir()
    assert folder.stat().st_mode & 0o077 == 0
    del release
    gc.collect()
    assert list(place.iterdir()) == []


@pytest.mark.skipif(not hasattr(os, "getuid"), reason="folders are not locked here")
@pytest.mark.parametrize("by", [signal.SIGINT, signal.SIGKILL])
def test_interrupted(wide_file: Path, tmp_path: Path, by: signal.Signals) -> None:
    run = started(wide_file, tmp_path, stop_at="group")
    assert run.stdout is not None
    assert run.stdout.readline() == "there\n"
    [folder] = tmp_path.iterdir()
    assert {path.name for path in folder.iterdir()} == {"codes"}
    run.send_signal(by)
    run.communicate(timeout=60)
    assert run.returncode != 0
    if by == signal.SIGKILL:
        assert folder.exists()
        Work(tmp_path).close()  # the next run in the same place
    _wait_until_gone(folder)
    assert list(tmp_path.iterdir()) == []


def test_a_cut_off_temporary_file_is_noticed(tmp_path: Path) -> None:
    path = tmp_path / "codes"
    path.write_bytes(b"123")
    with pytest.raises(OSError, match="shorter"):
        code_file.CodeFile(path, code_file.np.dtype("u4"), 2).read()


def _wait_until_gone(folder: Path) -> None:
    for _ in range(50):
        if not folder.exists():
            return
        time.sleep(0.1)


def _small(folder: Path) -> tuple[Path, am.Schema]:
    table = am.datasets.wide(n_rows=300)
    return stored(table.table, folder, 100), table.schema
