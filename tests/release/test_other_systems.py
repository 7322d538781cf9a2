"""What Windows does otherwise, played on the system at hand: no locks, and no flush of what is only read."""

from __future__ import annotations

import errno
import os
import sys
from pathlib import Path
from typing import Any

import pyarrow as pa
import pytest

import amongst as am

SCHEMA = am.Schema({"age": am.Column(role="quasi"), "ill": am.Column(role="sensitive")})


@pytest.fixture
def as_on_windows(monkeypatch: pytest.MonkeyPatch) -> None:
    """Folders cannot be opened, a handle that only reads cannot be flushed, and several calls are not there."""
    fcntl = pytest.importorskip("fcntl", reason="this is such a system")
    opened, flushed = os.open, os.fsync

    def open_file(path: Any, flags: int, *more: Any, **named: Any) -> int:
        if os.path.isdir(path):
            raise PermissionError(errno.EACCES, "a folder cannot be opened")
        return opened(path, flags, *more, **named)

    def fsync(handle: int) -> None:
        if fcntl.fcntl(handle, fcntl.F_GETFL) & os.O_ACCMODE == os.O_RDONLY:
            raise OSError(errno.EBADF, "only what may be written is flushed")
        flushed(handle)

    staging = sys.modules["amongst.staging"]
    there = {name: getattr(os, name) for name in dir(os) if not name.startswith("__")}
    there.update(open=open_file, fsync=fsync, name="nt")
    for absent in ("getuid", "killpg", "fork"):
        there.pop(absent, None)
    monkeypatch.setattr(
        staging,
        "os",
        type("os", (), {name: staticmethod(one) if callable(one) else one for name, one in there.items()}),
    )
    monkeypatch.setitem(sys.modules, "fcntl", None)


def people() -> pa.Table:
    return pa.table({"age": [i % 17 for i in range(80)], "ill": ["yes", "no"] * 40})


@pytest.mark.usefixtures("as_on_windows")
def test_a_release_is_written_replaced_and_verified(tmp_path: Path) -> None:
    for k in (3, 5):
        release = am.anonymize(people(), SCHEMA, [am.KAnonymity(k)], method="mondrian")
        assert release.write(tmp_path / "out", format="csv", force=k == 5).ok
    assert sorted(path.name for path in tmp_path.iterdir()) == ["out", "out.inside"]
    assert am.verify(tmp_path / "out" / "release.csv", SCHEMA, [am.KAnonymity(5)]).ok


def test_what_is_written_has_the_line_ends_of_every_other_system(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Text files are opened with their line end named: Windows would write another one."""
    plain = Path.write_text

    def write_text(
        self: Path, data: str, encoding: str | None = None, errors: Any = None, newline: str | None = None
    ) -> int:
        return plain(self, data, encoding=encoding, errors=errors, newline="\r\n" if newline is None else newline)

    monkeypatch.setattr(Path, "write_text", write_text)
    release = am.anonymize(people(), SCHEMA, [am.KAnonymity(5)], method="mondrian")
    release.write(tmp_path / "out", format="csv")
    for path in sorted(tmp_path.rglob("*")):
        if path.is_file() and path.suffix in (".json", ".html", ".csv"):
            assert b"\r\n" not in path.read_bytes(), path.name
